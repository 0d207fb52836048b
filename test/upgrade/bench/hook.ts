import { registerHooks } from 'node:module';
import { type Mutant, mutants } from '../mutants.ts';

// The functions' own modules run as they are. Replaced are only the clock with the ids, and the connections to receivers of
// webhooks; a mutant changes the source of one file as it is loaded.

const REPLACED = /\/shared\/adapters\/(system|clock|ids|log|https\/sender)\.ts$/;
const PARTS = new URL('./parts.ts', import.meta.url).href;
const TESTS = new URL('../../', import.meta.url).href;

/** Call it before the functions are imported. Throws if the mutant's text is not in the source any more. */
export function replaceParts(mutant_name: string | null): void {
	const mutant = mutants.find(({ name }) => name === mutant_name) ?? null;
	if (mutant_name !== null && mutant === null) throw new Error(`there is no mutant "${mutant_name}"`);
	registerHooks({
		resolve(specifier, context, nextResolve) {
			const resolved = nextResolve(specifier, context);
			const isOurs = (context.parentURL ?? '').startsWith(TESTS);
			return REPLACED.test(resolved.url) && !isOurs ? nextResolve(PARTS, context) : resolved;
		},
		load(url, context, nextLoad) {
			const loaded = nextLoad(url, context);
			if (mutant === null || !url.endsWith(`/${mutant.file}`)) return loaded;
			return { ...loaded, source: mutated(String(loaded.source), mutant) };
		},
	});
}

export function mutated(source: string, { name, from, to }: Pick<Mutant, 'name' | 'from' | 'to'>): string {
	if (source.split(from).length !== 2) throw new Error(`mutant "${name}": its source must have the text once: ${from}`);
	return source.replace(from, () => to);
}
