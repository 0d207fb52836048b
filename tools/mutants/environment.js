import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TESTS_OF_FILES } from './sequencer.js';

const { mixinJestEnvironment } = createRequire(import.meta.url)('@stryker-mutator/jest-runner');
const { TestEnvironment } = createRequire(join(process.cwd(), 'package.json'))('./test/support/jest/own-realm.cjs');

/** The mutant that a test of this process has detected last. */
let detected;

/**
 * The test environment of StrykerJS. In the run without a mutant, it records the names of the tests in each file and how long the
 * file took. In the run of a mutant, it skips the tests that are left once one has failed.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class MutantEnvironment extends mixinJestEnvironment(TestEnvironment) {
	constructor(config, context) {
		super(config, context);
		const mutant = process.env['__STRYKER_ACTIVE_MUTANT__'];
		// A module reads the environment variable only once, and here it outlives the mutant.
		this.global.__stryker__.activeMutant = mutant;
		const told = this.handleTestEvent;
		const startedAt = performance.now();
		const record = ({ rootDescribeBlock }) => {
			const file = { path: context.testPath, ms: performance.now() - startedAt, names: namesIn(rootDescribeBlock) };
			appendFileSync(TESTS_OF_FILES, `${JSON.stringify(file)}\n`);
		};
		this.handleTestEvent = async (event, state) => {
			await told?.call(this, event, state);
			if (mutant === undefined) {
				if (event.name === 'run_finish') record(state);
				return;
			}
			if (event.name === 'test_done' && event.test.errors.length > 0) detected = mutant;
			if (mutant !== detected) return;
			if (event.name === 'run_describe_start') event.describeBlock.mode = 'skip';
			if (event.name === 'test_start') event.test.mode = 'skip';
		};
	}
}

function namesIn({ children, name, parent }, before = '') {
	const inside = parent === undefined ? '' : `${before}${name} `;
	return children.flatMap((child) => (child.type === 'test' ? `${inside}${child.name}` : namesIn(child, inside)));
}
