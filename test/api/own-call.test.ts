import { describe, expect, it } from '@jest/globals';
import { type ApiResponse, call, eventually, visitorBody } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

const stack = suiteStack();

const page = () => ({ origin: stack.allowed_origin });
const request = (phone: string, headers = {}) =>
	call(stack.base_url, '/widget/call-requests', {
		body: visitorBody(stack, { phone }),
		headers: { ...page(), ...headers },
	});
const secretOf = ({ headers }: ApiResponse): string => headers.get('cancel-secret') ?? '';
const cancel = (id: string, cancel_secret: string, headers: Record<string, string> = page()) =>
	call(stack.base_url, `/widget/call-requests/${id}/cancel`, { body: { cancel_secret }, headers });
const status = async (id: string) =>
	(await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers: page() })).json.data;

describe('a visitor cancels their own call', () => {
	it('without an API key, with the secret that the response to their request contained', async () => {
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
			duration_seconds: 0,
		};
		expect(canceled.json).toEqual({ data: ended });
		expect(await status(id)).toEqual(ended);
		const again = await cancel(id, secretOf(asked));
		expect([again.status, again.json.code, again.json.call_status]).toEqual([409, 'call_already_terminal', 'canceled']);
	});

	it('with a secret that is only in a header of the response, and that a replayed response repeats', async () => {
		const key = { 'idempotency-key': 'own-call' };
		const phone = freshTalker();
		const first = await request(phone, key);
		const replay = await request(phone, key);
		expect(replay.headers.get('idempotency-replayed')).toBe('true');
		expect(secretOf(first)).toMatch(/^[\w-]{43}$/);
		expect(secretOf(replay)).toBe(secretOf(first));
		expect(first.text).not.toContain(secretOf(first));
		await cancel(first.json.data.id, secretOf(first));
	});

	it('only with the call’s own secret and from the workspace’s own site', async () => {
		const mine = await request(freshTalker());
		const other = await request(freshTalker());
		const unknown = await cancel('01ARZ3NDEKTSV4RRFFQ69G5FAV', secretOf(mine));
		const comparable = ({ status, json: { request_id: _, instance: __, ...problem } }: ApiResponse) => ({
			status,
			...problem,
		});
		for (const wrong of [secretOf(other), 'x', secretOf(mine).slice(1)]) {
			expect(comparable(await cancel(mine.json.data.id, wrong))).toEqual(comparable(unknown));
		}
		const elsewhere = await cancel(mine.json.data.id, secretOf(mine), { origin: 'https://elsewhere.example' });
		expect([elsewhere.status, elsewhere.json.code]).toEqual([403, 'origin_not_allowed']);
		expect((await status(mine.json.data.id)).status).not.toBe('canceled');
		for (const asked of [mine, other]) await cancel(asked.json.data.id, secretOf(asked));
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
