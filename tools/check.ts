import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, relative, resolve } from 'node:path';
import { installTools } from './install.ts';

// `npm run check` runs every check and shows all failures. `npm run check -- FILE ...` checks only these files. With files, the
// command leaves out the checks that need the whole repository: import rules, dead code and broken links.

type Check = { readonly name: string; readonly command: readonly [program: string, ...options: string[]] };

const root = resolve(import.meta.dirname, '..');
const binaries = resolve(import.meta.dirname, 'check/node_modules/.bin');
const tool = (name: string): string => join(binaries, name);
/** oxlint looks for its companion program tsgolint in the PATH. */
const env = { ...process.env, NO_COLOR: '1', PATH: [binaries, process.env['PATH']].join(delimiter) };
const LINT = ['--type-aware'];
const SPELLING = ['lint', '--no-progress', '--no-summary', '--no-must-find-files'];
/** The TypeScript projects: the service, and two that run in browsers. */
const PROJECTS = ['.', 'packages/widget', 'local/console/page'];

const everything: readonly Check[] = [
	...PROJECTS.map((project): Check => ({ name: `types of ${project}`, command: [tool('tsc'), '-p', project] })),
	{ name: 'lint by types', command: [tool('oxlint'), ...LINT, '.'] },
	{ name: 'format and lint', command: [tool('biome'), 'ci', '--colors=off', '.'] },
	{ name: 'imports', command: [process.execPath, 'test/architecture/check-imports.ts'] },
	{ name: 'dead code', command: [tool('knip'), '--no-config-hints'] },
	{ name: 'spelling', command: [tool('cspell'), ...SPELLING, '**/*.{ts,md}'] },
	{ name: 'browsers of the widget', command: [process.execPath, 'tools/widget-browsers.ts'] },
	{ name: 'links and paths', command: [process.execPath, 'test/architecture/check-paths.ts'] },
];

/** Each tool gets the files that it reads in the check of everything. A tool that reads none of them does not run. */
function ofFiles(files: readonly string[]): readonly Check[] {
	const code = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
	const prose = files.filter((file) => /\.(ts|md)$/.test(file));
	const checks: readonly (Check & { readonly reads: readonly string[] })[] = [
		{ name: 'types and lint', command: [tool('oxlint'), ...LINT, '--type-check'], reads: code },
		{
			name: 'format and lint',
			command: [tool('biome'), 'ci', '--colors=off', '--no-errors-on-unmatched'],
			reads: files,
		},
		{ name: 'spelling', command: [tool('cspell'), ...SPELLING], reads: prose },
	];
	return checks
		.filter(({ reads }) => reads.length > 0)
		.map(({ name, command, reads }) => ({ name, command: [...command, ...reads] }));
}

/** Runs a check and prints its output. Returns true if the check has found nothing. */
function passes({ name, command: [program, ...options] }: Check): Promise<boolean> {
	return new Promise((settle) => {
		const started = performance.now();
		const output: Buffer[] = [];
		const child = spawn(program, options, { cwd: root, env });
		child.stdout.on('data', (data: Buffer) => output.push(data));
		child.stderr.on('data', (data: Buffer) => output.push(data));
		child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
		child.on('close', (code) => {
			const seconds = ((performance.now() - started) / 1000).toFixed(0);
			const text = Buffer.concat(output).toString('utf8').trim();
			console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
			if (code !== 0) console.log(`${text}\n`);
			settle(code === 0);
		});
	});
}

/** Runs two checks at a time, because the compiler and the linter use several threads themselves. */
async function run(checks: readonly Check[]): Promise<boolean> {
	const waiting = [...checks];
	const results: boolean[] = [];
	const worker = async (): Promise<void> => {
		for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) results.push(await passes(check));
	};
	await Promise.all([worker(), worker()]);
	return results.every((result) => result);
}

const files = process.argv.slice(2);
const missing = files.filter((file) => !existsSync(resolve(file)));
if (missing.length > 0) {
	console.error(`no such file: ${missing.join(', ')}`);
	process.exitCode = 2;
} else if (!installTools('check')) {
	console.error('the packages of tools/check cannot be installed: npm run check needs them once from the registry');
	process.exitCode = 1;
} else {
	const ok = await run(files.length === 0 ? everything : ofFiles(files.map((file) => relative(root, resolve(file)))));
	if (!ok) process.exitCode = 1;
}
