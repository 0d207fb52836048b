import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { startGateway } from '../../../local/gateway/gateway.ts';
import { type SetAlarm, webSockets } from '../../../local/gateway/web-sockets.ts';
import type { Invoked } from '../../../local/lambda/functions.ts';

const ok = (result: unknown): Invoked => ({ invoked: 'ok', result });
const accepts = async (): Promise<Invoked> => ok({ statusCode: 200 });

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

type Seen = { readonly requestContext: { readonly connectionId: string } };

/** A gateway with a WebSocket API at `/live`; `seen` has the events of its `$connect` route, `alarms` what is set. */
async function gatewayWith(invoke: (event: unknown) => Promise<Invoked> = accepts) {
	const seen: Seen[] = [];
	const alarms = new Map<number, { ring: () => void; times: number }>();
	const setAlarm: SetAlarm = (wait_ms, ring) => {
		const alarm = { ring, times: 1 };
		alarms.set(wait_ms, alarm);
		const putOff = () => {
			alarm.times += 1;
		};
		return { putOff, cancel: () => alarms.delete(wait_ms) };
	};
	const sockets = webSockets(setAlarm);
	const connect = {
		invoke: (event: unknown) => {
			seen.push(event as Seen);
			return invoke(event);
		},
	};
	sockets.serve([{ api_id: 'Live', stage: 'live', connect }]);
	const target = { invoke: async () => ok({ statusCode: 200, body: 'served' }) };
	const gateway = await startGateway(0, [{ routeKey: '$default', target }], sockets);
	stops.push(() => gateway.close());
	const open = (path = '/live', options: WebSocket.ClientOptions = {}, protocols: string[] = []) =>
		new WebSocket(`ws://localhost:${gateway.port}${path}`, protocols, options);
	return { ...gateway, sockets, seen, alarms, open };
}

/** The status of a refused handshake; null if it is accepted. */
function refusalOf(client: WebSocket): Promise<number | null> {
	return new Promise((resolve) => {
		client.once('open', () => resolve(null));
		client.once('unexpected-response', (_, response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		});
	});
}

const MINUTE_MS = 60_000;
const [IDLE, LIFETIME] = [10 * MINUTE_MS, 120 * MINUTE_MS];

describe('a handshake', () => {
	it('gives the function of $connect the same event as API Gateway', async () => {
		const gateway = await gatewayWith();
		const headers = { Origin: 'https://shop.example', 'user-agent': 'test', 'X-Many': ['one', 'two'] };
		const client = gateway.open('/live?call=a%26b&tag=x&tag=y&__proto__=z', { headers: headers as never });
		await once(client, 'open');
		const id = expect.stringMatching(/^[\w-]{15}=$/);
		const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/);
		const given = {
			Host: `localhost:${gateway.port}`,
			Origin: 'https://shop.example',
			'user-agent': 'test',
			'Sec-WebSocket-Version': '13',
			'Sec-WebSocket-Key': expect.any(String),
			'Sec-WebSocket-Extensions': expect.any(String),
			'X-Forwarded-For': address,
			'X-Forwarded-Port': String(gateway.port),
			'X-Forwarded-Proto': 'http',
		};
		const lists = Object.entries(given).map(([name, value]) => [name, [value]]);
		expect(gateway.seen).toEqual([
			{
				headers: { ...given, 'X-Many': 'two' },
				multiValueHeaders: { ...Object.fromEntries(lists), 'X-Many': ['one', 'two'] },
				queryStringParameters: Object.fromEntries([
					['call', 'a&b'],
					['tag', 'y'],
					['__proto__', 'z'],
				]),
				multiValueQueryStringParameters: Object.fromEntries([
					['call', ['a&b']],
					['tag', ['x', 'y']],
					['__proto__', ['z']],
				]),
				requestContext: {
					routeKey: '$connect',
					eventType: 'CONNECT',
					extendedRequestId: id,
					requestTime: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
					messageDirection: 'IN',
					stage: 'live',
					connectedAt: expect.any(Number),
					requestTimeEpoch: expect.any(Number),
					identity: { userAgent: 'test', sourceIp: address },
					requestId: id,
					domainName: `localhost:${gateway.port}`,
					connectionId: id,
					apiId: 'Live',
				},
				isBase64Encoded: false,
			},
		]);
	});

	it('has no query and no user agent in its event if the client sends none, and gets no subprotocol', async () => {
		const gateway = await gatewayWith();
		const client = gateway.open('/live', {}, ['chat']);
		await once(client, 'error');
		expect(gateway.seen).toHaveLength(1);
		expect(gateway.seen[0]).not.toHaveProperty('queryStringParameters');
		expect(gateway.seen[0]).not.toHaveProperty('multiValueQueryStringParameters');
		expect(gateway.seen[0]?.requestContext).toHaveProperty('identity', { sourceIp: expect.any(String) });
	});

	it.each<[string, Invoked, number | null]>([
		['is accepted with any status of success', ok({ statusCode: 204 }), null],
		['is refused with the status of the function', ok({ statusCode: 401, body: 'no' }), 401],
		['is refused with a redirection, too', ok({ statusCode: 302 }), 302],
		['is refused if the function answers without a status', ok({ body: 'fine' }), 500],
		['is refused if the status is none', ok({ statusCode: 99 }), 500],
		['is refused if the function throws', { invoked: 'error', error: 'TypeError' }, 500],
		['is refused if the function times out', { invoked: 'timed_out' }, 500],
	])('%s', async (_, invoked, status) => {
		const gateway = await gatewayWith(async () => invoked);
		expect(await refusalOf(gateway.open())).toBe(status);
	});

	it('is refused at a path of no stage, before any function', async () => {
		const gateway = await gatewayWith();
		const paths = ['/', '/other', '/live/more', '/v1/calls'];
		expect(await Promise.all(paths.map((path) => refusalOf(gateway.open(path))))).toEqual(paths.map(() => 403));
		expect(gateway.seen).toEqual([]);
	});

	it('leaves requests that offer another protocol to the HTTP routes', async () => {
		const gateway = await gatewayWith();
		const asked = get({ port: gateway.port, headers: { connection: 'upgrade', upgrade: 'h2c' } });
		const [response] = await once(asked, 'response');
		expect(await text(response)).toBe('served');
	});

	it('ends with the gateway, also while the function runs', async () => {
		const running = Promise.withResolvers<void>();
		const gateway = await gatewayWith(() => {
			running.resolve();
			return new Promise(() => undefined);
		});
		const failed = once(gateway.open(), 'error');
		await running.promise;
		await gateway.close();
		expect(await failed).toHaveLength(1);
	});
});

