import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { HEALTHY } from '../../shared/domain/webhooks/endpoint-health.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import type { Strike } from '../support/calls/mortal.ts';
import {
	endpointOf,
	type Post,
	type Ran,
	type Receiver,
	type Reply,
	runDeliveries,
	type Scene,
	START_MS,
} from '../support/webhooks/delivery-engine.ts';
import { holds } from '../support/webhooks/replay.ts';

// Deliveries in processes that are killed between any two steps, over queues that lose, delay and double.

const FILE = 'test/simulation/deliveries.test.ts';
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

/** Properties of every delivery, after all kills, lost, late and duplicate messages. */
function expectWhole({ events, deliveries, posts, dead, failures, kills }: Ran, given: Scene): void {
	expect(failures).toEqual([]);
	const subscribed = events.flatMap(({ id, kind }) =>
		given.receivers
			.map(endpointOf)
			.flatMap((endpoint) => (endpoint.events.includes(kind) ? [`${id} ${endpoint.id}`] : [])),
	);
	const exist = deliveries.map(({ delivery }) => `${delivery.event_id} ${delivery.endpoint_id}`);
	expect([...exist].sort()).toEqual([...subscribed].sort());
	const bodies = new Map(events.map(({ id, body }) => [id, body]));
	expect(posts.filter(({ headers, body }) => body !== bodies.get(headers['webhook-id'] ?? ''))).toEqual([]);
	// Nothing is sent for an ended delivery.
	expect(posts.filter(({ before }) => before !== 'pending')).toEqual([]);
	let unrecorded = 0;
	for (const { delivery, attempts } of deliveries) {
		const { status, attempt_count } = delivery;
		const last = attempts.at(-1);
		const made = posts.filter(({ headers }) => headers['service-delivery'] === delivery.id);
		unrecorded += made.length - attempt_count;
		if (stoodStill(given) === 0 && made.length === attempts.length) expectNeverEarly(made, given);
		// One assertion for each delivery: an `expect` takes longer than all that it looks at here.
		expect({
			ended: ['succeeded', 'failed', 'held', 'canceled'].includes(status),
			numbers: attempts.map(({ number }) => number),
			successes_before_the_last: attempts.slice(0, -1).filter(({ error }) => error === null),
			last_succeeded: last?.error === null,
			attempts_without_a_post: Math.max(0, attempt_count - made.length),
			dead: dead.includes(delivery.id),
		}).toEqual({
			ended: true,
			numbers: Array.from({ length: attempt_count }, (_, n) => n + 1),
			successes_before_the_last: [],
			last_succeeded: status === 'succeeded',
			attempts_without_a_post: 0,
			dead: status === 'failed' && last?.response_status !== 410,
		});
	}
	// A POST without a recorded attempt comes from a process that was killed, or that stalled until its lease expired.
	expect(unrecorded).toBeLessThanOrEqual(kills + stoodStill(given));
}

/** Processes that stall until their lease expires, and then continue. */
const stoodStill = ({ stalls_ms }: Scene): number => stalls_ms.filter((stall) => stall > 60_000).length;

/** The time between two attempts is at least that of the schedule. */
function expectNeverEarly(made: readonly Post[], { schedule_seconds }: Scene): void {
	const early = made.slice(1).filter(({ at_ms }, position) => {
		const waited = at_ms - (made[position]?.at_ms ?? 0);
		return waited < (schedule_seconds[position + 1] ?? 0) * 1000;
	});
	expect(early).toEqual([]);
}

const scenes: readonly (readonly [string, Scene, string])[] = [
	['that succeeds at once', scene(), 'succeeded'],
	[
		'that succeeds at the third attempt',
		scene({ receivers: [receiver({ replies: replies(500, null) })] }),
		'succeeded',
	],
	['that fails to the end', scene({ receivers: [receiver({ after: { status: 500 } })] }), 'failed'],
	['that is answered 410', scene({ receivers: [receiver({ replies: replies(500, 410) })] }), 'failed'],
	[
		'that is put off by its receiver',
		scene({ receivers: [receiver({ replies: [{ status: 503, retry_after: '1200' }] })] }),
		'succeeded',
	],
	['to an endpoint that is off', scene({ receivers: [receiver({ status: 'disabled' })] }), 'held'],
	[
		'beside others',
		scene({
			receivers: [receiver({ replies: replies(500) }), receiver({ events: ['call.failed'] }), receiver()],
			events: [
				{ at_ms: 0, kind: 'call.requested' },
				{ at_ms: 40, kind: 'call.failed' },
			],
		}),
		'succeeded',
	],
	[
		'behind a breaker',
		scene({
			receivers: [receiver({ replies: replies(503, 503, 503, null, 503, 503, 503) })],
			events: Array.from({ length: 4 }, (_, n) => ({ at_ms: n * 10, kind: 'call.completed' as const })),
			schedule_seconds: [0, 5, 30, 120, 300, 300],
		}),
		'succeeded',
	],
];

