import { describe, expect, it } from '@jest/globals';
import type { Event } from '../../shared/domain/webhooks/event.ts';
import type { Store } from '../../shared/ports/store.ts';
import { recoverDeliveries } from '../../shared/use-cases/webhooks/recover-deliveries.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { type DeliveryDays, deliveryDays, WORKSPACE } from '../support/webhooks/deliveries.ts';

const HOUR_MS = 3_600_000;
const ids = (events: readonly Event[]): string[] => events.map(({ id }) => id);

/**
 * Creates two endpoints and disables one of them. Then `count` events happen: the disabled endpoint's deliveries are held, and
 * the other endpoint gets all events.
 */
async function heldUp(count: number) {
	const w = deliveryDays();
	const off = await w.endpoint('off');
	const on = await w.endpoint('on');
	await w.change(off.id, { status: 'disabled' });
	const events = await w.happen(count);
	await w.live(HOUR_MS);
	expect(new Set(await w.statusesOf(events, off))).toEqual(new Set(['held']));
	expect(w.postsTo(on)).toHaveLength(count);
	return { w, off, on, events };
}
const recover = (w: DeliveryDays, endpoint_id: string, since_ms = 0) =>
	recoverDeliveries(
		{ workspace_id: WORKSPACE, endpoint_id, since_ms, until_ms: null, mode: 'failed', dry_run: false },
		w.deps,
	);

describe('an endpoint that is enabled again', () => {
	it('gets none of its held deliveries, which stay visible and may be retried', async () => {
		const { w, off, events } = await heldUp(3);
		await w.change(off.id, { status: 'enabled' });
		await w.live(HOUR_MS);
		expect(await w.statusesOf(events, off)).toEqual(['held', 'held', 'held']);
		const [first] = events;
		if (first === undefined) throw new Error('no event');
		const { id } = await w.deliveryOf(first, off);
		await retryDelivery({ workspace_id: WORKSPACE, id }, w.deps);
		await w.live(60_000);
		expect(w.postsTo(off)).toEqual([first.id]);
	});

	it('gets, by a recovery, the deliveries that were held since a given time; earlier deliveries, and those of other endpoints, stay held', async () => {
		const { w, off, on, events } = await heldUp(5);
		await w.change(on.id, { status: 'disabled' });
		const [other] = await w.happen();
		await w.live(HOUR_MS);
		await w.change(off.id, { status: 'enabled' });
		await recover(w, off.id, Date.parse(events[3]?.created_at ?? ''));
		await w.live(10 * 60_000);
		expect([...w.postsTo(off)].sort()).toEqual([...ids(events.slice(3)), other?.id]);
		expect(await w.statusesOf(events, off)).toEqual(['held', 'held', 'held', 'succeeded', 'succeeded']);
		expect(await w.statusesOf(other === undefined ? [] : [other], on)).toEqual(['held']);
	});

	it('and is disabled during a recovery gets no more deliveries; the others stay held until the next recovery', async () => {
		const { w, off, events } = await heldUp(150);
		await w.change(off.id, { status: 'enabled' });
		await recover(w, off.id);
		await w.live(4000);
		await w.change(off.id, { status: 'disabled' });
		await w.live(HOUR_MS);
		const sent = w.postsTo(off).length;
		expect(sent).toBeGreaterThan(0);
		expect(sent).toBeLessThan(150);
		expect((await w.statusesOf(events, off)).filter((status) => status === 'held')).toHaveLength(150 - sent);
		await w.change(off.id, { status: 'enabled' });
		await recover(w, off.id);
		await w.live(HOUR_MS);
		expect([...w.postsTo(off)].sort()).toEqual(ids(events));
	});

	it('and answers 410 to a recovery gets no more deliveries; the others stay held', async () => {
		const { w, off, events } = await heldUp(30);
		w.answers.set('off.example', 410);
		await w.change(off.id, { status: 'enabled' });
		await recover(w, off.id);
		await w.live(HOUR_MS);
		expect(w.postsTo(off)).toEqual(ids(events.slice(-1)));
		expect((await w.statusesOf(events, off)).toSorted()).toEqual([
			'failed',
			...Array.from({ length: 29 }, () => 'held'),
		]);
	});

	it('gets the event of a change that had read the endpoint before it was enabled', async () => {
		const { w, off } = await heldUp(1);
		const seen = await w.store.endpointsOf(WORKSPACE);
		await w.change(off.id, { status: 'enabled' });
		const late = w.nextEvent();
		await w.commitEvent(late, seen);
		await w.live(10 * 60_000);
		expect(w.postsTo(off)).toEqual([late.id]);
	});

	it('gets a delivery that a worker was marking as held at that moment', async () => {
		const w = deliveryDays();
		const endpoint = await w.endpoint('off');
		const [event] = await w.happen();
		const [message] = w.waiting.splice(0);
		if (event === undefined || message === undefined) throw new Error('nothing happened');
		await w.change(endpoint.id, { status: 'disabled' });
		w.clock.now_ms += HOUR_MS;
		// The worker has read that the endpoint is disabled. Before the worker commits, the endpoint is enabled.
		let enabled = false;
		const commit: Store['commit'] = async (writes) => {
			if (!enabled) {
				enabled = true;
				await w.change(endpoint.id, { status: 'enabled' });
			}
			return w.store.commit(writes);
		};
		await w.handle(message.message, { ...w.deps, store: { ...w.store, commit } });
		await w.live(10 * 60_000);
		expect(w.postsTo(endpoint)).toEqual([event.id]);
	});
});
