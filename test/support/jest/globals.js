// Replaces `@jest/globals`, because test files share their modules here: each of these functions calls the one with the same name
// that belongs to the running test file.

const current = () => globalThis[Symbol.for('globals of the test file')];

/** @param {string} name */
const forward = (name) =>
	new Proxy(() => undefined, {
		apply: (_, self, args) => Reflect.apply(current()[name], self, args),
		get: (_, member) => Reflect.get(current()[name], member),
		has: (_, member) => Reflect.has(current()[name], member),
	});

export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const describe = forward('describe');
export const expect = forward('expect');
export const it = forward('it');
export const jest = forward('jest');
export const test = forward('test');
