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

// Functions that make events, an index that trails, and readers that follow the feed, over one virtual time. Everything that the
// feed's end allows for happens here at its limits: see shared/domain/webhooks/event-feed.ts.

const WORKSPACE = '01KA7X2V0M5Q8R3T6W9Y1B4D7F';
const START_MS = Date.parse('2026-11-09T12:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60_000;

type Listed = { readonly event: Event; readonly visible_ms: number };

/** A random duration below the most: mostly short, or in a bad hour mostly as long as it can be. */
const upTo = (random: Chance, name: string, most_ms: number, isBad = false): number => {
	const share = random.next(name);
	const [short, long] = isBad ? [0.1, 0.9] : [0.6, 0.8];
	if (share < short) return random.below(name, Math.ceil(most_ms / 20));
	return share < long ? most_ms - 1 - random.below(name, Math.ceil(most_ms / 20)) : random.below(name, most_ms);
};
/** A clock that is off by up to half of what two may differ by. */
const skew = (random: Chance, name: string, isBad: boolean): number =>
	random.pick(name, -1, 1) * upTo(random, name, CLOCKS_MS / 2 + 1, isBad);

/** An event with the tries to commit it: the moment from which the index has it; null if it is never committed. */
function listed(n: number, made_at_ms: number, random: Chance): Listed | null {
	const isBad = random.next('bad hour') < 0.3;
	const off_ms = skew(random, 'clock of writer', isBad);
	const made_ms = made_at_ms + off_ms;
	const id =
		idTimePrefix(made_ms) + String(random.below('id', 1_000_000)).padStart(10, '0') + String(n).padStart(6, '0');
	const kind = eventKinds[random.below('kind', eventKinds.length)] ?? 'call.requested';
	const event = makeEvent({
		id,
		workspace_id: WORKSPACE,
		subject_id: id,
		kind,
		sequence: 1,
		data: { n },
		created_at: new Date(made_ms).toISOString(),
	});
	let at_ms = made_at_ms + upTo(random, 'reads before a commit', random.pick('reads', 1, 3) * COMMIT_MS, isBad);
	for (;;) {
		// Too late for a first try: the change would be decided again, as another event.
		if (!mayStillCommit(made_ms, at_ms + off_ms)) return null;
		if (random.next('a try is lost') > 0.3)
			return {
				event,
				visible_ms: at_ms + upTo(random, 'try', LAST_TRY_MS, isBad) + upTo(random, 'index', INDEX_MS, isBad),
			};
		at_ms += upTo(random, 'pause', 5 * SECOND);
	}
}

function history(random: Chance): { readonly all: readonly Listed[]; readonly ends_ms: number } {
	const count = 1 + random.below('events', 60);
	let at_ms = START_MS;
	const all: Listed[] = [];
	for (let n = 0; n < count; n += 1) {
		if (random.next('burst') > 0.4) at_ms += upTo(random, 'between events', MINUTE);
		const one = listed(n, at_ms, random);
		if (one !== null) all.push(one);
	}
	return { all: all.sort((a, b) => (a.event.id < b.event.id ? -1 : 1)), ends_ms: at_ms + 2 * MINUTE };
}

/** The index at `now_ms()`, which moves on with each read. */
const indexOf = (all: readonly Listed[], now_ms: () => number): Pick<Store, 'list'> => ({
	async list(_record, _workspace_id, { from_id, before_id, limit, oldest_first }: ListRange) {
		const now = now_ms();
		const found = all.filter(
			({ event: { id }, visible_ms }) =>
				visible_ms <= now && (from_id === null || id >= from_id) && (before_id === null || id < before_id),
		);
		// The records of the table are those of the kind that was asked for.
		return (oldest_first ? found : found.toReversed()).slice(0, limit).map(({ event }) => event) as never;
	},
});

export type Followed = {
	readonly expected: readonly string[];
	readonly got: readonly string[];
	readonly pages: number;
};

/** What one reader got until everything was visible. It pauses as it likes, and a page that it does not keep is read again. */
async function follow(all: readonly Listed[], ends_ms: number, random: Chance, ahead_ms: number): Promise<Followed> {
	let now_ms = START_MS + random.below('begins', 5 * MINUTE);
	const off_ms = skew(random, 'clock of reader', random.next('bad clock') < 0.5) + ahead_ms;
	const clock = { now: () => now_ms + off_ms };
	const store = indexOf(all, () => {
		now_ms += upTo(random, 'read', 2 * SECOND);
		return now_ms;
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
		const began_ms = now_ms;
		const page = await listEvents({ ...query, range: { from_id: null, before_id: null } }, { store, clock });
		if (page.outcome === 'expired' || page.next === null) throw new Error('a feed has no end');
		pages += 1;
		const isKept = random.next('crash') > 0.1;
		if (isKept) {
			got.push(...page.events.map(({ id }) => id));
			place = page.next;
		}
		if (isKept && !page.has_more && began_ms > ends_ms) break;
		if (!page.has_more)
			now_ms += isEager ? SECOND : random.pick('pause', 10 * SECOND, upTo(random, 'pause of', 5 * MINUTE));
	}
	const expected = all.filter(({ event }) => kinds === undefined || kinds.includes(event.kind));
	return { expected: expected.map(({ event }) => event.id), got, pages };
}

const pickKinds = (random: Chance): EventKind[] =>
	Array.from(
		{ length: 1 + random.below('kinds', 3) },
		() => eventKinds[random.below('kinds', eventKinds.length)] ?? 'call.failed',
	);

/** Plays one seed with three readers. `ahead_ms` breaks it: the feed then ends so much later than it may. */
export async function playFeed(seed: number, ahead_ms = 0): Promise<readonly Followed[]> {
	const { all, ends_ms } = history(chance(seed));
	return Promise.all([1, 2, 3].map((reader) => follow(all, ends_ms, chance(seed * 10 + reader), ahead_ms)));
}

export const isWhole = ({ expected, got }: Followed): boolean =>
	expected.length === got.length && expected.every((id, n) => id === got[n]);
