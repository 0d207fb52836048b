import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { TableEnv } from '../../env.ts';
import { type ListedName, type RecordKeys, type RecordName, timedRecords } from '../../ports/registry.ts';
import type { CounterPlace, Due, ListRange, Store } from '../../ports/store.ts';
import { type DynamoClient, type DynamoOptions, dynamoClient, query } from './client.ts';
import { commit, countsOf, fieldsOf, raiseCounter } from './commit.ts';
import { type Attributes, batchGet, counterKey, itemReader, keyText, stringOf, toKey, toRecord } from './items.ts';
import { attemptPrefix, counter, duePartition, type ListPlace, listPlace, records, table } from './table.ts';

const { by_workspace, by_due } = table.indexes;

export function dynamoStore(env: TableEnv, options: DynamoOptions = {}): Store {
	const client = dynamoClient(env, options);
	const readItem = itemReader(client);
	async function partitionOf<N extends RecordName>(record: N, key: RecordKeys[N], sk = '') {
		const items = await partition(client, records[record].key(key).pk, sk);
		return items.map((item) => toRecord(record, item));
	}
	return {
		async get(record, key) {
			const item = await readItem(toKey(record, key));
			return item ? toRecord(record, item) : null;
		},
		endpointsOf: (workspace_id) => partitionOf('webhook_endpoint', { workspace_id, id: '' }),
		attemptsOf: (delivery_id) => partitionOf('delivery_attempt', { delivery_id, number: 0 }, attemptPrefix),
		consentsOf: (number_hash) => partitionOf('consent', { number_hash, subject: '' }),
		desksOf: (address) => partitionOf('desk_address', { address, workspace_id: '' }),
		async anyWorkspaceAllows(origin) {
			const { pk } = records.allowed_origin.key({ origin, workspace_id: '' });
			return (await partition(client, pk, '', 1)).length > 0;
		},
		async list(record, workspaceId, range) {
			const items = await listItems(client, record, workspaceId, range);
			return items.map((item) => toRecord(record, item));
		},
		async listFields(record, workspaceId, range, fields) {
			const items =
				fields.length > 0
					? await listItems(client, record, workspaceId, range, ['id', ...fields.map(String)])
					: (await listedKeys(client, listPlace(record, workspaceId, range.part), range)).keys;
			return items.map((item) => toRecord(record, item));
		},
		due: (...args) => due(client, ...args),
		count: (write) => raiseCounter(client, write),
		used: async (name) => fieldsOf(await readItem(counterKey(name))),
		async usedAt(name, places) {
			const items = await batchGet(
				client,
				places.map((place) => counterKey(name, place)),
			);
			return [...items.values()].map(placeOf);
		},
		async usedFrom(name, fromPlace, beforePlace) {
			const items = await sortRange(client, counter.key(name).pk, fromPlace, beforePlace ?? LAST);
			return items.map(placeOf).filter(({ place }) => place !== beforePlace);
		},
		async closedDays(workspace_id, firstDay, lastDay) {
			const { pk } = records.closed_day.key({ workspace_id, day: '' });
			const items = await sortRange(client, pk, firstDay, lastDay);
			return items.map((item) => toRecord('closed_day', item));
		},
		commit: (writes, inTime) => commit(client, writes, inTime),
	};
}

/**
 * All items of a query, over all of its pages. With `Limit`, this function stops reading as soon as it has that many items.
 */
async function queryAll(
	client: DynamoClient,
	{ ExclusiveStartKey, ...input }: Omit<QueryCommandInput, 'TableName'>,
): Promise<Attributes[]> {
	const items: Attributes[] = [];
	let from = ExclusiveStartKey;
	do {
		const start = from && { ExclusiveStartKey: from };
		const page = await client.read(query, { ...input, TableName: client.table, ...start });
		items.push(...(page.Items ?? []));
		from = page.LastEvaluatedKey;
	} while (from && (input.Limit === undefined || items.length < input.Limit));
	return items;
}

/**
 * The items of one partition whose sort key begins with `sk`, in order. With `limit`, this function stops reading as soon
 * as it has that many items.
 */
function partition(client: DynamoClient, pk: string, sk: string, limit?: number): Promise<Attributes[]> {
	const begins = sk === '' ? '' : ' AND begins_with(#sk, :sk)';
	return queryAll(client, {
		ConsistentRead: true,
		KeyConditionExpression: `#pk = :pk${begins}`,
		ExpressionAttributeNames: { '#pk': table.partition_key, ...(sk !== '' && { '#sk': table.sort_key }) },
		ExpressionAttributeValues: marshall({ ':pk': pk, ...(sk !== '' && { ':sk': sk }) }),
		...(limit !== undefined && { Limit: limit }),
	});
}

const placeOf = (item: Attributes): CounterPlace => ({ place: stringOf(item[table.sort_key]), counts: countsOf(item) });

/**
 * A sort key after the sort keys of all records of a counter, because each of these keys (a `place`) begins with a digit.
 */
const LAST = '~';

