import { listEvents as route } from '../../../shared/contract/webhooks/events.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { parseTimeRange } from '../../../shared/domain/kernel/time-range.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { cursorsFor, lastId } from '../../../shared/http/edge/read.ts';
import { CURSOR_EXPIRED, invalidRange } from '../../../shared/http/edge/refusals.ts';
import { envelopeOf } from '../../../shared/http/webhooks/present-event.ts';
import { listEvents } from '../../../shared/use-cases/webhooks/list-events.ts';

export const handler = handle(forClients, route, {
	deps: () => edgeDeps(route.operation),
	run: async ({ query, caller: { workspace_id } }, deps) => {
		const { cursor, limit, from, to, event: kinds, order } = query;
		const range = parseTimeRange({ from, to });
		if ('refused' in range) return { problem: invalidRange(range) };
		const isFeed = order === 'asc';
		const cursors = cursorsFor(route, workspace_id, { to, event: kinds, order, ...(!isFeed && { from }) });
		const place = cursor === undefined ? null : cursors.read(cursor, isFeed ? placeFrom(range.from_id) : lastId);
		const page = await listEvents({ workspace_id, order, range, kinds, limit, place }, deps);
		if (page.outcome === 'expired') return { problem: CURSOR_EXPIRED };
		const next_cursor = page.next === null ? null : cursors.write(page.next);
		return { body: { data: page.events.map(envelopeOf), has_more: page.has_more, next_cursor } };
	},
});

/**
 * Returns a function that reads the last id of the previous page of a feed from a cursor. A request with a cursor may repeat
 * the `from` of the feed's first request, or leave it out. If `from` is later than the last id, the cursor belongs to another
 * feed, and the result is null: the cursor is refused.
 */
const placeFrom = (fromId: string | null) => (text: string) => {
	const id = lastId(text);
	return id !== null && fromId !== null && id < fromId ? null : id;
};
