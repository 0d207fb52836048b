import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { recoverDeliveries } from '../../shared/use-cases/webhooks/recover-deliveries.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { type DeliveryDays, deliveryDays, WORKSPACE } from '../support/webhooks/deliveries.ts';

// A person's action (retry, recover, enable) overrides the circuit breaker. The API's response says what really happens.

const MINUTE_MS = 60_000;

/** An endpoint that was down for a while. Its breaker is open, and deliveries are waiting that were never attempted. */
async function resting(count = 12) {
	const w = deliveryDays();
	const endpoint = await w.endpoint('hooks');
	w.answers.set('hooks.example', 503);
	const before = await w.happen(8);
	await w.live(MINUTE_MS);
	const events = await w.happen(count);
	await w.live(5000);
	const key = { workspace_id: WORKSPACE, id: endpoint.id };
	const health = async () => (await w.store.get('webhook_endpoint', key))?.health;
	expect((await health())?.open_until).not.toBeNull();
	w.answers.delete('hooks.example');
	w.posts.length = 0;
	return { w, endpoint, before, events, health };
}
const retry = (w: DeliveryDays, id: string) => retryDelivery({ workspace_id: WORKSPACE, id }, w.deps);

/** Each way in which a person can send waiting deliveries. */
const ways = {
	'disable and enable': async (w, id) => {
		await w.change(id, { status: 'disabled' });
		await w.change(id, { status: 'enabled' });
	},
	recover: async (w, endpoint_id) => {
		await recoverDeliveries(
			{ workspace_id: WORKSPACE, endpoint_id, since_ms: 0, until_ms: null, mode: 'failed', dry_run: false },
			w.deps,
		);
	},
} as const satisfies Record<string, (w: DeliveryDays, id: string) => Promise<void>>;

describe('an endpoint whose breaker is open', () => {
	it.each(Object.entries(ways))('gets all waiting deliveries within 15 minutes after %s', async (_, way) => {
		const { w, endpoint, events } = await resting(60);
		await way(w, endpoint.id);
		await w.live(15 * MINUTE_MS);
		const arrived = w.postsTo(endpoint);
		expect(events.filter(({ id }) => !arrived.includes(id))).toEqual([]);
	});

	it('gets a retry at once; its success closes the breaker, and the waiting deliveries follow by themselves', async () => {
		const { w, endpoint, events, health } = await resting(60);
		const last = events.at(-1) ?? w.nextEvent();
		const { id } = await w.deliveryOf(last, endpoint);
		const outcome = await retry(w, id);
		if (outcome.outcome !== 'retried') throw new Error(outcome.outcome);
		expect(outcome.delivery.next_attempt_at).toBe(new Date(w.clock.now_ms).toISOString());
		const askedMs = w.clock.now_ms;
		await w.live(1);
		expect(w.posts[0]).toMatchObject({ event_id: last.id, at_ms: askedMs });
		expect((await health())?.open_until).toBeNull();
		await w.live(15 * MINUTE_MS);
		const arrived = w.postsTo(endpoint);
		expect(events.filter((event) => !arrived.includes(event.id))).toEqual([]);
	});

	it('gets one POST for a retry that fails; the failure counts, and the other deliveries keep waiting', async () => {
		const { w, endpoint, events, health } = await resting(20);
		w.answers.set('hooks.example', 503);
		const failures = (await health())?.consecutive_failures ?? 0;
		const last = events.at(-1) ?? w.nextEvent();
		const { id } = await w.deliveryOf(last, endpoint);
		await retry(w, id);
		await w.live(1);
		expect(w.postsTo(endpoint)).toEqual([last.id]);
		expect(await health()).toMatchObject({ consecutive_failures: failures + 1, open_until: expect.any(String) });
		expect(await w.deliveryOf(last, endpoint)).toMatchObject({ status: 'pending', attempt_count: 1 });
		expect(await w.deliveryOf(last, endpoint)).not.toHaveProperty('is_manual_retry');
	});
});

describe('a retry for an endpoint', () => {
	it.each([
		['deleted', 'endpoint_deleted'],
		['disabled', 'endpoint_disabled'],
	] as const)('that is %s is refused, and the delivery is unchanged', async (what, refused) => {
		const w = deliveryDays();
		const endpoint = await w.endpoint('hooks');
		const [event] = await w.happen();
		if (event === undefined) throw new Error('nothing happened');
		await w.live(1000);
		const before = await w.deliveryOf(event, endpoint);
		expect(before.status).toBe('succeeded');
		const key = { workspace_id: WORKSPACE, id: endpoint.id };
		if (what === 'disabled') await w.change(endpoint.id, { status: 'disabled' });
		else await w.store.commit([{ op: 'remove', record: 'webhook_endpoint', key, guard: { if: 'always' } }]);
		expect(await retry(w, before.id)).toEqual({ outcome: refused });
		await w.live(MINUTE_MS);
		expect(await w.deliveryOf(event, endpoint)).toEqual(before);
	});

	it('never turns a succeeded delivery into a canceled one, whenever the endpoint is deleted', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 200_000 }), fc.boolean(), async (afterMs, fails) => {
				const w = deliveryDays();
				const endpoint = await w.endpoint('hooks');
				const [event] = await w.happen();
				if (event === undefined) throw new Error('nothing happened');
				await w.live(1000);
				if (fails) w.answers.set('hooks.example', 500);
				const { id } = await w.deliveryOf(event, endpoint);
				await retry(w, id);
				if (afterMs > 1000) await w.live(afterMs);
				const key = { workspace_id: WORKSPACE, id: endpoint.id };
				await w.store.commit([{ op: 'remove', record: 'webhook_endpoint', key, guard: { if: 'always' } }]);
				await w.live(10 * MINUTE_MS);
				expect((await w.deliveryOf(event, endpoint)).status).toBe('succeeded');
			}),
			{ numRuns: 30 },
		);
	});
});
