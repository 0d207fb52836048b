import { beforeAll, describe, expect, it } from '@jest/globals';
import { restProviders } from './bench/providers.ts';
import { jsonFrom } from './process.ts';
import { handedOutNames } from './read-handed-out.ts';
import type { Replayed } from './replay.ts';
import { releases, storyOf } from './samples.ts';

const stories = releases().flatMap((release) =>
	(['simulator', ...restProviders] as const).map((provider) => [release, provider] as const),
);

describe.each(stories)('what release %s stored, sent and handed out, with calls by %s', (release, provider) => {
	const differs = new Map<string, readonly string[]>();
	beforeAll(async () => {
		const replayed = await jsonFrom<Replayed>('replay.ts', release, provider);
		for (const { name, differs: how } of replayed) differs.set(name, how);
	});

	it.each([...handedOutNames(provider), ...storyOf(release, provider).steps.map(({ step }) => step.name)])(
		'%s',
		(name) => {
			expect(differs.get(name) ?? ['not replayed']).toEqual([]);
		},
	);
});
