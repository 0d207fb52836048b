import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { State, StoredItem } from './bench/bench.ts';
import type { Message } from './bench/outside.ts';
import type { Outcome } from './run-steps.ts';
import type { Shapes } from './shapes.ts';
import type { Step } from './steps.ts';

/** What a release wrote: a folder of test/upgrade/releases, named by its commit. */
export type Samples = {
	readonly release: string;
	readonly state: State;
	readonly messages: readonly Message[];
	readonly steps: readonly { readonly step: Step; readonly outcome: Outcome }[];
	readonly shapes: Shapes;
};

const FOLDER = join(import.meta.dirname, 'releases');
/** The releases whose state this tree can read, oldest first. */
export const releases = (): readonly string[] => readdirSync(FOLDER).sort();

export function samplesOf(release: string, folder = join(FOLDER, release)): Samples {
	const text = (name: string): string => readFileSync(join(folder, name), 'utf8');
	const lines = <T>(name: string): T[] =>
		text(name)
			.split('\n')
			.filter((line) => line !== '')
			.map((line): T => JSON.parse(line));
	const state: Omit<State, 'items'> = JSON.parse(text('state.json'));
	return {
		release,
		state: { ...state, items: lines<StoredItem>('items.jsonl') },
		messages: lines('messages.jsonl'),
		steps: lines('steps.jsonl'),
		shapes: JSON.parse(text('shapes.json')),
	};
}
