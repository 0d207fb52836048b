import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { overStack } from '../hostile/over-http.ts';
import { run, told } from '../hostile/run.ts';
import { SEED } from '../support/jest/seed.ts';
import { type Answer, call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import { document, operations, wrongAnswer } from './document.ts';

const HOSTILE_REQUESTS = 300;

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

/** Operations that have answered with success. */
const served = new Set<string>();
/** The latest id that a path named, by the first part of the path. */
const named = new Map<string, string>();
/** The headers of each operation's latest response. */
const heard = new Map<string, Headers>();

const partOf = (path: string): string => path.split('/')[1] ?? '';

/** Sends a documented request; the operation must document the response. */
async function visit(operationId: string, send: { id?: string; query?: string; body?: object; status?: number } = {}) {
	const found = operations.find(({ operation }) => operation.operationId === operationId);
	if (found === undefined) throw new Error(`the document has no ${operationId}`);
	const { path, method, operation } = found;
	const headers = operation.tags.includes('Widget')
		? { origin: stack.allowed_origin }
		: { authorization: `Bearer ${stack.api_key}` };
	const asked = `${path.replace('{id}', send.id ?? '')}${send.query ?? ''}`;
	const body = send.body === undefined ? {} : { body: send.body };
	const answer: Answer = await call(stack.base_url, asked, { method: method.toUpperCase(), headers, ...body });
	expect([operationId, answer.status, wrongAnswer({ path, method }, answer.status, answer.json)]).toEqual([
		operationId,
		send.status ?? answer.status,
		null,
	]);
	if (answer.status < 300) served.add(operationId);
	if (answer.status < 300 && send.id !== undefined) named.set(partOf(path), send.id);
	if (method === 'get') {
		const head = await call(stack.base_url, asked, { method: 'HEAD', headers });
		const names = ['content-type', 'etag', 'cache-control'];
		const facts = (given: Answer) => [given.status, ...names.map((name) => given.headers.get(name))];
		expect([head.text, ...facts(head)]).toEqual(['', ...facts(answer)]);
	}
	heard.set(operationId, answer.headers);
	return answer.json;
}

/** On a machine that stalls, the answer is 409 because the visitor is connected by then: try the next number. */
async function cancelBeforeTheyTalk(): Promise<void> {
	for (const end of ['01', '03', '10', '11']) {
		const { data } = await visit('request-call', { body: visitorBody(stack, { phone: `+121255501${end}` }) });
		const cancel_secret = heard.get('request-call')?.get('cancel-secret');
		await visit('cancel-call-request', { id: data.id, body: { cancel_secret } });
		if (served.has('cancel-call-request')) return;
	}
}

describe('the running stack answers as documented', () => {
	it('to a page', async () => {
		await visit('get-widget-config', { query: `?workspace_key=${stack.workspace_key}` });
		const { data } = await visit('request-call', { body: visitorBody(stack, { phone: '+12025550110' }) });
		await visit('cancel-call-request', { id: data.id, body: { cancel_secret: 'wrong' }, status: 404 });
		await visit('get-call-request-status', { id: data.id });
		await cancelBeforeTheyTalk();
		// A call that stays live, for the next steps.
		await visit('request-call', { body: visitorBody(stack, { phone: '+14155550110' }) });
		await visit('create-callback-lead', { body: visitorBody(stack) });
		await visit('request-call', { body: visitorBody(stack, { consent: false }), status: 422 });
	});

	it('about calls and leads', async () => {
		const calls = await visit('list-calls', { query: '?status=requested,ringing,connected,completed&limit=1' });
		const { id } = calls.data[0];
		await visit('cancel-call', { id });
		await visit('cancel-call', { id, status: 409 });
		const [lead] = (await visit('list-callback-leads')).data;
		await visit('update-callback-lead', { id: lead.id, body: { status: 'handled' } });
	});

	it('about webhooks', async () => {
		const events = ['call.requested', 'callback.requested'];
		const { data } = await visit('create-webhook-endpoint', { body: { url: stack.inbox_url, events } });
		await visit('change-webhook-endpoint', { id: data.id, body: { description: null } });
		await visit('rotate-webhook-secret', { id: data.id });
		await visit('test-webhook-endpoint', { id: data.id, body: { event: 'call.failed' } });
		await visit('recover-webhook-endpoint', { id: data.id, body: { since: '2026-01-01', dry_run: true } });
		const delivered = await eventually('a delivery has succeeded', async () => {
			return (await visit('list-webhook-deliveries', { query: '?status=succeeded&limit=1' })).data[0] ?? null;
		});
		const { data: detail } = await visit('get-webhook-delivery', { id: delivered.id });
		expect(detail.attempts.length).toBeGreaterThan(0);
		await visit('retry-webhook-delivery', { id: delivered.id });
	});

	it('to every other read', async () => {
		const left = operations.filter(({ method, operation }) => method === 'get' && !served.has(operation.operationId));
		for (const { path, operation } of left) {
			const id = path.includes('{id}') ? named.get(partOf(path)) : undefined;
			await visit(operation.operationId, id === undefined ? {} : { id });
		}
	});

	it('about what is deleted', async () => {
		const id = named.get('webhook-endpoints') ?? '';
		await visit('delete-webhook-endpoint', { id });
		await visit('delete-webhook-endpoint', { id, status: 404 });
	});

	it('with the document itself', async () => {
		expect(await visit('get-openapi')).toEqual(document);
	});

	it('in every operation', () => {
		expect([...served].sort()).toEqual(operations.map(({ operation }) => operation.operationId).sort());
	});
});

describe('whatever is sent over HTTP', () => {
	it('gets a response that the contract documents, never a 500', async () => {
		const target = await overStack(stack);
		const outcome = await run(target, { requests: HOSTILE_REQUESTS, seed: SEED });
		await target.stop();
		expect(told(outcome)).toBe('');
	});
});
