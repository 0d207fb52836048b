import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import {
	type Asked,
	type Ran,
	type Reply,
	runDeliveries,
	type Scene,
	START_MS,
} from '../support/webhooks/delivery-engine.ts';
import { holds } from '../support/webhooks/replay.ts';

// Receivers that accept some event types, some attempts, or only at some times. Events that they would accept reach them
// within 2 minutes, even if many others fail; a dead receiver costs few POSTs.

const FILE = 'test/simulation/partial-receivers.test.ts';
const BOUND_MS = 120_000;
const MINUTE_MS = 60_000;
const RUNS = Number(process.env['RUNS'] ?? 15);
const SCHEDULE = [0, 5, 30, 120];

type Span = { readonly from_ms: number; readonly to_ms: number };
type Story = {
	readonly events: readonly { readonly at_ms: number; readonly kind: EventKind }[];
	/** Event types that are accepted, and how long an answer takes. */
	readonly accepted: readonly EventKind[];
	readonly takes_ms: number;
	/** How the other types fail. */
	readonly otherwise: Reply;
	/** When nothing is accepted, and how it fails. */
	readonly down: readonly Span[];
	readonly while_down: Reply;
	readonly randoms: readonly number[];
};

const isDown = (down: readonly Span[], at_ms: number): boolean =>
	down.some(({ from_ms, to_ms }) => at_ms >= from_ms && at_ms < to_ms);

function sceneOf(story: Story): Scene {
	const { accepted, takes_ms, otherwise, down, while_down } = story;
	const answer = ({ event, at_ms }: Asked): Reply => {
		if (isDown(down, at_ms)) return while_down;
		return accepted.some((kind) => kind === event) ? { status: 204, takes_ms } : otherwise;
	};
	return sceneWith(answer, story);
}
const sceneWith = (answer: (asked: Asked) => Reply, { events, randoms }: Pick<Story, 'events' | 'randoms'>): Scene => ({
	receivers: [{ events: eventKinds, status: 'enabled', replies: [], after: { status: 500 }, answer }],
	events,
	schedule_seconds: SCHEDULE,
	ways: [],
	stalls_ms: [],
	randoms,
});

/** From then on the receiver is up for 2 minutes, so due deliveries must arrive. */
function upFrom(down: readonly Span[], due_ms: number): number {
	const spans = [...down].sort((a, b) => a.from_ms - b.from_ms);
	return spans.reduce((at_ms, { from_ms, to_ms }) => {
		return from_ms < at_ms + BOUND_MS && to_ms > at_ms ? to_ms : at_ms;
	}, due_ms);
}

/** How long the first POST of each accepted event was late, in milliseconds. */
function lateness(ran: Ran, { accepted, down }: Pick<Story, 'accepted' | 'down'>): readonly number[] {
	return ran.events
		.filter(({ kind }) => accepted.includes(kind))
		.map(({ id, created_at }) => {
			const first = ran.posts.find(({ headers }) => headers['webhook-id'] === id);
			const due_ms = upFrom(down, Date.parse(created_at) - START_MS);
			return first === undefined ? Number.POSITIVE_INFINITY : first.at_ms - START_MS - due_ms;
		});
}

/** The most POSTs in any minute from then on. */
function mostInAMinute(ran: Ran, from_ms: number): number {
	const at = ran.posts.map(({ at_ms }) => at_ms - START_MS).filter((at_ms) => at_ms >= from_ms);
	return Math.max(0, ...at.map((start) => at.filter((other) => other >= start && other < start + MINUTE_MS).length));
}

const kind = fc.constantFrom(...eventKinds);
const at_ms = fc.integer({ min: 0, max: 600_000 });
const burst = fc
	.record({ at_ms, kind, count: fc.integer({ min: 5, max: 40 }) })
	.map(({ count, ...each }) => Array.from({ length: count }, (_, n) => ({ ...each, at_ms: each.at_ms + n * 20 })));
const events = fc
	.tuple(fc.array(fc.record({ at_ms, kind }), { minLength: 1, maxLength: 30 }), fc.array(burst, { maxLength: 2 }))
	.map(([single, bursts]) => [...single, ...bursts.flat()]);
const failure: fc.Arbitrary<Reply> = fc.constantFrom<Reply>(
	{ status: 500, takes_ms: 40 },
	{ status: 400 },
	{ status: 301 },
	{ status: 429, takes_ms: 20 },
	{ status: 503, takes_ms: 20 },
	{ status: 504, takes_ms: 9000 },
	{ status: null },
	{ status: null, takes_ms: 15_000 },
);
const story = (down: fc.Arbitrary<readonly Span[]>): fc.Arbitrary<Story> =>
	fc.record({
		events,
		accepted: fc.subarray([...eventKinds], { minLength: 1 }),
		takes_ms: fc.constantFrom(10, 300, 4000, 14_000),
		otherwise: failure,
		down,
		while_down: failure,
		randoms: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 1, maxLength: 4 }),
	});
const flapping: fc.Arbitrary<readonly Span[]> = fc.array(
	fc
		.record({ from_ms: at_ms, lasts_ms: fc.integer({ min: 1000, max: 400_000 }) })
		.map(({ from_ms, lasts_ms }) => ({ from_ms, to_ms: from_ms + lasts_ms })),
	{ minLength: 1, maxLength: 4 },
);

