import { leftOut, promises } from './lab/promises.ts';
import { hasBrowser } from './support/browser/installed.ts';

/** The test files that start a browser. */
const IN_A_BROWSER = ['/test/browser/', '/test/docs/documented-blocks\\.', '/test/packages/react\\.'];

/** Paths that jest ignores. Without a browser on the machine, these include the tests that start one. */
export const ignored = ['/node_modules/', ...((await hasBrowser()) ? [] : IN_A_BROWSER)];

/** Each worker evaluates a module once for all its test files. */
const SHARED_MODULES = {
	runtime: '<rootDir>/test/support/jest/shared-modules.cjs',
	testEnvironment: '<rootDir>/test/support/jest/own-realm.cjs',
};
/** In watch mode, a shared module would not be reloaded when it changes. */
const isWatching = process.argv.some((option) => option.startsWith('--watch'));

/** Node.js strips the types and loads the modules itself; jest only runs the tests. */
export default {
	rootDir: '..',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: {},
	extensionsToTreatAsEsm: ['.ts'],
	injectGlobals: false,
	...(isWatching ? {} : SHARED_MODULES),
	testSequencer: '<rootDir>/test/support/jest/longest-first.js',
	globalSetup: '<rootDir>/test/support/jest/global-set-up.ts',
	setupFiles: ['<rootDir>/test/support/jest/seed-fast-check.ts'],
	testPathIgnorePatterns: [...ignored, ...promises.map(leftOut)],
	modulePathIgnorePatterns: ['<rootDir>/(cdk.out|dist|\\.local)/'],
	// The folder is inside node_modules, so that `npm ci` empties it.
	cacheDirectory: '<rootDir>/node_modules/.cache/jest',
	// There are more workers than a small machine has processors, because many test files wait for a process, a deadline or a
	// browser. On two processors, three workers took 327 s and five took 273 s, which kept the processors busy for 98 % of the time.
	maxWorkers: 5,
	// Tests wait for conditions, so this limit only ends a test that hangs. A machine with a tenth of the usual speed should still
	// pass.
	testTimeout: 900_000,
	// A process that has not exited after this time has left something open. The default of half a second is too short on a busy
	// machine.
	workerGracefulExitTimeout: 15_000,
};
