import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.ts';

// jest loads this file with `require`, and its own package has types for that only.
const { default: Runtime }: typeof import('jest-runtime') = createRequire(import.meta.url)('jest-runtime');

const GLOBALS = new URL('./globals.ts', import.meta.url).href;

/** How often each file was loaded: every test file runs the set-up files anew. */
const loads = new Map<string, number>();

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * jest's runtime with Node.js as the loader of all modules: once for all test files of a process, with V8's code cache, and
 * compiled for as long as the process lives. jest would load them for each file anew, which took a fifth of the processor
 * time of tests without a stack. What a test file changes outside itself, it restores.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class NativeRuntime extends Runtime {
	override unstable_shouldLoadAsEsm(path: string): boolean {
		return path.endsWith('.ts');
	}

	override async unstable_importModule(from: string): Promise<void> {
		setGlobals(this.requireModuleOrMock(from, '@jest/globals'));
		const count = loads.get(from) ?? 0;
		loads.set(from, count + 1);
		const { href } = pathToFileURL(from);
		await import(count === 0 ? href : `${href}?${count}`);
	}

	/** jest's own modules as well, except the one that keeps the tests of a file (without `to`). */
	override requireInternalModule<T = unknown>(from: string, to?: string): T {
		return to === undefined ? super.requireInternalModule(from) : createRequire(from)(to);
	}
}
