import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Attributes, toKey } from '../../../shared/adapters/dynamodb/items.ts';
import { keyText } from '../../../shared/adapters/dynamodb/items-by-key.ts';
import { table } from '../../../shared/adapters/dynamodb/table.ts';
import { counting, itemOf } from '../../../shared/adapters/dynamodb/writes.ts';
import type { Store, Write } from '../../../shared/ports/store.ts';

// Where the write units of a table go, by kind of record: DynamoDB meters a transaction only as a whole.

const KIB = 1024;
/** DynamoDB adds this to what an item is billed to keep ("Item sizes and formats"). */
const KEPT_WITH_AN_ITEM = 100;
const MONTH_S = 30 * 86_400;
/** How long DynamoDB may keep an expired item ("Using time to live"). */
const REMOVED_WITHIN_S = 2 * 86_400;

export type Share = { readonly writes: number; readonly table: number; readonly index: number };

/** Bytes of a value ("DynamoDB item sizes and formats" in its developer guide). */
function sizeOf(value: AttributeValue | undefined): number {
	if (value === undefined) return 0;
	if (value.S !== undefined) return Buffer.byteLength(value.S);
	if (value.N !== undefined) return Math.ceil(value.N.replace(/[-.]/g, '').length / 2) + 1;
	if (value.B !== undefined) return value.B.byteLength;
	if (value.L !== undefined) return 3 + value.L.reduce((sum, each) => sum + sizeOf(each) + 1, 0);
	if (value.M !== undefined) return 3 + sizeOfAll(value.M, 1);
	return 1;
}
function sizeOfAll(attributes: Attributes, each: number): number {
	return Object.entries(attributes).reduce(
		(sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value) + each,
		0,
	);
}

/** The share of a month that an item is kept. */
function monthOf(item: Attributes, now_ms: number): number {
	const expires_s = item[table.ttl_attribute]?.N;
	return expires_s === undefined ? 1 : Math.min(1, (Number(expires_s) - now_ms / 1000 + REMOVED_WITHIN_S) / MONTH_S);
}

/** The entry of an item in an index, by its key; null where it is not in it. */
function entryOf(item: Attributes | undefined, index: { readonly partition_key: string; readonly sort_key: string }) {
	const [pk, sk] = [item?.[index.partition_key]?.S, item?.[index.sort_key]?.S];
	return pk === undefined || sk === undefined ? null : `${pk} ${sk}`;
}
/** An entry that comes or goes is one write, one that moves is two. */
function indexWrites(before: Attributes | undefined, after: Attributes | undefined): number {
	return Object.values(table.indexes).reduce((sum, index) => {
		const [from, to] = [entryOf(before, index), entryOf(after, index)];
		return from === to ? sum : sum + Number(from !== null) + Number(to !== null);
	}, 0);
}

/** A store that notes what each of its writes costs. `on` is asked at every write. */
export function ledgerOf(store: Store, on: () => boolean) {
	const items = new Map<string, Attributes>();
	const shares = new Map<string, Share>();

	function note(kind: string, units: number, index: number): void {
		if (!on()) return;
		const { writes, table, index: indexed } = shares.get(kind) ?? { writes: 0, table: 0, index: 0 };
		shares.set(kind, { writes: writes + 1, table: table + units, index: indexed + index });
	}
	/** What the item of a write holds afterwards (undefined: it is gone), under its name. */
	function itemAfter(
		write: Exclude<Write, { op: 'count' }>,
		commit: readonly Write[],
	): { readonly name: string; readonly after?: Attributes } {
		if (write.op === 'remove') return { name: keyText(toKey(write.record, write.key)) };
		const after = itemOf(write, commit);
		return { name: keyText(after), after };
	}
	function written(write: Write, times: number, commit: readonly Write[]): void {
		if (write.op === 'count') {
			items.set(JSON.stringify(counting(write).Key), {});
			note('counter', times, 0);
			return;
		}
		const { name, after } = itemAfter(write, commit);
		const before = items.get(name);
		const bytes = Math.max(sizeOfAll(before ?? {}, 0), sizeOfAll(after ?? {}, 0), 1);
		if (after === undefined) items.delete(name);
		else items.set(name, after);
		note(write.record, Math.ceil(bytes / KIB) * times, indexWrites(before, after));
	}
	const noting: Store = {
		...store,
		async count(count) {
			const counted = await store.count(count);
			if (counted.counted) written(count, 1, [count]);
			return counted;
		},
		async commit(writes) {
			const outcome = await store.commit(writes);
			const alone = writes.length === 1 && writes[0]?.op === 'put';
			if (outcome.committed) for (const write of writes) written(write, alone ? 1 : 2, writes);
			return outcome;
		},
	};
	return {
		store: noting,
		/** By kind of record; counters are one kind. */
		shares: (): Readonly<Record<string, Share>> => Object.fromEntries(shares),
		/**
		 * Bytes of everything that is still there at this time, as the table bills them for a month; its indexes hold keys. An item
		 * that expires within the month counts for its part of it.
		 */
		keptBytes: (now_ms: number): number =>
			[...items.values()].reduce(
				(sum, item) => sum + (sizeOfAll(item, 0) + KEPT_WITH_AN_ITEM) * monthOf(item, now_ms),
				0,
			),
	};
}
