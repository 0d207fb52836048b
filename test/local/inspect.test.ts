import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { bundleReadable } from '../../infra/bundle/functions.ts';
import { openForDebuggers } from '../../local/inspect.ts';
import { localFunction } from '../../local/lambda/functions.ts';

// Tests `npm start -- --inspect <function>`.

const directory = mkdtempSync(join(tmpdir(), 'inspect-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('a function under a debugger has its sources, with the names as they are written', async () => {
	const file = join(directory, 'readable/index.js');
	await bundleReadable('get-call', file);
	const bundle = readFileSync(file, 'utf8');
	const [, encoded = ''] = /sourceMappingURL=data:application\/json;base64,(.+)/.exec(bundle) ?? [];
	const { sources }: { readonly sources: readonly string[] } = JSON.parse(
		Buffer.from(encoded, 'base64').toString('utf8'),
	);
	expect(sources.map((source) => source.replace(/^.*\/(?=functions\/)/, ''))).toContain(
		'functions/api/calls/get-call.ts',
	);
	expect(/\basStored\b/.test(bundle)).toBe(true);
});

it.each([
	[true, 'ok'],
	[false, 'timed_out'],
])('with a debugger: %s, a function that takes longer than its time-out ends as %s', async (is_inspected, invoked) => {
	const source = 'exports.handler = ({ ms }) => new Promise((resolve) => setTimeout(resolve, ms, true));';
	writeFileSync(join(directory, 'index.js'), source);
	const resource = { id: 'Slow', properties: { Handler: 'index.handler', Timeout: 0.2 }, metadata: {} };
	const own = { resource, directory, environment: {}, log_directory: directory, concurrency: 1 };
	const target = localFunction({ ...own, is_inspected });
	expect(await target.invoke({ ms: 0 })).toMatchObject({ invoked: 'ok' });
	expect(await target.invoke({ ms: 1500 })).toMatchObject({ invoked });
	await target.stop();
});

it('a function that the template does not have is refused by name', async () => {
	await expect(openForDebuggers('get-cal', { Resources: {} }, directory)).rejects.toThrow(
		'--inspect: there is no function get-cal',
	);
});
