/** Node strips the types itself; tests are native ES modules. Run through `npm test`, which sets the flags Node needs. */
export default {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: {},
	extensionsToTreatAsEsm: ['.ts'],
	testEnvironment: '<rootDir>/test/support/environment.ts',
	testSequencer: '<rootDir>/test/support/longest-first.js',
	globalSetup: '<rootDir>/test/support/global-set-up.ts',
	moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/seeded-fast-check.ts' },
	testPathIgnorePatterns: ['/node_modules/'],
	modulePathIgnorePatterns: ['<rootDir>/(cdk.out|dist|\\.local)/'],
	// More than a small machine has processors: many files wait for a process, a deadline or a browser. With three of them,
	// two processors had nothing to do for a quarter of the time.
	maxWorkers: 5,
	// Tests wait for conditions. This limit ends a test that hangs, also on a busy machine.
	testTimeout: 240_000,
	// A process that has not exited by then has left something open. The default of half a second is too short on a loaded
	// machine.
	workerGracefulExitTimeout: 15_000,
};
