import type { RecordKeys, RecordName, Records } from '../../ports/store.ts';
import { fromAttributes, toAttributes, toPacked } from './marshal.ts';
import { duePartition, dueShard, isListed, isTimed, listPartition, packedFields, records, table } from './table.ts';
import type { Attributes } from './wire.ts';

// An item is a record's own fields plus its keys. Nothing else is stored, and the keys are taken off again on reading.

const { partition_key, sort_key, indexes } = table;
/** Names the write that made an item, so that a repeated write recognises itself (see commit.ts). */
export const MARK = 'written_by';
const added: ReadonlySet<string> = new Set([
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

export function toItem<N extends RecordName>(record: N, item: Records[N]): Attributes {
	const attributes: Record<string, Attributes[string]> = {
		...toAttributes(item),
		...toKey(record, records[record].keyOf(item)),
	};
	for (const field of packedFields(record)) {
		const value: unknown = Reflect.get(item, field);
		if (value !== null) attributes[field] = toPacked(value);
	}
	if (isListed(record) && 'workspace_id' in item) {
		attributes[indexes.by_workspace.partition_key] = { S: listPartition(record, item.workspace_id) };
	}
	if (isTimed(record) && 'due_at' in item) {
		// The index is sparse: an item without the attribute is not in it. A null would be refused as a key of the wrong type.
		if (item.due_at === null) delete attributes[indexes.by_due.sort_key];
		else attributes[indexes.by_due.partition_key] = { S: duePartition(dueShard(item.id)) };
	}
	return attributes;
}

/** Throws when the item is none of that kind: the table was written by something else. */
export function toRecord<N extends RecordName>(record: N, attributes: Attributes): Records[N] {
	const fields = fromAttributes(attributes);
	if (isTimed(record)) fields[indexes.by_due.sort_key] ??= null;
	if (!isOf(record, fields)) throw new Error(`store: not an item of kind ${record}`);
	for (const name of added) Reflect.deleteProperty(fields, name);
	return fields;
}

/** What lies under a kind's prefix was written by `toItem` as that kind: the key is the proof of the type. */
function isOf<N extends RecordName>(record: N, fields: object): fields is Records[N] {
	return partition_key in fields && String(fields[partition_key]).startsWith(records[record].prefix);
}
