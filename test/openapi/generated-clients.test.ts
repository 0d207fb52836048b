import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Stack } from '../../local/stack.ts';
import { documentFile } from '../support/openapi-document.ts';
import { testStack } from '../support/stack/stack.ts';

// Clients in other languages, made by common generators with their default settings. They are generated from the API document,
// compiled, and used on the running stack. If a toolchain is missing, its part is skipped.

const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const JAVA_GENERATOR = 'openapi-generator-cli:7.17.0';
/** The program ends after two seconds, before optimised code would pay off. */
const BRIEF_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
/** Allows for empty caches of packages and builds on a busy machine. */
const LONG_MS = 540_000;

const run = promisify(execFile);
const here = import.meta.dirname;
const modules = join(here, '../../node_modules');
const directory = mkdtempSync(join(tmpdir(), 'generated-clients-'));
let stack: Stack;

/** Whether this command succeeds. It fails if the program is not installed or cannot download its packages. */
function has(program: string, args: readonly string[], cwd = directory): boolean {
	return spawnSync(program, args, { cwd, stdio: 'ignore', timeout: LONG_MS }).status === 0;
}

beforeAll(async () => {
	stack = await testStack();
});
afterAll(async () => {
	await stack.stop();
	rmSync(directory, { recursive: true, force: true });
});

const used = () => [stack.base_url, stack.api_key, stack.inbox_url];

/** Generates the client with oapi-codegen, and uses it from Go. go.sum pins the generator with all its modules. */
async function usedFromGo(): Promise<string> {
	const module = join(directory, 'go');
	cpSync(join(here, 'go'), module, { recursive: true });
	if (!has('go', ['mod', 'download'], module)) return 'skipped';
	const generate = 'mkdir client && go tool oapi-codegen -package client -o client/client.go "$0" && go build -o use .';
	await run('sh', ['-c', generate, documentFile], { cwd: module, timeout: LONG_MS });
	return (await run(join(module, 'use'), used())).stdout.trim();
}

/**
 * Generates the client with openapi-python-client, and uses it from Python. The generator has its own environment, which is kept
 * for the next run.
 */
async function usedFromPython(): Promise<string> {
	const environment = join(tmpdir(), PYTHON_GENERATOR.replace('==', '-'));
	const generator = join(environment, 'bin/openapi-python-client');
	if (!existsSync(generator)) {
		if (!has('python3', ['-m', 'venv', environment])) return 'skipped';
		if (!has(join(environment, 'bin/pip'), ['install', '-q', PYTHON_GENERATOR])) return 'skipped';
	}
	const generated = join(directory, 'generated');
	// The generator looks for its formatter in the PATH.
	const env = { ...process.env, PATH: `${join(environment, 'bin')}:${process.env['PATH']}`, PYTHONPATH: directory };
	const args = ['generate', '--path', documentFile, '--output-path', generated, '--meta', 'none'];
	const { stdout } = await run(generator, args, { cwd: directory, env });
	// The generator prints a warning for each operation and schema that it cannot read, and skips it.
	expect(stdout.trim()).toBe(`Generating ${generated}`);
	const python = join(environment, 'bin/python');
	return (await run(python, [join(here, 'use_client.py'), ...used()], { env })).stdout.trim();
}

/**
 * Generates the client with openapi-generator, which Maven downloads once, and uses it from TypeScript. `tsc --strict` checks the
 * client before it is used.
 */
async function usedFromTypeScript(): Promise<string> {
	const jars = join(modules, '.cache/openapi-generator');
	const jar = join(jars, `${JAVA_GENERATOR.replace(':', '-')}.jar`);
	if (!has('java', ['-version'])) return 'skipped';
	const copy = ['-q', '-B', 'dependency:copy', `-Dartifact=org.openapitools:${JAVA_GENERATOR}`];
	if (!existsSync(jar) && !has('mvn', [...copy, `-DoutputDirectory=${jars}`])) return 'skipped';
	const project = join(directory, 'typescript');
	cpSync(join(here, 'typescript'), project, { recursive: true });
	symlinkSync(modules, join(project, 'node_modules'));
	const generate = [
		'-jar',
		jar,
		'generate',
		'-g',
		'typescript-fetch',
		'-i',
		documentFile,
		'-o',
		join(project, 'client'),
	];
	await run('java', [...BRIEF_JVM, ...generate], { cwd: project, maxBuffer: 64_000_000 });
	const errors = await run(join(modules, '.bin/tsc'), ['-p', project]).then(
		() => '',
		({ stdout }: { readonly stdout: string }) => stdout,
	);
	expect(errors).toBe('');
	const outfile = join(project, 'use.mjs');
	const entryPoints = [join(project, 'use-client.mjs')];
	await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
	return (await run(process.execPath, [outfile, ...used()])).stdout.trim();
}

it.each([
	['Go', usedFromGo, '201 by Go 412 precondition_failed 200'],
	['Python', usedFromPython, '201 by Python 412 precondition_failed 200'],
	['TypeScript', usedFromTypeScript, '201 by TypeScript 412 precondition_failed 200'],
])('a client generated for %s compiles at default settings and works', async (_, use, expected) => {
	const said = await use();
	if (said === 'skipped') process.stderr.write('skipped\n');
	else expect(said).toBe(expected);
});
