import * as fc from 'fast-check';

/**
 * Checks a property over many seeds. A failing seed prints a command that repeats it: the command sets REPLAY, and only the
 * named property then runs that seed.
 */
export async function holds<T>(
	name: string,
	file: string,
	inputs: fc.Arbitrary<T>,
	property: (input: T) => Promise<void>,
	numRuns: number,
): Promise<void> {
	const asked: unknown = JSON.parse(process.env['REPLAY'] ?? 'null');
	const [of, seed, path] = Array.isArray(asked) ? asked : [];
	const replayed = of === name && typeof seed === 'number' ? { seed, path: String(path) } : {};
	const result = await fc.check(fc.asyncProperty(inputs, property), { numRuns, ...replayed });
	if (!result.failed) return;
	const told = JSON.stringify([name, result.seed, result.counterexamplePath]);
	const input = fc.stringify(result.counterexample);
	throw new Error(`${String(result.errorInstance)}\n\nREPLAY='${told}' npm test -- ${file}\n\n${input}`);
}
