import { expect, it } from '@jest/globals';
import { call, fromConsole } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

// Sends custom headers through the whole service: the API, the functions with their roles, the encryption and the network.

const stack = suiteStack();

const VALUE = 'gateway-key-4711';
const ask = (path: string, method: string, body?: object, headers: Record<string, string> = {}) =>
	call(stack.base_url, path, { method, body, headers: { authorization: `Bearer ${stack.api_key}`, ...headers } });

/** The headers that the inbox received with its newest delivery. */
async function received(inbox: string): Promise<Record<string, string>> {
	const all = await fromConsole(stack, `/inbox/${inbox}`);
	return all.at(-1).headers;
}

it('custom headers reach the receiver with every delivery, and no response shows their values', async () => {
	const body = { url: `${stack.inbox_url}-headers`, events: ['call.completed'], headers: { 'X-Api-Key': VALUE } };
	const key = { 'idempotency-key': 'custom-headers-1' };
	const created = await ask('/webhook-endpoints', 'POST', body, key);
	expect([created.status, created.json.data.header_names]).toEqual([201, ['x-api-key']]);
	const path = `/webhook-endpoints/${created.json.data.id}`;
	const tested = await ask(`${path}/test`, 'POST', { event: 'call.completed' });
	expect(tested.json.data.response_status).toBe(200);
	expect(await received('demo-headers')).toMatchObject({ 'x-api-key': VALUE, 'service-event': 'call.completed' });

	const changed = await ask(path, 'PATCH', { headers: { Authorization: `Bearer ${VALUE}` } });
	expect([changed.status, changed.json.data.header_names]).toEqual([200, ['authorization']]);
	await ask(`${path}/test`, 'POST', {});
	const again = await received('demo-headers');
	expect([again['authorization'], again['x-api-key']]).toEqual([`Bearer ${VALUE}`, undefined]);

	const replayed = await ask('/webhook-endpoints', 'POST', body, key);
	const shown = await Promise.all([ask(path, 'GET'), ask('/webhook-endpoints', 'GET')]);
	for (const answer of [created, tested, changed, replayed, ...shown]) expect(answer.text).not.toContain(VALUE);
	expect(replayed.text).toBe(created.text);

	const removed = await ask(path, 'PATCH', { headers: null });
	expect(removed.json.data.header_names).toEqual([]);
	const refused = await ask(path, 'PATCH', { headers: { 'Content-Type': VALUE } });
	expect([refused.status, refused.json.errors]).toEqual([
		422,
		[{ pointer: '/headers/Content-Type', code: 'custom', detail: 'Another header name: this one is reserved.' }],
	]);
	expect(refused.text).not.toContain(VALUE);
});
