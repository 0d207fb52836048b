import config, { ignored } from './jest.config.js';
import { promises, tables } from './lab/promises.ts';

// The workers inherit it.
process.env['EACH_CASE'] = 'yes';

/** As `npm test` has it, with the files that it leaves out, and with each case of the tables that it shortens. */
export default {
	...config,
	rootDir: '..',
	testMatch: [...promises, ...tables].map((name) => `<rootDir>/test/${name}.test.ts`),
	testPathIgnorePatterns: ignored,
};