/**
 * The items of one partition whose sort keys are from `first` to `last` (both included), in order. Very recent writes may
 * be missing, because the read is eventually consistent.
 */
async function sortRange(client: DynamoClient, pk: string, first: string, last: string): Promise<Attributes[]> {
	// DynamoDB refuses a range that ends before it begins.
	if (first > last) return [];
	return queryAll(client, {
		KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :first AND :last',
		ExpressionAttributeNames: { '#pk': table.partition_key, '#sk': table.sort_key },
		ExpressionAttributeValues: marshall({ ':pk': pk, ':first': first, ':last': last }),
	});
}

/**
 * The part of a range that still has to be read. If the range is read from its oldest item, `after_id` is the last id that
 * was read, and the item with this id is not read again. Otherwise, `after_id` is absent.
 */
type Rest = ListRange & { readonly after_id?: string };

/**
 * Reads the keys from the index and the items from the table. The index may still contain items that were deleted, or that
 * no longer match the list's filter (`part`). Such items are left out, and more keys are read in their place. With `fields`,
 * only these fields of the items are read.
 */
async function listItems(
	client: DynamoClient,
	record: ListedName,
	workspaceId: string,
	range: ListRange,
	fields?: readonly string[],
): Promise<Attributes[]> {
	const place = listPlace(record, workspaceId, range.part);
	const only = fields && [place.index.partition_key, ...fields];
	const isIn = (item: Attributes) => stringOf(item[place.index.partition_key]) === place.pk;
	const matches: Attributes[] = [];
	let rest: Rest = range;
	while (matches.length < range.limit) {
		const { keys, more } = await listedKeys(client, place, { ...rest, limit: range.limit - matches.length });
		const items = await batchGet(client, keys, only);
		const records = keys.map((key) => items.get(keyText(key))).filter((item) => item !== undefined);
		matches.push(...records.filter(isIn));
		const last = idOf(keys.at(-1));
		if (!more || last === '') break;
		rest = range.oldest_first ? { ...rest, from_id: last, after_id: last } : { ...rest, before_id: last };
	}
	return matches;
}

const idOf = (key: Attributes | undefined): string => stringOf(key?.[by_workspace.sort_key]);

/** Keys in the order of the range, at most as many as its limit. `more` is true if further keys may follow. */
type Keys = { readonly keys: readonly Attributes[]; readonly more: boolean };

async function listedKeys(client: DynamoClient, { index, pk }: ListPlace, range: Rest): Promise<Keys> {
	const { from_id, before_id, after_id = null, limit } = range;
	if (from_id !== null && before_id !== null && from_id >= before_id) return { keys: [], more: false };
	const bounds = { ...(from_id !== null && { ':from': from_id }), ...(before_id !== null && { ':before': before_id }) };
	const hasBounds = Object.keys(bounds).length > 0;
	const keys = await queryAll(client, {
		IndexName: index.name,
		KeyConditionExpression: `#pk = :pk${sortCondition(range)}`,
		ExpressionAttributeNames: { '#pk': index.partition_key, ...(hasBounds && { '#id': index.sort_key }) },
		ExpressionAttributeValues: marshall({ ':pk': pk, ...bounds }),
		ScanIndexForward: range.oldest_first === true,
		Limit: limit + 1,
	});
	const within = keys.filter((key) => ![before_id, after_id].includes(idOf(key)));
	return { keys: within.slice(0, limit), more: within.length >= limit };
}

/**
 * A query allows only one condition on the sort key. BETWEEN includes both bounds, so an item at the upper bound is removed
 * afterwards.
 */
function sortCondition({ from_id, before_id }: ListRange): string {
	if (from_id !== null && before_id !== null) return ' AND #id BETWEEN :from AND :before';
	if (from_id !== null) return ' AND #id >= :from';
	return before_id !== null ? ' AND #id < :before' : '';
}

function timerKey({ record, id, due_at }: Due, shard: number): Attributes {
	const { partition_key, sort_key } = by_due;
	return marshall({ ...records[record].key({ id }), [partition_key]: duePartition(shard), [sort_key]: due_at });
}

async function due(client: DynamoClient, ...[shard, now, limit, after]: Parameters<Store['due']>): Promise<Due[]> {
	const items = await queryAll(client, {
		IndexName: by_due.name,
		KeyConditionExpression: '#shard = :shard AND #due <= :now',
		ExpressionAttributeNames: { '#shard': by_due.partition_key, '#due': by_due.sort_key },
		ExpressionAttributeValues: marshall({ ':shard': duePartition(shard), ':now': now }),
		Limit: limit,
		...(after !== null && { ExclusiveStartKey: timerKey(after, shard) }),
	});
	return items.slice(0, limit).map((item) => {
		const pk = stringOf(item[table.partition_key]);
		const record = timedRecords.find((name) => pk.startsWith(records[name].prefix));
		if (record === undefined) throw new Error('store: a timer of an unknown kind');
		return { record, id: pk.slice(records[record].prefix.length), due_at: stringOf(item[by_due.sort_key]) };
	});
}
