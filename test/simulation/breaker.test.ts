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

// The bounds of the breaker (docs/decisions/0010): what a dead receiver costs, when its backlog is attempted after it is back,
// and what receivers that fail in part get. `RUNS=100000 npm test -- test/simulation/breaker.test.ts` plays more histories.

const FILE = 'test/simulation/breaker.test.ts';
const MINUTE_MS = 60_000;
/** What a receiver that answers some event types with errors accepts arrives this soon. */
const ACCEPTED_MS = 2 * MINUTE_MS;
/** After a receiver is back, everything due is attempted this soon. */
const BACK_MS = 15 * MINUTE_MS;
const RUNS = Number(process.env['RUNS'] ?? 15);
const SCHEDULE = [0, 5, 30, 120];
/** The longest wait of the schedule, with its jitter. */
const LONGEST_MS = 144_000;

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

const idOf = ({ headers }: Ran['posts'][number]): string => headers['service-delivery'] ?? '';

/** How long after its event the first POST of each accepted delivery comes, in milliseconds. */
function lateness(ran: Ran, accepted: readonly EventKind[]): readonly number[] {
	const first = new Map<string, number>();
	for (const post of ran.posts) if (!first.has(idOf(post))) first.set(idOf(post), post.at_ms);
	return ran.deliveries
		.filter(({ delivery }) => accepted.includes(delivery.event))
		.map(({ delivery }) => (first.get(delivery.id) ?? Number.POSITIVE_INFINITY) - Date.parse(delivery.created_at));
}

/** Deliveries that were due when the receiver came back, or came later, and were not attempted soon enough. */
function lateAfter(back_ms: number, ran: Ran): readonly string[] {
	return ran.deliveries
		.filter(({ delivery, attempts }) => {
			const at = attempts.map(({ started_at }) => Date.parse(started_at) - START_MS);
			const due_ms = Math.max(back_ms, Date.parse(delivery.created_at) - START_MS);
			const next_ms = at.find((at_ms) => at_ms >= due_ms);
			const waited_ms = at.some((at_ms) => at_ms < due_ms) ? LONGEST_MS : 0;
			const ended = next_ms === undefined && at.length === SCHEDULE.length;
			return !ended && (next_ms ?? Number.POSITIVE_INFINITY) > due_ms + BACK_MS + waited_ms;
		})
		.filter(({ attempts }) => {
			const last = attempts.at(-1);
			return last?.error !== null || Date.parse(last.started_at) - START_MS >= back_ms;
		})
		.map(({ delivery }) => delivery.id);
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
/** Answers: something lives there, and the breaker stays closed. */
const refusal = fc.constantFrom<Reply>(
	{ status: 500, takes_ms: 40 },
	{ status: 400 },
	{ status: 301 },
	{ status: 403 },
);
const hang: Reply = { status: null, takes_ms: 15_000 };
const opening = (ran: Ran): number =>
	(ran.log.find(({ message, outcome }) => message === 'breaker' && outcome === 'opened')?.at_ms ?? Number.NaN) -
	START_MS;

describe('a receiver that answers some event types with errors', () => {
	it('gets the others within 2 minutes of their due time', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf(told));
			expect(ran.failures).toEqual([]);
			expect(Math.max(0, ...lateness(ran, told.accepted))).toBeLessThanOrEqual(ACCEPTED_MS);
		};
		const told = fc.tuple(story(fc.constant([])), refusal).map(([each, otherwise]) => ({ ...each, otherwise }));
		await holds('types', FILE, told, property, RUNS);
	});

	it('is not disabled by a week of them', async () => {
		const hourly = Array.from({ length: 7 * 12 }, (_, n) => n * 2 * 3_600_000);
		const both = hourly.flatMap((at) => [
			{ at_ms: at, kind: 'call.ringing' as const },
			{ at_ms: at + 90_000, kind: 'call.completed' as const },
		]);
		for (const status of [500, 503, null]) {
			const answer = ({ event }: Asked): Reply => ({ status: event === 'call.ringing' ? status : 204 });
			const ran = await runDeliveries(sceneWith(answer, { events: both, randoms: [9] }));
			expect(ran.endpoints[0]).toMatchObject({ status: 'enabled', disabled_reason: null });
			expect(Math.max(...lateness(ran, ['call.completed']))).toBeLessThanOrEqual(ACCEPTED_MS);
		}
	});
});

