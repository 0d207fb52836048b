import {
	DUE_SHARDS,
	type ListedName,
	listedRecords,
	type RecordKeys,
	type RecordName,
	type Records,
	type TimedName,
	timedRecords,
} from '../../ports/registry.ts';

/**
 * The definition of the single table: infra creates it, the adapter reads and writes with it, and the docs are generated
 * from it.
 */
export const table = {
	partition_key: 'pk',
	sort_key: 'sk',
	/** Epoch seconds. DynamoDB may keep an expired record for days: readers must check. */
	ttl_attribute: 'expires_at_epoch_s',
	indexes: {
		/** Lists, newest first: one partition per workspace and kind, sorted by id (a ULID, so by time). */
		by_workspace: { name: 'by-workspace', partition_key: 'list_pk', sort_key: 'id' },
		/** Sparse timers of the sweep, spread over shards so that no partition is hot. */
		by_due: { name: 'by-due', partition_key: 'due_shard', sort_key: 'due_at' },
	},
} as const;

type Definition<K> = {
	/** The prefix of the partition key, which roles refer to (`dynamodb:LeadingKeys`). */
	readonly prefix: string;
	readonly key: (named: K) => { readonly pk: string; readonly sk: string };
};

/** A kind of record in the partition of its field `pk`: alone, or in the order of its field `sk`. */
function kind<K>(word: string, pk: keyof K, sk?: keyof K): Definition<K> {
	const prefix = `${word}#`;
	return { prefix, key: (named) => ({ pk: `${prefix}${named[pk]}`, sk: sk === undefined ? word : `${named[sk]}` }) };
}

/** Attempts are in their delivery's partition, ordered by number. */
export const attemptPrefix = 'ATTEMPT#';

/** Keys of every record. A call, a lead and a delivery are each a partition of their own. */
export const records: { readonly [N in RecordName]: Definition<RecordKeys[N]> } = {
	workspace: kind('WORKSPACE', 'id'),
	workspace_key: kind('WORKSPACE_KEY', 'workspace_key'),
	allowed_origin: kind('ORIGIN', 'origin', 'workspace_id'),
	api_key: kind('API_KEY', 'id'),
	api_key_use: kind('API_KEY_USE', 'id'),
	call: kind('CALL', 'id'),
	callback_lead: kind('LEAD', 'id'),
	event: kind('EVENT', 'subject_id', 'kind'),
	webhook_endpoint: kind('ENDPOINTS', 'workspace_id', 'id'),
	endpoint_roster: kind('ENDPOINT_ROSTER', 'workspace_id'),
	resumption: kind('RESUMPTION', 'id'),
	delivery: kind('DELIVERY', 'id'),
	delivery_attempt: {
		prefix: 'DELIVERY#',
		key: ({ delivery_id, number }) => ({
			pk: `DELIVERY#${delivery_id}`,
			sk: `${attemptPrefix}${String(number).padStart(4, '0')}`,
		}),
	},
	idempotency: kind('IDEMPOTENCY', 'scope'),
	number_usage: kind('NUMBER', 'number_hash'),
	sealed_number: kind('SEALED', 'owner'),
	team_number: kind('TEAM_NUMBER', 'owner'),
	team_notice: kind('NOTICE', 'id'),
	consent: kind('CONSENT', 'number_hash', 'subject'),
	callback_link: kind('CALLBACK_LINK', 'lead_id'),
	page_watch: kind('PAGE_WATCH', 'call_id'),
};

/** Counters are not records: writes only add to them. Roles refer to `prefixes`. */
export const counter = {
	prefixes: { any: 'COUNTER#', api: 'COUNTER#api#' },
	key: (name: string) => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
} as const;

/** The number of index partitions for a kind of entry. */
export type Shards = {
	/** Timers of all workspaces together. */
	readonly due: number;
	/** Deliveries of one workspace; 1: in one partition, like other kinds. */
	readonly deliveries: number;
};
/**
 * DynamoDB takes 1,000 write units a second for one partition key (docs/scaling.md). The numbers may grow at any time, also
 * while an older version still writes, because readers also visit the shards of all smaller numbers. They must never
 * shrink.
 */
export const SHARDS: Shards = { due: DUE_SHARDS, deliveries: 16 };

/** The prefix of a kind's partitions in the list index, for roles. */
export const listPrefix = (record: ListedName): string => `${record}#`;
/** Only deliveries are many enough in one workspace to be spread. */
const isSpread = (record: ListedName, { deliveries }: Shards): boolean => record === 'delivery' && deliveries > 1;
/** The partition of one record in the list index. */
export function listPartitionOf(
	record: ListedName,
	item: { workspace_id: string; id: string },
	shards: Shards,
): string {
	const together = listPrefix(record) + item.workspace_id;
	return isSpread(record, shards) ? `${together}#${shardOf(item.id, shards.deliveries)}` : together;
}
/** All partitions in which a workspace's records of a kind may be listed; the first is that of versions without shards. */
export function listPartitions(record: ListedName, workspace_id: string, shards: Shards): readonly string[] {
	const together = listPrefix(record) + workspace_id;
	const shard_count = isSpread(record, shards) ? shards.deliveries : 0;
	return [together, ...Array.from({ length: shard_count }, (_, shard) => `${together}#${shard}`)];
}
/** Partition of the timer index. */
export const duePartition = (shard: number): string => `${duePrefix}${shard}`;
export const duePrefix = 'DUE#';
/** The shard of an id in the timer index. */
export const dueShard = (id: string, { due }: Shards = SHARDS): number => shardOf(id, due);
/** FNV-1a over the id's characters. */
function shardOf(id: string, shards: number): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
	return hash % shards;
}

/**
 * Fields that are stored compressed, unless they are short. A write costs one unit for each started KiB, and twice that in a
 * transaction: with uncompressed legs or attempts, a call or a delivery would rarely fit into one.
 */
const packed: { readonly [N in RecordName]?: readonly (keyof Records[N])[] } = {
	call: ['legs'],
	delivery: ['last_attempt'],
	delivery_attempt: ['attempt'],
};

export function packedFields(record: RecordName): readonly string[] {
	return packed[record] ?? [];
}
export function isListed(record: RecordName): record is ListedName {
	return listedRecords.some((name) => name === record);
}
export function isTimed(record: RecordName): record is TimedName {
	return timedRecords.some((name) => name === record);
}
