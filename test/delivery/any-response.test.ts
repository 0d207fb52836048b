import type { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { WebhookSender } from '../../shared/ports/webhook-sender.ts';
import { certificates, type Received, testSender, tlsReceiver } from '../support/webhooks/receiver.ts';

// Whether the sender reads a response must depend only on the response's own framing (RFC 9112 section 6.3). It must not depend
// on the packets in which the response arrives, or on what follows it. All tests use real TLS. For more runs: RUNS=10000 npm test
// -- test/delivery/any-response

const RUNS = Number(process.env['RUNS'] ?? 300);

/**
 * What the receiver does for one request: it sends these packets, and then may end the connection. With `apart`, each packet is
 * sent in its own turn of the event loop.
 */
type Script = {
	readonly packets: readonly Buffer[];
	readonly apart: boolean;
	readonly end: 'keep' | 'close' | 'reset';
};

let script: Script;
let receiver: Awaited<ReturnType<typeof tlsReceiver>>;
let sender: WebhookSender;
const unwritten: Promise<unknown>[] = [];

/** Resolves when the operating system has taken all packets. They are then on the sender's side of the loopback interface. */
async function play(socket: Socket, { reset }: Received): Promise<void> {
	const { packets, apart, end } = script;
	for (const packet of packets) {
		const taken = new Promise((resolve) => socket.write(packet, resolve));
		unwritten.push(taken);
		if (apart) await taken;
		if (apart) await tick();
	}
	if (end === 'close') socket.end();
	if (end === 'reset') reset();
}

beforeAll(async () => {
	const { good, ca_pem } = await certificates();
	receiver = await tlsReceiver(good, (socket, received) => void unwritten.push(play(socket, received)));
	sender = testSender(ca_pem, [receiver.port]);
});
afterAll(() => receiver.stop());

async function sent(next: Script) {
	script = next;
	unwritten.length = 0;
	const result = await sender.send({ url: receiver.url, headers: {}, body: '{}' });
	await Promise.all(unwritten);
	return result;
}
const keep = (text: string): Script => ({ packets: [Buffer.from(text, 'latin1')], apart: false, end: 'keep' });

type Message = {
	readonly head: string;
	readonly body: string;
	readonly framed: string;
	readonly status: number;
	/** Whether the body has no length of its own, so that it ends when the connection is closed. */
	readonly until_close: boolean;
};

const token = fc.stringMatching(/^[a-z]{1,8}$/);
const text = fc.oneof(
	fc.string({ maxLength: 300 }),
	fc.constantFrom('', 'ok', '\n', '\r\n\r\n', 'HTTP/1.1 500 X\r\n\r\n'),
);
const latin = text.map((value) => Buffer.from(value, 'utf8').toString('latin1'));
const fields = fc
	.array(fc.tuple(token, fc.stringMatching(/^[ -~]{0,30}$/)), { maxLength: 4 })
	.map((all) => all.map(([name, value]) => `x-${name}: ${value}\r\n`).join(''));
const early = fc
	.array(fc.tuple(fc.constantFrom(100, 102, 103, 110, 199), fields), { maxLength: 3 })
	.map((all) => all.map(([status, lines]) => `HTTP/1.1 ${status} Wait\r\n${lines}\r\n`).join(''));
const chunked = fc
	.tuple(
		fc.array(
			latin.filter((part) => part !== ''),
			{ maxLength: 4 },
		),
		fields,
	)
	.map(([parts, trailers]) => ({
		body: parts.join(''),
		framing: 'transfer-encoding: chunked\r\n',
		framed: `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n${trailers}\r\n`,
	}));
const lengthy = latin.map((body) => ({ body, framing: `content-length: ${body.length}\r\n`, framed: body }));
const untilClose = latin.map((body) => ({ body, framing: '', framed: body }));
const bare = { body: '', framing: '', framed: '' };
const withBody = fc.integer({ min: 200, max: 999 }).filter((status) => status !== 204 && status !== 304);
const statusAndFraming = fc.oneof(
	fc.tuple(withBody, fc.oneof(lengthy, lengthy, chunked, chunked, untilClose)),
	fc.tuple(fc.constantFrom(204, 304), fc.constantFrom(bare, { ...bare, framing: 'content-length: 7\r\n' })),
);
const message: fc.Arbitrary<Message> = fc
	.tuple(early, statusAndFraming, fields, fc.constantFrom('', 'connection: close\r\n', 'connection: keep-alive\r\n'))
	.map(([before, [status, { body, framing, framed }], lines, connection]) => ({
		head: `${before}HTTP/1.1 ${status} Any\r\n${connection}${lines}${framing}\r\n`,
		body,
		framed,
		status,
		until_close: framing === '' && status !== 204 && status !== 304,
	}));
const trail = fc.oneof(
	fc.constantFrom(
		'',
		'\n',
		'\r\n',
		'\r\n\r\n',
		' ',
		'\0',
		'H',
		'HTTP/1.1',
		'<br />\n<b>Notice</b>: undefined index',
		'0\r\n\r\n',
		'HTTP/1.1 500 Late\r\ncontent-length: 0\r\n\r\n',
		'HTTP/1.1 200 OK\r\ncontent-le',
		'HTTP/1.1 100 Wait\r\n\r\n',
		'HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nyz',
		'HTTP/1.1 500 Late\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
	),
	latin,
);
const cuts = fc.array(fc.nat(), { maxLength: 6 });
const pieces = (bytes: string, at: readonly number[]): readonly Buffer[] => {
	const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
	return [0, ...places].map((from, index) => Buffer.from(bytes.slice(from, places[index] ?? bytes.length), 'latin1'));
};
/** After a complete response, the receiver sends no reset, because a reset may overtake the data that was written before it. */
const kind: fc.Arbitrary<Script['end']> = fc.constantFrom('keep', 'close');
const broken: fc.Arbitrary<Script['end']> = fc.constantFrom('close', 'reset');

describe('the sender', () => {
	it(`judges each of ${RUNS} complete responses, however they are split into packets and whatever bytes follow`, async () => {
		const each = fc.asyncProperty(message, trail, cuts, fc.boolean(), kind, async (said, after, at, apart, end) => {
			const { head, framed, status, body, until_close } = said;
			const connections = receiver.servernames.length;
			const packets = pieces(head + framed + (until_close ? '' : after), at);
			const result = await sent({ packets, apart, end: until_close ? 'close' : end });
			expect(result).toMatchObject({ kind: 'response', status });
			expect(result.kind === 'response' && result.body).toBe(Buffer.from(body, 'latin1').toString('utf8'));
			expect(receiver.servernames.length - connections).toBeLessThanOrEqual(1);
			const used = receiver.servernames.length;
			expect(await sent(keep('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nnext'))).toMatchObject({ body: 'next' });
			const isKept = end === 'keep' && !until_close && !head.includes('connection: close');
			if (!isKept || after !== '') expect(receiver.servernames.length).toBe(used + 1);
			else if (packets.length === 1) expect(receiver.servernames.length).toBe(used);
		});
		await fc.assert(each, { numRuns: RUNS });
	});

	it(`never judges any of ${RUNS} responses that end before they are complete`, async () => {
		const each = fc.asyncProperty(
			message,
			fc.nat(),
			cuts,
			fc.boolean(),
			broken,
			async (said, length, at, apart, end) => {
				const whole = said.head + said.framed;
				const packets = pieces(whole.slice(0, length % whole.length), at);
				const result = await sent({ packets, apart, end: said.until_close ? 'reset' : end });
				expect(result).toMatchObject({ kind: 'failure', error: 'connection_reset' });
			},
		);
		await fc.assert(each, { numRuns: RUNS });
	});
});
