import type { Write } from '../../shared/ports/store.ts';
import { memoryStore } from '../support/memory-store.ts';
import { recordIn } from './kinds.ts';
import { samplesOf } from './samples.ts';

/**
 * All records that a release stored, in a store in memory, and the ids of its calls and leads. Counters and tallies are left out:
 * they are no records.
 */
export async function formerStore(release: string) {
	const store = memoryStore();
	const all = samplesOf(release).state.items.map((item) => recordIn(item));
	const kept = all.filter(({ kind }) => !['counter', 'tally'].includes(kind));
	// The types match because other upgrade tests check that today's types can read what the release wrote.
	for (const { kind: record, fields: item } of kept)
		await store.commit([{ op: 'put', record, item, guard: { if: 'always' } } as unknown as Write]);
	const idsOf = (wanted: string) => all.flatMap(({ kind, fields }) => (kind === wanted ? [String(fields['id'])] : []));
	return { store, calls: idsOf('call'), leads: idsOf('callback_lead') };
}
