import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { CreateTableCommand, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { dynamoDbEventStore } from '../../examples/webhooks/dynamodb-event-store.ts';
import { sqliteEventStore } from '../../examples/webhooks/event-store.ts';
import { lambdaReceiver } from '../../examples/webhooks/lambda.ts';
import { freePort } from '../../local/aws/dynamodb.ts';
import { type Certificates, localCertificates } from '../../local/certificates.ts';
import type { Stack } from '../../local/stack.ts';
import { callBackClient } from '../../packages/client/client.ts';
import { newSecret, signatureHeaders } from '../../shared/domain/webhooks/webhook-signature.ts';
import { type DynamoStandIn, startDynamo, testAws } from '../support/aws/stand-ins.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';

// The receivers of examples/webhooks as a customer runs them: two as separate programs, and one as Lambda calls it.

const NAMES = ['express', 'fastify', 'lambda'] as const;
type Name = (typeof NAMES)[number];
type Headers = Readonly<Record<string, string>>;
type Receiver = {
	/** Posts to the receiver directly, without TLS. Returns the status of the response. */
	post(body: Buffer, headers: Headers): Promise<number>;
	/** The ids of the events that the receiver has stored and would process. */
	kept(): Promise<readonly string[]>;
};

let folder: string;
let dynamo: DynamoStandIn;
let tables: DynamoDBClient;
let stack: Stack;
let front: ReturnType<typeof createServer>;
const programs: ChildProcess[] = [];
const secrets = new Map<Name, string>();
const endpoints = new Map<Name, string>();
const receivers = new Map<Name, Receiver>();
const received: IncomingMessage['headers'][] = [];

/** Starts `node examples/webhooks/<name>.ts`; returns its port. */
async function startProgram(name: Name, secret: string, file: string): Promise<number> {
	const env = { ...process.env, WEBHOOK_SECRET: secret, EVENTS_FILE: file, PORT: '0' };
	const program = spawn(process.execPath, [`examples/webhooks/${name}.ts`], {
		env,
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	programs.push(program);
	for await (const line of createInterface({ input: program.stdout })) {
		const port = /listening.*port: (\d+)/.exec(line)?.[1];
		if (port !== undefined) {
			program.stdout.resume();
			return Number(port);
		}
	}
	throw new Error(`${name} ended before it listened`);
}

function postTo(port: number, body: Buffer, headers: Headers): Promise<number> {
	return new Promise((resolve, reject) => {
		const options = { port, host: '127.0.0.1', path: '/webhooks', method: 'POST', headers };
		const request = httpRequest(options, (response) => {
			response.resume().on('end', () => resolve(response.statusCode ?? 0));
		});
		request.on('error', reject).end(body);
	});
}

async function programReceiver(name: Name, secret: string): Promise<Receiver> {
	const file = join(folder, `${name}.db`);
	const port = await startProgram(name, secret, file);
	return {
		post: (body, headers) => postTo(port, body, headers),
		async kept() {
			const database = new DatabaseSync(file, { readOnly: true });
			const rows = database.prepare('SELECT id FROM events WHERE stale = 0').all();
			database.close();
			return rows.map(({ id }) => String(id));
		},
	};
}

async function newTable(): Promise<string> {
	const TableName = `events-${Math.random().toString(36).slice(2)}`;
	const key = { AttributeName: 'id' };
	const KeySchema = [{ ...key, KeyType: 'HASH' as const }];
	const AttributeDefinitions = [{ ...key, AttributeType: 'S' as const }];
	await tables.send(
		new CreateTableCommand({ TableName, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' }),
	);
	return TableName;
}

async function lambdaAsReceiver(secret: string): Promise<Receiver> {
	const table = await newTable();
	const handler = lambdaReceiver({ secret, store: dynamoDbEventStore(tables, table) });
	let text = false;
	return {
		async post(body, headers) {
			// Function URLs encode a body as text or base64, depending on the content type. Both forms must give the same result.
			text = !text;
			const encoded = text
				? { body: body.toString(), isBase64Encoded: false }
				: { body: body.toString('base64'), isBase64Encoded: true };
			const { statusCode } = await handler({ version: '2.0', headers, ...encoded } as APIGatewayProxyEventV2);
			return statusCode ?? 0;
		},
		async kept() {
			const { Items = [] } = await tables.send(new ScanCommand({ TableName: table }));
			return Items.flatMap(({ id }) => (id?.S?.startsWith('event#') ? [id.S.slice(6)] : []));
		},
	};
}

const receiver = (name: Name): Receiver => {
	const found = receivers.get(name);
	if (found === undefined) throw new Error(`${name} does not run`);
	return found;
};

/** Passes requests over TLS on to the three receivers, as a load balancer does. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	received.push(request.headers);
	const name = NAMES.find((candidate) => request.url === `/${candidate}`) ?? 'express';
	const { connection: _hop, host: _host, ...headers } = request.headers as Headers;
	const status = await receiver(name).post(Buffer.concat(chunks), headers);
	response.writeHead(status).end();
}

function startFront({ key_pem, cert_pem }: Certificates) {
	const refuse = (response: ServerResponse) => () => response.writeHead(502).end();
	return createServer({ key: key_pem, cert: cert_pem }, (request, response) => {
		forward(request, response).catch(refuse(response));
	});
}

let client: ReturnType<typeof callBackClient>;
beforeAll(async () => {
	jest.spyOn(console, 'log').mockImplementation(() => {});
	jest.spyOn(console, 'warn').mockImplementation(() => {});
	folder = mkdtempSync(join(tmpdir(), 'receivers-'));
	const certificates = await localCertificates(folder);
	const port = await freePort();
	front = startFront(certificates).listen(port, '127.0.0.1');
	await once(front, 'listening');
	dynamo = await startDynamo();
	const credentials = { accessKeyId: testAws.AWS_ACCESS_KEY_ID, secretAccessKey: testAws.AWS_SECRET_ACCESS_KEY };
	tables = new DynamoDBClient({ region: testAws.AWS_REGION, endpoint: dynamo.endpoint, credentials });
	stack = await testStack({ allow_webhook_hosts: [`localhost:${port}`], trust: certificates.ca_file });
	client = callBackClient(stack);
	for (const name of NAMES) {
		const url = `https://localhost:${port}/${name}`;
		const { id, secret } = await client.webhookEndpoints.create({
			url,
			events: ['call.requested', 'call.ringing', 'call.connected', 'call.completed', 'call.failed'],
		});
		secrets.set(name, secret);
		endpoints.set(name, id);
	}
	const programsOf = async (name: Name) => receivers.set(name, await programReceiver(name, secrets.get(name) ?? ''));
	await Promise.all([programsOf('express'), programsOf('fastify')]);
	receivers.set('lambda', await lambdaAsReceiver(secrets.get('lambda') ?? ''));
});
afterAll(async () => {
	jest.restoreAllMocks();
	await stack.stop();
	for (const program of programs) program.kill('SIGKILL');
	front.closeAllConnections();
	front.close();
	tables.destroy();
	await dynamo.stop();
	rmSync(folder, { recursive: true, force: true });
});

let events = 0;
/** An event with its signature, as the service makes it. Each test changes one detail. */
function signed(
	name: Name,
	change: {
		readonly id?: string;
		readonly call?: string;
		readonly sequence?: number;
		readonly at_ms?: number;
		readonly with?: readonly string[];
	} = {},
) {
	events += 1;
	const id = change.id ?? `event-${name}-${events}`;
	const data = {
		id: change.call ?? `call-${name}-${events}`,
		workspace_id: 'w',
		status: 'completed',
		duration_seconds: 3,
		note: 'Zoë 📞',
	};
	const body = JSON.stringify({ id, event: 'call.completed', created_at: '2026-11-21T09:30:00.000Z', data });
	const proof = signatureHeaders({
		secrets: change.with ?? [secrets.get(name) ?? ''],
		event_id: id,
		body,
		now_ms: change.at_ms ?? Date.now(),
	});
	const headers: Headers = {
		'content-type': 'application/json',
		'service-sequence': String(change.sequence ?? 1),
		...proof,
	};
	return { id, body: Buffer.from(body), headers };
}
const other = newSecret(new Uint8Array(32).fill(7));

describe.each(NAMES)('the receiver on %s', (name) => {
	const post = async ({ body, headers }: { body: Buffer; headers: Headers }) =>
		await receiver(name).post(body, headers);

	it('stores an event that is signed with its secret', async () => {
		for (let i = 0; i < 2; i += 1) {
			const event = signed(name);
			expect(await post(event)).toBe(204);
			expect(await receiver(name).kept()).toContain(event.id);
		}
	});

	it('accepts either signature during a rotation', async () => {
		const own = secrets.get(name) ?? '';
		expect(await post(signed(name, { with: [other, own] }))).toBe(204);
		expect(await post(signed(name, { with: [own, other] }))).toBe(204);
	});

	it('refuses a request with a wrong or missing signature, time or body, and stores nothing', async () => {
		const before = await receiver(name).kept();
		const event = signed(name);
		const spaced = Buffer.from(JSON.stringify(JSON.parse(event.body.toString()), null, 1));
		const { 'service-signature': _gone, ...unsigned } = event.headers;
		expect(await post(signed(name, { with: [other] }))).toBe(400);
		expect(await post(signed(name, { at_ms: Date.now() - 310_000 }))).toBe(400);
		expect(await post(signed(name, { at_ms: Date.now() + 310_000 }))).toBe(400);
		expect(await post({ ...event, body: spaced })).toBe(400);
		expect(await post({ ...event, body: Buffer.alloc(0) })).toBe(400);
		expect(await post({ ...event, headers: unsigned })).toBe(400);
		expect(await receiver(name).kept()).toEqual(before);
	});

	it('verifies the raw bytes under every content type', async () => {
		for (const type of ['application/octet-stream', 'text/plain', 'application/cloudevents+json']) {
			const event = signed(name);
			expect(await post({ ...event, headers: { ...event.headers, 'content-type': type } })).toBe(204);
		}
	});

	it('stores an event once, even if it arrives many times at once', async () => {
		const event = signed(name);
		const again = signed(name, { id: event.id, call: event.id });
		expect(await Promise.all([1, 2, 3].map(() => post(event)))).toEqual([204, 204, 204]);
		expect(await post(again)).toBe(204);
		expect((await receiver(name).kept()).filter((id) => id === event.id)).toHaveLength(1);
	});

	it('ignores an earlier event of a call after a later one', async () => {
		const called = `call-${name}-order`;
		const [third, second, fourth] = [3, 2, 4].map((sequence) => signed(name, { call: called, sequence }));
		for (const event of [third, second, fourth]) if (event) expect(await post(event)).toBe(204);
		const kept = await receiver(name).kept();
		expect(kept).toEqual(expect.arrayContaining([third?.id, fourth?.id]));
		expect(kept).not.toContain(second?.id);
	});
});

describe('behind the running service', () => {
	const deliveriesOf = async (name: Name) => {
		const found = [];
		for await (const item of client.webhookDeliveries.all({ endpoint_id: endpoints.get(name) ?? '' })) found.push(item);
		return found;
	};

	it('each receiver gets every event of a call once, and a repeated delivery changes nothing', async () => {
		const headers = { origin: stack.allowed_origin };
		const { status } = await call(stack.base_url, '/widget/call-requests', { body: visitorBody(stack), headers });
		expect(status).toBe(202);
		for (const name of NAMES) {
			const all = await eventually(`${name} has the whole call`, async () => {
				const found = await deliveriesOf(name);
				const done = found.length === 4 && found.every((item) => item.status === 'succeeded');
				return done ? found : null;
			});
			const [last] = all;
			// A receiver ignores an event if it got a later event of the call first, which may happen in this test. It never
			// ignores the event of the call's end.
			expect(await receiver(name).kept()).toContain(last?.event_id);
			await client.webhookDeliveries.retry(last?.id ?? '');
			await eventually(`${name} has it again`, async () => {
				const { status: now, attempt_count } = await client.webhookDeliveries.get(last?.id ?? '');
				return now === 'succeeded' && attempt_count === 2 ? true : null;
			});
			expect((await receiver(name).kept()).filter((id) => id === last?.event_id)).toHaveLength(1);
		}
	});

	const documentedHeaders = () => {
		const table = readFileSync('docs/webhooks.md', 'utf8').split('| header | value |')[1]?.split('\n\n')[0] ?? '';
		const names = table.split('\n').map((row) => row.split('|')[1] ?? '');
		return names.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name.toLowerCase()));
	};

	it('deliveries carry the headers that docs/webhooks.md lists', async () => {
		const listed = documentedHeaders();
		expect(listed.length).toBeGreaterThan(8);
		expect(received.length).toBeGreaterThan(11);
		for (const headers of received) expect(Object.keys(headers)).toEqual(expect.arrayContaining(listed));
	});

	it('deliveries continue during a rotation, and the receiver refuses an expired secret', async () => {
		for (const name of NAMES) {
			const id = endpoints.get(name) ?? '';
			await client.webhookEndpoints.rotateSecret(id, { overlap_seconds: 600 });
			expect(await client.webhookEndpoints.test(id)).toMatchObject({ response_status: 204 });
			await client.webhookEndpoints.rotateSecret(id, { overlap_seconds: 0 });
			expect(await client.webhookEndpoints.test(id)).toMatchObject({ response_status: 400 });
		}
	});
});

describe('the event store in SQLite', () => {
	it('passes on stored events in order, and passes on unfinished events again', async () => {
		const store = sqliteEventStore(':memory:');
		const event = (id: string) => ({ id, event: 'call.ringing' as const, created_at: '', data: { id: 'c' } });
		expect(await store.keep(event('b'), 2)).toBe('new');
		expect(await store.keep(event('a'), 1)).toBe('stale');
		expect(await store.keep(event('c'), 3)).toBe('new');
		expect(await store.keep(event('c'), 3)).toBe('duplicate');
		const handled: string[] = [];
		const fails = store.work(async ({ id }) => {
			if (id === 'c') throw new Error('not now');
			handled.push(id);
		});
		await expect(fails).rejects.toThrow('not now');
		await store.work(async ({ id }) => void handled.push(id));
		await store.work(async ({ id }) => void handled.push(id));
		expect(handled).toEqual(['b', 'c']);
		store.close();
	});
});
