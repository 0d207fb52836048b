import { expect, it } from '@jest/globals';
import { derivedId, ID_PATTERN, lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import { EVENT_RETENTION_SECONDS, type Event, eventKinds, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { SETTLING_SECONDS } from '../../../shared/domain/webhooks/event-feed.ts';
import { type EventQuery, findEvent, listEvents } from '../../../shared/use-cases/webhooks/list-events.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const SHOP = idOf(1);
const OTHER = idOf(2);

const eventAt = (atMs: number, workspace_id = SHOP, n = 0): Event => {
	const id = derivedId(atMs, workspace_id, String(n));
	const kind = eventKinds[n % eventKinds.length] ?? 'call.failed';
	const created_at = new Date(atMs).toISOString();
	return makeEvent({ id, workspace_id, subject_id: id, kind, sequence: 1, created_at, data: { n } });
};

async function withEvents(...events: readonly Event[]) {
	const store = memoryStore();
	for (const event of events) await store.commit([put('event', event, always)]);
	const deps = { store, clock: { now: () => NOW_MS } };
	const list = async (query: Partial<EventQuery>) => {
		const range = { from_id: null, before_id: null };
		const page = await listEvents({ workspace_id: SHOP, order: 'asc', limit: 100, place: null, range, ...query }, deps);
		if (page.outcome === 'expired') throw new Error('expired');
		return { ...page, ids: page.events.map(({ id }) => id) };
	};
	return { store, deps, list };
}

it('a feed ends before the last seconds, in which events may still appear, and its cursor points to that end', async () => {
	const endMs = NOW_MS - SETTLING_SECONDS * 1000;
	const settled = eventAt(endMs - 1);
	const fresh = eventAt(endMs);
	const { list } = await withEvents(settled, fresh);
	expect(await list({})).toMatchObject({ ids: [settled.id], has_more: false, next: lowestIdAt(endMs) });
	expect((await list({ order: 'desc' })).ids).toEqual([fresh.id, settled.id]);
});

it('a feed without new events moves its cursor forward, so that a stored cursor does not expire', async () => {
	const { list } = await withEvents();
	const place = lowestIdAt(NOW_MS - DAY);
	expect((await list({ place })).next).toBe(lowestIdAt(NOW_MS - SETTLING_SECONDS * 1000));
});

it('a feed never moves a cursor back, even if the function that wrote the cursor had a clock ahead of ours', async () => {
	const { list } = await withEvents();
	const place = lowestIdAt(NOW_MS);
	expect(await list({ place })).toMatchObject({ ids: [], has_more: false, next: place });
});

it('a feed up to a given time ends once no more events can appear before that time', async () => {
	const event = eventAt(NOW_MS - 10 * MINUTE);
	const { list } = await withEvents(event);
	const upTo = (atMs: number) => ({ range: { from_id: null, before_id: lowestIdAt(atMs) } });
	expect(await list(upTo(NOW_MS - 5 * MINUTE))).toMatchObject({ ids: [event.id], has_more: false, next: null });
	expect((await list(upTo(NOW_MS))).next).toMatch(ID_PATTERN);
	expect((await list({ ...upTo(NOW_MS - 5 * MINUTE), limit: 1 })).next).toBeNull();
});

it('a feed pages over events of the same millisecond, each once', async () => {
	const events = Array.from({ length: 30 }, (_, n) => eventAt(NOW_MS - MINUTE, SHOP, n));
	const { list } = await withEvents(...events);
	for (const limit of [1, 7, 29, 30]) {
		const ids: string[] = [];
		for (let [place, more]: [string | null, boolean] = [null, true]; more; ) {
			const page = await list({ limit, place });
			ids.push(...page.ids);
			[place, more] = [page.next, page.has_more];
		}
		expect(ids).toEqual(events.map(({ id }) => id).sort());
	}
});

it.each(['asc', 'desc'] as const)(
	'%s: expired events are not listed, even if the table still has them',
	async (order) => {
		const kept = eventAt(NOW_MS - EVENT_RETENTION_SECONDS * 1000);
		const gone = eventAt(NOW_MS - EVENT_RETENTION_SECONDS * 1000 - 1);
		const { list, deps } = await withEvents(kept, gone);
		expect(await list({ order })).toMatchObject({ ids: [kept.id], has_more: false });
		const found = await Promise.all([kept, gone].map(({ id }) => findEvent(SHOP, id, deps)));
		expect(found).toEqual([kept, null]);
	},
);

it('a cursor is refused if events after it have expired', async () => {
	const { deps } = await withEvents(eventAt(NOW_MS - MINUTE));
	const range = { from_id: null, before_id: null };
	const outcome = async (order: 'asc' | 'desc', atMs: number) =>
		(await listEvents({ workspace_id: SHOP, order, limit: 5, range, place: lowestIdAt(atMs) }, deps)).outcome;
	const oldestMs = NOW_MS - EVENT_RETENTION_SECONDS * 1000;
	expect(await outcome('asc', oldestMs)).toBe('listed');
	expect(await outcome('asc', oldestMs - 1)).toBe('expired');
	// A client that reads backwards in time reaches the oldest event. This event may expire in the meantime, so a cursor that points
	// there stays valid for a while.
	expect(await outcome('desc', oldestMs - 10 * MINUTE)).toBe('listed');
	expect(await outcome('desc', oldestMs - DAY)).toBe('expired');
});

it('an event is found by its id only in its own workspace', async () => {
	const mine = eventAt(NOW_MS, SHOP);
	const theirs = eventAt(NOW_MS, OTHER);
	const { deps } = await withEvents(mine, theirs);
	expect(await findEvent(SHOP, mine.id, deps)).toEqual(mine);
	expect(await findEvent(SHOP, theirs.id, deps)).toBeNull();
	expect(await findEvent(SHOP, lowestIdAt(NOW_MS), deps)).toBeNull();
});
