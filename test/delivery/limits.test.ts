import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { httpsSender, LIMITS, TEST_LIMITS } from '../../shared/adapters/https/sender.ts';
import type { SendResult } from '../../shared/domain/webhooks/attempt-outcome.ts';
import { type Behaviour, certificates, HOST, tcpReceiver, tlsReceiver } from '../support/webhooks/receiver.ts';

// Tests the time limits of an attempt with their real values and the service's own sender. The test fires the sender's timers.

let certs: Awaited<ReturnType<typeof certificates>>;
beforeAll(async () => {
	certs = await certificates();
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
	jest.useRealTimers();
	await Promise.all(stops.splice(0).map((stop) => stop()));
});

const nobody = () => new Promise<never>(() => undefined);

/**
 * Sends one request to a receiver at `port`. `said` is empty until the request has ended; then it has the error, or the body of
 * the response.
 */
function sending(
	port: number,
	resolve: () => Promise<readonly string[]> = async () => ['127.0.0.1'],
	limits: typeof LIMITS = LIMITS,
) {
	jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
	const allowed_webhook_hosts = [`${HOST}:${port}`];
	const sender = httpsSender({ allowed_webhook_hosts, trusted_ca_pem: certs.ca_pem, resolve, limits });
	const said: (string | null)[] = [];
	const sent = sender.send({ url: `https://${HOST}:${port}/`, headers: {}, body: '{}' }).then((result: SendResult) => {
		said.push(result.kind === 'failure' ? result.error : result.body);
		return result;
	});
	return { sent, said };
}
async function receiving(behave: Behaviour) {
	const receiver = await tlsReceiver(certs.good, behave);
	stops.push(receiver.stop);
	return receiver;
}
/** Waits until the condition holds. Data that is on its way needs real time, even if the timers are fake. */
async function until(there: () => boolean): Promise<void> {
	while (!there()) await new Promise((resolve) => setImmediate(resolve));
}
/** Checks that the request has not ended one millisecond before the limit, and has ended at the limit. */
async function endsAt(afterMs: number, { said }: ReturnType<typeof sending>, error: string): Promise<void> {
	await jest.advanceTimersByTimeAsync(afterMs - 1);
	expect(said).toEqual([]);
	await jest.advanceTimersByTimeAsync(1);
	await until(() => said.length > 0);
	expect(said).toEqual([error]);
}

describe('an attempt ends', () => {
	it('after 2 s when no name server answers', async () => {
		await endsAt(2000, sending(443, nobody), 'dns_failed');
	});

	it('after 5 s without a TLS connection', async () => {
		const receiver = await tcpReceiver(() => undefined);
		stops.push(receiver.stop);
		const attempt = sending(receiver.port);
		await until(() => receiver.accepted() === 1);
		await endsAt(5000, attempt, 'connect_timeout');
	});

	it('after 15 s if the response does not begin', async () => {
		const receiver = await receiving(() => undefined);
		const attempt = sending(receiver.port);
		await until(() => receiver.requests.length === 1);
		await endsAt(15_000, attempt, 'timeout');
	});

	it('after 15 s when the answer does not end', async () => {
		const receiver = await receiving((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\nx'));
		const attempt = sending(receiver.port);
		await until(() => receiver.requests.length === 1);
		await endsAt(15_000, attempt, 'timeout');
	});

	it('in the test of an endpoint, for which a client waits: after 5 s, or after 3 s without a connection', async () => {
		const receiver = await receiving(() => undefined);
		const attempt = sending(receiver.port, undefined, TEST_LIMITS);
		await until(() => receiver.requests.length === 1);
		await endsAt(5000, attempt, 'timeout');
		jest.useRealTimers();
		const deaf = await tcpReceiver(() => undefined);
		stops.push(deaf.stop);
		const unconnected = sending(deaf.port, undefined, TEST_LIMITS);
		await until(() => deaf.accepted() === 1);
		await endsAt(3000, unconnected, 'connect_timeout');
	});
});

describe('the sender', () => {
	const filling = (bytes: number) => `HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n${'x'.repeat(bytes)}`;

	it('reads at most 16 KiB of an answer, and then closes the connection', async () => {
		const receiver = await receiving((socket) => socket.write(filling(16 * 1024)));
		const { sent } = sending(receiver.port);
		expect(await sent).toMatchObject({ kind: 'response', status: 200, body: 'x'.repeat(4096) });
		await receiver.idle();
	});

	it('waits for the rest of a longer answer if it has received less than 16 KiB', async () => {
		const receiver = await receiving((socket) => socket.write(filling(16 * 1024 - 1)));
		const attempt = sending(receiver.port);
		await until(() => receiver.requests.length === 1);
		await endsAt(15_000, attempt, 'timeout');
	});
});
