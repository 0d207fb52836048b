import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import DataLoader from 'dataloader';
import type { RecordKeys, RecordName, Records } from '../../ports/registry.ts';
import { batchGetItem, type DynamoClient, getItem, storeBusy } from './client.ts';
import { counter, duePartition, dueShard, isListed, isTimed, listPlaces, records, table } from './table.ts';

export type Attributes = Record<string, AttributeValue>;

// An item is a record's own fields plus its keys. Nothing else is stored, and reading removes the keys.

const { partition_key, sort_key, indexes } = table;
const ADDED_ATTRIBUTES: ReadonlySet<string> = new Set([
	partition_key,
	sort_key,
	...Object.values(indexes).map((index) => index.partition_key),
]);

export const toKey = <N extends RecordName>(record: N, key: RecordKeys[N]): Attributes =>
	keyOf(records[record].key(key));

export const counterKey = (name: string, place?: string): Attributes => keyOf(counter.key(name, place));

const keyOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): Attributes => ({
	[partition_key]: { S: pk },
	[sort_key]: { S: sk },
});

/** Throws on a value that DynamoDB cannot store, such as NaN. */
export function toItem<N extends RecordName>(record: N, item: Records[N]): Attributes {
	const attributes: Record<string, unknown> = { ...item };
	if (isListed(record) && 'workspace_id' in item) {
		for (const { index, pk } of listPlaces(record, item)) attributes[index.partition_key] = pk;
	}
	if (isTimed(record) && 'due_at' in item) {
		// The index is sparse: an item without the attribute is not in it. A null would be refused as a key of the wrong type.
		if (item.due_at === null) attributes[indexes.by_due.sort_key] = undefined;
		else attributes[indexes.by_due.partition_key] = duePartition(dueShard(item.id));
	}
	return { ...marshall(attributes, { removeUndefinedValues: true }), ...toKey(record, item) };
}

/** Throws if the item is of another kind, because something else has written to the table. */
export function toRecord<N extends RecordName>(record: N, attributes: Attributes): Records[N] {
	// Build the object without the keys instead of deleting them: V8 copies an object with a deleted property many times
	// slower.
	const own = Object.entries(attributes).filter(([name]) => !ADDED_ATTRIBUTES.has(name));
	const fields: Record<string, unknown> = unmarshall(Object.fromEntries(own));
	if (isTimed(record)) fields[indexes.by_due.sort_key] ??= null;
	if (!isOf(record, fields, attributes)) throw new Error(`store: not an item of kind ${record}`);
	return fields;
}

/** `toItem` has written every item with a kind's prefix as that kind, so the key proves the type. */
function isOf<N extends RecordName>(record: N, _fields: object, attributes: Attributes): _fields is Records[N] {
	return attributes[partition_key]?.S?.startsWith(records[record].prefix) === true;
}

/** DynamoDB's maximum in one request. */
const BATCH = 100;
/** A throttled table returns unprocessed keys. Give up after this many consecutive empty batches. */
const IDLE_ROUNDS = 3;

/** Items by their name (see `keyText`), without missing ones. */
type ItemsByKey = ReadonlyMap<string, Attributes>;

/** An item's key as text; ignores its other attributes. */
export function keyText(item: Attributes): string {
	return `${stringOf(item[partition_key])} ${stringOf(item[sort_key])}`;
}

export function stringOf(attribute: AttributeValue | undefined): string {
	return attribute?.S ?? '';
}

/** Reads one item by its key; undefined if the table has none. */
export type ItemReader = (key: Attributes) => Promise<Attributes | undefined>;

/**
 * Reads that begin in the same turn of the event loop share one request: the ten deliveries of a batch cost one request
 * instead of thirty. There is no cache, so each read returns the table's present content. A lone key is a plain GetItem.
 */
export function itemReader(client: DynamoClient): ItemReader {
	const loader = new DataLoader<Attributes, Attributes | undefined>(
		async (keys) => {
			const [key] = keys;
			if (keys.length === 1 && key !== undefined) return [await getOne(client, key)];
			const items = await batchGet(client, keys);
			return keys.map((each) => items.get(keyText(each)));
		},
		{ cache: false, maxBatchSize: BATCH },
	);
	return (key) => loader.load(key);
}

async function getOne(client: DynamoClient, Key: Attributes): Promise<Attributes | undefined> {
	const { Item } = await client.read(getItem, { TableName: client.table, Key, ConsistentRead: true });
	return Item;
}

/** Reads of any number of keys. Items of an index may be passed as keys. */
export async function batchGet(client: DynamoClient, keys: readonly Attributes[]): Promise<ItemsByKey> {
	const items = new Map<string, Attributes>();
	// DynamoDB refuses a duplicate key in one request.
	let open: readonly Attributes[] = [...new Map(keys.map((key) => [keyText(key), keyOnly(key)])).values()];
	for (let idle = 0; open.length > 0; ) {
		const now = open.slice(0, BATCH);
		const later = open.slice(BATCH);
		const RequestItems = { [client.table]: { Keys: now, ConsistentRead: true } };
		const result = await client.read(batchGetItem, { RequestItems });
		const before = items.size;
		for (const item of result.Responses?.[client.table] ?? []) items.set(keyText(item), item);
		const unprocessed = result.UnprocessedKeys?.[client.table]?.Keys ?? [];
		idle = unprocessed.length > 0 && items.size === before ? idle + 1 : 0;
		if (idle === IDLE_ROUNDS) throw storeBusy(batchGetItem, 'nothing processed');
		open = [...unprocessed, ...later];
	}
	return items;
}

const keyOnly = (item: Attributes): Attributes =>
	keyOf({ pk: stringOf(item[partition_key]), sk: stringOf(item[sort_key]) });
