import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readOptions } from '../../local/options.ts';
import { newSecret, signatureHeaders } from '../../shared/domain/webhooks/webhook-signature.ts';
import { blocksOf, documentedBlocks, type FencedBlock, place } from '../support/fenced-blocks.ts';
import { call, visitorBody } from '../support/stack/api.ts';
import { freshClone, npmStart, type Started } from './newcomer.ts';
import { commandsOf, terminal } from './run-shell.ts';

// A newcomer clones the repository into an empty folder, and works through the README and docs/: every command in reading order,
// every TypeScript example, and both packages in an empty project. A new example has to run, or the list below has to name it
// with a reason.

/**
 * The first commands in the README. `.ci/run` has already run `npm ci`, so this test links the existing node_modules folder
 * instead.
 */
const FIRST = ['npm ci && npm start', 'npm ci && npm test'];
/** Commands that a reader runs in the folder of another project. */
const IN_A_PROJECT = /^npm install \.\/call-back-/;

/** Commands that this test does not run, each with the reason. */
const COMMANDS_NOT_RUN: readonly (readonly [command: RegExp, because: string])[] = [
	[/^npm start -- --allow-webhook-host\b/, "needs the reader's own receiver; its options are read"],
	[/^npm test$/, 'would run this test'],
	[/^npm run check( -- FILE)?$/, 'would check what is being tested; .ci/run does'],
	[/^(npm run (bootstrap|preflight|deploy|diff|destroy)\b|aws |export AWS_REGION=)/, 'needs an AWS account'],
	[/^npm run (upgrade|lab -- (?!world))/, 'a long run of what the tests do in short'],
	[/^npm run (listen|trigger)\b/, 'runs until Ctrl-C; test/local/listen.test.ts runs both'],
	[/^npm run docs$/, 'runs until Ctrl-C; test/browser/docs-site.test.ts builds and serves the site'],
	[/[ /']deployment\.json\b/, 'needs a deployment; the runbook has the same commands for one machine'],
];
const isNotRun = (command: string) => COMMANDS_NOT_RUN.some(([pattern]) => pattern.test(command));

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');
const blocks = documentedBlocks();
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const commands = inLanguage('sh', 'bash').flatMap((block) =>
	commandsOf(block).map((command) => ({ file: block.file, command })),
);
const toRun = commands.filter(({ command }) => !FIRST.includes(command) && !isNotRun(command));
const pasted = toRun.filter(({ command }) => !IN_A_PROJECT.test(command));

it('the README begins with the commands that CI and this test begin with', () => {
	const [first] = blocksOf('README.md').filter(({ language }) => language === 'sh');
	expect(first && commandsOf(first)).toEqual(FIRST);
	const ci = readFileSync(join(repository, '.ci/run'), 'utf8');
	const steps = ['npm ci', 'npm start', 'npm test'];
	const positions = steps.map((command) => ci.indexOf(`\n${command} `));
	expect(new Set(FIRST.flatMap((line) => line.split(' && ')))).toEqual(new Set(steps));
	expect(positions).not.toContain(-1);
	expect(positions).toEqual([...positions].sort((a, b) => a - b));
});

it('every entry in the list of commands that this test skips still matches a command in the docs', () => {
	const all = commands.map(({ command }) => command);
	for (const [pattern] of COMMANDS_NOT_RUN) expect(all).toContainEqual(expect.stringMatching(pattern));
	const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
	for (const command of all) {
		const [, script] = /^npm run (?:--silent )?(\S+)/.exec(command) ?? [];
		if (script !== undefined) expect(scripts).toHaveProperty(script);
		const [, options] = /^npm start -- (.*)/.exec(command) ?? [];
		if (options !== undefined) expect(() => readOptions(options.split(' '))).not.toThrow();
	}
});

describe('in a fresh clone', () => {
	let clone: string;
	let stack: Started;
	beforeAll(async () => {
		clone = await freshClone();
		stack = await npmStart(clone);
	});
	afterAll(async () => {
		await stack?.stop();
		rmSync(clone, { recursive: true, force: true });
	});

	describe('a newcomer who pastes every command of', () => {
		it.each([...new Set(pasted.map(({ file }) => file))])('%s sees each succeed', async (file) => {
			const { paste } = terminal(clone);
			for (const { command } of pasted.filter((candidate) => candidate.file === file)) await paste(command);
		});
	});

	it('npm run pack writes packages that npm installs and Node.js runs in an empty project', async () => {
		await terminal(clone).paste('npm run pack');
		const project = mkdtempSync(join(tmpdir(), 'project-'));
		try {
			writeFileSync(join(project, 'package.json'), '{ "private": true }');
			for (const file of globSync(join(clone, 'dist/packages/*.tgz'))) cpSync(file, join(project, basename(file)));
			const installs = toRun.filter(({ command }) => IN_A_PROJECT.test(command));
			expect(installs.map(({ file }) => file)).toEqual(['docs/client.md', 'docs/widget-reference.md']);
			const { paste } = terminal(project, { npm_config_offline: 'true', npm_config_audit: 'false' });
			for (const { command } of installs) await paste(command);
			const [example] = inLanguage('ts').filter(({ file }) => file === 'docs/client.md');
			const program = `${example?.text.replace('./packages/client/client.ts', '@call-back/client')}\nimport '@call-back/widget';`;
			expect(program).toContain("from '@call-back/client'");
			await runProgram(join(project, 'program.mjs'), program);
		} finally {
			rmSync(project, { recursive: true, force: true });
		}
	});

	/** Runs a program with the URL and the key of the stack. It must write nothing to standard error. */
	async function runProgram(file: string, source?: string): Promise<void> {
		if (source !== undefined) writeFileSync(file, source);
		const env = { ...process.env, CALL_BACK_URL: stack.base_url, CALL_BACK_API_KEY: stack.api_key };
		// Some programs write a file into their own folder.
		const { stderr } = await run(process.execPath, [file], { env, cwd: dirname(file) });
		expect(stderr).toBe('');
	}

	describe('the TypeScript of the pages', () => {
		const found = inLanguage('ts');
		const name = ({ file, line }: FencedBlock) => `${file.replace(/\W/g, '-')}-${line}.ts`;
		beforeAll(async () => {
			for (const block of found) writeFileSync(join(clone, name(block)), `${block.text}\nexport {};\n`);
			const config = { extends: './tsconfig.json', include: found.map(name), exclude: [] };
			writeFileSync(join(clone, 'tsconfig.documented.json'), JSON.stringify(config));
			const headers = { origin: stack.allowed_origin };
			await call(stack.base_url, '/widget/callback-leads', { body: visitorBody(stack), headers });
		});

		it('compiles as strictly as our own', async () => {
			const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.documented.json'];
			const { stdout } = await run(process.execPath, tsc, { cwd: clone }).catch((error) => error);
			expect(stdout).toBe('');
			expect(found.length).toBeGreaterThan(5);
		});

		it.each(found.map((block) => [place(block), block] as const))('of %s runs', async (_place, block) => {
			await runProgram(join(clone, name(block)));
		});

		it('has receivers that accept signed requests and refuse others', async () => {
			const shown = found.filter(({ text }) => text.includes('secret: string)'));
			expect(shown).toHaveLength(2);
			const [secret, other] = [1, 2].map((fill) => newSecret(new Uint8Array(32).fill(fill)));
			const body = '{"id":"e","event":"call.completed","data":{"status":"completed"}}';
			const now_ms = Date.now();
			const headers = signatureHeaders({ secrets: [secret ?? ''], event_id: 'e', body, now_ms });
			for (const block of shown) {
				const input = JSON.stringify([join(clone, name(block)), body, headers, secret, other]);
				const { stdout } = await run(process.execPath, ['--input-type=module', '-e', JUDGE, input]);
				const [right, wrong] = JSON.parse(stdout);
				expect([204, JSON.parse(body)]).toContainEqual(right);
				expect(wrong).toBe(400);
			}
		});
	});
});

/**
 * Calls the receiver of the page with each secret, and prints its responses. A receiver that uses a library throws an error if
 * the signature is wrong, which counts as 400.
 */
const JUDGE = `
	const [file, body, headers, ...secrets] = JSON.parse(process.argv[1]);
	const [receive] = Object.values(await import(file));
	console.log = console.warn = () => {};
	const answer = (secret) => {
		try {
			return receive(Buffer.from(body), headers, secret);
		} catch {
			return 400;
		}
	};
	process.stdout.write(JSON.stringify(secrets.map(answer)));`;
