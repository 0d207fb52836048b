import { dueShard, listedStatus, listPlace, records } from '../../shared/adapters/dynamodb/table.ts';
import {
	type ListedName,
	type RecordKeys,
	type RecordName,
	type Records,
	timedRecords,
} from '../../shared/ports/registry.ts';
import type { CommitOutcome, Count, Due, Guard, ListRange, Store, Write } from '../../shared/ports/store.ts';

type Tables = { readonly [N in RecordName]: Map<string, Records[N]> };
type Counters = Map<string, Map<string, number>>;

/** DynamoDB's limit on one transaction. */
const MOST_WRITES = 100;

/** A counter after many writes have raised it. */
export type Raised = Pick<Count, 'counter' | 'place' | 'expires_at_epoch_s'> & {
	readonly used: Readonly<Record<string, number>>;
};

/**
 * The store in memory. The conformance suite checks that this store answers like the DynamoDB store. `raised`: the counters that
 * the store has at the start.
 */
export function memoryStore(raised: readonly Raised[] = []): Store {
	const tables = emptyTables();
	const counters: Counters = new Map();
	for (const { counter, place, used } of raised) counters.set(placeOf(counter, place), new Map(Object.entries(used)));

	function commit(writes: readonly Write[]): CommitOutcome {
		checkDistinct(writes);
		const refused = writes.flatMap((write, position) => (allowed(tables, counters, write) ? [] : [position]));
		if (refused.length > 0) return { committed: false, refused };
		for (const write of writes) apply(tables, counters, write);
		return { committed: true };
	}
	return {
		async get(record, key) {
			return tables[record].get(keyTarget(record, key)) ?? null;
		},
		async endpointsOf(workspaceId) {
			return [...tables.webhook_endpoint.values()]
				.filter((e) => e.workspace_id === workspaceId)
				.sort((a, b) => order(a.id, b.id));
		},
		async attemptsOf(deliveryId) {
			return [...tables.delivery_attempt.values()]
				.filter((a) => a.delivery_id === deliveryId)
				.sort((a, b) => a.number - b.number);
		},
		async consentsOf(numberHash) {
			return [...tables.consent.values()]
				.filter((consent) => consent.number_hash === numberHash)
				.sort((a, b) => order(a.subject, b.subject));
		},
		async desksOf(address) {
			return [...tables.desk_address.values()]
				.filter((desk) => desk.address === address)
				.sort((a, b) => order(a.workspace_id, b.workspace_id));
		},
		list: async (record, workspaceId, range) => list(tables, record, workspaceId, range),
		listFields: async (record, workspaceId, range, fields) =>
			list(tables, record, workspaceId, range).map((item) => only(item, ['id', ...fields])),
		async anyWorkspaceAllows(origin) {
			return [...tables.allowed_origin.values()].some((allowedOrigin) => allowedOrigin.origin === origin);
		},
		due: async (...asked) => due(tables, ...asked),
		async count(write) {
			const counted = commit([write]).committed;
			const held = counters.get(target(write));
			return {
				counted,
				used: Object.fromEntries(Object.keys(write.limits).map((field) => [field, held?.get(field) ?? 0])),
			};
		},
		used: async (counter) => Object.fromEntries(counters.get(placeOf(counter)) ?? []),
		async usedAt(counter, places) {
			return [...new Set(places)].flatMap((place) => {
				const fields = counters.get(placeOf(counter, place));
				return fields === undefined ? [] : [{ place, counts: [...fields] }];
			});
		},
		async usedFrom(counter, fromPlace, beforePlace) {
			const start = placeOf(counter, '');
			const isBefore = (name: string) => beforePlace === undefined || name < start + beforePlace;
			return [...counters]
				.filter(([name]) => name.startsWith(start) && name >= start + fromPlace && isBefore(name))
				.sort(([a], [b]) => order(a, b))
				.map(([name, fields]) => ({ place: name.slice(start.length), counts: [...fields] }));
		},
		async closedDays(workspaceId, firstDay, lastDay) {
			return [...tables.closed_day.values()]
				.filter(({ workspace_id, day }) => workspace_id === workspaceId && day >= firstDay && day <= lastDay)
				.sort((a, b) => order(a.day, b.day));
		},
		commit: async (writes, inTime = () => true) => (inTime() ? commit(writes) : { committed: false, refused: [] }),
	};
}

function emptyTables(): Tables {
	return {
		workspace: new Map(),
		workspace_key: new Map(),
		allowed_origin: new Map(),
		site_use: new Map(),
		api_key: new Map(),
		api_key_use: new Map(),
		call: new Map(),
		callback_lead: new Map(),
		event: new Map(),
		webhook_endpoint: new Map(),
		endpoint_roster: new Map(),
		delivery: new Map(),
		delivery_attempt: new Map(),
		idempotency: new Map(),
		number_usage: new Map(),
		sealed_number: new Map(),
		team_number: new Map(),
		consent: new Map(),
		team_notice: new Map(),
		callback_link: new Map(),
		desk_address: new Map(),
		desk_link: new Map(),
		desk_mailbox: new Map(),
		desk_session: new Map(),
		blocked_address: new Map(),
		failing_recipient: new Map(),
		desk_change: new Map(),
		closed_day: new Map(),
	};
}

