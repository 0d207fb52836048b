import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { operatorAt } from '../support/operator.ts';

// Every operator command in a document or a text has to exist in the program, with the options that the text shows.

const ops = operatorAt({});
const helpOf = async (words: readonly string[]): Promise<string> => (await ops(...words, '--help')).out;

/** The subcommands of a command, as the command's help lists them. */
const namesIn = (help: string): readonly string[] =>
	[...(help.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);

const FILES = [
	'README.md',
	'CONTRIBUTING.md',
	'docs/*.md',
	'packages/*/README.md',
	'shared/**/*.{ts,json}',
	'packages/**/*.ts',
	'CHANGELOG.md',
];

/**
 * Finds commands in texts: `npm run ops -- workspace show --workspace W`, or only `workspace show --workspace W` in
 * backticks.
 */
async function commandsInTexts(): Promise<
	readonly { readonly file: string; readonly words: readonly string[]; readonly isRun: boolean }[]
> {
	const groups = namesIn(await helpOf([]));
	const command = new RegExp(`(ops -- |\\bops |\`)((?:${groups.join('|')})(?: [^\\n\`'"]+)?)`, 'g');
	return FILES.flatMap((pattern) => globSync(pattern, { exclude: ['**/node_modules/**'] })).flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(command)].map(([, before = '', text = '']) => {
			return { file, words: text.replace(/ +#.*$/, '').split(/[\s,;|]+/), isRun: before === 'ops -- ' };
		}),
	);
}

it('every operators’ command that a text names exists, with each of its options', async () => {
	const wrong: string[] = [];
	const all = (await commandsInTexts()).filter(
		({ words: [, second = ''], file }) => file !== 'CHANGELOG.md' || second.startsWith('--'),
	);
	for (const { file, words, isRun } of all) {
		const [group = '', name = ''] = words;
		const below = namesIn(await helpOf([group]));
		if (below.length > 0 && !/^[a-z-]+$/.test(name)) continue;
		if (below.length > 0 && !below.includes(name)) {
			// Words in backticks may be no command, such as `workspace` in a table. So they count only if they contain an option.
			if (isRun || words.some((word) => word.startsWith('--'))) wrong.push(`${file}: ops ${words.join(' ')}`);
			continue;
		}
		const help = await helpOf(below.length > 0 ? [group, name] : [group]);
		for (const option of words.filter((word) => /^\[?--[a-z]/.test(word))) {
			const [flag = ''] = /--[a-z][a-z-]*/.exec(option) ?? [];
			if (!new RegExp(`${flag}(?![a-z-])`).test(help)) wrong.push(`${file}: ops ${group} ${name} has no ${flag}`);
		}
	}
	expect(wrong).toEqual([]);
	expect(all.length).toBeGreaterThan(60);
});
