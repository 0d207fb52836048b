import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { RecordKeys, RecordName, Records } from '../../ports/registry.ts';
import { batchGetItem, type DynamoClient, getItem, storeBusy } from './client.ts';
import { type Attributes, toKey, toRecord } from './items.ts';
import { table } from './table.ts';

const { partition_key, sort_key } = table;
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

/**
 * Reads single items. All reads of one turn of the event loop share one request, so a worker with ten messages sends one
 * request instead of ten. A single read uses GetItem. A read that is not consistent costs half.
 */
export function itemReader(client: DynamoClient, ConsistentRead: boolean) {
	let waiting: { readonly keys: Attributes[]; readonly items: Promise<ItemsByKey> } | null = null;

	function begin() {
		const keys: Attributes[] = [];
		const batch = Promise.resolve().then(() => {
			waiting = null;
			const [key] = keys;
			const alone = key !== undefined && keys.length === 1;
			return alone ? getOne(client, key, ConsistentRead) : batchGet(client, keys, ConsistentRead);
		});
		return { keys, items: batch };
	}
	return async (key: Attributes): Promise<Attributes | undefined> => {
		waiting ??= begin();
		waiting.keys.push(key);
		return (await waiting.items).get(keyText(key));
	};
}

/** Reads records with the reads of `itemOf`. */
export function readerByKey(itemOf: ReturnType<typeof itemReader>) {
	return async <N extends RecordName>(record: N, key: RecordKeys[N]): Promise<Records[N] | null> => {
		const item = await itemOf(toKey(record, key));
		return item ? toRecord(record, item) : null;
	};
}

async function getOne(client: DynamoClient, Key: Attributes, ConsistentRead: boolean): Promise<ItemsByKey> {
	const { Item } = await client.read(getItem, { TableName: client.table, Key, ConsistentRead });
	return new Map(Item === undefined ? [] : [[keyText(Key), Item]]);
}

/** Reads of any number of keys. Items of an index may be passed as keys. */
export async function batchGet(
	client: DynamoClient,
	keys: readonly Attributes[],
	ConsistentRead = true,
): Promise<ItemsByKey> {
	const items = new Map<string, Attributes>();
	// DynamoDB refuses a duplicate key in one request.
	let open: readonly Attributes[] = [...new Map(keys.map((key) => [keyText(key), keyOnly(key)])).values()];
	for (let idle = 0; open.length > 0; ) {
		const [now, later] = [open.slice(0, BATCH), open.slice(BATCH)];
		const RequestItems = { [client.table]: { Keys: now, ConsistentRead } };
		const answer = await client.read(batchGetItem, { RequestItems });
		const before = items.size;
		for (const item of answer.Responses?.[client.table] ?? []) items.set(keyText(item), item);
		const unprocessed = answer.UnprocessedKeys?.[client.table]?.Keys ?? [];
		idle = unprocessed.length > 0 && items.size === before ? idle + 1 : 0;
		if (idle === IDLE_ROUNDS) throw storeBusy(batchGetItem, 'nothing processed');
		open = [...unprocessed, ...later];
	}
	return items;
}

function keyOnly(item: Attributes): Attributes {
	return { [partition_key]: { S: stringOf(item[partition_key]) }, [sort_key]: { S: stringOf(item[sort_key]) } };
}
