import config, { ignored } from './jest.config.js';
import { promises, tables } from './lab/promises.ts';

// The processes in which jest runs the tests inherit this variable.
process.env['EACH_CASE'] = 'yes';

/**
 * Runs only two kinds of tests: those that `npm test` leaves out, and the tables of cases that `npm test` shortens. Here, the
 * tables have every case. Otherwise, this is the configuration of `npm test`.
 */
export default {
	...config,
	rootDir: '..',
	testMatch: [...promises, ...tables].map((name) => `<rootDir>/test/${name}.test.ts`),
	testPathIgnorePatterns: ignored,
};
