import type * as Jest from '@jest/globals';

// What `import '@jest/globals'` means in a test (runtime.ts): the functions of the test file that runs, also to a module
// that several test files share.

type Globals = typeof Jest;

let current: Globals | null = null;

export function setGlobals(globals: Globals): void {
	current = globals;
}

/** A function that is the one of the running test file at each use. */
function currentOf(name: keyof Globals): object {
	const its = (): object => {
		if (current === null) throw new Error('@jest/globals: no test file is running');
		return current[name];
	};
	return new Proxy(() => undefined, {
		get: (_, property) => Reflect.get(its(), property),
		apply: (_, self, given) => Reflect.apply(Reflect.get(current ?? {}, name), self, given),
	});
}

export const afterAll = currentOf('afterAll');
export const afterEach = currentOf('afterEach');
export const beforeAll = currentOf('beforeAll');
export const beforeEach = currentOf('beforeEach');
export const describe = currentOf('describe');
export const expect = currentOf('expect');
export const it = currentOf('it');
export const jest = currentOf('jest');
