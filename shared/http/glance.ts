import type { RecordKeys, RecordName, Records } from '../ports/registry.ts';
import type { Store } from '../ports/store.ts';

/** An eventually consistent read, at half the price. If it finds nothing, the record is read again, consistently. */
export async function glanceOrGet<N extends RecordName>(
	record: N,
	key: RecordKeys[N],
	store: Store,
): Promise<Records[N] | null> {
	return (await store.glance(record, key)) ?? store.get(record, key);
}
