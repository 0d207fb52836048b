import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type DynamoClient, storeBusy } from './client.ts';
import type { Attributes } from './items.ts';
import { batchGetItem, getItem } from './operations.ts';
import { table } from './table.ts';

const { partition_key, sort_key } = table;
/** DynamoDB gives at most so many in one request. */
const BATCH = 100;
/** A throttled table leaves keys for later. Give up after this many consecutive empty batches. */
const IDLE_ROUNDS = 3;

/** Items by their name (see `nameOf`); those that are not there are missing. */
type Found = ReadonlyMap<string, Attributes>;
type Asked = {
	readonly key: Attributes;
	readonly resolve: (item: Attributes | undefined) => void;
	readonly reject: (error: unknown) => void;
};

/** An item's key as text; its other attributes are ignored. */
export function nameOf(item: Attributes): string {
	return `${text(item[partition_key])} ${text(item[sort_key])}`;
}

export function text(attribute: AttributeValue | undefined): string {
	return attribute?.S ?? '';
}

/**
 * Consistent reads of single items. Those asked for in the same turn travel together: a worker with ten messages asks
 * once and not ten times. One that is alone goes alone.
 */
export function readerByKey(client: DynamoClient): (key: Attributes) => Promise<Attributes | undefined> {
	let waiting: Asked[] = [];

	function answerWaiting(): void {
		const asked = waiting;
		waiting = [];
		const keys = asked.map(({ key }) => key);
		const [key] = keys;
		const reading = key !== undefined && keys.length === 1 ? getOne(client, key) : batchGet(client, keys);
		reading.then(
			(found) => {
				for (const { key, resolve } of asked) resolve(found.get(nameOf(key)));
			},
			(error: unknown) => {
				for (const { reject } of asked) reject(error);
			},
		);
	}
	return (key) =>
		new Promise((resolve, reject) => {
			if (waiting.length === 0) queueMicrotask(answerWaiting);
			waiting.push({ key, resolve, reject });
		});
}

async function getOne(client: DynamoClient, Key: Attributes): Promise<Found> {
	const { Item } = await client.read(getItem, { TableName: client.table, Key, ConsistentRead: true });
	return new Map(Item === undefined ? [] : [[nameOf(Key), Item]]);
}

/** Consistent; of any number of keys, of which items of an index hold more than that. */
export async function batchGet(client: DynamoClient, keys: readonly Attributes[]): Promise<Found> {
	const found = new Map<string, Attributes>();
	// Twice the same key in one request is refused.
	let open: readonly Attributes[] = [...new Map(keys.map((key) => [nameOf(key), keyOnly(key)])).values()];
	for (let idle = 0; open.length > 0; ) {
		const [now, later] = [open.slice(0, BATCH), open.slice(BATCH)];
		const RequestItems = { [client.table]: { Keys: now, ConsistentRead: true } };
		const answer = await client.read(batchGetItem, { RequestItems });
		const before = found.size;
		for (const item of answer.Responses?.[client.table] ?? []) found.set(nameOf(item), item);
		const left = answer.UnprocessedKeys?.[client.table]?.Keys ?? [];
		idle = left.length > 0 && found.size === before ? idle + 1 : 0;
		if (idle === IDLE_ROUNDS) throw storeBusy(batchGetItem, 'nothing processed');
		open = [...left, ...later];
	}
	return found;
}

function keyOnly(item: Attributes): Attributes {
	return { [partition_key]: { S: text(item[partition_key]) }, [sort_key]: { S: text(item[sort_key]) } };
}
