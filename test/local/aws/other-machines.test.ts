import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OTHER_CONTENT, startStandInRegistry } from '../../support/aws/stand-in-registry.ts';

const run = promisify(execFile);
const MODULE = new URL('../../../local/aws/dynoxide.ts', import.meta.url).href;
const VERSION = '1.2.1';

let folder: string;
let registry: Awaited<ReturnType<typeof startStandInRegistry>>;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'machines-'));
	const program = join(folder, 'dynoxide');
	writeFileSync(program, '#!/bin/sh\necho for $0\n', { mode: 0o755 });
	registry = await startStandInRegistry(folder, program);
});
afterAll(async () => {
	await registry.close();
	rmSync(folder, { recursive: true });
});

/** Asks for the stand-in's program in a separate process, which believes that it runs on this platform. */
async function programOn(
	platform: string,
	arch: string,
	cache: string,
	address = registry.origin,
	settings: Readonly<Record<string, string>> = {},
) {
	const script = `
		const { dynoxideProgram } = await import(${JSON.stringify(MODULE)});
		try { console.log(dynoxideProgram(${JSON.stringify({ platform, arch })}, ${JSON.stringify(cache)})); }
		catch (error) { console.log(error.name + ': ' + error.message); }`;
	const env = { ...process.env, ...registry.environment(cache, address), ...settings };
	const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
	return { answer: stdout.trim(), said: stderr };
}

const freshCache = (): string => mkdtempSync(join(folder, 'cache-'));
const drafts = (cache: string): readonly string[] => readdirSync(cache).filter((name) => /^dynoxide-\w{6}$/.test(name));

describe('the table’s stand-in', () => {
	it.each([
		['darwin', 'arm64'],
		['darwin', 'x64'],
		['linux', 'arm64'],
	])('installs itself once on %s %s, and reports it in one line', async (platform, arch) => {
		const cache = freshCache();
		const { answer, said } = await programOn(platform, arch, cache);
		expect(said).toBe(
			`Installing the table's stand-in for this machine: @dynoxide/${platform}-${arch}@${VERSION} ...\n`,
		);
		expect((await run(answer)).stdout).toContain('for ');
		const requests = registry.asked.length;
		expect(await programOn(platform, arch, cache)).toEqual({ answer, said: '' });
		expect(registry.asked.length).toBe(requests);
		expect(drafts(cache)).toEqual([]);
	});

	it('is installed once by processes that need it at the same time', async () => {
		const cache = freshCache();
		const answers = await Promise.all([1, 2, 3].map(() => programOn('darwin', 'arm64', cache)));
		expect(new Set(answers.map(({ answer }) => answer)).size).toBe(1);
		expect(existsSync(answers[0]?.answer ?? '')).toBe(true);
		expect(drafts(cache)).toEqual([]);
	});

	const other = /AWS_ENDPOINT_URL_DYNAMODB=http:\/\/localhost:8000[\s\S]*any other DynamoDB endpoint/;
	it.each([
		[
			'no network',
			'darwin',
			async (): Promise<string> => 'http://127.0.0.1:9',
			/darwin-arm64@1\.2\.1 cannot be installed: the registry cannot be reached\./,
		],
		[
			'no such package',
			'freebsd',
			async (): Promise<string> => registry.origin,
			/freebsd-arm64@1\.2\.1 cannot be installed: the registry has no such package\./,
		],
	] as const)('whose install fails names the reason and two other ways: %s', async (_, platform, address, reason) => {
		const cache = freshCache();
		const { answer } = await programOn(platform, 'arm64', cache, await address());
		expect(answer).toMatch(/^OperatorError: /);
		expect(answer).toMatch(reason);
		expect(answer).toMatch(other);
		expect(drafts(cache)).toEqual([]);
	});

	it('whose install fails names the reason even if npm prints nothing', async () => {
		const silent = { npm_config_loglevel: 'silent' };
		const { answer } = await programOn('freebsd', 'arm64', freshCache(), registry.origin, silent);
		expect(answer).toMatch(/the registry has no such package\./);
	});

	it('is refused if its content is not what the registry promises', async () => {
		registry.promise.integrity = OTHER_CONTENT;
		const cache = freshCache();
		const { answer } = await programOn('darwin', 'arm64', cache);
		registry.promise.integrity = null;
		expect(answer).toMatch(/its content is not what the registry promises \(EINTEGRITY\)\./);
		expect(answer).toMatch(other);
		expect((await programOn('darwin', 'arm64', cache)).answer).toMatch(/dynoxide$/);
	});

	it('is not installed on Windows: the refusal names WSL, and the registry gets no request', async () => {
		const requests = registry.asked.length;
		expect((await programOn('win32', 'x64', freshCache())).answer).toMatch(/run it in WSL\.$/);
		expect(registry.asked.length).toBe(requests);
	});
});
