import { idTimePrefix } from '../../../shared/domain/kernel/id.ts';
import { type Event, type EventKind, eventKinds, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import {
	CLOCKS_MS,
	COMMIT_MS,
	INDEX_MS,
	LAST_TRY_MS,
	mayStillCommit,
} from '../../../shared/domain/webhooks/event-feed.ts';
import type { ListRange, Store } from '../../../shared/ports/store.ts';
import { listEvents } from '../../../shared/use-cases/webhooks/list-events.ts';
import { type Chance, chance } from '../world/chance.ts';

// Simulates functions that make events, an index that lags behind, and readers that follow the feed, in virtual time. Delays
// and clock errors go as far as the feed has to tolerate: see shared/domain/webhooks/event-feed.ts.

const WORKSPACE = '01KA7X2V0M5Q8R3T6W9Y1B4D7F';
const START_MS = Date.parse('2026-11-09T12:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60_000;

type Listed = { readonly event: Event; readonly visible_ms: number };

/** A random duration below `mostMs`. It is mostly short, but in a bad hour mostly close to the maximum. */
const upTo = (random: Chance, name: string, mostMs: number, isBad = false): number => {
	const share = random.next(name);
	const [short, long] = isBad ? [0.1, 0.9] : [0.6, 0.8];
	if (share < short) return random.below(name, Math.ceil(mostMs / 20));
	return share < long ? mostMs - 1 - random.below(name, Math.ceil(mostMs / 20)) : random.below(name, mostMs);
};
/** The error of a clock: at most half of the difference that two clocks may have. */
const skew = (random: Chance, name: string, isBad: boolean): number =>
	random.pick(name, -1, 1) * upTo(random, name, CLOCKS_MS / 2 + 1, isBad);

/**
 * Makes an event and simulates the tries to commit it. Returns the event, and when the index contains it. Null if the event is
 * never committed.
 */
function listed(n: number, madeAtMs: number, random: Chance): Listed | null {
	const isBad = random.next('bad hour') < 0.3;
	const offMs = skew(random, 'clock of writer', isBad);
	const madeMs = madeAtMs + offMs;
	const id =
		idTimePrefix(madeMs) + String(random.below('id', 1_000_000)).padStart(10, '0') + String(n).padStart(6, '0');
	const kind = eventKinds[random.below('kind', eventKinds.length)] ?? 'call.requested';
	const event = makeEvent({
		id,
		workspace_id: WORKSPACE,
		subject_id: id,
		kind,
		sequence: 1,
		data: { n },
		created_at: new Date(madeMs).toISOString(),
	});
	let atMs = madeAtMs + upTo(random, 'reads before a commit', random.pick('reads', 1, 3) * COMMIT_MS, isBad);
	for (;;) {
		// It is too late to commit this event. The real service would now start again and make another event.
		if (!mayStillCommit(madeMs, atMs + offMs)) return null;
		if (random.next('a try is lost') > 0.3)
			return {
				event,
				visible_ms: atMs + upTo(random, 'try', LAST_TRY_MS, isBad) + upTo(random, 'index', INDEX_MS, isBad),
			};
		atMs += upTo(random, 'pause', 5 * SECOND);
	}
}

function history(random: Chance): { readonly all: readonly Listed[]; readonly ends_ms: number } {
	const count = 1 + random.below('events', 60);
	let atMs = START_MS;
	const all: Listed[] = [];
	for (let n = 0; n < count; n += 1) {
		if (random.next('burst') > 0.4) atMs += upTo(random, 'between events', MINUTE);
		const one = listed(n, atMs, random);
		if (one !== null) all.push(one);
	}
	return { all: all.sort((a, b) => (a.event.id < b.event.id ? -1 : 1)), ends_ms: atMs + 2 * MINUTE };
}

/** The index as it is at `now_ms()`. Each read advances this time. */
const indexOf = (all: readonly Listed[], nowMs: () => number): Pick<Store, 'list'> => ({
	async list(_record, _workspace_id, { from_id, before_id, limit, oldest_first }: ListRange) {
		const now = nowMs();
		const found = all.filter(
			({ event: { id }, visible_ms }) =>
				visible_ms <= now && (from_id === null || id >= from_id) && (before_id === null || id < before_id),
		);
		// The cast is safe, because the simulation only lists events.
		return (oldest_first ? found : found.toReversed()).slice(0, limit).map(({ event }) => event) as never;
	},
});

export type Followed = {
	readonly expected: readonly string[];
	readonly got: readonly string[];
	readonly pages: number;
};

/**
 * The events that one reader received until all events were visible. The reader pauses at random. If it loses a page, it reads
 * this page again.
 */
async function follow(all: readonly Listed[], endsMs: number, random: Chance, aheadMs: number): Promise<Followed> {
	let nowMs = START_MS + random.below('begins', 5 * MINUTE);
	const offMs = skew(random, 'clock of reader', random.next('bad clock') < 0.5) + aheadMs;
	const clock = { now: () => nowMs + offMs };
	const store = indexOf(all, () => {
		nowMs += upTo(random, 'read', 2 * SECOND);
		return nowMs;
	});
	const kinds = random.next('filter') < 0.3 ? [...new Set<EventKind>(pickKinds(random))] : undefined;
	const isEager = random.next('eager') < 0.5;
	const got: string[] = [];
	let [place, pages]: [string | null, number] = [null, 0];
	for (;;) {
		const query = {
			workspace_id: WORKSPACE,
			order: 'asc',
			kinds,
			limit: 1 + random.below('limit', 20),
			place,
		} as const;
		const beganMs = nowMs;
		const page = await listEvents({ ...query, range: { from_id: null, before_id: null } }, { store, clock });
		if (page.outcome === 'expired' || page.next === null) throw new Error('a feed has no end');
		pages += 1;
		const isKept = random.next('crash') > 0.1;
		if (isKept) {
			got.push(...page.events.map(({ id }) => id));
			place = page.next;
		}
		if (isKept && !page.has_more && beganMs > endsMs) break;
		if (!page.has_more)
			nowMs += isEager ? SECOND : random.pick('pause', 10 * SECOND, upTo(random, 'pause of', 5 * MINUTE));
	}
	const expected = all.filter(({ event }) => kinds === undefined || kinds.includes(event.kind));
	return { expected: expected.map(({ event }) => event.id), got, pages };
}

const pickKinds = (random: Chance): EventKind[] =>
	Array.from(
		{ length: 1 + random.below('kinds', 3) },
		() => eventKinds[random.below('kinds', eventKinds.length)] ?? 'call.failed',
	);

/**
 * Plays one seed with three readers. `aheadMs` breaks a rule on purpose, so that a test can show that events are then missed:
 * the feed shows events up to this much later than it may.
 */
export async function playFeed(seed: number, aheadMs = 0): Promise<readonly Followed[]> {
	const { all, ends_ms } = history(chance(seed));
	return Promise.all([1, 2, 3].map((reader) => follow(all, ends_ms, chance(seed * 10 + reader), aheadMs)));
}

export const isWhole = ({ expected, got }: Followed): boolean =>
	expected.length === got.length && expected.every((id, n) => id === got[n]);
