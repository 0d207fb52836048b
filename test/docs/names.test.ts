import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import english from '../../shared/presentation/texts/desk/en.json' with { type: 'json' };
import { deployed, synthesise, withDomain } from '../infra/synthesised.ts';

// Pages and comments name outputs, pages of the desk, log lines and code. Each of these names has to exist.

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync(['docs/*.md', 'packages/*/README.md'])];
const read = (file: string): string => readFileSync(file, 'utf8');
const { template } = await deployed();
const domain = await synthesise(withDomain);

describe('outputs', () => {
	const names = [template, domain].flatMap(({ Outputs }) => Object.keys(Outputs));

	it.each(documents)('are named with their prefix in %s', (file) => {
		const wrong = names
			.map((name) => name.replace(/^CallBack/, ''))
			.filter((bare) => read(file).includes(`\`${bare}\``));
		expect(wrong).toEqual([]);
	});

	it('exist if a document names them', () => {
		const named = documents.flatMap((file) =>
			[...read(file).matchAll(/(?<=`|CallBack\.)CallBack[A-Z]\w+/g)].map(([name]) => `${file}: ${name}`),
		);
		expect(named.filter((each) => !names.includes(each.split(': ')[1] ?? ''))).toEqual([]);
		expect(named.length).toBeGreaterThan(10);
	});
});

it('docs/first-week.md and docs/desk.md name the pages of the desk as its menu does', () => {
	const titles: readonly string[] = Object.values(english.pages);
	const table = read('docs/desk.md')
		.split('\n')
		.flatMap(
			(line) => /^\| ([A-Z][\w ]+) \|.*\| (?:all|owners|owners, (?:members|developers)) \|$/.exec(line)?.[1] ?? [],
		)
		// The page of one call is left out, because its title is the visitor's name.
		.filter((name) => name !== 'A call');
	const where = read('docs/first-week.md')
		.split('\n')
		.flatMap((line) => /^\| \d \|.*\| ([A-Z][\w, ]+) \|$/.exec(line)?.[1]?.split(', ') ?? []);
	expect([...table, ...where].filter((name) => !titles.includes(name))).toEqual([]);
	expect(new Set(table)).toEqual(new Set(titles));
	expect(where.length).toBeGreaterThan(5);
});

it('docs/local-stack.md has every option of npm start and every script of a simulated phone', () => {
	const page = read('docs/local-stack.md');
	const given = [...read('local/options.ts').matchAll(/'(--[a-z-]+) ?(?:<|')/g)].map(([, name = '']) => name);
	const listed = [...page.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, name]) => name);
	expect(listed.sort()).toEqual(given.sort());
	const digits = [...read('local/phone-network/scripts.ts').matchAll(/^\t'?(\d\d)'?: /gm)].map(([, two]) => two);
	const rows = [...page.matchAll(/^\| (\d\d) \|/gm)].map(([, two]) => two);
	expect(rows).toEqual([...digits].sort());
	expect(rows.length).toBeGreaterThan(10);
});

const sources = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.json', '*.css', '*.html'], { encoding: 'utf8' })
	.trim()
	.split('\n')
	.filter((file) => !/^docs\/|package-lock/.test(file));
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
const code = sources.map((file) => read(file).replaceAll(COMMENT, '')).join('\n');

it('log lines that the operators’ pages quote are in the code', () => {
	const operators = ['docs/runbook.md', 'docs/mail.md', 'docs/telephony.md', 'docs/leads.md', 'docs/deployment.md'];
	const groups = new Set(
		globSync('ops/commands/*.ts').flatMap((file) => [...read(file).matchAll(/'([a-z-]+)'/g)].map(([, name]) => name)),
	);
	const quoted = operators.flatMap((file) =>
		[...read(file).matchAll(/`([a-z]+(?:\s[a-z]+)+)`/g)].map(([, line = '']) => line.replaceAll(/\s+/g, ' ')),
	);
	const lines = quoted.filter((line) => !/^(aws|cdk|npm|npx|ops) /.test(line) && !groups.has(line.split(' ')[0] ?? ''));
	expect(lines.filter((line) => !code.includes(line))).toEqual([]);
	expect(lines.length).toBeGreaterThan(5);
});

/** Names in comments that are not ours. They belong to AWS, browsers or documents, or are only the beginning of a name. */
const THEIRS: ReadonlySet<string> = new Set([
	'CLOCK_SKEW_ERROR_CODES',
	'NotFoundOrLimitReached',
	'requiresBootstrapStackVersion',
	'runtimeConfig',
	'DDTHH',
	'lun',
	'nimport',
	'platform_',
	'pt_BR',
	'rw',
	'structuredClone',
	'unspecified',
	'x12',
]);

it('comments name code that exists', () => {
	const words = new Set(code.match(/[A-Za-z_]\w*/g));
	const unknown = sources
		.filter((file) => file.endsWith('.ts'))
		.flatMap((file) =>
			[...(read(file).match(COMMENT) ?? []).join('\n').matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) =>
				(text.match(/[A-Za-z_]\w*/g) ?? [])
					.filter((word) => !words.has(word) && !THEIRS.has(word))
					.map((word) => `${file}: ${word}`),
			),
		);
	expect(unknown).toEqual([]);
});
