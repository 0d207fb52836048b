import config, { ignored } from './jest.config.js';
import { promises } from './lab/promises.ts';

/** As `npm test` has it, with the files that it leaves out. */
export default {
	...config,
	rootDir: '..',
	testMatch: promises.map((name) => `<rootDir>/test/${name}.test.ts`),
	testPathIgnorePatterns: ignored,
};
