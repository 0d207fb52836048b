import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * Test files that mostly wait: until the lease of a killed process has expired, until a call ends, or until processes have
 * stopped. The longest is first. If such a file came last in a run, the other workers would have nothing to do until it ends.
 */
const WAITS = [
	'local/kill',
	'operator/dead-letters',
	'browser/owner-week',
	'operator/smoke',
	'browser/desk-story',
	'aws/other-machines',
	'stopped/stopped',
	'api/customer-sentences',
];
/** Test files that use the most processor time, although some of them have few lines. */
const LONG = [
	'docs/newcomer',
	'browser/docs-site',
	'packages/packages',
	'browser/desk',
	'browser/widget-each-built-in',
	'packages/cdk',
	'api/permissions',
	'hostile/in-process',
	'upgrade/written-today',
	'api/every-ending',
	'api/idempotency',
	'api/traced-calls',
	'world/many-worlds',
	'api/lists',
	'browser/widget-looks',
	'browser/desk-takeover',
	'browser/demo',
	'browser/widget-visits',
	'upgrade/samples',
	'browser/console',
	'browser/widget-on-odd-pages',
	'browser/callback-link',
	'api/refusals',
	'local/aws/iam',
	'infra/construct',
	'local/listen',
	'infra/policies',
	'conformance/deployment',
	'client/stack',
];
/** How many of the other files run while one file waits. */
const GROUP = 6;
/**
 * Matches the path and the text of a test file that starts a program or a stack, synthesises templates or tests random
 * inputs.
 */
const COMPUTES =
	/\b(testStack|suiteStack|operatedStack|startStack|startStackProcess|suiteStage|stackAndBrowser|launchChromium|emptyProject)\b|promisify\(execFile\)|\/synthesised\.ts'|test\/(property|hostile)\//;

/**
 * Runs the files that take longest first, because a long file at the end would leave the other processors idle. The files that
 * mostly wait are spread evenly, so that one of them waits while the others compute. Otherwise jest's own order holds.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class LongestFirst extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const named = (names) => names.flatMap((name) => sorted.filter(({ path }) => path.endsWith(`/${name}.test.ts`)));
		const [waits, long] = [named(WAITS), named(LONG)];
		const others = sorted.filter((test) => !waits.includes(test) && !long.includes(test));
		const computes = others.filter(({ path }) => COMPUTES.test(`${path} ${readFileSync(path, 'utf8')}`));
		const short = others.filter((test) => !computes.includes(test));
		return [...spread(waits, [...long, ...computes]), ...short];
	}
}

/** Puts one item of `some` in front of each group of `others`. */
function spread(some, others) {
	const parts = some.map((one, n) => [one, ...others.slice(n * GROUP, (n + 1) * GROUP)]);
	return [...parts.flat(), ...others.slice(some.length * GROUP)];
}
