import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchProvider, State, StoredItem } from './bench/bench.ts';
import type { Message } from './bench/outside.ts';
import { type RestProvider, restProviders } from './bench/providers.ts';
import type { Outcome } from './run-steps.ts';
import type { Shapes } from './shapes.ts';
import type { Step } from './steps.ts';

/** A deployment in the state that a release left, and its next steps. */
export type Story = {
	readonly state: State;
	readonly steps: readonly { readonly step: Step; readonly outcome: Outcome }[];
};
/** What a release wrote: a folder of test/upgrade/releases, named by its commit. */
export type Samples = Story & {
	readonly release: string;
	readonly messages: readonly Message[];
	readonly shapes: Shapes;
	/** A story for each provider that its releases can call with, besides the simulated phones of the other one. */
	readonly by_provider: readonly (Story & { readonly provider: RestProvider })[];
};

const FOLDER = join(import.meta.dirname, 'releases');
/** The releases whose state this tree can read, oldest first. */
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

/** `provider`: that of the story; `simulator`: the long one of the simulated phones. */
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
