import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { default: Sequencer } = createRequire(join(process.cwd(), 'package.json'))('@jest/test-sequencer');

/** The file with the names of the tests in each test file. It is in StrykerJS's copy of the project. */
export const TESTS_OF_FILES = 'tests-of-files.jsonl';

/** Fast tests detect most mutants, so they run first. */
const ORDER = ['unit', 'property', 'delivery'];
const rank = ({ path }) => ORDER.findIndex((folder) => path.includes(`/test/${folder}/`));

/**
 * Leaves out the test files that have no test for the mutant. Otherwise jest would load each of these files only to skip its
 * tests.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class MutantSequencer extends Sequencer {
	#reaching;

	constructor({ globalConfig, ...more }) {
		super({ globalConfig, ...more });
		this.#reaching = globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : null;
	}

	sort(tests) {
		const sorted = super.sort(tests).sort((a, b) => rank(a) - rank(b));
		if (this.#reaching === null || !existsSync(TESTS_OF_FILES)) return sorted;
		const lines = readFileSync(TESTS_OF_FILES, 'utf8').trim().split('\n');
		const files = lines
			.map((line) => JSON.parse(line))
			.filter(({ names }) => names.some((name) => this.#reaching.test(name)));
		const reaching = new Set(files.map(({ path }) => path));
		return sorted.filter(({ path }) => reaching.has(path));
	}
}