async function arrivesInTime(told: Story): Promise<void> {
	const ran = await runDeliveries(sceneOf(told));
	expect(ran.failures).toEqual([]);
	expect(Math.max(0, ...lateness(ran, told))).toBeLessThanOrEqual(BOUND_MS);
}

describe('a receiver that refuses some event types', () => {
	it('gets the others within 2 minutes, for any number and kind of failures', async () => {
		await holds('types', FILE, story(fc.constant([])), arrivesInTime, RUNS);
	});

	it('and is down at times gets them within 2 minutes of being back', async () => {
		await holds('flapping', FILE, story(flapping), arrivesInTime, RUNS);
	});

	it('is not disabled by a week of refusals', async () => {
		const hourly = Array.from({ length: 7 * 12 }, (_, n) => n * 2 * 3_600_000);
		const both = hourly.flatMap((at) => [
			{ at_ms: at, kind: 'call.ringing' as const },
			{ at_ms: at + 90_000, kind: 'call.completed' as const },
		]);
		for (const status of [500, 503, null]) {
			const answer = ({ event }: Asked): Reply => ({ status: event === 'call.ringing' ? status : 204 });
			const ran = await runDeliveries(sceneWith(answer, { events: both, randoms: [9] }));
			expect(ran.endpoints[0]).toMatchObject({ status: 'enabled', disabled_reason: null });
			expect(Math.max(...lateness(ran, { accepted: ['call.completed'], down: [] }))).toBeLessThanOrEqual(BOUND_MS);
		}
	});
});

describe('a receiver that fails the first two attempts of each event', () => {
	const many = Array.from({ length: 80 }, (_, n) => ({ at_ms: n * 2000, kind: eventKinds[n % 6] ?? 'call.failed' }));
	const arrivals = async (status: number, randoms: readonly number[]) => {
		const answer = ({ nth }: Asked): Reply => ({ status: nth <= 2 ? status : 204 });
		const ran = await runDeliveries(sceneWith(answer, { events: many, randoms }));
		expect(ran.deliveries.map(({ delivery }) => delivery.status)).toEqual(many.map(() => 'succeeded'));
		return ran.deliveries.map(({ delivery, attempts }) => {
			return Date.parse(attempts.at(-1)?.started_at ?? '') - Date.parse(delivery.created_at);
		});
	};

	it('with 500 has each of them within 2 minutes, by the third attempt', async () => {
		for (const randoms of [[0], [255], [3, 200, 90]]) {
			expect(Math.max(...(await arrivals(500, randoms)))).toBeLessThanOrEqual(BOUND_MS);
		}
	});

	it('with 503, the sign of overload, gets each of them in the end: retries have their own slots', async () => {
		for (const randoms of [[0], [255], [3, 200, 90]]) {
			expect(Math.max(...(await arrivals(503, randoms)))).toBeLessThanOrEqual(15 * MINUTE_MS);
		}
	});
});

describe('a dead receiver', () => {
	const dead: fc.Arbitrary<Story> = story(fc.constant([{ from_ms: 0, to_ms: Number.POSITIVE_INFINITY }]));

	it('costs at most 5 POSTs a minute once it is known to be dead, and few writes', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf(told));
			const opened = ran.log.find(({ message, outcome }) => message === 'breaker' && outcome === 'opened');
			if (opened === undefined) return;
			// Attempts in flight when the breaker opened have ended.
			expect(mostInAMinute(ran, opened.at_ms - START_MS + 15_001)).toBeLessThanOrEqual(5);
			// A probe is booked, claimed and recorded; waiting deliveries check at growing intervals, for up to ten hours here.
			expect(ran.written.endpoints).toBeLessThanOrEqual(2 * ran.posts.length + 20);
			expect(ran.written.deliveries).toBeLessThanOrEqual(3 * ran.posts.length + 24 * ran.deliveries.length);
		};
		await holds('dead', FILE, dead, property, RUNS);
	});

	it('is never sent the same delivery twice in a row while another was never attempted', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf(told));
			const opened = ran.log.find(({ message, outcome }) => message === 'breaker' && outcome === 'opened');
			const from_ms = (opened?.at_ms ?? Number.POSITIVE_INFINITY) + 15_001;
			const first = new Map<string, number>();
			for (const { headers, at_ms: made_ms } of ran.posts) {
				const id = headers['service-delivery'] ?? '';
				if (!first.has(id)) first.set(id, made_ms);
			}
			ran.posts.slice(1).forEach(({ headers, at_ms: made_ms }, position) => {
				const before = ran.posts[position];
				const again = before?.headers['service-delivery'] === headers['service-delivery'];
				if (!again || made_ms < from_ms) return;
				const waiting = ran.deliveries.filter(({ delivery }) => {
					const due_ms = Date.parse(delivery.created_at);
					return due_ms < (before?.at_ms ?? 0) && (first.get(delivery.id) ?? 0) > made_ms;
				});
				expect(waiting).toEqual([]);
			});
		};
		await holds('never twice', FILE, dead, property, RUNS);
	});
});
