import type { RecordKeys, RecordName, Records } from '../ports/registry.ts';
import type { Store } from '../ports/store.ts';

/** A record as it was a moment ago, at half the price; one that is not there is looked for again, consistently. */
export async function glanceOrGet<N extends RecordName>(
	record: N,
	key: RecordKeys[N],
	store: Store,
): Promise<Records[N] | null> {
	return (await store.glance(record, key)) ?? store.get(record, key);
}
