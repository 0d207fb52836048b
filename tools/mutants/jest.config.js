import { join } from 'node:path';
import base from '../../test/jest.config.js';

/**
 * The configuration for `npm run lab -- mutants`. It runs the tests of the domain and of the use cases that need no stack, no
 * browser, no TLS and no other process.
 */
export default {
	...base,
	rootDir: process.cwd(),
	roots: ['<rootDir>/shared', '<rootDir>/test'],
	testMatch: ['<rootDir>/test/{unit,property,delivery}/**/*.test.ts'],
	testPathIgnorePatterns: [...base.testPathIgnorePatterns, '/test/delivery/(receivers|names|limits)\\.'],
	testEnvironment: join(import.meta.dirname, 'environment.js'),
	testSequencer: join(import.meta.dirname, 'sequencer.js'),
};
