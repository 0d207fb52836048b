/**
 * The functions read their settings when their modules are loaded, so this file must not share loaded modules with other test
 * files. The next line sees to that (decision 98).
 * @jest-environment node
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { localKms } from '../../local/aws/kms.ts';
import { systemClock } from '../../shared/adapters/clock.ts';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import { ulidIds } from '../../shared/adapters/ids.ts';
import { permissions } from '../../shared/domain/access/permission.ts';
import type { HttpResponse } from '../../shared/http/edge/response.ts';
import { overrides } from '../../shared/overrides.ts';
import type { Store } from '../../shared/ports/store.ts';
import { createApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { apiEvent } from '../support/api-event.ts';
import { type Fault, loseAnswer, loseRequest, refuse, startWire, type Wire } from '../support/aws/faulty-wire.ts';
import { type DynamoStandIn, startDynamo } from '../support/aws/stand-ins.ts';
import { samples, WORKSPACE } from '../support/sample-records.ts';
import { always, put } from '../support/writes.ts';

// Calls the functions directly. The connection between them and AWS has faults.

type Handler = (event: APIGatewayProxyEventV2, context: object) => Promise<HttpResponse>;

let directory: string;
let dynamo: DynamoStandIn;
let table: Wire;
let kms: Wire;
let sqs: Wire;
let store: Store;
let apiKey: string;
let handlers: { readonly create: Handler; readonly list: Handler; readonly retry: Handler };

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'kms-'));
	const keys = localKms(directory);
	dynamo = await startDynamo();
	table = await startWire(dynamo.endpoint);
	kms = await startWire(({ operation, body }) => {
		const answer = keys.respond(operation, JSON.parse(body));
		return { status: answer.status, body: JSON.stringify(answer.body) };
	});
	sqs = await startWire(() => ({ status: 503, body: '<html>' }));
	const env = await dynamo.newTable();
	store = dynamoStore(env);
	const workspace = put('workspace', samples.workspace);
	await store.commit([workspace]);
	const made = await createApiKey(
		{ workspace_id: WORKSPACE, name: 'test', permissions },
		{ store, clock: systemClock, ids: ulidIds },
	);
	if ('refused' in made) throw new Error(made.refused);
	apiKey = made.secret;
	Object.assign(process.env, env, {
		AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
		AWS_ENDPOINT_URL_KMS: kms.endpoint,
		AWS_ENDPOINT_URL_SQS: sqs.endpoint,
		QUEUE_URL_RETRIES: `${sqs.endpoint}/000000000000/retries`,
		SECRET_KEY_ID: 'secrets',
		MAC_KEY_ID: 'macs',
	});
	// All time limits are three times as long, as on a local stack: on a busy machine, a stand-in may take longer to respond than
	// AWS does.
	Object.assign(overrides, { patience: 3 });
	const [create, list, retry] = await Promise.all([
		import('../../functions/api/webhooks/create-webhook-endpoint.ts'),
		import('../../functions/api/webhooks/list-webhook-deliveries.ts'),
		import('../../functions/api/webhooks/retry-webhook-delivery.ts'),
	]);
	handlers = { create: create.handler, list: list.handler, retry: retry.handler };
});
afterAll(async () => {
	await Promise.all([table.stop(), kms.stop(), sqs.stop()]);
	await dynamo.stop();
	await rm(directory, { recursive: true });
});
afterEach(() => {
	for (const wire of [table, kms, sqs]) wire.mend();
});

type More = { readonly id?: string; readonly headers?: Readonly<Record<string, string>>; readonly context?: object };

async function ask(handler: Handler, body: object | null, path: string, { id, headers = {}, context = {} }: More = {}) {
	const sentHeaders = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers };
	const sent = body === null ? { method: 'GET' } : { body: JSON.stringify(body) };
	const answer = await handler(apiEvent({ path, headers: sentHeaders, id: id ?? null, ...sent }), context);
	return { ...answer, json: JSON.parse(answer.body ?? 'null') };
}

const subscription = { url: 'https://93.184.215.14/hook', events: ['call.completed'] };
const create = (more: More = {}) => ask(handlers.create, subscription, '/v1/webhook-endpoints', more);
const endpoints = async () => (await store.endpointsOf(WORKSPACE)).length;

const faults: readonly (readonly [string, Fault])[] = [
	['throttled', refuse('ThrottlingException')],
	['unreachable', loseRequest],
	['answering 5xx', async () => ({ status: 503, body: '<html>' })],
];

function expectBusy(answer: Awaited<ReturnType<typeof ask>>): void {
	expect([answer.statusCode, answer.json.code]).toEqual([503, 'service_busy']);
	expect(answer.headers['retry-after']).toBe('1');
	expect(answer.headers['content-type']).toBe('application/problem+json');
	expect(answer.body).not.toMatch(/kms|dynamo|throttl/i);
}

describe.each(faults)('while AWS is %s', (_, fault) => {
	it('a request that needs a KMS key gets 503 with Retry-After and changes nothing', async () => {
		const before = await endpoints();
		kms.failAll(fault);
		expectBusy(await create());
		expect(await endpoints()).toBe(before);
	});

	it('a request that needs the table gets 503 with Retry-After and changes nothing', async () => {
		const before = await endpoints();
		table.failAll(fault);
		expectBusy(await create());
		expect(await endpoints()).toBe(before);
	});

	it('a request whose transaction fails gets 503 with Retry-After and changes nothing', async () => {
		const before = await endpoints();
		table.failAll(async (request, forward) =>
			request.operation === 'TransactWriteItems' ? fault(request, forward) : forward(),
		);
		expectBusy(await create());
		expect(await endpoints()).toBe(before);
	});

	it('a list whose items cannot be read gets 503 with Retry-After', async () => {
		const item = { ...samples.delivery, status: 'failed' as const, due_at: null };
		await store.commit([put('delivery', item, always)]);
		table.failAll(async (request, forward) =>
			request.operation === 'BatchGetItem' ? fault(request, forward) : forward(),
		);
		expectBusy(await ask(handlers.list, null, '/v1/webhook-deliveries'));
	});

	it('a request succeeds if the fault is over at the next try', async () => {
		kms.fail(fault);
		table.fail(fault);
		expect((await create()).statusCode).toBe(201);
	});
});

it('the service gives up after some tries if the table never returns the items', async () => {
	const item = { ...samples.delivery, status: 'failed' as const, due_at: null };
	await store.commit([put('delivery', item, always)]);
	table.failAll(async ({ operation, body }, forward) => {
		if (operation !== 'BatchGetItem') return forward();
		const UnprocessedKeys = JSON.parse(body).RequestItems;
		return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys }) };
	});
	expectBusy(await ask(handlers.list, null, '/v1/webhook-deliveries'));
});

it('requests succeed while the queues accept nothing, because the table stores the work and its due time', async () => {
	const item = { ...samples.delivery, status: 'failed' as const, due_at: null, next_attempt_at: null };
	const endpoint = { ...samples.webhook_endpoint, id: item.endpoint_id, workspace_id: item.workspace_id };
	await store.commit([
		put('delivery', item, always),
		put('webhook_endpoint', { ...endpoint, status: 'enabled' }, always),
	]);
	const answer = await ask(handlers.retry, {}, `/v1/webhook-deliveries/${item.id}/retry`, { id: item.id });
	expect(answer.statusCode).toBe(202);
	expect(sqs.seen.map(({ operation }) => operation)).toContain('SendMessageBatch');
	const kept = await store.get('delivery', { id: item.id });
	expect(kept).toMatchObject({ status: 'pending', generation: item.generation + 1 });
	expect(kept?.due_at).not.toBeNull();
});

describe('a change whose outcome is unknown', () => {
	const NOT_KNOWN = 'It is not known whether this was done.';
	const once = { headers: { 'idempotency-key': 'outage-1' } };
	const losingCommits: Fault = (request, forward) =>
		request.operation === 'TransactWriteItems' ? loseAnswer(request, forward) : forward();

	it('gets a response that says so, and a repetition with the same key gets the answer of the first request', async () => {
		const before = await endpoints();
		table.failAll(losingCommits);
		const answer = await create(once);
		expectBusy(answer);
		expect(answer.json.detail).toContain(NOT_KNOWN);
		expect(await endpoints()).toBe(before + 1);
		table.mend();
		const again = await create(once);
		expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
		expect(await endpoints()).toBe(before + 1);
	});

	it.each(faults)('is reported as unknown, but a list that fails says only to try again: %s', async (_, fault) => {
		table.failAll(fault);
		expect((await create()).json.detail).toContain(NOT_KNOWN);
		expect((await ask(handlers.list, null, '/v1/webhook-deliveries')).json.detail).toBe('Please try again.');
	});

	it('gets 503 when the function has no time left, and the function sends nothing to AWS afterwards', async () => {
		const asked = table.seen.length;
		const context = { getRemainingTimeInMillis: () => 400 };
		const answer = await create({ context });
		expectBusy(answer);
		expect(answer.json.detail).toContain(NOT_KNOWN);
		expect(table.seen.length).toBe(asked);
		expect((await create()).statusCode).toBe(201);
	});

	it('gets 503 when AWS takes longer than the time that is left', async () => {
		let release = (): void => undefined;
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		table.failAll(async () => {
			await released;
			return 'reset';
		});
		// Leaves the function so little time that it gives up its request to the table after 100 ms.
		expectBusy(await create({ context: { getRemainingTimeInMillis: () => 600 } }));
		release();
	});
});
