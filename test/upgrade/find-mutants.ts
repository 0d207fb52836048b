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

/** What detects the mutant: a reason of the comparison of types, or a step of a story. Null if nothing does. */
async function finder(mutant: Mutant): Promise<string | null> {
	if (mutant.in === 'steps') return firstDifference(mutant.name).catch(() => 'the functions do not start');
	const text = mutated(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant);
	const shapes = readShapes(ROOT, { file: mutant.file, text });
	return releases().flatMap((release) => compared(shapes, samplesOf(release).shapes))[0] ?? null;
}

/** The first step, in the stories of all releases, whose result differs from that of its release. Null if there is none. */
async function firstDifference(...mutant: readonly string[]): Promise<string | null> {
	for (const release of releases()) {
		for (const provider of ['simulator', ...restProviders]) {
			const replayed = await jsonFrom<Replayed>('replay.ts', release, provider, ...mutant);
			const found = replayed.find(({ differs }) => differs.length > 0);
			if (found !== undefined) return found.name;
		}
	}
	return null;
}

/**
 * Breaks today's code with each mutant, or only with the mutant that `wanted` names, and prints what detects it. Resolves to
 * whether every mutant was detected.
 */
export async function findMutants(wanted?: string): Promise<boolean> {
	const chosen = mutants.filter(({ name }) => wanted === undefined || name === wanted);
	const unbroken = await firstDifference();
	if (unbroken !== null) {
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
