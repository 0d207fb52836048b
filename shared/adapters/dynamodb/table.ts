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

/** The one table, as data: infra creates it from this, the adapter reads and writes by it, the docs are generated from it. */
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

type Definition<N extends RecordName> = {
	/** First characters of the partition key: what roles are written in terms of (`dynamodb:LeadingKeys`). */
	readonly prefix: string;
	readonly key: (key: RecordKeys[N]) => { readonly pk: string; readonly sk: string };
	readonly keyOf: (item: Records[N]) => RecordKeys[N];
};

/** Attempts lie in their delivery's partition, in order of their number. */
export const attemptPrefix = 'ATTEMPT#';

/** Keys beside every record. A call, a lead and a delivery are each a partition of their own. */
export const records: { readonly [N in RecordName]: Definition<N> } = {
	workspace: { prefix: 'WORKSPACE#', key: (k) => ({ pk: `WORKSPACE#${k.id}`, sk: 'WORKSPACE' }), keyOf: (i) => i },
	workspace_key: {
		prefix: 'WORKSPACE_KEY#',
		key: (k) => ({ pk: `WORKSPACE_KEY#${k.workspace_key}`, sk: 'WORKSPACE_KEY' }),
		keyOf: (i) => i,
	},
	allowed_origin: {
		prefix: 'ORIGIN#',
		key: (k) => ({ pk: `ORIGIN#${k.origin}`, sk: k.workspace_id }),
		keyOf: (i) => i,
	},
	api_key: { prefix: 'API_KEY#', key: (k) => ({ pk: `API_KEY#${k.id}`, sk: 'API_KEY' }), keyOf: (i) => i },
	api_key_use: {
		prefix: 'API_KEY_USE#',
		key: (k) => ({ pk: `API_KEY_USE#${k.id}`, sk: 'API_KEY_USE' }),
		keyOf: (i) => i,
	},
	call: { prefix: 'CALL#', key: (k) => ({ pk: `CALL#${k.id}`, sk: 'CALL' }), keyOf: (i) => i },
	callback_lead: { prefix: 'LEAD#', key: (k) => ({ pk: `LEAD#${k.id}`, sk: 'LEAD' }), keyOf: (i) => i },
	event: { prefix: 'EVENT#', key: (k) => ({ pk: `EVENT#${k.subject_id}`, sk: k.kind }), keyOf: (i) => i },
	webhook_endpoint: {
		prefix: 'ENDPOINTS#',
		key: (k) => ({ pk: `ENDPOINTS#${k.workspace_id}`, sk: k.id }),
		keyOf: (i) => i,
	},
	endpoint_roster: {
		prefix: 'ENDPOINT_ROSTER#',
		key: (k) => ({ pk: `ENDPOINT_ROSTER#${k.workspace_id}`, sk: 'ENDPOINT_ROSTER' }),
		keyOf: (i) => i,
	},
	resumption: { prefix: 'RESUMPTION#', key: (k) => ({ pk: `RESUMPTION#${k.id}`, sk: 'RESUMPTION' }), keyOf: (i) => i },
	delivery: { prefix: 'DELIVERY#', key: (k) => ({ pk: `DELIVERY#${k.id}`, sk: 'DELIVERY' }), keyOf: (i) => i },
	delivery_attempt: {
		prefix: 'DELIVERY#',
		key: (k) => ({ pk: `DELIVERY#${k.delivery_id}`, sk: `${attemptPrefix}${String(k.number).padStart(4, '0')}` }),
		keyOf: (i) => i,
	},
	idempotency: {
		prefix: 'IDEMPOTENCY#',
		key: (k) => ({ pk: `IDEMPOTENCY#${k.scope}`, sk: 'IDEMPOTENCY' }),
		keyOf: (i) => i,
	},
	number_usage: { prefix: 'NUMBER#', key: (k) => ({ pk: `NUMBER#${k.number_hash}`, sk: 'NUMBER' }), keyOf: (i) => i },
	sealed_number: { prefix: 'SEALED#', key: (k) => ({ pk: `SEALED#${k.owner}`, sk: 'SEALED' }), keyOf: (i) => i },
	team_number: {
		prefix: 'TEAM_NUMBER#',
		key: (k) => ({ pk: `TEAM_NUMBER#${k.owner}`, sk: 'TEAM_NUMBER' }),
		keyOf: (i) => i,
	},
	team_notice: { prefix: 'NOTICE#', key: (k) => ({ pk: `NOTICE#${k.id}`, sk: 'NOTICE' }), keyOf: (i) => i },
	consent: { prefix: 'CONSENT#', key: (k) => ({ pk: `CONSENT#${k.number_hash}`, sk: k.subject }), keyOf: (i) => i },
	callback_link: {
		prefix: 'CALLBACK_LINK#',
		key: (k) => ({ pk: `CALLBACK_LINK#${k.lead_id}`, sk: 'CALLBACK_LINK' }),
		keyOf: (i) => i,
	},
};

/** Counters are no records: they are only ever added to. `prefixes` are what roles are written in terms of. */
export const counter = {
	prefixes: { any: 'COUNTER#', api: 'COUNTER#api#' },
	key: (name: string) => ({ pk: `COUNTER#${name}`, sk: 'COUNTER' }),
} as const;

/** Over how many partitions of an index a kind of entry is spread. */
export type Shards = {
	/** Timers of all workspaces together. */
	readonly due: number;
	/** Deliveries of one workspace; 1: they lie together, as the other kinds do. */
	readonly deliveries: number;
};
/**
 * DynamoDB takes 1,000 write units a second for one partition key (docs/scaling.md). The numbers may grow at any time, also
 * while an older version still writes, for readers visit the shards of all smaller numbers, too. They must never shrink.
 */
export const SHARDS: Shards = { due: DUE_SHARDS, deliveries: 16 };

/** Partition of the list index for one kind in one workspace. */
export function listPartition(record: ListedName, workspace_id: string): string {
	return `${record}#${workspace_id}`;
}
/** Where one record of a kind is listed. */
export function listPartitionOf(
	record: ListedName,
	item: { workspace_id: string; id: string },
	shards: Shards,
): string {
	const together = listPartition(record, item.workspace_id);
	if (record !== 'delivery' || shards.deliveries === 1) return together;
	return `${together}#${shardOf(item.id, shards.deliveries)}`;
}
/** All partitions in which records of a kind may be listed; the first is that of versions without shards. */
export function listPartitions(record: ListedName, workspace_id: string, shards: Shards): readonly string[] {
	const together = listPartition(record, workspace_id);
	if (record !== 'delivery' || shards.deliveries === 1) return [together];
	return [together, ...Array.from({ length: shards.deliveries }, (_, shard) => `${together}#${shard}`)];
}
/** First characters of a kind's partitions in the list index, for roles. */
export const listPrefix = (record: ListedName): string => `${record}#`;
/** Partition of the timer index. */
export const duePartition = (shard: number): string => `DUE#${shard}`;
export const duePrefix = 'DUE#';
/** Which partition of the timer index an id belongs to. */
export function dueShard(id: string, { due }: Shards = SHARDS): number {
	return shardOf(id, due);
}
/** FNV-1a over the id's characters. */
function shardOf(id: string, shards: number): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
	return hash % shards;
}

/**
 * Fields kept compressed. A write is paid for each KiB begun, and a transaction twice: with its legs or its last attempt
 * in full, a call or a delivery would seldom fit one.
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
