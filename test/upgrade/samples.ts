import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchProvider, State, StoredItem } from './bench/bench.ts';
import type { Message } from './bench/outside.ts';
import { type RestProvider, restProviders } from './bench/providers.ts';
import type { Outcome } from './run-steps.ts';
import type { Shapes } from './shapes.ts';
import type { Step } from './steps.ts';

/** A deployment in the state in which a release left it, and the steps that follow. */
export type Story = {
	readonly state: State;
	readonly steps: readonly { readonly step: Step; readonly outcome: Outcome }[];
};
/** What a release wrote. It is in a folder of test/upgrade/releases that is named by the release's commit. */
export type Samples = Story & {
	readonly release: string;
	readonly messages: readonly Message[];
	readonly shapes: Shapes;
	/**
	 * One story for each provider that the release can call with. Their calls go through the provider, not through the simulated
	 * phones.
	 */
	readonly by_provider: readonly (Story & { readonly provider: RestProvider })[];
};

/** When the story of a release begins. */
export const FIRST_DAY = Date.parse('2026-11-28T15:00:00.000Z');

const FOLDER = join(import.meta.dirname, 'releases');
/** The releases whose state today's code can read, sorted by the names of their folders. */
export const releases = (): readonly string[] => readdirSync(FOLDER).sort();

export function samplesOf(release: string, folder = join(FOLDER, release)): Samples {
	return {
		release,
		...storyIn(folder),
		messages: lines(folder, 'messages.jsonl'),
		shapes: JSON.parse(text(folder, 'shapes.json')),
		by_provider: restProviders.map((provider) => ({ provider, ...storyIn(join(folder, provider)) })),
	};
}

/**
 * Returns the release's story in which this provider places the calls. The story of `simulator`, with simulated phones, is
 * much longer than the stories of the other providers.
 */
export const storyOf = (release: string, provider: BenchProvider): Story =>
	storyIn(provider === 'simulator' ? join(FOLDER, release) : join(FOLDER, release, provider));

function storyIn(folder: string): Story {
	const state: Omit<State, 'items'> = JSON.parse(text(folder, 'state.json'));
	return { state: { ...state, items: lines<StoredItem>(folder, 'items.jsonl') }, steps: lines(folder, 'steps.jsonl') };
}

const text = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
const lines = <T>(folder: string, name: string): T[] =>
	text(folder, name)
		.split('\n')
		.filter((line) => line !== '')
		.map((line): T => JSON.parse(line));
