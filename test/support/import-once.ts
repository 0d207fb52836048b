/** The global that holds the `import` of Node.js itself, from test/support/environment.ts. */
export const IMPORT_ONCE = Symbol.for('call-back.import-once');

/**
 * Imports a module that Node.js loads once for all test files of a process. Only for modules that keep nothing from one use
 * to the next. Their errors and arrays are of other classes than the test's. Outside jest it is a plain `import`.
 */
export async function importOnce<M>(specifier: string): Promise<M> {
	const load: unknown = Reflect.get(globalThis, IMPORT_ONCE);
	return typeof load === 'function' ? await load(specifier) : await import(specifier);
}
