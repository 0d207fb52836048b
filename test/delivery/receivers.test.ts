import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { LIMITS, type SenderOptions } from '../../shared/adapters/https/sender.ts';
import { attemptRecord, type SendResult } from '../../shared/domain/webhooks/attempt-outcome.ts';
import type { Attempt } from '../../shared/domain/webhooks/delivery.ts';
import {
	type Behaviour,
	certificates,
	HOST,
	tcpReceiver,
	testSender,
	tlsReceiver,
} from '../support/webhooks/receiver.ts';

// Tests the sender with receivers that misbehave, over real TLS.

type Certificates = Awaited<ReturnType<typeof certificates>>;
let certs: Certificates;
beforeAll(async () => {
	certs = await certificates();
});
const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

const BODY = '{"id":"e","event":"call.completed","created_at":"2026-11-09T12:00:00.000Z","data":{"id":"ü"}}';
const request = (url: string) => ({
	url,
	headers: { 'content-type': 'application/json', 'webhook-id': 'e' },
	body: BODY,
});
const attempt = (result: SendResult): Attempt => attemptRecord(1, new Date(0).toISOString(), result);
/** Sets the given time limit. The other limit becomes too long to matter. */
const short = (changes: { connect_ms?: number; total_ms?: number }): Partial<SenderOptions> => ({
	limits: { ...LIMITS, connect_ms: 20_000, total_ms: 20_000, ...changes },
});

async function receiving(
	behave: Behaviour,
	changes: Partial<SenderOptions> = {},
	tls: TlsOptions = certs.good,
	greet?: (reset: () => void) => void,
) {
	const receiver = await tlsReceiver(tls, behave, greet);
	stops.push(receiver.stop);
	const sender = testSender(certs.ca_pem, [receiver.port], changes);
	const send = async (body = BODY) => attempt(await sender.send({ ...request(receiver.url), body }));
	return { ...receiver, send };
}
async function accepting(accept: (socket: Socket) => void, changes: Partial<SenderOptions> = {}) {
	const receiver = await tcpReceiver(accept);
	stops.push(receiver.stop);
	const sender = testSender(certs.ca_pem, [receiver.port], changes);
	return { ...receiver, send: async () => attempt(await sender.send(request(receiver.url))) };
}
const says =
	(...parts: readonly (string | Buffer)[]): Behaviour =>
	(socket) => {
		for (const part of parts) socket.write(part);
	};
