import { expect, it } from '@jest/globals';
import { operatorAt } from '../../support/operator.ts';
import { formerStore } from '../../upgrade/former-store.ts';
import { releases } from '../../upgrade/samples.ts';

it.each(releases())('every call and lead that release %s stored has a trace', async (release) => {
	const { store, calls, leads } = await formerStore(release);
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
