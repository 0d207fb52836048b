import { describe, expect, it } from '@jest/globals';
import type { Event } from '../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Store } from '../../shared/ports/store.ts';
import { resumeEndpoint } from '../../shared/use-cases/webhooks/resume-endpoint.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { type DeliveryDays, deliveryDays, WORKSPACE } from '../support/webhooks/deliveries.ts';

const HOUR_MS = 3_600_000;
const ids = (events: readonly Event[]): string[] => events.map(({ id }) => id);

/** An endpoint that was switched off, another that was not, and what happened meanwhile. */
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
const resumptionOf = (w: DeliveryDays, { id }: WebhookEndpoint) => w.store.get('resumption', { id });

describe('an endpoint that is enabled again', () => {
	it.each([{ status: 'enabled' }, { status: 'enabled', resume: 'none' }] as const)(
		'with %j leaves what was held where it is, visible and replayable',
		async (change) => {
			const { w, off, events } = await heldUp(3);
			await w.change(off.id, change);
			await w.live(HOUR_MS);
			expect(await w.statusesOf(events, off)).toEqual(['held', 'held', 'held']);
			const [first] = events;
			if (first === undefined) throw new Error('no event');
			const { id } = await w.deliveryOf(first, off);
			await retryDelivery({ workspace_id: WORKSPACE, id }, w.deps);
			await w.live(60_000);
			expect(w.postsTo(off)).toEqual([first.id]);
		},
	);

	it('gets only its own deliveries: those held for another disabled endpoint stay', async () => {
		const { w, off, on } = await heldUp(1);
		await w.change(on.id, { status: 'disabled' });
		const [event] = await w.happen();
		if (event === undefined) throw new Error('nothing happened');
		const before = await w.deliveryOf(event, on);
		await w.live(HOUR_MS);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(10 * 60_000);
		expect(w.postsTo(off)).toHaveLength(2);
		expect(await w.deliveryOf(event, on)).toEqual(before);
	});

	it('with resume since is sent what happened since then; the rest stays held', async () => {
		const { w, off, events } = await heldUp(5);
		const since_ms = Date.parse(events[3]?.created_at ?? '');
		await w.change(off.id, { status: 'enabled', resume: 'since', since_ms });
		await w.live(10 * 60_000);
		expect(w.postsTo(off)).toEqual(ids(events.slice(3)));
		expect(await w.statusesOf(events, off)).toEqual(['held', 'held', 'held', 'succeeded', 'succeeded']);
	});

	it('is not overloaded: at most 20 a second, over as many sweeps as necessary', async () => {
		const { w, off, events } = await heldUp(1500);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(10 * 60_000);
		expect(w.postsTo(off)).toEqual(ids(events));
		const perSecond = Map.groupBy(
			w.posts.filter(({ url }) => url === off.url),
			({ at_ms }) => Math.floor(at_ms / 1000),
		);
		expect(Math.max(...[...perSecond.values()].map((posts) => posts.length))).toBeLessThanOrEqual(20);
		expect(perSecond.size).toBeGreaterThanOrEqual(75);
	});

	it('gets in one visit of the sweep what can be sent until the next one', async () => {
		const { w, off } = await heldUp(1500);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await resumeEndpoint(off.id, Number.POSITIVE_INFINITY, w.deps);
		expect(w.waiting).toHaveLength(1200);
	});

	it('and disabled in the middle keeps the rest held, until the next resume', async () => {
		const { w, off, events } = await heldUp(1500);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(70_000);
		await w.change(off.id, { status: 'disabled' });
		await w.live(HOUR_MS);
		const told = w.postsTo(off).length;
		expect(told).toBeGreaterThan(0);
		expect(told).toBeLessThan(1500);
		expect((await w.statusesOf(events, off)).filter((status) => status === 'held')).toHaveLength(1500 - told);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(HOUR_MS);
		expect([...w.postsTo(off)].sort()).toEqual(ids(events));
	});

	it('and disabled by its own response keeps the rest held, and gets nothing more', async () => {
		const { w, off, events } = await heldUp(30);
		w.answers.set('off.example', 410);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(HOUR_MS);
		expect(w.postsTo(off)).toEqual(ids(events.slice(0, 1)));
		expect(await w.statusesOf(events, off)).toEqual(['failed', ...Array.from({ length: 29 }, () => 'held')]);
		const last = await w.deliveryOf(events.at(-1) ?? w.nextEvent(), off);
		expect(last.generation).toBe(2);
		expect(await resumptionOf(w, off)).toBeNull();
	});

	it('by one request while another disables it is sent what was held, unless it is disabled in the end', async () => {
		const { w, off, events } = await heldUp(2);
		let enabled = false;
		const get = (async (...args: Parameters<Store['get']>) => {
			const read = await w.store.get(...args);
			if (!enabled) {
				enabled = true;
				await w.change(off.id, { status: 'enabled', resume: 'all' });
			}
			return read;
		}) as Store['get'];
		await w.change(off.id, { status: 'disabled' }, { ...w.store, get });
		await w.live(HOUR_MS);
		const [endpoint] = (await w.store.endpointsOf(WORKSPACE)).filter(({ id }) => id === off.id);
		const statuses = new Set(await w.statusesOf(events, off));
		expect(statuses).toEqual(new Set([endpoint?.status === 'disabled' ? 'held' : 'succeeded']));
	});

	it('may be resumed while it is already enabled', async () => {
		const { w, off, events } = await heldUp(2);
		await w.change(off.id, { status: 'enabled' });
		await w.live(HOUR_MS);
		await w.change(off.id, { status: 'enabled', resume: 'all' });
		await w.live(HOUR_MS);
		expect(w.postsTo(off)).toEqual(ids(events));
	});

	it.each(['none', 'all'] as const)(
		'with resume %s gets deliveries that were committed as held while it was being enabled',
		async (resume) => {
			const { w, off } = await heldUp(1);
			const seen = await w.store.endpointsOf(WORKSPACE);
			await w.change(off.id, { status: 'enabled', resume });
			w.clock.now_ms += 5;
			const late = w.nextEvent();
			// Its change is slow, and newer ones overtake it.
			const [newer] = await w.happen();
			await w.live(70_000);
			await w.commitEvent(late, seen);
			expect((await w.deliveryOf(late, off)).status).toBe('held');
			await w.live(10 * 60_000);
			expect(w.postsTo(off)).toEqual(expect.arrayContaining([newer?.id, late.id]));
		},
	);

	it('gets a delivery that was committed while it was being enabled', async () => {
		const w = deliveryDays();
		const endpoint = await w.endpoint('off');
		const [event] = await w.happen();
		const [message] = w.waiting.splice(0);
		if (event === undefined || message === undefined) throw new Error('nothing happened');
		await w.change(endpoint.id, { status: 'disabled' });
		w.clock.now_ms += HOUR_MS;
		// The worker has read the endpoint as disabled; before it commits, the endpoint is enabled.
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
