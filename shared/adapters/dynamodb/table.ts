import { missedReasons } from '../../domain/calls/call.ts';
import {
	DUE_SHARDS,
	type ListedName,
	type ListedStatus,
	type ListPart,
	listedRecords,
	type RecordKeys,
	type RecordName,
	statusLists,
	type TimedName,
	timedRecords,
} from '../../ports/registry.ts';

/** The definition of the only table. The infrastructure, the adapter and the docs use it. */
export const table = {
	partition_key: 'pk',
	sort_key: 'sk',
	/**
	 * Epoch seconds. DynamoDB may keep an expired record for days, so code that reads records must check the expiry time.
	 */
	ttl_attribute: 'expires_at_epoch_s',
	indexes: {
		/**
		 * The records of a workspace, of the kinds in `listedRecords`. There is one partition for each workspace and kind
		 * of record, sorted by id (a ULID, so sorted by time).
		 */
		by_workspace: { name: 'by-workspace', partition_key: 'list_pk', sort_key: 'id' },
		/**
		 * A sparse index, only of records that have one of the statuses in `statusLists`. There is one partition for each
		 * workspace, kind of record and status.
		 */
		by_status: { name: 'by-status', partition_key: 'status_pk', sort_key: 'id' },
		/** Deliveries, by workspace and endpoint. */
		by_endpoint: { name: 'by-endpoint', partition_key: 'endpoint_pk', sort_key: 'id' },
		/**
		 * The records that the sweep has to check, sorted by the time at which the check is due. This index is sparse, and
		 * spread over shards, so that no partition gets too many requests.
		 */
		by_due: { name: 'by-due', partition_key: 'due_shard', sort_key: 'due_at' },
	},
} as const;

type Definition<K> = {
	/** The prefix of the partition key. The permissions of roles refer to this prefix (`dynamodb:LeadingKeys`). */
	readonly prefix: string;
	readonly key: (keyFields: K) => { readonly pk: string; readonly sk: string };
};

/**
 * Defines the keys of a kind of record. The field `pk` names the record's partition. With `sk`, a partition contains
 * several records, sorted by the field `sk`.
 */
function kind<K>(word: string, pk: keyof K, sk?: keyof K): Definition<K> {
	const prefix = `${word}#`;
	return {
		prefix,
		key: (keyFields) => ({ pk: `${prefix}${keyFields[pk]}`, sk: sk === undefined ? word : `${keyFields[sk]}` }),
	};
}

/** The attempts of a delivery are in the delivery's partition, ordered by their number. */
export const attemptPrefix = 'ATTEMPT#';

/** The keys of every kind of record. Each call, each lead and each delivery has a partition of its own. */
export const records: { readonly [N in RecordName]: Definition<RecordKeys[N]> } = {
	workspace: kind('WORKSPACE', 'id'),
	workspace_key: kind('WORKSPACE_KEY', 'workspace_key'),
	allowed_origin: kind('ORIGIN', 'origin', 'workspace_id'),
	site_use: kind('SITE_USE', 'workspace_id', 'origin'),
	api_key: kind('API_KEY', 'id'),
	api_key_use: kind('API_KEY_USE', 'id'),
	call: kind('CALL', 'id'),
	callback_lead: kind('LEAD', 'id'),
	event: kind('EVENT', 'subject_id', 'kind'),
	webhook_endpoint: kind('ENDPOINTS', 'workspace_id', 'id'),
	endpoint_roster: kind('ENDPOINT_ROSTER', 'workspace_id'),
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
	desk_address: kind('DESK_ADDRESS', 'address', 'workspace_id'),
	desk_link: kind('DESK_LINK', 'id'),
	desk_mailbox: kind('DESK_MAILBOX', 'address'),
	desk_session: kind('DESK_SESSION', 'id'),
	blocked_address: kind('BLOCKED_ADDRESS', 'address'),
	failing_recipient: kind('FAILING_RECIPIENT', 'recipient'),
	desk_change: kind('DESK_CHANGE', 'id'),
	closed_day: kind('CLOSED_DAY', 'workspace_id', 'day'),
};

/**
 * A counter is not a record: a write adds to a counter and never replaces it. The permissions of roles refer to `prefixes`.
 */
export const counter = {
	prefixes: {
		any: 'COUNTER#',
		api: 'COUNTER#api#',
		tally: 'COUNTER#tally#',
		names: 'COUNTER#tally#names#',
	},
	key: (name: string, place = 'COUNTER') => ({ pk: `COUNTER#${name}`, sk: place }),
} as const;

/** The beginning of the partitions of one kind of record in the list index. The permissions of roles use this prefix. */
export const listPrefix = (record: ListedName): string => `${record}#`;

type ListIndex = (typeof table.indexes)['by_workspace' | 'by_status' | 'by_endpoint'];
export type ListPlace = { readonly index: ListIndex; readonly pk: string };

/**
 * The partition in which a workspace's records of a kind are listed. `part` restricts the list to one status or one
 * endpoint. Throws if this kind of record has no such list.
 */
export function listPlace(record: ListedName, workspaceId: string, part?: ListPart): ListPlace {
	const { by_workspace, by_status, by_endpoint } = table.indexes;
	const pk = listPrefix(record) + workspaceId;
	if (part === undefined) return { index: by_workspace, pk };
	if ('endpoint_id' in part && listsByEndpoint(record)) return { index: by_endpoint, pk: `${pk}#${part.endpoint_id}` };
	if ('status' in part && statusLists[record]?.includes(part.status))
		return { index: by_status, pk: `${pk}#${part.status}` };
	throw new Error(`store: ${record} has no such part: ${JSON.stringify(part)}`);
}

/**
 * The status under which a record is listed. A call that the team missed is listed as `missed`, and not under its own
 * status.
 */
export const listedStatus = ({ status, failure_reason }: Statuses): unknown =>
	missedReasons.some((each) => each === failure_reason) ? ('missed' satisfies ListedStatus) : status;
type Statuses = { readonly id?: string; readonly status?: unknown; readonly failure_reason?: unknown };

export function listPlaces(record: ListedName, item: Listed): readonly ListPlace[] {
	const { workspace_id, endpoint_id } = item;
	const status = listedStatus(item);
	const inStatus = (statusLists[record] ?? []).filter((each) => each === status).map((each) => ({ status: each }));
	const ofEndpoint = endpoint_id !== undefined && listsByEndpoint(record) ? { endpoint_id } : [];
	const parts = [undefined, inStatus, ofEndpoint].flat();
	return parts.map((part) => listPlace(record, workspace_id, part));
}
type Listed = Parameters<typeof listedStatus>[0] & { readonly workspace_id: string; readonly endpoint_id?: string };

export const listsByStatus = (record: ListedName): boolean => statusLists[record] !== undefined;
export const listsByEndpoint = (record: ListedName): boolean => record === 'delivery';
export const duePartition = (shard: number): string => `${duePrefix}${shard}`;
export const duePrefix = 'DUE#';
/** The shard of an id in the index of due times: FNV-1a over the id's characters. */
export function dueShard(id: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
	return hash % DUE_SHARDS;
}
export function isListed(record: RecordName): record is ListedName {
	return listedRecords.some((name) => name === record);
}
export function isTimed(record: RecordName): record is TimedName {
	return timedRecords.some((name) => name === record);
}
