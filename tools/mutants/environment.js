import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { TESTS_OF_FILES } from './sequencer.js';

const { mixinJestEnvironment } = createRequire(import.meta.url)('@stryker-mutator/jest-runner');
const { TestEnvironment } = createRequire(join(process.cwd(), 'package.json'))('jest-environment-node');

/** The test environment of StrykerJS. In the run without a mutant, it also records the names of the tests in each file. */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class MutantEnvironment extends mixinJestEnvironment(TestEnvironment) {
	constructor(config, context) {
		super(config, context);
		const told = this.handleTestEvent;
		this.handleTestEvent = async (event, state) => {
			await told?.call(this, event, state);
			if (event.name !== 'run_start' || process.env['__STRYKER_ACTIVE_MUTANT__'] !== undefined) return;
			const line = JSON.stringify({ path: context.testPath, names: namesIn(state.rootDescribeBlock) });
			appendFileSync(TESTS_OF_FILES, `${line}\n`);
		};
	}
}

function namesIn({ children, name, parent }, before = '') {
	const inside = parent === undefined ? '' : `${before}${name} `;
	return children.flatMap((child) => (child.type === 'test' ? `${inside}${child.name}` : namesIn(child, inside)));
}
