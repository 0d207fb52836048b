import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Environment from './environment.ts';
import { TESTS_OF_FILES } from './mutant-sequencer.js';

const { mixinJestEnvironment } = createRequire(import.meta.url)('@stryker-mutator/jest-runner');

// Most mutants die in the first histories of a call, and one that survives plays them all.
process.env['CALL_HISTORIES'] ??= '120';

/** The mutant that a test has killed. */
let killed = '';

/**
 * The environment of a test file for `npm run mutants`. Node.js loads the product's modules once for all runs (runtime.ts),
 * so they find StrykerJS's data in this process, and a mutant is active only while tests run. Once a test has failed, the
 * rest of that mutant's tests are skipped.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class MutantEnvironment extends mixinJestEnvironment(Environment) {
	#mutant = process.env['__STRYKER_ACTIVE_MUTANT__'];
	#shared;

	constructor(config, context) {
		super(config, context);
		this.#shared = this.global.__stryker__;
		globalThis.__stryker__ = this.#shared;
		const told = this.handleTestEvent;
		this.handleTestEvent = async (event, state) => {
			await told(event, state);
			if (this.#mutant !== undefined) this.#follow(event);
			else if (event.name === 'run_start') note(context.testPath, namesIn(state.rootDescribeBlock));
		};
	}

	#follow({ name, test }) {
		if (name === 'run_start') this.#shared.activeMutant = this.#mutant;
		if (name === 'run_finish') this.#shared.activeMutant = undefined;
		if (name === 'test_fn_failure') killed = this.#mutant;
		if (name === 'test_start' && killed === this.#mutant) test.mode = 'skip';
	}
}

function note(path, names) {
	appendFileSync(TESTS_OF_FILES, `${JSON.stringify({ path, names })}\n`);
}

function namesIn({ children, name, parent }, before = '') {
	const inside = parent === undefined ? '' : `${before}${name} `;
	return children.flatMap((child) => (child.type === 'test' ? `${inside}${child.name}` : namesIn(child, inside)));
}
