import { beforeAll, describe, expect, it } from '@jest/globals';
import { jsonFrom } from './process.ts';
import type { Replayed } from './replay.ts';
import { releases, samplesOf } from './samples.ts';

describe.each(releases())('what release %s stored, sent and handed out', (release) => {
	const { steps } = samplesOf(release);
	const differs = new Map<string, readonly string[]>();
	beforeAll(async () => {
		const replayed = await jsonFrom<Replayed>('replay.ts', release);
		for (const { name, differs: how } of replayed) differs.set(name, how);
	});

	it.each(steps.map(({ step }) => step.name))('%s', (name) => {
		expect(differs.get(name) ?? ['not replayed']).toEqual([]);
	});
});