describe('a process that is killed', () => {
	it.each(scenes)(
		'between any two steps loses nothing and doubles no more than its crash: %s',
		async (_, given, status) => {
			const undisturbed = await runDeliveries(given);
			expectWhole(undisturbed, given);
			expect(new Set(undisturbed.deliveries.map(({ delivery }) => delivery.status))).toEqual(new Set([status]));
			expect(undisturbed.posts).toHaveLength(
				undisturbed.deliveries.reduce((sum, { delivery }) => sum + delivery.attempt_count, 0),
			);
			for (let at = 0; at < undisturbed.steps; at += 1) {
				for (const when of ['before', 'after'] as const) {
					const ran = await runDeliveries(given, (step) => (step === at ? when : null));
					expectWhole(ran, given);
					expect(ran.kills).toBe(1);
				}
			}
		},
	);

	it('once at every step repeats no event more often than it was killed', async () => {
		const given = scene({ receivers: [receiver(), receiver()] });
		for (let every = 2; every < 9; every += 1) {
			const ran = await runDeliveries(given, (step) => (step % every === 0 && step < 60 ? 'after' : null));
			expectWhole(ran, given);
		}
	});
});

const reply: fc.Arbitrary<Reply> = fc.record({
	status: fc.constantFrom(200, 200, 204, 301, 400, 410, 429, 500, 503, null),
	retry_after: fc.constantFrom('0', '7', '90', '4000', 'soon', 'Mon, 09 Nov 2026 12:30:00 GMT'),
	takes_ms: fc.constantFrom(0, 30, 700, 15_000),
});
type Whatever = {
	readonly given: Scene;
	readonly strikes: readonly (readonly [number, 'before' | 'after'])[];
};
const anything: fc.Arbitrary<Whatever> = fc.record({
	given: fc.record({
		receivers: fc.array(
			fc.record({
				events: fc.subarray([...eventKinds], { minLength: 1 }),
				status: fc.constantFrom('enabled', 'enabled', 'enabled', 'disabled'),
				replies: fc.array(reply, { maxLength: 8 }),
				after: fc.constantFrom<Reply>(ok, ok, { status: 500 }, { status: null }),
			}),
			{ minLength: 1, maxLength: 3 },
		),
		events: fc.array(fc.record({ at_ms: fc.integer({ min: 0, max: 200_000 }), kind: fc.constantFrom(...eventKinds) }), {
			minLength: 1,
			maxLength: 5,
		}),
		schedule_seconds: fc.constantFrom([0, 5, 30, 120], [0, 1, 2], [0, 5, 1000, 2000], [0]),
		ways: fc.array(
			fc.record({
				lost: fc.integer({ min: 0, max: 5 }).map((of6) => of6 === 0),
				delay_ms: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40_000 })),
				copies: fc.integer({ min: 1, max: 3 }),
			}),
			{ maxLength: 6 },
		),
		stalls_ms: fc.oneof(
			fc.constant([]),
			fc.array(fc.constantFrom(0, 0, 1, 30, 400), { maxLength: 20 }),
			fc.array(fc.constantFrom(0, 0, 0, 0, 0, 90_000), { maxLength: 20 }),
		),
		randoms: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 3 }),
	}),
	strikes: fc.oneof(
		fc.constant<Whatever['strikes']>([]),
		fc.array(fc.tuple(fc.nat({ max: 120 }), fc.constantFrom('before' as const, 'after' as const)), { maxLength: 12 }),
	),
});

describe('for all failures', () => {
	it('no event is lost, forged, changed or sent too many times', async () => {
		const property = async ({ given, strikes }: Whatever) => {
			const at = new Map(strikes);
			const strike: Strike = (step) => at.get(step) ?? null;
			expectWhole(await runDeliveries(given, strike), given);
		};
		await holds('anything', FILE, anything, property, 1500);
	});

	it('and after every fault has ended, every endpoint is healthy', async () => {
		const property = async ({ given }: Whatever) => {
			const well = {
				...given,
				receivers: given.receivers.map((each) => ({ ...each, status: 'enabled' as const, replies: [] })),
			};
			const calm = { ...well, receivers: well.receivers.map((each) => ({ ...each, after: ok })) };
			const ran = await runDeliveries(calm);
			expectWhole(ran, calm);
			expect(ran.endpoints.map(({ health }) => health)).toEqual(ran.endpoints.map(() => HEALTHY));
			expect(ran.deliveries.map(({ delivery }) => delivery.status)).toEqual(ran.deliveries.map(() => 'succeeded'));
		};
		await holds('calm', FILE, anything, property, 200);
	});
});

describe('the schedule to its end', () => {
	const hours = (ran: Ran) => ran.posts.map(({ at_ms }) => (at_ms - START_MS) / 3_600_000);
	const dying = receiver({ after: { status: 500 } });
	const full = scene({ receivers: [dying], schedule_seconds: RETRY_SCHEDULE_SECONDS });

	it('is 14 attempts over 72 hours, never early and late by no more than jitter, breaker and sweep', async () => {
		for (const randoms of [[0], [255], [0, 255, 17]]) {
			const ran = await runDeliveries({ ...full, randoms });
			expectWhole(ran, full);
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
