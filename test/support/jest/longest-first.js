import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** The files that mostly wait, for what a killed process held or for a call to end; longest first. */
const WAITS = ['local/kill', 'operator/dead-letters', 'browser/owner-week', 'operator/smoke', 'browser/desk-story'];
/** The files that compute longest: more than ten seconds of a processor, however short they are. */
const LONG = [
	'docs/newcomer',
	'browser/docs-site',
	'packages/packages',
	'browser/desk',
	'browser/widget-each-built-in',
	'packages/cdk',
	'api/permissions',
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
];
/** So many of the others compute while one waits. */
const GROUP = 6;
/** Starts a stack, a browser, a linter, a compiler or a package manager. */
const COMPUTES =
	/\b(testStack|suiteStack|operatedStack|startStack|startStackProcess|suiteStage|stackAndBrowser|launchChromium|emptyProject)\b|promisify\(execFile\)|\/synthesised\.ts'|test\/(property|hostile)\//;

/**
 * Begins with the files that take longest, however few lines they have: the last one to end would keep one processor idle.
 * Those that wait begin at equal distances, so that one after the other waits while the rest compute. Within each kind
 * jest's own order holds.
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

/** Puts one of some before each group of others. */
function spread(some, others) {
	const parts = some.map((one, n) => [one, ...others.slice(n * GROUP, (n + 1) * GROUP)]);
	return [...parts.flat(), ...others.slice(some.length * GROUP)];
}
