import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readOptions } from '../../local/options.ts';
import type { Stack } from '../../local/stack.ts';
import { newSecret, signatureHeaders } from '../../shared/domain/webhooks/webhook-signature.ts';
import { buildWidget, type Manifest } from '../../widget/build.ts';
import { launchChromium } from '../browser/support/chromium.ts';
import { startCdn, startSite } from '../browser/support/site.ts';
import { call, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import { documentedBlocks, type FencedBlock } from './fenced-blocks.ts';
import { commandsOf, terminal } from './run-shell.ts';

// Runs every block of the README and docs/ unchanged. A new example either runs, or this file names it with the reason why
// not.

/** Commands that this test does not run, and why. */
const COMMANDS_NOT_RUN: readonly (readonly [command: RegExp, because: string])[] = [
	[/^npm ci$/, 'installs what this test runs with; .ci/run begins with it'],
	[/^npm start\b/, 'starts a stack such as the one below; its options are read'],
	[/^npm install \.\/call-back-/, 'test/packages installs the tarballs'],
	[/^npm test$/, 'would run this test'],
	[/^npm run check$/, 'would check what is being tested; .ci/run does'],
	[/^(npm run (bootstrap|deploy|diff|destroy)\b|aws |export AWS_REGION=)/, 'needs an AWS account'],
	[
		/^npm run (fuzz|histories|mutants|soak|torture|trial|bench|dynamodb-local)\b/,
		'a long run of what the tests do in short',
	],
	[/^npm run ops -- (listen|trigger)\b/, 'runs until Ctrl-C; test/local/operator/listen.test.ts runs both'],
	[/[ /']deployment\.json\b/, 'needs a deployment; the README has the same commands for one machine'],
];
const isNotRun = (command: string) => COMMANDS_NOT_RUN.some(([pattern]) => pattern.test(command));

/** Languages whose blocks another test runs, or that have nothing to run. */
const RUN_ELSEWHERE = {
	python: 'test/docs/webhooks.test.ts',
	php: 'test/docs/webhooks.test.ts',
	ruby: 'test/docs/webhooks.test.ts',
	go: 'test/docs/webhooks.test.ts',
	jsx: 'test/packages/react.test.ts',
	mermaid: 'test/docs/state-pages.test.ts',
} as const;
const RUN_HERE = ['sh', 'bash', 'ts', 'js', 'html', 'css', 'json'];

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');
const blocks = documentedBlocks();
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const place = ({ file, line }: FencedBlock) => `${file}:${line}`;
const placed = (found: readonly FencedBlock[]) => found.map((block) => [place(block), block] as const);

it('every block that names its language is run here or elsewhere', () => {
	expect(blocks.length).toBeGreaterThan(20);
	const known = [...RUN_HERE, ...Object.keys(RUN_ELSEWHERE)];
	expect(blocks.filter(({ language }) => !known.includes(language)).map(place)).toEqual([]);
	for (const [language, test] of Object.entries(RUN_ELSEWHERE)) {
		for (const { file } of inLanguage(language)) expect(readFileSync(join(repository, test), 'utf8')).toContain(file);
	}
});

describe('with a stack', () => {
	let stack: Stack;
	let directory: string;
	beforeAll(async () => {
		stack = await testStack();
		// A clone of the repository, as a reader has it after `npm start`.
		directory = mkdtempSync(join(tmpdir(), 'reader-'));
		for (const name of readdirSync(repository)) {
			if (name !== '.local' && name !== 'dist') symlinkSync(join(repository, name), join(directory, name));
		}
		symlinkSync(stack.state_dir, join(directory, '.local'));
	});
	afterAll(async () => {
		await stack.stop();
		rmSync(directory, { recursive: true, force: true });
	});

	describe('a reader who pastes every command of', () => {
		const commands = inLanguage('sh', 'bash').flatMap((block) =>
			commandsOf(block).map((command) => ({ ...block, command })),
		);
		const pasted = commands.filter(({ command }) => !isNotRun(command));

		it.each([...new Set(pasted.map(({ file }) => file))])('%s sees each succeed', async (file) => {
			const reader = terminal(directory);
			for (const { command } of pasted.filter((candidate) => candidate.file === file)) {
				const output = await reader.run(command);
				if (command.includes('curl')) expect([command, JSON.parse(output)]).toMatchObject([command, { data: {} }]);
			}
		});

		it('skips only the commands in the list above, which the docs still contain', () => {
			const all = commands.map(({ command }) => command);
			for (const [pattern] of COMMANDS_NOT_RUN) expect(all).toContainEqual(expect.stringMatching(pattern));
			const scripts: unknown = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts;
			for (const command of all) {
				const [, script] = /^npm run (\S+)/.exec(command) ?? [];
				if (script !== undefined) expect(scripts).toHaveProperty(script);
				const [, options] = /^npm start -- (.*)/.exec(command) ?? [];
				if (options !== undefined) expect(() => readOptions(options.split(' '))).not.toThrow();
			}
		});
	});

	describe('the TypeScript', () => {
		const found = inLanguage('ts');
		const name = ({ file, line }: FencedBlock) => `${file.replace(/\W/g, '-')}-${line}.ts`;
		let folder: string;
		beforeAll(async () => {
			folder = mkdtempSync(join(repository, '.local', 'documented-'));
			for (const block of found) {
				writeFileSync(join(folder, name(block)), `${block.text.replaceAll("from './", "from '../../")}\nexport {};\n`);
			}
			const config = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] };
			writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
			const headers = { origin: stack.allowed_origin };
			await call(stack.base_url, '/widget/callback-leads', { body: visitorBody(stack), headers });
		});
		afterAll(() => rmSync(folder, { recursive: true, force: true }));

		it('compiles as strictly as our own', async () => {
			const tsc = join(repository, 'node_modules/.bin/tsc');
			const { stdout } = await run(tsc, ['-p', folder], { cwd: repository }).catch((error) => error);
			expect(stdout).toBe('');
			expect(found.length).toBeGreaterThan(5);
		});

		it.each(placed(found))('of %s runs', async (_place, block) => {
			const env = { ...process.env, CALL_BACK_URL: stack.base_url, CALL_BACK_API_KEY: stack.api_key };
			const { stderr } = await run(process.execPath, [join(folder, name(block))], { cwd: repository, env });
			expect(stderr).toBe('');
		});

		it('has receivers that accept signed requests and refuse others', async () => {
			const shown = found.filter(({ text }) => text.includes('secret: string)'));
			expect(shown).toHaveLength(3);
			const [secret, other] = [1, 2].map((fill) => newSecret(new Uint8Array(32).fill(fill)));
			const body = '{"id":"e","event":"call.completed","data":{"status":"completed"}}';
			const now_ms = Date.now();
			const headers = signatureHeaders({ secrets: [secret ?? ''], event_id: 'e', body, now_ms });
			for (const block of shown) {
				const input = JSON.stringify([join(folder, name(block)), body, headers, secret, other]);
				const { stdout } = await run(process.execPath, ['--input-type=module', '-e', JUDGE, input]);
				const [right, wrong] = JSON.parse(stdout);
				expect([204, JSON.parse(body)]).toContainEqual(right);
				expect(wrong).toBe(400);
			}
		});
	});
});

/** Prints the shown receiver's answer under each secret; a library refuses by throwing. */
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

describe('for a page', () => {
	const source = (...files: string[]) => files.map((file) => readFileSync(join(repository, file), 'utf8')).join('\n');
	const widget = source(
		...readdirSync(join(repository, 'widget'), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(ts|css)$/.test(file))
			.map((file) => `widget/${file}`),
	);

	describe('the HTML', () => {
		let browser: Browser;
		let cdn: Awaited<ReturnType<typeof startCdn>>;
		let site: Awaited<ReturnType<typeof startSite>>;
		let folder: string;
		let manifest: Manifest;
		beforeAll(async () => {
			folder = mkdtempSync(join(tmpdir(), 'documented-widget-'));
			manifest = buildWidget(folder);
			[browser, cdn, site] = await Promise.all([launchChromium(), startCdn(folder), startSite()]);
		});
		afterAll(async () => {
			await Promise.all([browser.close(), cdn.close(), site.close()]);
			rmSync(folder, { recursive: true, force: true });
		});

		/** Fills in the placeholders. */
		const filled = (html: string) =>
			html
				.replace(/https:\/\/<(widget address|where you serve it)>/g, cdn.origin)
				.replace('https://<your API>', site.origin)
				.replace('widget.<version>.js', manifest.file)
				.replace('sha384-…', manifest.integrity)
				.replaceAll('wk_…', 'wk_documented');

		it.each(placed(inLanguage('html')))('of %s puts the widget on the page', async (_place, { text }) => {
			const html = filled(text);
			expect(html).not.toMatch(/…|<\w+ ?[\w ]*>.*\.js/);
			site.pages.set('/', { html: `<!doctype html><html lang="en"><body>${html}</body></html>` });
			const page = await browser.newPage();
			await page.goto(`${site.origin}/`);
			const part = text.includes(' inline') ? 'panel' : 'launcher';
			await page.locator(`[part=${part}]`).waitFor();
			expect(await page.locator('call-back-widget').getAttribute('workspace-key')).toBe('wk_documented');
			await page.close();
		});

		it('uses only attributes that the widget reads', () => {
			const own = ['src', 'async', 'integrity', 'crossorigin'];
			for (const { text } of inLanguage('html')) {
				const bare = text.replace(/"[^"]*"/g, '');
				const tags = [...bare.matchAll(/<(?:script|call-back-widget)\b([^>]*)>/g)].map(([, rest = '']) => rest);
				expect(tags.length).toBeGreaterThan(0);
				const names = tags.flatMap((rest) => [...rest.matchAll(/[\w-]+/g)].map(String));
				const read = (name: string) =>
					["'name'", '[name]', "'data-name'"].some((form) => widget.includes(form.replace('name', name)));
				const unknown = names.filter((name) => !own.includes(name) && !read(name) && !read(name.replace(/^data-/, '')));
				expect(unknown).toEqual([]);
			}
		});
	});

	it.each(placed(inLanguage('css')))(
		'the CSS of %s names properties and parts that the widget has',
		(_place, { text }) => {
			const properties = [...text.matchAll(/--callback-[\w-]+/g)].map((found) => `${found}:`);
			const parts = [...text.matchAll(/(?<=::part\()[\w-]+/g)].map((found) => `'${found}'`);
			expect(properties.length + parts.length).toBeGreaterThan(2);
			expect([...properties, ...parts].filter((name) => !widget.includes(name))).toEqual([]);
		},
	);

	it.each(placed(inLanguage('js')))('the JavaScript of %s gets the events of a call', (_place, { text }) => {
		const heard: string[] = [];
		const document = new EventTarget();
		runInNewContext(text, { document, analytics: { track: (what: string) => heard.push(what) } });
		for (const state of ['ringing', 'connected']) {
			document.dispatchEvent(new CustomEvent('callback:state', { detail: { state } }));
		}
		expect(heard).toEqual(['call connected']);
	});

	it.each(placed(inLanguage('json')))('the JSON of %s is JSON', (_place, { text }) => {
		expect(() => JSON.parse(text)).not.toThrow();
	});
});