describe('a receiver that lets an event type time out, or is overloaded by it', () => {
	it('loses nothing, and gets the other types within their schedule', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf(told));
			expect(ran.failures).toEqual([]);
			const accepted = ran.deliveries.filter(({ delivery }) => told.accepted.includes(delivery.event));
			expect(accepted.filter(({ delivery }) => delivery.status !== 'succeeded')).toEqual([]);
			expect(ran.deliveries.filter(({ delivery }) => delivery.status === 'pending')).toEqual([]);
		};
		const otherwise = fc.constantFrom<Reply>(hang, { status: 503, takes_ms: 20 }, { status: 429 });
		const told = fc.tuple(story(fc.constant([])), otherwise).map(([each, fails]) => ({ ...each, otherwise: fails }));
		await holds('hanging types', FILE, told, property, RUNS);
	});
});

describe('a receiver that was down', () => {
	it('is attempted with everything due within 15 minutes of being back', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf(told));
			expect(ran.failures).toEqual([]);
			const back_ms = Math.max(...told.down.map(({ to_ms }) => to_ms));
			expect(lateAfter(back_ms, ran)).toEqual([]);
		};
		const down = fc.array(
			fc
				.record({ from_ms: at_ms, lasts_ms: fc.integer({ min: 1000, max: 3_000_000 }) })
				.map(({ from_ms, lasts_ms }) => ({ from_ms, to_ms: from_ms + lasts_ms })),
			{ minLength: 1, maxLength: 4 },
		);
		const told = fc
			.tuple(story(down), refusal)
			.map(([each, otherwise]) => ({ ...each, otherwise, takes_ms: Math.min(each.takes_ms, 4000) }));
		await holds('back', FILE, told, property, RUNS);
	});
});

describe('a dead receiver', () => {
	const dead: fc.Arbitrary<Story> = story(fc.constant([{ from_ms: 0, to_ms: Number.POSITIVE_INFINITY }]));

	it('gets at most 5 POSTs a minute once its breaker is open, and each waiting delivery costs few writes', async () => {
		const property = async (told: Story): Promise<void> => {
			const ran = await runDeliveries(sceneOf({ ...told, while_down: hang }));
			const opened_ms = opening(ran);
			if (Number.isNaN(opened_ms)) return;
			// Attempts in flight when the breaker opened have ended.
			expect(mostInAMinute(ran, opened_ms + 15_001)).toBeLessThanOrEqual(5);
			// A place is taken and its attempt recorded; the health changes with each hour.
			expect(ran.written.endpoints).toBeLessThanOrEqual(2 * ran.posts.length + 40);
		};
		await holds('dead', FILE, dead, property, RUNS);
	});

	it('does not delay its healthy neighbour', async () => {
		const property = async (told: Story): Promise<void> => {
			const scene = sceneOf({ ...told, while_down: hang });
			const neighbour = { events: eventKinds, status: 'enabled', replies: [], after: { status: 204 } } as const;
			const ran = await runDeliveries({ ...scene, receivers: [...scene.receivers, neighbour] });
			const well = ran.endpoints.find(({ url }) => url.includes('receiver-1'))?.id;
			const posts = ran.posts.filter(({ endpoint_id }) => endpoint_id === well);
			const created = new Map(ran.deliveries.map(({ delivery }) => [delivery.id, Date.parse(delivery.created_at)]));
			expect(posts).toHaveLength(ran.events.length);
			expect(posts.filter((post) => post.at_ms !== created.get(idOf(post)))).toEqual([]);
		};
		await holds('neighbour', FILE, dead, property, RUNS);
	});
});
