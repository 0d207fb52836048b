import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';

// The questions in CONTRIBUTING.md. A reader answers each of them by opening a file and following one name.

type Question = { readonly asked: string; readonly open: string; readonly name: string; readonly home: string };

const ROW = /^\| (.+\?) \| \[.+?\]\((.+?)\) \| `(\w+)` in (?:\[.+?\]\((.+?)\)|the same file) \|$/gm;

const read = (file: string): string => readFileSync(file, 'utf8');
const questions: readonly Question[] = [...read('CONTRIBUTING.md').matchAll(ROW)].map(
	([, asked = '', open = '', name = '', home = open]) => ({ asked, open, name, home }),
);

/** The module from which a file imports the name; null if the file does not import it. */
function importedFrom(file: string, name: string): string | null {
	for (const [, names = '', path = ''] of read(file).matchAll(/import (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)) {
		const imported = names.split(',').map(
			(each) =>
				each
					.trim()
					.replace(/^type /, '')
					.split(' as ')[0],
		);
		if (imported.includes(name)) return posix.join(posix.dirname(file), path);
	}
	return null;
}

/** The reason why an answer in the table is wrong. Empty if the answer leads the reader to the declaration. */
function faultOf({ open, name, home }: Question): string {
	const missing = [open, home].find((file) => !existsSync(file));
	if (missing !== undefined) return `${missing} does not exist`;
	if (!new RegExp(`^(?:export )?(?:async )?(?:const|function|type|class) ${name}\\b`, 'm').test(read(home)))
		return `${home} does not declare ${name}`;
	if (open !== home && importedFrom(open, name) !== home) return `${open} does not import ${name} from ${home}`;
	return '';
}

it('CONTRIBUTING.md answers at least twenty questions', () => {
	expect(questions.length).toBeGreaterThanOrEqual(20);
	expect(new Set(questions.map(({ asked }) => asked)).size).toBe(questions.length);
	// Every row of the table must have the form that this test can read.
	const section = read('CONTRIBUTING.md').split('## Twenty questions')[1]?.split('\n## ')[0] ?? '';
	expect(section.match(/^\| .+\? \|/gm)).toHaveLength(questions.length);
});

it.each(questions.map((question) => [question.asked, question] as const))(
	'CONTRIBUTING.md leads a reader to the answer: %s',
	(_, question) => {
		expect(faultOf(question)).toBe('');
	},
);

describe('an answer is refused', () => {
	const right = {
		asked: '',
		open: 'functions/workers/sweep.ts',
		name: 'sweep',
		home: 'shared/use-cases/retention/sweep.ts',
	};
	it.each([
		['if the file to open is gone', { open: 'functions/workers/broom.ts' }, /does not exist/],
		['if the file of the name is gone', { home: 'shared/use-cases/retention/broom.ts' }, /does not exist/],
		['if the name was renamed', { name: 'sweeps' }, /does not declare sweeps/],
		['if the name moved to another file', { home: 'shared/use-cases/retention/erase-legs.ts' }, /does not declare/],
		['if it takes more than one jump', { open: 'functions/workers/dial-leg.ts' }, /does not import sweep/],
	])('%s', (_, change, fault) => {
		expect(faultOf(right)).toBe('');
		expect(faultOf({ ...right, ...change })).toMatch(fault);
	});
});