describe('a connection', () => {
	async function connected() {
		const gateway = await gatewayWith();
		const client = gateway.open();
		await once(client, 'open');
		return { ...gateway, client, id: gateway.seen[0]?.requestContext.connectionId ?? '' };
	}
	const closed = async (client: WebSocket) => (await once(client, 'close'))[0];

	it('gets what is posted to it, until it is closed', async () => {
		const { sockets, client, id } = await connected();
		const received = once(client, 'message');
		expect(await sockets.post('live', id, '{"status":"completed"}')).toBe(true);
		const [data, is_binary] = await received;
		expect([String(data), is_binary]).toEqual(['{"status":"completed"}', false]);
		expect([await sockets.post('other', id, ''), await sockets.post('live', 'another', '')]).toEqual([false, false]);
		client.close();
		await once(client, 'close');
		expect(await sockets.post('live', id, '{}')).toBe(false);
	});

	it('gets Forbidden for each of its messages, which have no route', async () => {
		const { client, id } = await connected();
		const answered = once(client, 'message');
		client.send('{"action":"hello"}');
		const [data] = await answered;
		const requestId = expect.stringMatching(/^[\w-]{15}=$/);
		expect(JSON.parse(String(data))).toEqual({ message: 'Forbidden', connectionId: id, requestId });
	});

	it('is closed for a frame over 32 KB, and not for one of 32 KB', async () => {
		const { client } = await connected();
		const answered = once(client, 'message');
		client.send('x'.repeat(32 * 1024));
		expect(String((await answered)[0])).toContain('Forbidden');
		client.send('x'.repeat(32 * 1024 + 1));
		expect(await closed(client)).toBe(1009);
	});

	it('is closed after 10 minutes without a message in either direction', async () => {
		const { sockets, alarms, client, id } = await connected();
		const idle = alarms.get(IDLE);
		expect(idle?.times).toBe(1);
		const posted = once(client, 'message');
		await sockets.post('live', id, '{}');
		await posted;
		expect(idle?.times).toBe(2);
		const answered = once(client, 'message');
		client.send('hello');
		await answered;
		expect(idle?.times).toBe(3);
		const closing = closed(client);
		idle?.ring();
		expect(await closing).toBe(1001);
		expect(await sockets.post('live', id, '{}')).toBe(false);
	});

	it('is closed after 2 hours in any case', async () => {
		const { sockets, alarms, client, id } = await connected();
		const lifetime = alarms.get(LIFETIME);
		await sockets.post('live', id, '{}');
		expect(lifetime?.times).toBe(1);
		const closing = closed(client);
		lifetime?.ring();
		expect(await closing).toBe(1001);
	});
});
