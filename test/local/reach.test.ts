import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RecentSources } from '../../local/console/server/recent.ts';
import { consoleActions, consoleRoutes } from '../../local/console/server/routes.ts';
import type { Stack } from '../../local/stack.ts';
import { raw } from '../support/raw-request.ts';
import { testStack } from '../support/stack/stack.ts';

// Tests which parts of a running stack can be reached by a web page in the developer's browser, and by another user of the
// machine.

type Place = { readonly host: string; readonly port: number; readonly program: string };

/** Only Linux lists listening sockets as files. */
const isLinux = process.platform === 'linux';
let stack: Stack;
let places: readonly Place[];
beforeAll(async () => {
	stack = await testStack();
	places = isLinux ? processes().flatMap(listening) : [];
});
afterAll(async () => await stack.stop());

/** The ids of this process and all its descendants. */
function processes(): readonly number[] {
	const parents = new Map<number, number>();
	for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
		try {
			const [, parent] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
			parents.set(Number(name), Number(parent));
		} catch {
			// The process has ended since it was listed.
		}
	}
	const isOurs = (pid: number | undefined): boolean =>
		pid === process.pid || (pid !== undefined && pid > 1 && isOurs(parents.get(pid)));
	return [...parents.keys()].filter(isOurs);
}

/** The TCP addresses on which a process listens, according to Linux (proc(5), /proc/net/tcp). */
function listening(pid: number): readonly Place[] {
	const fds = `/proc/${pid}/fd`;
	const inodes = new Set(
		readdirSync(fds).flatMap((fd) => {
			try {
				return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(fds, fd)))?.[1] ?? [];
			} catch {
				return [];
			}
		}),
	);
	const program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
	return ['tcp', 'tcp6'].flatMap((family) => {
		const [, ...lines] = readFileSync(`/proc/net/${family}`, 'utf8').trim().split('\n');
		return lines.flatMap((line) => {
			const columns = line.trim().split(/\s+/);
			const isListening = columns[3] === '0A';
			if (!isListening || !inodes.has(columns[9] ?? '')) return [];
			const [address = '', port = ''] = (columns[1] ?? '').split(':');
			return [{ host: hostOf(address), port: Number.parseInt(port, 16), program }];
		});
	});
}

function hostOf(hex: string): string {
	if (hex === '00000000000000000000000001000000') return '::1';
	if (hex.length !== 8) return `IPv6 ${hex}`;
	return [...Buffer.from(hex, 'hex')].reverse().join('.');
}

const describeOnLinux = isLinux ? describe : describe.skip;

describeOnLinux('the local stack', () => {
	it('listens on loopback addresses only', () => {
		expect(places.length).toBeGreaterThan(4);
		expect(places.filter(({ host }) => host !== '::1' && !host.startsWith('127.'))).toEqual([]);
	});

	it('keeps the table at an address that a web page would have to guess', async () => {
		const [table, ...more] = places.filter(({ program }) => program === 'dynoxide');
		expect(more).toEqual([]);
		expect(table?.host).toMatch(/^127\.\d+\.\d+\.\d+$/);
		expect(table?.host).not.toBe('127.0.0.1');
		await expect(fetch(`http://127.0.0.1:${table?.port}/`)).rejects.toThrow();
	});

	it('accepts no message from a form on a web page', async () => {
		const QueueUrl = 'http://localhost/000000000000/dial-legs';
		const body = new URLSearchParams({ Action: 'SendMessage', QueueUrl, MessageBody: '{}' });
		const reachable = places.filter(({ program }) => program !== 'dynoxide');
		for (const { host, port } of reachable) {
			const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
			const headers = { origin: 'https://elsewhere.example' };
			const answer = await fetch(address, { method: 'POST', body, headers }).catch(() => null);
			if (answer === null) continue;
			expect([address, answer.ok]).toEqual([address, false]);
			expect(answer.headers.get('access-control-allow-origin')).toBeNull();
			expect(await answer.text()).not.toMatch(/MessageId|QueueDoesNotExist|Sqs/i);
		}
	});

	it.each(['http://x/../../../stack.json', '*/../../console.secret', '../stack.json', 'stack.json'])(
		'answers 400 to the target %s on every port, and shows no file',
		async (target) => {
			const own = places.filter(({ program }) => program !== 'dynoxide');
			const text = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
			for (const { host, port } of own) {
				const answers = [false, true].map((tls) => raw(port, text, host, tls).catch(() => ''));
				const [said = '', more] = (await Promise.all(answers)).filter((answer) => answer !== '');
				expect([port, said.split(' ', 2), more]).toEqual([port, ['HTTP/1.1', '400'], undefined]);
			}
		},
	);

	it('does not let a web page read responses of the AWS stand-ins', async () => {
		for (const { host, port, program } of places) {
			if (program === 'dynoxide' || host === '::1') continue;
			const headers = {
				origin: 'https://elsewhere.example',
				'access-control-request-method': 'POST',
				'access-control-request-headers': 'x-amz-target,authorization',
			};
			const answer = await fetch(`http://${host}:${port}/`, { method: 'OPTIONS', headers }).catch(() => null);
			expect([port, answer?.headers.get('access-control-allow-origin') ?? null]).toEqual([port, null]);
		}
	});
});

it('the stack lets only its owner read files of the state directory', () => {
	const open = readdirSync(stack.state_dir, { recursive: true, encoding: 'utf8' })
		.concat('.')
		.filter((name) => (statSync(join(stack.state_dir, name)).mode & 0o077) !== 0);
	expect(open).toEqual([]);
});

describe('the console', () => {
	it('shows and does nothing without its key, which only the owner can read', async () => {
		const ask = async (path: string, headers: Record<string, string> = {}) => {
			const answer = await fetch(`${stack.console_url}${path}`, { headers });
			return { status: answer.status, shows: (await answer.text()).includes(stack.api_key) };
		};
		const known = { authorization: `Bearer ${stack.console_key}` };
		for (const name of Object.keys(consoleRoutes({} as RecentSources))) {
			expect([name, (await ask(`/${name}/1`)).status]).toEqual([name, 401]);
		}
		for (const name of Object.keys(consoleActions({} as RecentSources))) {
			const headers = { origin: stack.console_url, 'content-type': 'application/json' };
			const answer = await fetch(`${stack.console_url}/${name}/1`, { method: 'POST', headers, body: '{}' });
			expect([name, answer.status]).toEqual([name, 401]);
		}
		expect(await ask('/recent')).toEqual({ status: 401, shows: false });
		expect(await ask('/recent', { authorization: 'Bearer another' })).toEqual({ status: 401, shows: false });
		expect(await ask('/recent', known)).toEqual({ status: 200, shows: true });
	});

	it.each(['/', '/demo', '/pricing'])('allows %s only its own scripts and the API, and no frame', async (path) => {
		const { headers } = await fetch(`${stack.console_url}${path}`, { headers: { accept: 'text/html' } });
		const policy = headers.get('content-security-policy')?.split('; ');
		const api = new URL(stack.base_url).host;
		expect(policy).toEqual(
			expect.arrayContaining([
				"default-src 'none'",
				"script-src 'self'",
				`connect-src 'self' http://${api}`,
				"frame-ancestors 'none'",
			]),
		);
		expect(headers.get('x-frame-options')).toBe('DENY');
	});
});
