import { registerHooks } from 'node:module';
import { type Mutant, mutants } from './mutants.ts';

// A loader hook. The functions run with their own modules, but ports of the world replace the adapters that reach out of the
// process. Of the providers' adapters, only the last step is replaced: sending the request. A mutant also changes the source of
// one rule as it is loaded.

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
