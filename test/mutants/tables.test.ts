import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { timesIn } from './mutant.ts';
import { tables } from './tables.ts';

// Whether the tests do notice is seen by `npm run mutants`; that the tables fit the code, here.

describe('the table of guards', () => {
	it('quotes the code as it is: each text once in its file', () => {
		const moved = tables.filter((mutant) => timesIn(readFileSync(mutant.file, 'utf8'), mutant) !== 1);
		expect(moved.map(({ guard, file, text }) => `${guard}: ${file}: ${text}`)).toEqual([]);
	});

	it('changes it, and names tests that exist', () => {
		const idle = tables.filter(({ text, instead, test }) => text === instead || !existsSync(test));
		expect(idle.map(({ guard }) => guard)).toEqual([]);
	});

	it('says of each guard once what it is for', () => {
		const guards = tables.map(({ guard }) => guard);
		expect(guards.filter((guard, position) => guards.indexOf(guard) !== position)).toEqual([]);
	});
});
