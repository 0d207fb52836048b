import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { default: Sequencer } = createRequire(join(process.cwd(), 'package.json'))('@jest/test-sequencer');

/** The file with the names and the duration of each test file. It is in StrykerJS's copy of the project. */
export const TESTS_OF_FILES = 'tests-of-files.jsonl';

/**
 * Sorts the test files that have a test for the mutant, fastest first, because the first test that fails ends the run. It leaves
 * out the other files. Otherwise jest would load each of them only to skip its tests.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class MutantSequencer extends Sequencer {
	#reaching;

	constructor({ globalConfig, ...more }) {
		super({ globalConfig, ...more });
		this.#reaching = globalConfig.testNamePattern ? new RegExp(globalConfig.testNamePattern, 'i') : null;
	}

	sort(tests) {
		if (this.#reaching === null || !existsSync(TESTS_OF_FILES)) return super.sort(tests);
		const lines = readFileSync(TESTS_OF_FILES, 'utf8').trim().split('\n');
		const files = lines.map((line) => JSON.parse(line));
		const reaching = files.filter(({ names }) => names.some((name) => this.#reaching.test(name)));
		const ms = new Map(reaching.map((file) => [file.path, file.ms]));
		return tests.filter(({ path }) => ms.has(path)).sort((a, b) => ms.get(a.path) - ms.get(b.path));
	}
}
