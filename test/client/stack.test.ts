import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { callBackClient } from '../../packages/client/client.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';

let stack: Stack;
let client: ReturnType<typeof callBackClient>;
beforeAll(async () => {
	stack = await testStack();
	client = callBackClient(stack);
});
afterAll(() => stack.stop());

async function visit(path: string, phone: string): Promise<string> {
	const headers = { origin: stack.allowed_origin };
	const { status, json } = await call(stack.base_url, path, { body: visitorBody(stack, { phone }), headers });
	expect([202, 201]).toContain(status);
	return json.data.id;
}
const requestCall = (phone: string) => visit('/widget/call-requests', phone);
const endpointUrl = (name: string) => new URL(name, stack.inbox_url).href;
const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('calls', () => {
	it('can be read, awaited and cancelled once; a second cancel is refused with its code', async () => {
		const id = await requestCall('+12025550110');
		const connected = await eventually('the call is connected', async () => {
			const found = await client.calls.get(id);
			return found.status === 'connected' ? found : null;
		});
		expect(connected.completed_at).toBeNull();
		const idempotency_key = 'cancel-once';
		const canceled = await client.calls.cancel(id, { idempotency_key });
		expect(canceled.status).toBe('completed');
		await expect(client.calls.cancel(id, { idempotency_key })).resolves.toEqual(canceled);
		await expect(client.calls.cancel(id)).rejects.toMatchObject({
			code: 'call_already_terminal',
			status: 409,
			problem: { call_status: 'completed' },
		});
		const { data } = await client.calls.list({ status: ['completed', 'failed'], from: new Date(canceled.created_at) });
		expect(data.map((item) => item.id)).toContain(id);
		await expect(client.calls.get(UNKNOWN_ID)).rejects.toMatchObject({ code: 'not_found', status: 404 });
	});
});

describe('callback leads', () => {
	it('are listed page by page, newest first and each once, and can be moved to another status', async () => {
		const made: string[] = [];
		for (let i = 0; i < 5; i += 1) made.push(await visit('/widget/callback-leads', `+1202555012${i}`));
		const walked: string[] = [];
		for await (const lead of client.callbackLeads.all({ status: 'pending', limit: 2 })) walked.push(lead.id);
		expect(walked).toEqual([...made].reverse());
		const [id = ''] = made;
		expect(await client.callbackLeads.update(id, { status: 'handled' })).toMatchObject({ id, status: 'handled' });
		expect((await client.callbackLeads.get(id)).status).toBe('handled');
		expect((await client.callbackLeads.list({ status: 'pending' })).data).toHaveLength(4);
		const { data, next_cursor } = await client.callbackLeads.list({ limit: 3 });
		expect([data.length, typeof next_cursor]).toEqual([3, 'string']);
	});
});

