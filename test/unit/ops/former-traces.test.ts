import { expect, it } from '@jest/globals';
import type { Write } from '../../../shared/ports/store.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { recordIn } from '../../upgrade/kinds.ts';
import { releases, samplesOf } from '../../upgrade/samples.ts';

/** Everything that a release stored, in memory. Counters are no records. */
async function storeOf(release: string) {
	const store = memoryStore();
	const all = samplesOf(release).state.items.map((item) => recordIn(item));
	const kept = all.filter(({ kind }) => !['counter', 'tally'].includes(kind));
	// The tests of upgrades hold that today's types read what the release wrote.
	for (const { kind: record, fields: item } of kept)
		await store.commit([{ op: 'put', record, item, guard: { if: 'always' } } as unknown as Write]);
	const idsOf = (wanted: string) => all.flatMap(({ kind, fields }) => (kind === wanted ? [String(fields['id'])] : []));
	return { store, calls: idsOf('call'), leads: idsOf('callback_lead') };
}

it.each(releases())('every call and lead that release %s stored has a trace', async (release) => {
	const { store, calls, leads } = await storeOf(release);
	const ops = operatorAt({ store, clock: { now: () => Date.parse('2026-11-29T00:00:00.000Z') } });
	const traced = await Promise.all([
		...calls.map((id) => ops('call', 'trace', '--call', id)),
		...leads.map((id) => ops('lead', 'trace', '--lead', id)),
	]);
	expect(traced.filter(({ code }) => code !== 0)).toEqual([]);
	const trees = traced.map(({ out }) => JSON.parse(out).tree);
	expect(trees.length).toBeGreaterThan(40);
	expect(trees.filter(([root = '']) => !/ (call|callback lead): /.test(root))).toEqual([]);
	const lines = trees.flat().join('\n');
	for (const part of ['phone of the visitor', 'conversation', 'attempt 2', 'notice by mail', 'call back: '])
		expect(lines).toContain(part);
});
