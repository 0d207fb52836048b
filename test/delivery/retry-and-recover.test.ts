import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { lowestIdAt } from '../../shared/domain/kernel/id.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';
import {
	type RecoverInput,
	type Recovery,
	type RecoveryPlace,
	readPlace,
	recoverDeliveries,
	writePlace,
} from '../../shared/use-cases/webhooks/recover-deliveries.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import {
	answered,
	type DeliveryDays,
	deliveryDays,
	type OneDelivery,
	oneDelivery,
	WORKSPACE,
} from '../support/webhooks/deliveries.ts';

// Tests how deliveries are sent again: one delivery by a retry, all of a time range by a recovery.

const retry = (w: OneDelivery) => retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps);

/**
 * Creates an endpoint that is disabled while this many events happen. The endpoint is then enabled, but none of these events is
 * sent.
 */
async function missed(count: number) {
	const w = deliveryDays();
	const endpoint = await w.endpoint('hooks', { status: 'disabled' });
	const events = await w.happen(count);
	await w.live(3_600_000);
	await w.change(endpoint.id, { status: 'enabled' });
	await w.live(3_600_000);
	expect(w.posts).toEqual([]);
	const asked = { workspace_id: WORKSPACE, endpoint_id: endpoint.id, since_ms: 0, until_ms: null };
	type Change = Pick<RecoverInput, 'from'> & { readonly until_ms?: number; readonly deps?: typeof w.deps };
	const recover = ({ deps = w.deps, ...change }: Change = {}) =>
		recoverDeliveries({ ...asked, mode: 'failed', dry_run: false, ...change }, deps);
	return { w, endpoint, events, recover };
}

/** Wraps a port so that each use of it also calls `take`, which lets time pass. */
function taking<P extends object>(port: P, take: () => void): P {
	const slow = Object.entries(port).map(([name, method]) => [
		name,
		(...args: unknown[]) => {
			take();
			return method(...args);
		},
	]);
	return Object.fromEntries(slow) as P;
}

describe('a disabled endpoint', () => {
	it('is not recovered, because its deliveries would only be held; a dry run still counts them', async () => {
		const w = deliveryDays();
		const endpoint = await w.endpoint('hooks', { status: 'disabled' });
		await w.happen(3);
		await w.live(3_600_000);
		const asked = {
			workspace_id: WORKSPACE,
			endpoint_id: endpoint.id,
			since_ms: 0,
			until_ms: null,
			mode: 'failed',
		} as const;
		expect(await recoverDeliveries({ ...asked, dry_run: false }, w.deps)).toEqual({ refused: 'endpoint_disabled' });
		expect(await recoverDeliveries({ ...asked, dry_run: true }, w.deps)).toEqual({ matched: 3, queued: 0, next: null });
		await w.change(endpoint.id, { status: 'enabled' });
		expect(await recoverDeliveries({ ...asked, dry_run: false }, w.deps)).toEqual({
			matched: 3,
			queued: 3,
			next: null,
		});
		await w.live(60_000);
		expect(w.posts).toHaveLength(3);
	});
});

describe('a retry', () => {
	it('that is requested twice at once happens once', async () => {
		const w = await oneDelivery();
		await attemptDelivery(w.message, w.deps);
		w.sent.length = 0;
		const outcomes = await Promise.all([retry(w), retry(w)]);
		expect(outcomes).toContainEqual({ outcome: 'delivery_in_progress' });
		expect([w.sent.length, (await w.read()).generation]).toEqual([1, 2]);
	});

	it('of a delivery in flight is refused, even if the clock is behind', async () => {
		const w = await oneDelivery();
		const sender = {
			send: async () => {
				w.clock.now_ms -= 1000;
				expect(await retry(w)).toEqual({ outcome: 'delivery_in_progress' });
				w.clock.now_ms += 1000;
				return answered(200);
			},
		};
		await attemptDelivery(w.message, { ...w.deps, sender });
		expect(await w.read()).toMatchObject({ status: 'succeeded', generation: 1 });
	});

	it('of a waiting delivery is sent now, and uses up no attempt of its schedule', async () => {
		const w = await oneDelivery();
		w.script.push(answered(500), answered(500));
		await attemptDelivery(w.message, w.deps);
		await retry(w);
		await attemptDelivery({ ...w.message, generation: 2 }, w.deps);
		expect(w.posts).toHaveLength(2);
		const nextMs = w.clock.now_ms + (RETRY_SCHEDULE_SECONDS[2] ?? 0) * 1000;
		expect(await w.read()).toMatchObject({ schedule_position: 2, next_attempt_at: new Date(nextMs).toISOString() });
	});

	it('of an exhausted delivery goes through the whole schedule again', async () => {
		const w = await oneDelivery();
		w.deps = { ...w.deps, schedule_seconds: [0, 5] };
		w.script.push(answered(500), answered(500), answered(500));
		await attemptDelivery(w.message, w.deps);
		w.clock.now_ms += 5000;
		await attemptDelivery(w.message, w.deps);
		expect((await w.read()).status).toBe('failed');
		await retry(w);
		await attemptDelivery({ ...w.message, generation: 2 }, w.deps);
		const next_attempt_at = new Date(w.clock.now_ms + 5000).toISOString();
		expect(await w.read()).toMatchObject({ status: 'pending', attempt_count: 3, next_attempt_at });
	});
});

const queuedBy = (recovered: Recovery | null): number =>
	recovered !== null && 'queued' in recovered ? recovered.queued : 0;

