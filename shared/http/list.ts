import type { Problem } from '../contract/kernel/problem.ts';
import { openCursor, sealCursor } from '../domain/kernel/cursor.ts';
import { parseTimeRange } from '../domain/kernel/time-range.ts';
import type { Clock } from '../ports/clock.ts';
import type { ListedName, Records } from '../ports/registry.ts';
import type { Store } from '../ports/store.ts';
import type { Macs } from '../ports/vault.ts';
import { listPage } from '../use-cases/kernel/list-page.ts';

/** What every list route has parsed. */
type ListRequest = {
	readonly operation: string;
	readonly workspace_id: string;
	readonly query: {
		readonly from?: string | undefined;
		readonly to?: string | undefined;
		readonly limit: number;
		readonly cursor?: string | undefined;
	};
};
type Deps = { readonly store: Store; readonly clock: Clock; readonly macs: Macs };
type ListAnswer<W> = {
	readonly answer: { readonly data: readonly W[]; readonly has_more: boolean; readonly next_cursor: string | null };
};

/** A page of a list: time range and cursor in, cursor out. Cursors hold for the same workspace, route and filters. */
export async function answerList<N extends ListedName, W>(
	record: N,
	request: ListRequest,
	{ store, clock, macs }: Deps,
	filter: { readonly accept: (item: Records[N]) => boolean; readonly present: (item: Records[N]) => W },
): Promise<ListAnswer<W> | { readonly problem: Problem }> {
	const { operation, workspace_id, query } = request;
	const { cursor, limit, from, to, ...others } = query;
	const range = parseTimeRange({ from, to });
	if ('refused' in range) return { problem: invalidInstant(range.parameter) };
	const given = Object.entries({ from, to, ...others }).filter(([, value]) => value !== undefined);
	const filters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
	const scope = { workspace_id, operation, filters };
	const key = await macs.key('cursor');
	const opened = cursor === undefined ? null : openCursor(cursor, scope, clock.now(), key);
	if (cursor !== undefined && opened === null) {
		return { problem: { code: 'invalid_cursor', detail: 'Use a cursor as it was given, with the same filters.' } };
	}
	const before_id = opened ?? range.before_id;
	const page = await listPage(record, { workspace_id, from_id: range.from_id, before_id, limit }, filter.accept, store);
	const next = page.next_before_id;
	const next_cursor = next === null ? null : sealCursor(next, scope, clock.now(), key);
	return { answer: { data: page.items.map(filter.present), has_more: next !== null, next_cursor } };
}

function invalidInstant(parameter: 'from' | 'to'): Problem {
	const detail = 'Give an RFC 3339 date-time with offset or YYYY-MM-DD; `from` must be before `to`.';
	const errors = [{ pointer: `?${parameter}`, code: 'invalid_parameter', detail }];
	return { code: 'invalid_parameter', detail, extra: { errors } };
}
