import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutated } from './bench/hook.ts';
import { restProviders } from './bench/providers.ts';
import { compared } from './compared.ts';
import { mutants } from './mutants.ts';
import { jsonFrom } from './process.ts';
import type { Replayed } from './replay.ts';
import { releases, samplesOf } from './samples.ts';
import { readShapes } from './shapes.ts';

const ROOT = join(import.meta.dirname, '../..');
const release = releases().at(-1) ?? '';

/** What detects the mutant: a reason of the comparison of types, or a step of a story. Null if nothing does. */
async function finder(mutant: Mutant): Promise<string | null> {
	if (mutant.in === 'types') {
		const text = mutated(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant);
		return compared(readShapes(ROOT, { file: mutant.file, text }), samplesOf(release).shapes)[0] ?? null;
	}
	for (const provider of ['simulator', ...restProviders]) {
		const found = await firstDifference(provider, mutant.name).catch(() => 'the functions do not start');
		if (found !== null) return found;
	}
	return null;
}

/** The first step of the story whose result differs from that of the release; null if there is none. */
async function firstDifference(provider: string, ...mutant: readonly string[]): Promise<string | null> {
	const replayed = await jsonFrom<Replayed>('replay.ts', release, provider, ...mutant);
	return replayed.find(({ differs }) => differs.length > 0)?.name ?? null;
}

/**
 * Breaks today's code with each mutant, or only with the mutant that `wanted` names, and prints what detects it. Resolves to
 * whether every mutant was detected.
 */
export async function findMutants(wanted?: string): Promise<boolean> {
	const chosen = mutants.filter(({ name }) => wanted === undefined || name === wanted);
	for (const provider of ['simulator', ...restProviders]) {
		const unbroken = await firstDifference(provider);
		if (unbroken === null) continue;
		console.log(`Today's code differs without a mutant: ${unbroken}. Run npm test -- test/upgrade first.`);
		return false;
	}
	let found = 0;
	for (const mutant of chosen) {
		const by = await finder(mutant);
		if (by !== null) found += 1;
		console.log(`${by === null ? 'NOT FOUND' : 'found'}  ${mutant.name}${by === null ? '' : `: ${by.slice(0, 120)}`}`);
	}
	console.log(`${found} of ${chosen.length} mutants found.`);
	return found === chosen.length;
}
