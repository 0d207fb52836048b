import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Starts a stack, or runs something that does. */
const STARTS_A_STACK = /\b(testStack|startStack|startStackProcess|npmStart|torture)\(|bench\/main\.ts/;

/**
 * Begins with the files that start a whole stack: they take longest, however few lines they have, and the last one to
 * end would keep one processor idle. Within each half jest's own order holds.
 */
// biome-ignore lint/style/noDefaultExport: jest takes the default export
export default class StacksFirst extends Sequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const isSlow = ({ path }) => STARTS_A_STACK.test(readFileSync(path, 'utf8'));
		return [...sorted.filter(isSlow), ...sorted.filter((test) => !isSlow(test))];
	}
}
