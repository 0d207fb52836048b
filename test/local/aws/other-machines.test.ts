import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Listening, listen } from '../../support/listen.ts';

const run = promisify(execFile);
const MODULE = new URL('../../../local/aws/dynoxide.ts', import.meta.url).href;
const VERSION = '1.2.1';
const PUBLISHED = ['darwin-arm64', 'darwin-x64', 'linux-arm64'] as const;

let folder: string;
let registry: Listening;
/** What the registry promises of the package; by default its true hash. */
let integrity: string | null = null;
const asked: string[] = [];

/** A package as the stand-in's maker publishes it: a program, and the machine that it is for. */
async function packed(machine: string): Promise<Buffer> {
	const [os, cpu] = machine.split('-');
	const home = join(folder, machine, 'package');
	mkdirSync(home, { recursive: true });
	writeFileSync(
		join(home, 'package.json'),
		JSON.stringify({ name: `@dynoxide/${machine}`, version: VERSION, os: [os], cpu: [cpu] }),
	);
	writeFileSync(join(home, 'dynoxide'), '#!/bin/sh\necho for $0\n', { mode: 0o755 });
	const file = join(folder, `${machine}.tgz`);
	await run('tar', ['-czf', file, '-C', join(folder, machine), 'package']);
	return readFileSync(file);
}

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'machines-'));
	const tarballs = new Map<string, Buffer>();
	for (const machine of PUBLISHED) tarballs.set(machine, await packed(machine));
	registry = await listen(
		createServer((request, response): unknown => {
			const path = decodeURIComponent(request.url ?? '');
			asked.push(path);
			const machine = PUBLISHED.find((each) => path.startsWith(`/@dynoxide/${each}`));
			const tarball = machine && tarballs.get(machine);
			if (!tarball) return response.writeHead(404).end('{}');
			if (path.endsWith('.tgz')) return response.end(tarball);
			const sha512 = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
			const name = `@dynoxide/${machine}`;
			const dist = { tarball: `${registry.origin}/${name}/-/${machine}.tgz`, integrity: integrity ?? sha512 };
			const [os, cpu] = (machine ?? '').split('-');
			const version = { name, version: VERSION, dist, os: [os], cpu: [cpu] };
			response.setHeader('content-type', 'application/json');
			return response.end(JSON.stringify({ name, 'dist-tags': { latest: VERSION }, versions: { [VERSION]: version } }));
		}),
	);
});
afterAll(async () => {
	await registry.close();
	rmSync(folder, { recursive: true });
});

/** Asks for the program in a process of its own, as on a machine of this platform. */
async function programOn(platform: string, arch: string, cache: string, address = registry.origin) {
	const script = `
		const { dynoxideProgram } = await import(${JSON.stringify(MODULE)});
		try { console.log(dynoxideProgram(${JSON.stringify({ platform, arch })}, ${JSON.stringify(cache)})); }
		catch (error) { console.log(error.name + ': ' + error.message); }`;
	const env = {
		...process.env,
		npm_config_registry: address,
		npm_config_cache: join(cache, 'npm'),
		npm_config_fetch_retries: '0',
		// The package is for the machine that is played, not for this one.
		npm_config_force: 'true',
	};
	const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
	return { answer: stdout.trim(), said: stderr };
}

const freshCache = (): string => mkdtempSync(join(folder, 'cache-'));
const drafts = (cache: string): readonly string[] => readdirSync(cache).filter((name) => /^dynoxide-\w{6}$/.test(name));

describe('the table’s stand-in', () => {
	it.each([
		['darwin', 'arm64'],
		['darwin', 'x64'],
		['linux', 'arm64'],
	])('installs itself once on %s %s, and says so in one line', async (platform, arch) => {
		const cache = freshCache();
		const { answer, said } = await programOn(platform, arch, cache);
		expect(said).toBe(
			`Installing the table's stand-in for this machine: @dynoxide/${platform}-${arch}@${VERSION} ...\n`,
		);
		expect((await run(answer)).stdout).toContain('for ');
		const requests = asked.length;
		expect(await programOn(platform, arch, cache)).toEqual({ answer, said: '' });
		expect(asked.length).toBe(requests);
		expect(drafts(cache)).toEqual([]);
	});

	it('is installed once by processes that need it at the same time', async () => {
		const cache = freshCache();
		const answers = await Promise.all([1, 2, 3].map(() => programOn('darwin', 'arm64', cache)));
		expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
		expect(existsSync(answers[0]?.answer ?? '')).toBe(true);
		expect(drafts(cache)).toEqual([]);
	});

	const other = /AWS_ENDPOINT_URL_DYNAMODB=http:\/\/localhost:8000[\s\S]*any other DynamoDB endpoint/;
	it.each([
		[
			'no network',
			'darwin',
			async (): Promise<string> => 'http://127.0.0.1:9',
			/darwin-arm64@1\.2\.1 cannot be installed: the registry cannot be reached\./,
		],
		[
			'no such package',
			'freebsd',
			async (): Promise<string> => registry.origin,
			/freebsd-arm64@1\.2\.1 cannot be installed: the registry has no such package\./,
		],
	] as const)('names the reason and the two other ways: %s', async (_, platform, address, reason) => {
		const cache = freshCache();
		const { answer } = await programOn(platform, 'arm64', cache, await address());
		expect(answer).toMatch(/^OperatorError: /);
		expect(answer).toMatch(reason);
		expect(answer).toMatch(other);
		expect(drafts(cache)).toEqual([]);
	});

	it('is refused if its content is not what the registry promises', async () => {
		integrity = `sha512-${createHash('sha512').update('other').digest('base64')}`;
		const cache = freshCache();
		const { answer } = await programOn('darwin', 'arm64', cache);
		integrity = null;
		expect(answer).toMatch(/its content is not what the registry promises \(EINTEGRITY\)\./);
		expect(answer).toMatch(other);
		expect((await programOn('darwin', 'arm64', cache)).answer).toMatch(/dynoxide$/);
	});

	it('names WSL on Windows, without asking the registry', async () => {
		const requests = asked.length;
		expect((await programOn('win32', 'x64', freshCache())).answer).toMatch(/run it in WSL\.$/);
		expect(asked.length).toBe(requests);
	});
});
