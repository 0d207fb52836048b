import { registerHooks } from 'node:module';
import { type Mutant, mutants } from './mutants.ts';

// A loader hook. The functions run with their own modules, but the world's ports replace the adapters that reach out of the
// process. The providers' adapters stay; only the function with which they send a request is replaced. If there is a mutant,
// the hook also changes the source of one rule when the source is loaded.

const REPLACED =
	/\/shared\/adapters\/(aws\/(keys\/[\w-]+|mail|pages|widget-files)|dynamodb\/store|sqs\/(queues|together)|https\/(sender|chat)|clock|ids|log|result-cache|telephony\/provider)\.ts$/;

const PORTS = new URL('./ports.ts', import.meta.url);
const WIRE = new URL('./wire.ts', import.meta.url);
/** The modules through which the providers' adapters reach the network. */
const WIRED = /^node:https$|\/whole-response\.ts$/;

/**
 * Call this function before the functions of the service are imported. Throws if the source no longer contains the mutant's text.
 */
export function replaceAdapters(mutantName: string | null): void {
	const mutant = mutants.find(({ name }) => name === mutantName) ?? null;
	if (mutantName !== null && mutant === null) throw new Error(`there is no mutant "${mutantName}"`);
	registerHooks({
		resolve(specifier, context, nextResolve) {
			const from = context.parentURL ?? '';
			if (WIRED.test(specifier) && from.endsWith('/telephony/provider-http.ts')) return nextResolve(WIRE.href, context);
			const resolved = nextResolve(specifier, context);
			return REPLACED.test(resolved.url) && !from.includes('/test/') ? nextResolve(PORTS.href, context) : resolved;
		},
		load(url, context, nextLoad) {
			const loaded = nextLoad(url, context);
			if (mutant === null || !url.endsWith(mutant.file)) return loaded;
			return { ...loaded, source: mutated(String(loaded.source), mutant) };
		},
	});
}

export function mutated(source: string, { name, from, to }: Mutant): string {
	if (source.split(from).length !== 2) throw new Error(`mutant "${name}": its source must have the text once: ${from}`);
	return source.replace(from, () => to);
}
