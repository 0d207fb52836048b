import { leftOut, promises } from './lab/promises.ts';
import { hasBrowser } from './support/browser/installed.ts';

/** The files that start a browser. */
const IN_A_BROWSER = ['/test/browser/', '/test/docs/documented-blocks\\.', '/test/packages/react\\.'];

/** What no run of the tests on this machine takes up. */
export const ignored = ['/node_modules/', ...((await hasBrowser()) ? [] : IN_A_BROWSER)];

/** Each worker evaluates a module once, for all its test files. */
const SHARED_MODULES = {
	runtime: '<rootDir>/test/support/jest/shared-modules.cjs',
	testEnvironment: '<rootDir>/test/support/jest/own-realm.cjs',
};
/** A module that was evaluated before its change would stay. */
const isWatching = process.argv.some((option) => option.startsWith('--watch'));

/** Node.js strips the types and loads the modules itself; jest runs the tests. */
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
	// Below node_modules, so that `npm ci` empties it.
	cacheDirectory: '<rootDir>/node_modules/.cache/jest',
	// More than a small machine has processors: many files wait for a process, a deadline or a browser. Each more computes
	// everything slower: two processors worked 649 s for four, 691 s for five.
	maxWorkers: 4,
	// Tests wait for conditions. This limit only ends a test that hangs: a machine at a tenth of its speed is no failure.
	testTimeout: 900_000,
	// A process that has not exited by then has left something open. The default of half a second is too short on a loaded
	// machine.
	workerGracefulExitTimeout: 15_000,
};