describe('recover', () => {
	it('creates missing deliveries for current subscribers once, even if it is requested twice at once', async () => {
		const w = deliveryDays();
		const endpoint = await w.endpoint('hooks', { events: ['call.failed'] });
		const events = await w.happen(10);
		const asked = { workspace_id: WORKSPACE, endpoint_id: endpoint.id, since_ms: 0, until_ms: null };
		const recover = (mode: 'missing' | 'failed' = 'missing') =>
			recoverDeliveries({ ...asked, mode, dry_run: false }, w.deps);
		const nothing = { matched: 0, queued: 0, next: null };
		expect(await recover()).toEqual(nothing);
		await w.change(endpoint.id, { events: ['call.completed'] });
		expect(await recover('failed')).toEqual(nothing);
		const both = await Promise.all([recover(), recover()]);
		expect(both.map(queuedBy).reduce((sum, queued) => sum + queued)).toBe(10);
		await w.live(3_600_000);
		expect(w.postsTo(endpoint).sort()).toEqual(events.map(({ id }) => id).sort());
	});

	it('does not overload a receiver that has just recovered: it sends 20 deliveries a second', async () => {
		const { w, events, recover } = await missed(60);
		expect(await recover()).toEqual({ matched: 60, queued: 60, next: null });
		const fromMs = w.clock.now_ms;
		await w.live(3_600_000);
		expect(w.posts).toHaveLength(events.length);
		const perSecond = Map.groupBy(w.posts, ({ at_ms }) => Math.ceil((at_ms - fromMs) / 1000));
		expect(Math.max(...[...perSecond.values()].map((posts) => posts.length))).toBeLessThanOrEqual(20);
	});

	it('sends 20 deliveries a second and never more than 40 in one second, however long the table takes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(30), { minLength: 1, maxLength: 20 }), async (waitsMs) => {
				const { w, recover } = await missed(200);
				const arrivals: number[] = [];
				let reads = 0;
				const take = (): void => {
					w.clock.now_ms += waitsMs[reads++ % waitsMs.length] ?? 0;
				};
				const queues: typeof w.deps.queues = {
					send: async (_queue, messages) => {
						arrivals.push(...messages.map(({ delay_seconds }) => w.clock.now_ms + delay_seconds * 1000));
						return { sent: messages.length, failed: 0 };
					},
				};
				await recover({ deps: { ...w.deps, queues, store: taking(w.store, take) } });
				arrivals.sort((a, b) => a - b);
				expect(arrivals).toHaveLength(200);
				for (const [n, from_ms] of arrivals.entries()) {
					const last = arrivals.findLastIndex((atMs) => atMs < from_ms + 1000);
					expect(last - n + 1).toBeLessThanOrEqual(40);
				}
				const lastedMs = (arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0);
				expect(lastedMs).toBeGreaterThanOrEqual((200 / 20 - 1) * 1000);
			}),
			{ numRuns: 20 },
		);
	});

	it('redelivers the events before the end of the requested period, and skips later events', async () => {
		const { w, events, endpoint, recover } = await missed(5);
		expect(await recover({ until_ms: Date.parse(events[3]?.created_at ?? '') })).toEqual({
			matched: 3,
			queued: 3,
			next: null,
		});
		await w.live(3_600_000);
		expect(w.postsTo(endpoint).sort()).toEqual(events.slice(0, 3).map(({ id }) => id));
	});

	/** Makes each call of a port so slow that one run of a recovery handles only a few events. */
	function slowly(w: DeliveryDays) {
		const take = (): void => {
			w.clock.now_ms += 3000;
		};
		const store = taking(w.store, take);
		return { ...w.deps, store, events: store, queues: taking(w.queues, take) };
	}

	it('refuses a text that is not a cursor, and a cursor whose time is far in the future', () => {
		const id = '01KAJ5X8Q0ABCDEFGHJKMNPQRS';
		expect(readPlace(`${id}0000000000001`, 0)).toEqual({ before_id: id, due_ms: 1 });
		for (const text of ['', id, `${id}1`, `${id}00000000000x1`, `${id}9999999999999`])
			expect(readPlace(text, 0)).toBeNull();
	});

	it('continues where it stopped: runs of limited time find every delivery once', async () => {
		const { w, events, endpoint, recover } = await missed(40);
		let parts = 0;
		let queued = 0;
		for (let from: RecoveryPlace | undefined; parts === 0 || from !== undefined; parts += 1) {
			const startedMs = w.clock.now_ms;
			const part = await recover({ from, deps: slowly(w) });
			if (part === null || 'refused' in part) throw new Error('refused');
			// A run stops after 10 s, but first finishes the step that it has begun.
			expect(w.clock.now_ms - startedMs).toBeLessThan(10_000 + 5 * 3000);
			queued += part.queued;
			from = part.next ?? undefined;
			if (from !== undefined)
				expect(readPlace(writePlace(from), w.clock.now_ms)).toEqual({ ...from, due_ms: Math.ceil(from.due_ms) });
		}
		expect(parts).toBeGreaterThan(10);
		expect(queued).toBe(40);
		expect(await recover({})).toEqual({ matched: 0, queued: 0, next: null });
		await w.live(3_600_000);
		expect(w.postsTo(endpoint).sort()).toEqual(events.map(({ id }) => id).sort());
	});

	it('spreads the deliveries of all parts over one period, so that a part does not add to the rate of the previous part', async () => {
		const { w, recover } = await missed(3);
		const due_ms = w.clock.now_ms + 60_000;
		const before_id = lowestIdAt(w.clock.now_ms);
		expect(await recover({ from: { before_id, due_ms } })).toMatchObject({ queued: 3 });
		await w.live(59_000);
		expect(w.posts).toEqual([]);
		await w.live(3_600_000);
		expect(w.posts).toHaveLength(3);
	});
});