const answer = (status: string, headers = '', body = '') =>
	`HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
/** Checks that a hint contains no machine's address and no error text of OpenSSL or Node.js. */
function expectSafe({ hint }: Attempt): void {
	expect(hint).not.toMatch(/\d+\.\d+\.\d+\.\d+|::|ECONN|EPROTO|HPE_|SSL routines|node:|undefined/);
}

describe('a receiver that answers', () => {
	it.each(['200 OK', '201 Created', '202 Accepted', '204 No Content', '226 IM Used', '299 Whatever'])(
		'%s has received the event',
		async (status) => {
			const body = status.startsWith('204') ? '' : 'thanks';
			const headers = status.startsWith('204') ? 'HTTP/1.1 204 No Content\r\n\r\n' : answer(status, '', body);
			const { send, requests } = await receiving(says(headers));
			const made = await send();
			expect(made).toMatchObject({ response_status: Number(status.slice(0, 3)), error: null, hint: null });
			expect(made.response_body).toBe(body);
			expect(requests).toHaveLength(1);
		},
	);

	it('gets the signed bytes, its own host name, and a request for an uncompressed response', async () => {
		const { send, requests, port, servernames } = await receiving(says(answer('200 OK')));
		const { timings } = await send();
		expect(requests[0]?.body).toBe(BODY);
		expect(requests[0]?.head).toMatch(/^POST \/hook\?a=1 HTTP\/1\.1\r\n/);
		expect(requests[0]?.head).toContain(`\r\nhost: ${HOST}:${port}\r\n`);
		expect(requests[0]?.head).toContain('\r\naccept: */*\r\naccept-encoding: identity\r\n');
		expect(servernames).toEqual([HOST]);
		for (const phase of ['dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'total_ms'] as const) {
			expect(timings[phase]).toBeGreaterThanOrEqual(0);
		}
		const { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = timings;
		const sum = (dns_ms ?? 0) + (connect_ms ?? 0) + (tls_ms ?? 0) + (first_byte_ms ?? 0);
		expect(sum).toBeLessThanOrEqual(total_ms + 4);
	});

	it('behind a firewall that demands a browser has received nothing, although the firewall answers 202', async () => {
		const { send } = await receiving(says(answer('202 Accepted', 'X-Amzn-Waf-Action: challenge\r\n')));
		const made = await send();
		expect(made).toMatchObject({ response_status: 202, error: 'http_status' });
		expect(made.hint).toContain('AWS WAF answered 202 in front of the receiver');
	});

	it('410 causes a hint about what to do, and its answer is stored', async () => {
		const { send } = await receiving(says(answer('410 X', 'retry-after: 7\r\n', 'why')));
		const made = await send();
		expect(made).toMatchObject({ response_status: 410, error: 'http_status', response_body: 'why' });
		expect(made.hint).toMatch(/410 Gone.*switched off/);
	});

	it.each([
		...[300, 301, 302, 303, 304, 305, 307, 308, 399].map((status) => [status, 'https://elsewhere.example/x'] as const),
		[302, 'http://169.254.169.254/latest/meta-data/'],
		[307, 'https://localhost/'],
		[308, '//internal'],
		[302, ''],
		[302, `https://x.example/${'é'.repeat(20)}${'y'.repeat(5000)}`],
	])('%i to %.60s is not followed, and the hint shows the target in one printable line', async (status, location) => {
		const elsewhere = await accepting(() => undefined);
		const to = location === 'https://localhost/' ? elsewhere.url.replace(HOST, '127.0.0.1') : location;
		const { send, requests } = await receiving(says(answer(`${status} X`, `location: ${to}\r\n`)));
		const made = await send();
		expect(made).toMatchObject({ error: 'redirect_not_followed', response_status: status });
		expect(made.hint).toContain(`(to ${to.slice(0, 18)}`);
		expect(made.hint).toMatch(/^[\x20-\x7e]{1,320}$/);
		expect([requests.length, elsewhere.accepted()]).toEqual([1, 0]);
	});

	it('with 100 Continue or other 1xx first is understood, unless it sends a flood of them', async () => {
		const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n';
		const polite = await receiving(says(early, answer('200 OK')));
		expect((await polite.send()).error).toBeNull();
		const flood = await receiving((socket) => {
			const more = () => socket.writable && socket.write(early, () => setImmediate(more));
			more();
		});
		const made = await flood.send();
		expect(made).toMatchObject({ error: 'invalid_response', response_status: null });
		await flood.idle();
	});

	it('in HTTP/1.0, with or without a length, is understood, and its connection is closed', async () => {
		for (const text of ['HTTP/1.0 200 OK\r\n\r\nbye', 'HTTP/1.0 200 OK\r\ncontent-length: 3\r\n\r\nbye']) {
			const { send, idle } = await receiving((socket) => socket.end(text));
			expect(await send()).toMatchObject({ response_status: 200, error: null, response_body: 'bye' });
			await idle();
		}
	});
});

