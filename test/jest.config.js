import { leftOut, promises } from './lab/promises.ts';
import { hasBrowser } from './support/browser/installed.ts';

/** The files that start a browser. */
const IN_A_BROWSER = ['/test/browser/', '/test/docs/documented-blocks\\.', '/test/packages/react\\.'];

/** Files that no test run on this machine uses. */
export const ignored = ['/node_modules/', ...((await hasBrowser()) ? [] : IN_A_BROWSER)];

/** Each worker evaluates a module once, for all its test files. */
const SHARED_MODULES = {
	runtime: '<rootDir>/test/support/jest/shared-modules.cjs',
	testEnvironment: '<rootDir>/test/support/jest/own-realm.cjs',
};
/** A changed module would otherwise stay. */
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
	// More than a small machine has processors, because many files wait for a process, a deadline or a browser. More workers
	// only slow everything down: on two processors, four took 649 s and five 691 s.
	maxWorkers: 4,
	// Tests wait for conditions. This limit only ends a test that hangs: a machine at a tenth of its speed is no failure.
	testTimeout: 900_000,
	// A process that has not exited by then has left something open. The default of half a second is too short on a loaded
	// machine.
	workerGracefulExitTimeout: 15_000,
};
