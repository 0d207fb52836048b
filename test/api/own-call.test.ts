import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { type Answer, call, eventually, visitorBody } from '../support/stack/api.ts';
import { openPage } from '../support/stack/live-page.ts';
import { testStack } from '../support/stack/stack.ts';
import { bearer, freshTalker, newCustomer, operatorOf } from '../support/webhooks/customers.ts';

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const page = () => ({ origin: stack.allowed_origin });
const request = (phone: string, headers = {}) =>
	call(stack.base_url, '/widget/call-requests', {
		body: visitorBody(stack, { phone }),
		headers: { ...page(), ...headers },
	});
const secretOf = ({ headers }: Answer): string => headers.get('cancel-secret') ?? '';
const cancel = (id: string, cancel_secret: string, headers: Record<string, string> = page()) =>
	call(stack.base_url, `/widget/call-requests/${id}/cancel`, { body: { cancel_secret }, headers });
const status = async (id: string) =>
	(await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers: page() })).json.data;

describe('a visitor cancels their own call', () => {
	it('without an API key, with the secret from the response to the request', async () => {
		const asked = await request(freshTalker());
		const { id } = asked.json.data;
		const canceled = await cancel(id, secretOf(asked));
		expect(canceled.status).toBe(200);
		const ended = {
			id,
			status: 'canceled',
			poll_after_ms: null,
			failure_reason: 'canceled',
			visitor_phone_rings: false,
			connected_for_ms: null,
			live_url: null,
		};
		expect(canceled.json).toEqual({ data: ended });
		expect(await status(id)).toEqual(ended);
		const again = await cancel(id, secretOf(asked));
		expect([again.status, again.json.code, again.json.call_status]).toEqual([409, 'call_already_terminal', 'canceled']);
	});

	it('with a secret that a replay returns again, and that no body contains', async () => {
		const key = { 'idempotency-key': 'own-call' };
		const phone = freshTalker();
		const [first, replay] = [await request(phone, key), await request(phone, key)];
		expect(replay.headers.get('idempotency-replayed')).toBe('true');
		expect(secretOf(first)).toMatch(/^[\w-]{43}$/);
		expect(secretOf(replay)).toBe(secretOf(first));
		expect(first.text).not.toContain(secretOf(first));
		await cancel(first.json.data.id, secretOf(first));
	});

	it('and no other: with the secret of another call, or from another site, it looks like an unknown call', async () => {
		const [mine, other] = [await request(freshTalker()), await request(freshTalker())];
		const unknown = await cancel('01ARZ3NDEKTSV4RRFFQ69G5FAV', secretOf(mine));
		const told = ({ status, json: { request_id: _, instance: __, ...problem } }: Answer) => ({ status, ...problem });
		for (const wrong of [secretOf(other), 'x', secretOf(mine).slice(1)]) {
			expect(told(await cancel(mine.json.data.id, wrong))).toEqual(told(unknown));
		}
		const elsewhere = await cancel(mine.json.data.id, secretOf(mine), { origin: 'https://elsewhere.example' });
		expect([elsewhere.status, elsewhere.json.code]).toEqual([403, 'origin_not_allowed']);
		expect((await status(mine.json.data.id)).status).not.toBe('canceled');
		for (const asked of [mine, other]) await cancel(asked.json.data.id, secretOf(asked));
	});

	it('until it is connected', async () => {
		const asked = await request('+12025550110');
		const { id } = asked.json.data;
		const talking = await eventually('they talk', async () => {
			const now = await status(id);
			return now.status === 'connected' ? now : null;
		});
		expect(talking.connected_for_ms).toBeGreaterThanOrEqual(0);
		const late = await cancel(id, secretOf(asked));
		expect([late.status, late.json.code]).toEqual([409, 'call_already_connected']);
		expect((await status(id)).status).toBe('connected');
	});
});

it('the status of a call that failed says why', async () => {
	const { id } = (await request('+12025550102')).json.data;
	const failed = await eventually('it has failed', async () => {
		const now = await status(id);
		return now.status === 'failed' ? now : null;
	});
	expect(failed.failure_reason).toBe('visitor_busy');
});

describe('a page that waits for the end of its conversation', () => {
	/** A customer whose visitor talks, and the URL that their page is told to wait at. */
	async function talking() {
		const shop = await newCustomer(await operatorOf(stack));
		const headers = { origin: shop.allowed_origin };
		const body = visitorBody(shop, { phone: freshTalker() });
		const { id } = (await call(stack.base_url, '/widget/call-requests', { body, headers })).json.data;
		const state = async () => (await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers })).json.data;
		const { live_url } = await eventually('they talk', async () => {
			const now = await state();
			return now.status === 'connected' ? now : null;
		});
		const hangUp = () => call(stack.base_url, `/calls/${id}/cancel`, { body: {}, headers: bearer(shop.api_key) });
		return { shop, id, live_url, state, hangUp };
	}
	it('is shown the end, as its status route answers it', async () => {
		const { shop, live_url, state, hangUp } = await talking();
		const { socket, status, told } = await openPage(live_url, shop.allowed_origin);
		expect(status).toBe(101);
		const ended = told();
		expect((await hangUp()).status).toBe(200);
		expect(await ended).toMatchObject({ data: { status: 'completed', poll_after_ms: null, live_url: null } });
		expect(await ended).toEqual({ data: await state() });
		socket.close();
	});

	it('is the last of several pages that opened a connection', async () => {
		const { shop, live_url, hangUp } = await talking();
		const [first, second] = [
			await openPage(live_url, shop.allowed_origin),
			await openPage(live_url, shop.allowed_origin),
		];
		const untold: unknown[] = [];
		first.socket.on('message', (message) => untold.push(message));
		const told = second.told();
		await hangUp();
		await told;
		expect(untold).toEqual([]);
		for (const { socket } of [first, second]) socket.close();
	});

	it('may have gone: the call ends all the same', async () => {
		const { shop, live_url, state, hangUp } = await talking();
		const { socket } = await openPage(live_url, shop.allowed_origin);
		const closed = once(socket, 'close');
		socket.close();
		await closed;
		expect((await hangUp()).status).toBe(200);
		expect((await state()).status).toBe('completed');
	});

	it('is refused for a call of another site, for an unknown one, and for one that has ended', async () => {
		const { shop, live_url, hangUp } = await talking();
		const statusAt = async (url: string, origin: string) => (await openPage(url, origin)).status;
		const unknown = live_url.replace(/id=.*$/, 'id=01ARZ3NDEKTSV4RRFFQ69G5FAV');
		const bare = live_url.replace(/\?.*$/, '');
		expect(await statusAt(live_url, 'https://elsewhere.example')).toBe(403);
		expect(await statusAt(live_url, stack.allowed_origin)).toBe(404);
		expect(await statusAt(unknown, shop.allowed_origin)).toBe(404);
		expect(await statusAt(bare, shop.allowed_origin)).toBe(404);
		await hangUp();
		expect(await statusAt(live_url, shop.allowed_origin)).toBe(409);
	});
});