describe('an answer', () => {
	it('that is a gzip bomb is not decompressed', async () => {
		const bomb = gzipSync(Buffer.alloc(10_000_000));
		const { send } = await receiving((socket) => {
			socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
			socket.write(bomb);
		});
		const made = await send();
		expect(made.error).toBeNull();
		expect(made.response_body).toBe(bomb.subarray(0, 4096).toString('utf8'));
	});

	it('whose body has invalid framing is not trusted', async () => {
		const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
		const twice = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
		const cases: readonly (readonly [string, string, Attempt['error']])[] = [
			['a chunk size that is none', `${chunked}zz\r\nabc\r\n`, 'invalid_response'],
			['a chunk longer than it says', `${chunked}1\r\nabc\r\n0\r\n\r\n`, 'invalid_response'],
			['endless chunk extensions', `${chunked}1;${'a=b;'.repeat(10_000)}\r\n`, 'invalid_response'],
			['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc', 'invalid_response'],
			['a length and chunks', twice, 'invalid_response'],
			['a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n', 'invalid_response'],
			[
				'a header split by a bare line feed',
				'HTTP/1.1 200 OK\r\nx: a\rb\r\ncontent-length: 0\r\n\r\n',
				'invalid_response',
			],
			['a folded header that smuggles', 'HTTP/1.1 200 OK\r\nx\r\n: y\r\n\r\n', 'invalid_response'],
			['huge headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'invalid_response'],
			['many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`, 'invalid_response'],
			['no HTTP at all', 'SSH-2.0-OpenSSH_9.6\r\n', 'invalid_response'],
			['another version of HTTP', 'HTTP/3.0 200 OK\r\n\r\n', 'invalid_response'],
			['a status that is none', 'HTTP/1.1 abc OK\r\n\r\n', 'invalid_response'],
			[
				'another protocol that nobody asked for',
				'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
				'invalid_response',
			],
			['trailers in plenty', `${chunked}0\r\n${'x: y\r\n'.repeat(20_000)}\r\n`, 'invalid_response'],
		];
		const made = cases.map(async ([what, text]) => {
			const { send, idle } = await receiving(says(text));
			const result = await send();
			await idle();
			expectSafe(result);
			return [what, result.error];
		});
		expect(await Promise.all(made)).toEqual(cases.map(([what, , error]) => [what, error]));
	});

	it('whose headers have control characters does not pass them on', async () => {
		const { send } = await receiving(
			says(answer('302 Found', 'location: https://x.example/\u0001\t\u00ff\u007f;\r\n')),
		);
		const made = await send();
		expect(made.hint === null ? '' : made.hint).toMatch(/^[\x20-\x7e]+$/);
	});
});

describe('a receiver that does not answer', () => {
	it('in time is given up at the deadline of its phase, and the connection is closed', async () => {
		const silent = () => undefined;
		const drip = (socket: Socket, first: string) => {
			socket.write(first);
			const timer = setInterval(() => socket.write('x'), 20);
			socket.on('close', () => clearInterval(timer));
		};
		const [accepted, afterTls, slowHeaders, slowBody, slowChunks] = await Promise.all([
			accepting(silent, short({ connect_ms: 300 })),
			receiving(silent, short({ total_ms: 600 })),
			receiving((socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: '), short({ total_ms: 600 })),
			receiving((socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n'), short({ total_ms: 600 })),
			receiving((socket) => drip(socket, 'HTTP/1.1 500 No\r\n\r\n'), short({ total_ms: 600 })),
		]);
		const each = [accepted, afterTls, slowHeaders, slowBody, slowChunks];
		const made = await Promise.all(each.map(({ send }) => send()));
		expect(made.map(({ error }) => error)).toEqual(['connect_timeout', 'timeout', 'timeout', 'timeout', 'timeout']);
		expect(made[0]?.hint).toContain('No TLS connection within the time limit');
		expect(made[0]?.timings).toMatchObject({ connect_ms: expect.any(Number), tls_ms: null, first_byte_ms: null });
		expect(made[2]?.timings).toMatchObject({ tls_ms: expect.any(Number), first_byte_ms: null });
		expect(made[3]?.timings.first_byte_ms).toEqual(expect.any(Number));
		for (const result of made) {
			expect(result.response_status).toBeNull();
			expectSafe(result);
		}
		await Promise.all(each.map(({ idle }) => idle()));
	});

	it('is given up after a total time that includes the look-up of its name', async () => {
		const slow = () => new Promise<readonly string[]>((resolve) => setTimeout(resolve, 1000, ['127.0.0.1']));
		// The look-up takes most of the time. If it did not count, the response would arrive in time.
		const answers: Behaviour = (socket) => void setTimeout(() => socket.end(answer('200 OK')), 100);
		const { send } = await receiving(answers, { ...short({ total_ms: 1000 }), resolve: slow });
		const { error, timings } = await send();
		expect(error).toBe('timeout');
		expect(timings.dns_ms).toBeGreaterThanOrEqual(990);
	});

	it('because the connection ends is reported as such, at every stage', async () => {
		const broken = (socket: Socket) => void socket.resetAndDestroy();
		const whole = answer('200 OK', '', 'x'.repeat(100));
		const stages: readonly (readonly [string, { send(): Promise<Attempt> }, Attempt['error']])[] = [
			['after accept', await accepting(broken), 'connection_reset'],
			['closed after accept', await accepting((socket) => socket.end()), 'connection_reset'],
			[
				'in the handshake',
				await accepting((socket) => void socket.once('data', () => broken(socket))),
				'connection_reset',
			],
			['not TLS', await accepting((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')), 'tls_failed'],
			['after TLS', await receiving(says(), {}, certs.good, (reset) => reset()), 'connection_reset'],
			['after the request', await receiving((_, { reset }) => reset()), 'connection_reset'],
			['closed after the request', await receiving((socket) => socket.end()), 'connection_reset'],
			['in the headers', await receiving((socket) => socket.end(whole.slice(0, 20))), 'connection_reset'],
			['in the body', await receiving((socket) => socket.end(whole.slice(0, -1))), 'connection_reset'],
			['reset in the body', await receiving((s, { reset }) => s.write(whole.slice(0, -1), reset)), 'connection_reset'],
			[
				'in a chunk',
				await receiving((s) => s.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab')),
				'connection_reset',
			],
		];
		for (const [stage, { send }, error] of stages) {
			const made = await send();
			expect([stage, made.error, made.response_status]).toEqual([stage, error, null]);
			expectSafe(made);
		}
	});

	it('because nothing listens, or the host is unreachable, is reported as such', async () => {
		const gone = await accepting(() => undefined);
		await gone.stop();
		stops.splice(stops.indexOf(gone.stop), 1);
		const made = await gone.send();
		expect(made).toMatchObject({ error: 'connect_refused', response_status: null });
		expectSafe(made);
	});

	it('at one of its addresses is reached at the next one', async () => {
		const { send, requests } = await receiving(says(answer('200 OK')), {
			resolve: async () => ['127.0.0.9', '127.0.0.1'],
		});
		expect((await send()).error).toBeNull();
		expect(requests).toHaveLength(1);
	});
});

describe('a certificate', () => {
	it.each([
		['otherName', /for another host name/],
		['expired', /has expired/],
		['early', /not valid yet/],
		['selfSigned', /not from a public authority/],
		['foreign', /not from a public authority|intermediate/],
	] as const)('%s is refused, before a byte of the request is written', async (which, hint) => {
		const { send, requests, idle } = await receiving(says(answer('200 OK')), {}, certs[which]);
		const made = await send();
		expect([made.error, requests.length]).toEqual(['tls_failed', 0]);
		expect(made.hint).toMatch(hint);
		expectSafe(made);
		await idle();
	});

	it.each(['TLSv1.2', 'TLSv1.3'] as const)(
		'that a receiver demands from the service, which has none, is named in the hint (%s)',
		async (v) => {
			const { send, requests } = await receiving(
				says(answer('200 OK')),
				{},
				{ ...certs.good, ca: certs.ca_pem, requestCert: true, rejectUnauthorized: true, minVersion: v, maxVersion: v },
			);
			const made = await send();
			expect([made.error, requests.length]).toEqual(['tls_failed', 0]);
			expect(made.hint).toMatch(/demands? a client certificate/);
		},
	);

	it('does not help a receiver that has only an old version of TLS', async () => {
		const old = { ...certs.good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
		const { send, requests } = await receiving(says(answer('200 OK')), {}, old);
		const made = await send();
		expect([made.error, requests.length]).toEqual(['tls_failed', 0]);
		expect(made.hint).toContain('TLS 1.2 or 1.3');
	});
});

describe('an open connection', () => {
	it('carries the next request to the same receiver', async () => {
		const { send, requests } = await receiving(says(answer('200 OK')));
		const made = [await send(), await send(), await send()];
		expect(requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
		expect(made.map(({ timings }) => timings.connect_ms === null)).toEqual([false, true, true]);
	});

	it('that the receiver has closed in the meantime causes no failed attempt, and nothing is sent twice', async () => {
		for (const how of ['end', 'reset'] as const) {
			let close = () => {};
			const { send, requests } = await receiving((socket, { reset }) => {
				close = how === 'reset' ? reset : () => socket.end();
				socket.write(answer('200 OK'));
			});
			for (let n = 1; n <= 5; n += 1) {
				expect((await send()).error).toBeNull();
				expect(requests.map(({ connection }) => connection)).toEqual(Array.from({ length: n }, (_, at) => at + 1));
				close();
			}
		}
	});

	it('that ends after the request was written fails the attempt, because the receiver may have got the request', async () => {
		let answered = 0;
		const { send, requests } = await receiving((socket) => {
			answered += 1;
			if (answered === 1) socket.write(answer('200 OK'));
			else socket.destroy();
		});
		expect((await send()).error).toBeNull();
		expect((await send()).error).toBe('connection_reset');
		expect(requests.map(({ connection }) => connection)).toEqual([1, 1]);
	});

	it('with an unrequested response on it (408) is closed, because the 408 is no response to the next request', async () => {
		const { send, requests } = await receiving((socket) => {
			socket.write(answer('200 OK'));
			setImmediate(() => socket.end(answer('408 Request Timeout')));
		});
		for (let n = 1; n <= 5; n += 1) {
			expect((await send()).response_status).toBe(200);
			expect(requests).toHaveLength(n);
		}
	});

	it('is closed if the receiver says so', async () => {
		const { send, requests, idle } = await receiving(says(answer('200 OK', 'connection: close\r\n')));
		await send();
		await idle();
		await send();
		expect(requests.map(({ connection }) => connection)).toEqual([1, 2]);
	});

	it('is not reused after four seconds of the wall clock, the only clock that runs while a function is frozen', async () => {
		const { send, requests } = await receiving(says(answer('200 OK')));
		await send();
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 4001);
		await send().finally(() => now.mockRestore());
		expect(requests.map(({ connection }) => connection)).toEqual([1, 2]);
	});

	it('to an address that the name no longer has is not used again', async () => {
		let address = '127.0.0.1';
		const { send, requests } = await receiving(says(answer('200 OK')), { resolve: async () => [address] });
		expect((await send()).error).toBeNull();
		address = '127.0.0.7';
		expect((await send()).error).toBe('connect_refused');
		expect(requests).toHaveLength(1);
	});
});

describe('proxy variables in the environment', () => {
	it('have no effect', async () => {
		const proxy = await accepting(() => undefined);
		const { requests, url, port } = await receiving(says(answer('200 OK')));
		const program = `
			import { testSender } from './test/support/webhooks/receiver.ts';
			const { ca_pem, port, url } = JSON.parse(process.env.GIVEN);
			const result = await testSender(ca_pem, [port]).send({ url, headers: {}, body: '{}' });
			console.log(result.status);
			process.exit();
		`;
		const there = `http://127.0.0.1:${proxy.port}`;
		const proxies = Object.fromEntries(
			['HTTP', 'HTTPS', 'ALL'].flatMap((of) => [
				[`${of}_PROXY`, there],
				[`${of.toLowerCase()}_proxy`, there],
			]),
		);
		const GIVEN = JSON.stringify({ ca_pem: certs.ca_pem, port, url });
		const env = { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '', GIVEN };
		const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env });
		expect([stdout.trim(), requests.length, proxy.accepted()]).toEqual(['200', 1, 0]);
	});
});
