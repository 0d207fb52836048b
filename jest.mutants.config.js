import base from './jest.config.js';

// Use jest's own loader, because StrykerJS needs modules that are loaded again for each run.
const { runtime: _runtime, ...config } = base;

/** For `npm run mutants`: the tests of domain and use cases that need neither a stack nor a browser, nor TLS. */
export default {
	...config,
	roots: ['<rootDir>/shared', '<rootDir>/test'],
	testMatch: ['<rootDir>/test/{unit,property,simulation,delivery}/**/*.test.ts'],
	testPathIgnorePatterns: [...config.testPathIgnorePatterns, '/test/delivery/(receivers|names|limits)\\.'],
	// Tells StrykerJS which test reaches which mutant.
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
