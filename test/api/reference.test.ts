import { expect, it } from '@jest/globals';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { bearer, freshTalker } from '../support/webhooks/customers.ts';

const stack = suiteStack();

const asVisitor = (path: string, reference: unknown) =>
	call(stack.base_url, path, {
		headers: { origin: stack.allowed_origin, 'idempotency-key': crypto.randomUUID() },
		body: visitorBody(stack, { phone: freshTalker(), reference }),
	});
const asServer = async (path: string) => (await call(stack.base_url, path, { headers: bearer(stack.api_key) })).json;

it.each([
	['/widget/call-requests', '/calls'],
	['/widget/callback-leads', '/callback-leads'],
])('the reference sent to %s is in the resource, and filters its list', async (route, list) => {
	const reference = `order ${route} é`;
	const { id } = (await asVisitor(route, reference)).json.data;
	await asVisitor(route, null);
	expect((await asServer(`${list}/${id}`)).data.reference).toBe(reference);
	const found = await eventually('the list trails by moments', async () => {
		const { data } = await asServer(`${list}?reference=${encodeURIComponent(reference)}`);
		return data.length > 0 ? data : null;
	});
	expect(found.map((item: { readonly id: string }) => item.id)).toEqual([id]);
	expect((await asServer(`${list}?reference=unknown`)).data).toEqual([]);
});

it.each([
	['x'.repeat(65), 'too_big'],
	[7, 'invalid_type'],
])('a reference that is %j is refused', async (reference, code) => {
	const { status, json } = await asVisitor('/widget/call-requests', reference);
	expect([status, json.errors]).toEqual([422, [expect.objectContaining({ pointer: '/reference', code })]]);
});

it('callback.requested has the reference only if the page gave one', async () => {
	const ids = [];
	for (const reference of ['order-4711', null])
		ids.push((await asVisitor('/widget/callback-leads', reference)).json.data.id);
	const bodies = await eventually('both events', async () => {
		const { data } = await asServer('/webhook-deliveries?event=callback.requested&limit=100');
		return data.length >= 2 ? data : null;
	});
	expect(bodies.length).toBeGreaterThan(1);
	const events = await Promise.all(ids.map(async (id) => (await inbox()).find((body) => body.includes(id))));
	expect(events.map((body) => JSON.parse(body ?? '{}').data?.reference)).toEqual(['order-4711', undefined]);
});

/** Returns the bodies of `callback.requested` in the inbox of the local stack, after at least three have arrived. */
async function inbox(): Promise<readonly string[]> {
	const shows = `${stack.inbox_url.replace('https://', 'http://').replace(/:\d+/, `:${new URL(stack.console_url).port}`)}`;
	return eventually('the inbox has both', async () => {
		const headers = { authorization: `Bearer ${stack.console_key}` };
		const received: readonly { readonly body: string }[] = (
			await call(new URL(shows).origin, '/inbox/demo', { headers })
		).json;
		const bodies = received.map(({ body }) => body).filter((body) => body.includes('callback.requested'));
		return bodies.length >= 3 ? bodies : null;
	});
}
