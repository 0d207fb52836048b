import { registerHooks } from 'node:module';

// A loader hook. The functions run with their own modules; the hook replaces only the clock, the ids, the log and the
// connections to receivers of webhooks. A mutant also changes the source of one file as it is loaded.

const REPLACED = /\/shared\/adapters\/(system|clock|ids|log|https\/sender)\.ts$/;
const PARTS = new URL('./parts.ts', import.meta.url).href;
const TESTS = new URL('../../', import.meta.url).href;

/**
 * A change of today's code that makes it incompatible with a release: the text `from`, which occurs once in the file, becomes
 * `to`. `in` says what has to detect it: the steps of a release, or the comparison of types with the release.
 */
export type Mutant = {
	readonly name: string;
	readonly in: 'steps' | 'types';
	readonly file: string;
	readonly from: string;
	readonly to: string;
};

/**
 * Replaces parts of the service, and breaks its code as the mutant says. Call this function before the service's functions are
 * imported. If the mutant's file no longer contains the text `from`, the import of that file throws.
 */
export function replaceParts(mutant: Mutant | null): void {
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
