import config, { ignored } from './jest.config.js';
import { promises, tables } from './lab/promises.ts';

// The workers inherit it.
process.env['EACH_CASE'] = 'yes';

/**
 * The configuration of `npm test`, but for two kinds of tests only: those that `npm test` leaves out, and the tables that it
 * shortens, here with every case.
 */
export default {
	...config,
	rootDir: '..',
	testMatch: [...promises, ...tables].map((name) => `<rootDir>/test/${name}.test.ts`),
	testPathIgnorePatterns: ignored,
};
