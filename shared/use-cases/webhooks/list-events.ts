import { idAfter } from '../../domain/kernel/id.ts';
import type { IdRange } from '../../domain/kernel/time-range.ts';
import type { Event, EventKind } from '../../domain/webhooks/event.ts';
import { feedEnd, oldestRetained } from '../../domain/webhooks/event-feed.ts';
import type { Store } from '../../ports/store.ts';
import { listPage, pageOldestFirst } from '../kernel/list-page.ts';

export type EventQuery = {
	readonly workspace_id: string;
	/** `asc`: oldest first, as in a feed. */
	readonly order: 'asc' | 'desc';
	readonly range: IdRange;
	/** Only events of these types. Absent for events of all types. */
	readonly kinds?: readonly EventKind[] | undefined;
	readonly limit: number;
	/** `next` of the previous page. Null for the first page. */
	readonly place: string | null;
};
export type EventPage =
	| {
			readonly outcome: 'listed';
			readonly events: readonly Event[];
			readonly has_more: boolean;
			/** Where the next page starts. Null if no further page can follow. */
			readonly next: string | null;
	  }
	/** Events after the given place have expired, so the list would have a gap. */
	| { readonly outcome: 'expired' };
type Deps = { readonly store: Pick<Store, 'list'>; readonly clock: { now(): number } };

/**
 * While a client pages from the newest event to the oldest, the oldest events may expire. If the events at the client's place
 * expired less than this long ago, that is not an error. No client needs so long to read all pages.
 */
const WALK_MS = 3_600_000;
const later = (a: string, b: string | null): string => (b === null || a > b ? a : b);
const earlier = (a: string, b: string | null): string => (b === null || a < b ? a : b);

/** One page of the workspace's events that have not expired. */
export async function listEvents(query: EventQuery, deps: Deps): Promise<EventPage> {
	const nowMs = deps.clock.now();
	const walkedMs = query.order === 'desc' ? WALK_MS : 0;
	if (query.place !== null && query.place < oldestRetained(nowMs - walkedMs)) return { outcome: 'expired' };
	return query.order === 'asc' ? nextEvents(query, nowMs, deps) : newestEvents(query, nowMs, deps);
}

const wanted =
	({ kinds }: EventQuery) =>
	({ kind }: Event): boolean =>
		kinds === undefined || kinds.includes(kind);

async function newestEvents(query: EventQuery, nowMs: number, { store }: Deps): Promise<EventPage> {
	const { workspace_id, range, place, limit } = query;
	const from_id = later(oldestRetained(nowMs), range.from_id);
	const within = { workspace_id, from_id, before_id: place ?? range.before_id, limit };
	const { items, next_before_id: next } = await listPage('event', within, wanted(query), store);
	return { outcome: 'listed', events: items, has_more: next !== null, next };
}

/**
 * One page, oldest first, up to the end of the feed. The end is a point in time before which no further event can appear.
 * `next` is valid even on the last page, because later events may come after that page. `next` is null only if the page has
 * reached the end of the requested range.
 */
async function nextEvents(query: EventQuery, nowMs: number, { store }: Deps): Promise<EventPage> {
	const { workspace_id, range, limit } = query;
	const from_id = query.place ?? later(oldestRetained(nowMs), range.from_id);
	const before_id = earlier(feedEnd(nowMs), range.before_id);
	const within = { workspace_id, from_id, before_id, limit };
	const { items, next_from_id, has_more } = await pageOldestFirst('event', within, wanted(query), store);
	// Another function, whose clock is ahead, may have returned the place. Then the place may be after the end of the feed
	// by this function's clock. The next page must not start before that place.
	const next = later(next_from_id, from_id);
	const isOver = !has_more && range.before_id !== null && next >= range.before_id;
	return { outcome: 'listed', events: items, has_more, next: isOver ? null : next };
}

/** Finds an event by its id. Null if the workspace has no event with this id, or if the event has expired. */
export async function findEvent(workspaceId: string, id: string, { store, clock }: Deps): Promise<Event | null> {
	if (id < oldestRetained(clock.now())) return null;
	const range = { from_id: id, before_id: idAfter(id), limit: 1 };
	const [event] = await store.list('event', workspaceId, range);
	return event ?? null;
}
