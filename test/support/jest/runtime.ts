import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { setGlobals } from './globals.ts';

// jest loads this file with `require`, and its own package has types for that only.
const { default: Runtime }: typeof import('jest-runtime') = createRequire(import.meta.url)('jest-runtime');

const GLOBALS = new URL('./globals.ts', import.meta.url).href;

/** The number of loads of each file. Set-up files have to run for every test file. */
const loads = new Map<string, number>();

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * jest's runtime with Node.js as the loader: a process loads a module once for all its test files, with V8's code cache.
 * With jest's loader, loading the modules again for each file took a fifth of the processor time of tests without a stack.
 * A test file must restore what it changes outside itself.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class NativeRuntime extends Runtime {
	override unstable_shouldLoadAsEsm(path: string): boolean {
		return path.endsWith('.ts');
	}

	override async unstable_importModule(from: string): Promise<void> {
		setGlobals(this.requireModuleOrMock(from, '@jest/globals'));
		// Without types, each line is still where it was, so stacks need no source maps.
		Reflect.deleteProperty(Error, 'prepareStackTrace');
		const count = loads.get(from) ?? 0;
		loads.set(from, count + 1);
		const { href } = pathToFileURL(from);
		await import(count === 0 ? href : `${href}?${count}`);
	}

	/** Loads jest's own modules once as well, except the module that holds the tests of a file (called without `to`). */
	override requireInternalModule<T = unknown>(from: string, to?: string): T {
		return to === undefined ? super.requireInternalModule(from) : createRequire(from)(to);
	}
}
