/** Node strips the types itself; tests are native ES modules. Run through `npm test`, which sets the flags Node needs. */
export default {
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	transform: {},
	extensionsToTreatAsEsm: ['.ts'],
	testEnvironment: 'node',
	testSequencer: '<rootDir>/test/support/stacks-first.js',
	globalSetup: '<rootDir>/test/support/print-seed.ts',
	moduleNameMapper: { '^fast-check$': '<rootDir>/test/support/seeded-fast-check.ts' },
	testPathIgnorePatterns: ['/node_modules/'],
	modulePathIgnorePatterns: ['<rootDir>/(cdk.out|dist|\\.local)/'],
	maxWorkers: 2,
	// Tests wait for conditions. This ends one that hangs, on a machine that is busy with other work too.
	testTimeout: 240_000,
	// A process that is still there then was left something open; half a second, unless told, is too short for any on a loaded machine.
	workerGracefulExitTimeout: 15_000,
};
