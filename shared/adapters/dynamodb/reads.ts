import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Due, ListedName, ListRange, Records } from '../../ports/store.ts';
import type { DynamoClient } from './client.ts';
import { type Attributes, toRecord } from './items.ts';
import { batchGet, nameOf, text } from './items-by-key.ts';
import { query } from './operations.ts';
import { duePartition, listPartition, records, table, timedRecords } from './table.ts';

const { by_workspace, by_due } = table.indexes;

/** All items of a query, or at least `Limit` of them, whatever the number of pages. */
async function queryAll(
	client: DynamoClient,
	input: Omit<QueryCommandInput, 'TableName' | 'ExclusiveStartKey'>,
): Promise<Attributes[]> {
	const items: Attributes[] = [];
	let from: Attributes | undefined;
	do {
		const start = from && { ExclusiveStartKey: from };
		const page = await client.read(query, { ...input, TableName: client.table, ...start });
		items.push(...(page.Items ?? []));
		from = page.LastEvaluatedKey;
	} while (from && (input.Limit === undefined || items.length < input.Limit));
	return items;
}

/** What lies in one partition, in order, consistent: of those that begin with `sk`, if given, and at most `limit`. */
export function partition(
	client: DynamoClient,
	pk: string,
	{ sk = '', limit }: { readonly sk?: string; readonly limit?: number } = {},
): Promise<Attributes[]> {
	const begins = sk === '' ? '' : ' AND begins_with(#sk, :sk)';
	return queryAll(client, {
		ConsistentRead: true,
		KeyConditionExpression: `#pk = :pk${begins}`,
		ExpressionAttributeNames: { '#pk': table.partition_key, ...(sk !== '' && { '#sk': table.sort_key }) },
		ExpressionAttributeValues: marshall({ ':pk': pk, ...(sk !== '' && { ':sk': sk }) }),
		...(limit !== undefined && { Limit: limit }),
	});
}

/** What is left of a range: `after_id` is where the part before ended, and is not read again. */
type Rest = ListRange & { readonly after_id: string | null };

/** Reads the keys from the index and the records from the table; one that vanished in between is made up for from further down. */
export async function list<N extends ListedName>(
	client: DynamoClient,
	record: N,
	workspace_id: string,
	range: ListRange,
): Promise<Records[N][]> {
	const found: Records[N][] = [];
	let rest: Rest = { ...range, after_id: null };
	while (found.length < range.limit) {
		const wanted = range.limit - found.length;
		const keys = await listedKeys(client, listPartition(record, workspace_id), { ...rest, limit: wanted });
		const items = await batchGet(client, keys);
		for (const key of keys) {
			const item = items.get(nameOf(key));
			if (item !== undefined) found.push(toRecord(record, item));
		}
		const last = text(keys.at(-1)?.[by_workspace.sort_key]);
		if (keys.length < wanted || last === '') break;
		rest = range.oldest_first ? { ...rest, from_id: last, after_id: last } : { ...rest, before_id: last };
	}
	return found;
}

async function listedKeys(client: DynamoClient, pk: string, range: Rest): Promise<Attributes[]> {
	const { from_id, before_id, after_id, limit } = range;
	if (from_id !== null && before_id !== null && from_id >= before_id) return [];
	const bounds = { ...(from_id !== null && { ':from': from_id }), ...(before_id !== null && { ':before': before_id }) };
	const bounded = Object.keys(bounds).length > 0;
	const keys = await queryAll(client, {
		IndexName: by_workspace.name,
		KeyConditionExpression: `#pk = :pk${sortCondition(range)}`,
		ExpressionAttributeNames: { '#pk': by_workspace.partition_key, ...(bounded && { '#id': by_workspace.sort_key }) },
		ExpressionAttributeValues: marshall({ ':pk': pk, ...bounds }),
		ScanIndexForward: range.oldest_first === true,
		Limit: limit + 1,
	});
	const outside = [before_id, after_id];
	return keys.filter((key) => !outside.includes(text(key[by_workspace.sort_key]))).slice(0, limit);
}

/** A query takes one condition on the sort key. BETWEEN takes both bounds in, so the upper one is taken out afterwards. */
function sortCondition({ from_id, before_id }: ListRange): string {
	if (from_id !== null && before_id !== null) return ' AND #id BETWEEN :from AND :before';
	if (from_id !== null) return ' AND #id >= :from';
	return before_id !== null ? ' AND #id < :before' : '';
}

export async function due(client: DynamoClient, shard: number, now: string, limit: number): Promise<Due[]> {
	const items = await queryAll(client, {
		IndexName: by_due.name,
		KeyConditionExpression: '#shard = :shard AND #due <= :now',
		ExpressionAttributeNames: { '#shard': by_due.partition_key, '#due': by_due.sort_key },
		ExpressionAttributeValues: marshall({ ':shard': duePartition(shard), ':now': now }),
		Limit: limit,
	});
	return items.slice(0, limit).map((item) => {
		const pk = text(item[table.partition_key]);
		const record = timedRecords.find((name) => pk.startsWith(records[name].prefix));
		if (record === undefined) throw new Error('store: a timer of an unknown kind');
		return { record, id: pk.slice(records[record].prefix.length), due_at: text(item[by_due.sort_key]) };
	});
}
