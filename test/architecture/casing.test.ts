import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { miswritten } from './casing.ts';
import { sourcesIn } from './check-imports.ts';

/** This file names its constants like fields, because the examples of the API document use them as shorthand properties. */
const EXAMPLES = 'shared/contract/kernel/example-values.ts';
const repository = join(import.meta.dirname, '../..');

it.each([
	['a variable', 'const started_ms = 1; use(started_ms);', ['started_ms']],
	['a parameter', 'const f = (now_ms: number) => now_ms;', ['now_ms']],
	['a function', 'function read_all() {}', ['read_all']],
	['a variable that a shorthand gives to a field', 'const call_id = 1; send({ call_id });', []],
	['a variable taken from a field', 'const { call_id } = call; use(call_id);', []],
	['a field', 'const call = { call_id: 1 };', []],
	['a constant', 'const MOST_CALLS = 1;', []],
])('the check judges whether %s is spelled like a field: %s', (_what, text, names) => {
	expect(miswritten('a.ts', text)).toEqual(names);
});

it('no variable, parameter or function of the repository has a name in snake_case, unless it becomes a field or comes from one', () => {
	const files = sourcesIn(repository).filter((file) => file !== EXAMPLES);
	const found = files.flatMap((file) =>
		miswritten(file, readFileSync(join(repository, file), 'utf8')).map((name) => `${file}: ${name}`),
	);
	expect(found).toEqual([]);
});
