import type * as Jest from '@jest/globals';

// Replaces `@jest/globals` in tests (runtime.ts). Modules are shared by test files, so each use has to find the functions of
// the running test file.

type Globals = typeof Jest;

let running: Globals | null = null;

export function setGlobals(globals: Globals): void {
	running = globals;
}

function current(): Globals {
	if (running === null) throw new Error('@jest/globals: no test file is running');
	return running;
}

/** Stands for a function of the running test file, or its `jest`. */
const currentOf = (name: string): object =>
	new Proxy(() => undefined, {
		get: (_, property) => Reflect.get(Reflect.get(current(), name), property),
		apply: (_, self, given) => Reflect.apply(Reflect.get(current(), name), self, given),
	});

export const afterAll = currentOf('afterAll');
export const afterEach = currentOf('afterEach');
export const beforeAll = currentOf('beforeAll');
export const beforeEach = currentOf('beforeEach');
export const describe = currentOf('describe');
export const expect = currentOf('expect');
export const it = currentOf('it');
export const jest = currentOf('jest');
