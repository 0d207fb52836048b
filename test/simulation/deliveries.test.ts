import { describe, expect, it } from '@jest/globals';
import { HEALTHY } from '../../shared/domain/webhooks/endpoint-health.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import {
	type Ran,
	type Receiver,
	type Reply,
	runDeliveries,
	type Scene,
	START_MS,
} from '../support/webhooks/delivery-engine.ts';

// Deliveries over days. What happens when processes die and messages are lost is in the one world (docs/world.md).

const ok: Reply = { status: 200, takes_ms: 120 };
const receiver = (changes: Partial<Receiver> = {}): Receiver => ({
	events: eventKinds,
	status: 'enabled',
	replies: [],
	after: ok,
	...changes,
});
const scene = (changes: Partial<Scene> = {}): Scene => ({
	receivers: [receiver()],
	events: [{ at_ms: 0, kind: 'call.completed' }],
	schedule_seconds: [0, 5, 30, 120],
	ways: [],
	stalls_ms: [],
	randoms: [0, 128, 255],
	...changes,
});
const replies = (...statuses: readonly (number | null)[]): Reply[] =>
	statuses.map((status) => ({ status, takes_ms: 150 }));

describe('the schedule to its end', () => {
	const hours = (ran: Ran) => ran.posts.map(({ at_ms }) => (at_ms - START_MS) / 3_600_000);
	const dying = receiver({ after: { status: 500 } });
	const full = scene({ receivers: [dying], schedule_seconds: RETRY_SCHEDULE_SECONDS });

	it('is 14 attempts over 72 hours, never early and late by no more than jitter, breaker and sweep', async () => {
		for (const randoms of [[0], [255], [0, 255, 17]]) {
			const ran = await runDeliveries({ ...full, randoms });
			expect(ran.posts).toHaveLength(14);
			expect(ran.deliveries[0]?.delivery).toMatchObject({ status: 'failed', attempt_count: 14, next_attempt_at: null });
			expect(ran.dead).toHaveLength(1);
			ran.posts.slice(1).forEach(({ at_ms }, position) => {
				const waited_s = (at_ms - (ran.posts[position]?.at_ms ?? 0)) / 1000;
				const scheduled_s = RETRY_SCHEDULE_SECONDS[position + 1] ?? 0;
				expect(waited_s).toBeGreaterThanOrEqual(scheduled_s);
				expect(waited_s).toBeLessThanOrEqual(scheduled_s * 1.2 + 900 + 61);
			});
		}
		const [early, late] = [
			await runDeliveries({ ...full, randoms: [0] }),
			await runDeliveries({ ...full, randoms: [255] }),
		];
		expect(hours(early).at(-1)).toBeGreaterThanOrEqual(71.8);
		expect(hours(early).at(-1)).toBeLessThan(73);
		expect(hours(late).at(-1)).toBeLessThan(88);
	});

	it('the owner is warned after a day and after three of them', async () => {
		const ran = await runDeliveries(full);
		const warned = ran.log.filter(({ message }) => message === 'endpoint failing');
		expect(warned.map(({ outcome }) => outcome)).toEqual(['24h', '72h']);
		expect(warned.every(({ outcome, at_ms }) => at_ms - START_MS >= (outcome === '24h' ? 24 : 72) * 3_600_000)).toBe(
			true,
		);
	});

	it('any success makes the endpoint healthy again', async () => {
		const recovering = receiver({ replies: replies(500, 500, 500, 500, 500, 500, 500) });
		const ran = await runDeliveries({ ...full, receivers: [recovering] });
		expect(ran.posts).toHaveLength(8);
		expect(ran.endpoints[0]?.health).toMatchObject(HEALTHY);
	});

	it('an endpoint without a success for five days is disabled, and later deliveries are held', async () => {
		const events = Array.from({ length: 6 * 4 }, (_, n) => ({
			at_ms: n * 6 * 3_600_000,
			kind: 'call.completed' as const,
		}));
		const ran = await runDeliveries({ ...full, events });
		expect(ran.endpoints[0]).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
		const off = ran.log.find(({ message }) => message === 'endpoint disabled');
		expect(((off?.at_ms ?? 0) - START_MS) / 86_400_000).toBeGreaterThanOrEqual(5);
		expect(((off?.at_ms ?? 0) - START_MS) / 86_400_000).toBeLessThan(5.3);
		expect(ran.posts.filter(({ at_ms }) => at_ms > (off?.at_ms ?? 0))).toEqual([]);
		const states = new Set(ran.deliveries.map(({ delivery }) => delivery.status));
		expect(states).toEqual(new Set(['failed', 'held']));
	});

	it('Retry-After puts the next attempt off, at most 12 hours, and never brings it forward', async () => {
		const put = async (retry_after: string, status = 503) => {
			const ran = await runDeliveries({
				...full,
				randoms: [0],
				receivers: [receiver({ replies: [{ status, retry_after }] })],
			});
			const [first, second] = ran.posts;
			return ((second?.at_ms ?? 0) - (first?.at_ms ?? 0)) / 1000;
		};
		expect(await put('600')).toBe(600);
		expect(await put('600', 429)).toBe(600);
		expect(await put('600', 500)).toBe(5);
		expect(await put('1')).toBe(5);
		expect(await put('junk')).toBe(5);
		const [an_hour, a_week] = [await put('3600'), await put('604800')];
		for (const [waited, asked] of [
			[an_hour, 3600],
			[a_week, 12 * 3600],
		] as const) {
			expect(waited).toBeGreaterThanOrEqual(asked);
			expect(waited).toBeLessThanOrEqual(asked + 61);
		}
	});
});
