import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { RecordKeys, RecordName, Records } from '../../ports/registry.ts';
import { duePartition, dueShard, isListed, isTimed, listPartition, packedFields, records, table } from './table.ts';

/** An item, or its key, in DynamoDB's format. */
export type Attributes = Record<string, AttributeValue>;

// An item is a record's own fields plus its keys. Nothing else is stored, and reading removes the keys.

const { partition_key, sort_key, indexes } = table;
/** Identifies the write that created an item, so that a retry recognises its own success (see commit.ts). */
export const MARK = 'written_by';
const ADDED_ATTRIBUTES: ReadonlySet<string> = new Set([
	partition_key,
	sort_key,
	indexes.by_workspace.partition_key,
	indexes.by_due.partition_key,
	MARK,
]);

export function toKey<N extends RecordName>(record: N, key: RecordKeys[N]): Attributes {
	const { pk, sk } = records[record].key(key);
	return { [partition_key]: { S: pk }, [sort_key]: { S: sk } };
}

/** Throws on a value that DynamoDB cannot store, such as NaN. */
export function toItem<N extends RecordName>(record: N, item: Records[N]): Attributes {
	const attributes: Record<string, unknown> = { ...item, ...packFields(record, item) };
	if (isListed(record) && 'workspace_id' in item) {
		attributes[indexes.by_workspace.partition_key] = listPartition(record, item.workspace_id);
	}
	if (isTimed(record) && 'due_at' in item) {
		// The index is sparse: an item without the attribute is not in it. A null would be refused as a key of the wrong type.
		if (item.due_at === null) attributes[indexes.by_due.sort_key] = undefined;
		else attributes[indexes.by_due.partition_key] = duePartition(dueShard(item.id));
	}
	return { ...marshall(attributes, { removeUndefinedValues: true }), ...toKey(record, item) };
}

/** Compressing less than this saves no write unit, and takes longer than the rest of the item. */
const SMALL_BYTES = 256;

/** The fields that are stored compressed, because names and times repeat in them. A small one stays as it is. */
function packFields<N extends RecordName>(record: N, item: Records[N]): Record<string, Uint8Array> {
	const fields: Record<string, Uint8Array> = {};
	for (const field of packedFields(record)) {
		const text = JSON.stringify(Reflect.get(item, field));
		if (Buffer.byteLength(text) > SMALL_BYTES) fields[field] = writtenAsBase64(deflateRawSync(text));
	}
	return fields;
}

/** Bytes that `JSON.stringify` writes as DynamoDB's JSON has them. */
const writtenAsBase64 = (bytes: Buffer): Uint8Array => Object.assign(bytes, { toJSON: () => bytes.toString('base64') });

/** Throws if the item is of another kind, because something else has written to the table. */
export function toRecord<N extends RecordName>(record: N, attributes: Attributes): Records[N] {
	// Left out before, not deleted after: V8 copies an object from which a property was deleted many times slower.
	const own = Object.entries(attributes).filter(([name]) => !ADDED_ATTRIBUTES.has(name));
	const fields: Record<string, unknown> = unmarshall(Object.fromEntries(own));
	for (const field of packedFields(record)) {
		const bytes = fields[field];
		if (bytes instanceof Uint8Array) fields[field] = JSON.parse(inflateRawSync(bytes).toString('utf8'));
	}
	if (isTimed(record)) fields[indexes.by_due.sort_key] ??= null;
	if (!isOf(record, fields, attributes)) throw new Error(`store: not an item of kind ${record}`);
	return fields;
}

/** `toItem` has written every item with a kind's prefix as that kind, so the key proves the type. */
function isOf<N extends RecordName>(record: N, _fields: object, attributes: Attributes): _fields is Records[N] {
	return attributes[partition_key]?.S?.startsWith(records[record].prefix) === true;
}