const keyText = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk} ${sk}`;
const order = (a: string, b: string): number => Number(a > b) - Number(a < b);

function target(write: Write): string {
	switch (write.op) {
		case 'put':
			return keyTarget(write.record, write.item);
		case 'remove':
			return keyTarget(write.record, write.key);
		case 'count':
			return placeOf(write.counter, write.place);
	}
}
const placeOf = (counter: string, place = 'COUNTER'): string => `counter ${counter} ${place}`;
function keyTarget<N extends RecordName>(record: N, key: RecordKeys[N]): string {
	return keyText(records[record].key(key));
}

/** DynamoDB refuses a transaction that names an item twice or has more than 100 items. */
function checkDistinct(writes: readonly Write[]): void {
	if (new Set(writes.map(target)).size < writes.length)
		throw new Error('store: an item is written twice in one commit');
	if (writes.length > MOST_WRITES) throw new Error('store: too many writes in one commit');
}

function allowed(tables: Tables, counters: Counters, write: Write): boolean {
	if (write.op === 'count') return mayCount(counters, write);
	return holds(write.guard, tables[write.record].get(target(write)));
}

function holds(guard: Guard, current: Records[RecordName] | undefined): boolean {
	switch (guard.if) {
		case 'always':
			return true;
		case 'absent':
			return current === undefined;
		case 'version':
			return current !== undefined && 'version' in current && current.version === guard.version;
		case 'absent_or_expired':
			return current === undefined || hasExpired(current, guard.now_epoch_s);
	}
}

function hasExpired(record: Records[RecordName], nowEpochSeconds: number): boolean {
	return (
		'expires_at_epoch_s' in record && record.expires_at_epoch_s !== null && record.expires_at_epoch_s <= nowEpochSeconds
	);
}

function mayCount(counters: Counters, write: Count): boolean {
	const counted = counters.get(target(write));
	return Object.entries(write.limits).every(([field, limit]) => (counted?.get(field) ?? 0) < limit);
}

function apply(tables: Tables, counters: Counters, write: Write): void {
	switch (write.op) {
		case 'put':
			put(tables, write.record, write.item);
			break;
		case 'remove':
			tables[write.record].delete(target(write));
			break;
		case 'count': {
			const counted = counters.get(target(write)) ?? new Map<string, number>();
			for (const field of Object.keys(write.limits)) counted.set(field, (counted.get(field) ?? 0) + 1);
			counters.set(target(write), counted);
		}
	}
}

/** Freezes stored records, so that neither their writer nor their reader can change them. */
function put<N extends RecordName>(tables: Tables, record: N, item: Records[N]): void {
	tables[record].set(keyTarget(record, item), frozenCopy(item));
}

/** Copies plain JSON several times as fast as `structuredClone`. */
function frozenCopy<T>(value: T): T {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
	const copy: Partial<T> = {};
	for (const name in value) copy[name] = frozenCopy(value[name]);
	return Object.freeze(copy) as T;
}

function list<N extends ListedName | 'event'>(
	tables: Tables,
	record: N,
	workspaceId: string,
	{ from_id, before_id, limit, oldest_first, part }: ListRange,
): Records[N][] {
	listPlace(record, workspaceId, part);
	const wanted = Object.entries(part ?? {});
	const fieldOf = (item: Records[N], field: string): unknown =>
		field === 'status' ? listedStatus(item) : Reflect.get(item, field);
	const all: Iterable<Records[N]> = tables[record].values();
	return [...all]
		.filter(
			(item) =>
				item.workspace_id === workspaceId &&
				wanted.every(([field, value]) => fieldOf(item, field) === value) &&
				(from_id === null || item.id >= from_id) &&
				(before_id === null || item.id < before_id),
		)
		.sort((a, b) => (oldest_first ? order(a.id, b.id) : order(b.id, a.id)))
		.slice(0, limit);
}

const only = <T extends object, F extends keyof T>(item: T, fields: readonly F[]) =>
	Object.fromEntries(fields.map((field) => [field, item[field]])) as Pick<T, F>;

function due(tables: Tables, shard: number, now: string, limit: number, after: Due | null): Due[] {
	const timers: Due[] = [];
	for (const record of timedRecords) {
		for (const { id, due_at } of tables[record].values()) {
			if (due_at !== null && due_at <= now && shardOf(id) === shard) timers.push({ record, id, due_at });
		}
	}
	const place = ({ record, id, due_at }: Due): string => `${due_at} ${record} ${id}`;
	return timers
		.filter((timer) => after === null || place(timer) > place(after))
		.sort((a, b) => order(place(a), place(b)))
		.slice(0, limit);
}

const shards = new Map<string, number>();

/** The result of `dueShard`, computed once for each id: every sweep of a simulation asks for it once per shard. */
function shardOf(id: string): number {
	const shard = shards.get(id) ?? dueShard(id);
	shards.set(id, shard);
	return shard;
}