describe('webhook endpoints', () => {
	it('are created, read, changed, tested, given a new secret, and removed', async () => {
		const { webhookEndpoints } = client;
		const { secret, ...made } = await webhookEndpoints.create({ url: endpointUrl('mine'), events: ['call.failed'] });
		expect(secret).toMatch(/^whsec_/);
		expect(await webhookEndpoints.get(made.id)).toEqual(made);
		const changed = await webhookEndpoints.change(made.id, { description: 'Mine', events: ['call.completed'] });
		expect(changed).toMatchObject({ description: 'Mine', events: ['call.completed'] });
		expect(await webhookEndpoints.change(made.id, { status: 'disabled' })).toMatchObject({ disabled_reason: 'manual' });
		expect(await webhookEndpoints.change(made.id, { status: 'enabled' })).toMatchObject({
			status: 'enabled',
			disabled_reason: null,
		});
		expect((await webhookEndpoints.list()).map(({ id }) => id)).toContain(made.id);
		expect(await webhookEndpoints.test(made.id, { event: 'call.completed' })).toMatchObject({ response_status: 200 });
		const rotated = await webhookEndpoints.rotateSecret(made.id, { overlap_seconds: 60 });
		expect(rotated.secret).not.toBe(secret);
		const since = new Date(Date.now() - 60_000).toISOString();
		const recovered = await webhookEndpoints.recover(made.id, { since, mode: 'missing', dry_run: true });
		expect(recovered).toMatchObject({ dry_run: true, queued: 0 });
		await expect(webhookEndpoints.recover(made.id, { since, cursor: 'made up' })).rejects.toMatchObject({
			code: 'invalid_cursor',
		});
		await expect(webhookEndpoints.delete(made.id)).resolves.toBeNull();
		await expect(webhookEndpoints.get(made.id)).rejects.toMatchObject({ code: 'not_found' });
	});

	it('are not overwritten by an editor who has not seen the last change', async () => {
		const { id } = await client.webhookEndpoints.create({ url: endpointUrl('editors'), events: ['call.failed'] });
		const mine = await client.webhookEndpoints.get(id);
		const theirs = await client.webhookEndpoints.get(id);
		const changed = await client.webhookEndpoints.change(id, { description: 'mine' }, { if_unchanged: mine });
		await expect(
			client.webhookEndpoints.change(id, { description: 'theirs' }, { if_unchanged: theirs }),
		).rejects.toMatchObject({ code: 'precondition_failed', status: 412 });
		const again = await client.webhookEndpoints.change(id, { events: ['call.completed'] }, { if_unchanged: changed });
		expect(again).toMatchObject({ description: 'mine', events: ['call.completed'] });
		await expect(client.webhookEndpoints.change(id, {}, { if_unchanged: { ...again } })).rejects.toThrow(
			'if_unchanged: the very object that get, change or update of this client answered',
		);
		const lead = await client.callbackLeads.get(await visit('/widget/callback-leads', '+12025550131'));
		await client.callbackLeads.update(lead.id, { status: 'handled' });
		await expect(
			client.callbackLeads.update(lead.id, { status: 'dismissed' }, { if_unchanged: lead }),
		).rejects.toMatchObject({ code: 'precondition_failed' });
	});

	it('are created once if the response is lost, with the secret in the repeated response', async () => {
		let lost = 0;
		const lossy: typeof fetch = async (...asked) => {
			const response = await fetch(...asked);
			if (lost++ > 0) return response;
			await response.text();
			throw new TypeError('the connection broke off');
		};
		const { webhookEndpoints } = callBackClient({ ...stack, fetch: lossy });
		const before = await client.webhookEndpoints.list();
		const made = await webhookEndpoints.create({ url: endpointUrl('lossy'), events: ['call.failed'] });
		expect(made.secret).toMatch(/^whsec_/);
		const after = await client.webhookEndpoints.list();
		expect([lost, after.length]).toEqual([2, before.length + 1]);
		lost = 0;
		await expect(webhookEndpoints.delete(made.id)).resolves.toBeNull();
		expect(lost).toBe(2);
	});
});

describe('webhook deliveries', () => {
	it('are listed by event and endpoint, read with their attempts, and delivered again', async () => {
		const id = await requestCall('+12025550106');
		await eventually('the call fails', async () => ((await client.calls.get(id)).status === 'failed' ? true : null));
		const delivery = await eventually('its end is delivered', async () => {
			const { data } = await client.webhookDeliveries.list({ event: 'call.failed', status: 'succeeded' });
			return data[0] ?? null;
		});
		const detail = await client.webhookDeliveries.get(delivery.id);
		expect(detail.attempts).toMatchObject([{ number: 1, response_status: 200 }]);
		expect((await client.webhookDeliveries.retry(delivery.id)).id).toBe(delivery.id);
		const again = await eventually('it is delivered again', async () => {
			const found = await client.webhookDeliveries.get(delivery.id);
			return found.attempt_count === 2 && found.status === 'succeeded' ? found : null;
		});
		expect(again.attempts).toHaveLength(2);
		const about = client.webhookDeliveries.all({ event_id: delivery.event_id, endpoint_id: delivery.endpoint_id });
		const found: string[] = [];
		for await (const item of about) found.push(item.id);
		expect(found).toEqual([delivery.id]);
	});
});
