import type { AttributeValue, KeysAndAttributes } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import DataLoader from 'dataloader';
import type { RecordKeys, RecordName, Records } from '../../ports/registry.ts';
import { batchGetItem, type DynamoClient, getItem, storeBusy } from './client.ts';
import { counter, duePartition, dueShard, isListed, isTimed, listPlaces, records, table } from './table.ts';

export type Attributes = Record<string, AttributeValue>;

// An item consists of the fields of its record, of its keys and, after some writes, of the id of that write. Nothing else is
// stored, and reading removes what is not a field.

/** The id of the write that stored the item, if a plain put did (see `putNextVersion` in commit.ts). */
export const WRITE_ID = 'write_id';

const { partition_key, sort_key, indexes } = table;
const ADDED_ATTRIBUTES: ReadonlySet<string> = new Set([
	WRITE_ID,
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
		// The index contains only items that have this attribute. The attribute must be absent and not null: DynamoDB
		// refuses null, because a key must be a text.
		if (item.due_at === null) attributes[indexes.by_due.sort_key] = undefined;
		else attributes[indexes.by_due.partition_key] = duePartition(dueShard(item.id));
	}
	return { ...marshall(attributes, { removeUndefinedValues: true }), ...toKey(record, item) };
}

/** Throws if the item is of another kind: such an item shows that another program has written to the table. */
export function toRecord<N extends RecordName>(record: N, attributes: Attributes): Records[N] {
	// Build the object without the keys, instead of deleting the keys from it: V8 copies an object many times slower after a
	// field was deleted.
	const own = Object.entries(attributes).filter(([name]) => !ADDED_ATTRIBUTES.has(name));
	const fields: Record<string, unknown> = unmarshall(Object.fromEntries(own));
	if (isTimed(record)) fields[indexes.by_due.sort_key] ??= null;
	if (!isOf(record, fields, attributes)) throw new Error(`store: not an item of kind ${record}`);
	return fields;
}

/**
 * The partition keys of each kind of record begin with the prefix of that kind, so an item's key proves the type of its
 * record. Only deliveries and their attempts have the same prefix.
 */
function isOf<N extends RecordName>(record: N, _fields: object, attributes: Attributes): _fields is Records[N] {
	return attributes[partition_key]?.S?.startsWith(records[record].prefix) === true;
}

/** How many keys DynamoDB allows in one request. */
const BATCH = 100;
/** If a table is throttled, DynamoDB returns keys unprocessed. Give up after this many empty batches in a row. */
const IDLE_ROUNDS = 3;

/** Items by the text of their key (see `keyText`). Items that do not exist are missing. */
type ItemsByKey = ReadonlyMap<string, Attributes>;

/** The key of an item as text. The item's other attributes are ignored. */
export function keyText(item: Attributes): string {
	return `${stringOf(item[partition_key])} ${stringOf(item[sort_key])}`;
}

export function stringOf(attribute: AttributeValue | undefined): string {
	return attribute?.S ?? '';
}

/** Reads one item by its key. Undefined if the table does not contain the item. */
export type ItemReader = (key: Attributes) => Promise<Attributes | undefined>;

/**
 * Reads items by their keys. All reads that begin in the same turn of the event loop share one request: a batch of ten
 * deliveries costs one request instead of thirty. Nothing is cached, so each read returns what the table contains now. A
 * single key is read with a plain GetItem.
 */
export function itemReader(client: DynamoClient): ItemReader {
	const loader = new DataLoader<Attributes, Attributes | undefined>(
		async (keys) => {
			const [key] = keys;
			if (keys.length === 1 && key !== undefined) return [await getOne(client, key)];
			const items = await batchGet(client, keys);
			return keys.map((each) => items.get(keyText(each)));
		},
		{ cache: false },
	);
	return (key) => loader.load(key);
}

async function getOne(client: DynamoClient, Key: Attributes): Promise<Attributes | undefined> {
	const { Item } = await client.read(getItem, { TableName: client.table, Key, ConsistentRead: true });
	return Item;
}

/**
 * Reads the items of any number of keys. Items of an index may be passed as keys. With `only`, just these attributes and the
 * keys are read.
 */
export async function batchGet(
	client: DynamoClient,
	keys: readonly Attributes[],
	only?: readonly string[],
): Promise<ItemsByKey> {
	const projection = only === undefined ? {} : projectionOf([...new Set([partition_key, sort_key, ...only])]);
	// Remove duplicates, because DynamoDB refuses a request that has the same key twice.
	const wanted = [...new Map(keys.map((key) => [keyText(key), keyOnly(key)])).values()];
	const parts = Array.from({ length: Math.ceil(wanted.length / BATCH) }, (_, nth) =>
		wanted.slice(nth * BATCH, (nth + 1) * BATCH),
	);
	const items = await Promise.all(parts.map((part) => batchOf(client, part, projection)));
	return new Map(items.flat().map((item) => [keyText(item), item]));
}

type Projection = Pick<KeysAndAttributes, 'ProjectionExpression' | 'ExpressionAttributeNames'>;

/** Aliases stand for the names, because DynamoDB reserves words such as `status`. */
const projectionOf = (names: readonly string[]): Projection => ({
	ProjectionExpression: names.map((_, nth) => `#n${nth}`).join(),
	ExpressionAttributeNames: Object.fromEntries(names.map((name, nth) => [`#n${nth}`, name])),
});

/**
 * Reads the items of at most `BATCH` keys. If DynamoDB throttles the table, it leaves some keys unprocessed, and this
 * function requests these keys again.
 */
async function batchOf(
	client: DynamoClient,
	keys: readonly Attributes[],
	projection: Projection,
): Promise<readonly Attributes[]> {
	const items: Attributes[] = [];
	let open = keys;
	for (let idle = 0; open.length > 0; ) {
		const RequestItems = { [client.table]: { Keys: [...open], ConsistentRead: true, ...projection } };
		const result = await client.read(batchGetItem, { RequestItems });
		const found = result.Responses?.[client.table] ?? [];
		items.push(...found);
		open = result.UnprocessedKeys?.[client.table]?.Keys ?? [];
		idle = open.length > 0 && found.length === 0 ? idle + 1 : 0;
		if (idle === IDLE_ROUNDS) throw storeBusy(batchGetItem, 'nothing processed');
	}
	return items;
}

const keyOnly = (item: Attributes): Attributes =>
	keyOf({ pk: stringOf(item[partition_key]), sk: stringOf(item[sort_key]) });
