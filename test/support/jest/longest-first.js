import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Starts a stack, or runs something that does: waits as long as it computes. */
const STARTS_A_STACK = /\b(testStack|operatedStack|startStack|startStackProcess|npmStart|torture)\(|bench\/main\.ts/;
/** Starts a browser, a linter, a compiler or a package manager, or simulates whole days: computes all the time. */
const COMPUTES =
	/\b(openStage|stackAndBrowser|launchChromium|emptyProject|runDeliveries)\b|promisify\(execFile\)|\/synthesised\.ts'/;

/**
 * Begins with the files that take longest, however few lines they have: the last one to end would keep one processor idle.
 * Those that wait and those that compute take turns, so that one computes while another waits. Within each kind jest's own
 * order holds.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class LongestFirst extends Sequencer {
	sort(tests) {
		const kinds = { waits: [], computes: [], short: [] };
		for (const test of super.sort(tests)) kinds[kindOf(readFileSync(test.path, 'utf8'))].push(test);
		return [...alternately(kinds.waits, kinds.computes), ...kinds.short];
	}
}

function kindOf(source) {
	if (STARTS_A_STACK.test(source)) return 'waits';
	return COMPUTES.test(source) ? 'computes' : 'short';
}

function alternately(some, others) {
	const longest = Math.max(some.length, others.length);
	return Array.from({ length: longest }, (_, n) => [some[n], others[n]])
		.flat()
		.filter(Boolean);
}
