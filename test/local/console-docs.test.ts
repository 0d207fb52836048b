import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ConsoleServer, startConsole } from '../../local/console-server/server.ts';
import { problemType } from '../../shared/contract/kernel/problem.ts';
import { listen } from '../support/listen.ts';

// What the console answers below /docs: the site, while `npm run docs` serves it; otherwise the documents.

const content = { routes: {}, key: 'k', api_origin: 'http://localhost:1', actions: {}, pages: '', letter: () => null };
let without: ConsoleServer;
let beside: ConsoleServer;
let site: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
	site = await listen(createServer((_, response) => void response.end('a page of the site')));
	without = await startConsole(0, { ...content, docs_site: 'http://localhost:1' });
	beside = await startConsole(0, { ...content, docs_site: site.origin });
});
afterAll(() => Promise.all([without.close(), beside.close(), site.close()]));

const get = (server: ConsoleServer, path: string) => fetch(`http://localhost:${server.port}${path}`);

it.each([
	['/docs', '# Documentation'],
	['/docs/', '# Documentation'],
	['/docs/problems', '## not_found'],
	['/docs/decisions/', '# Decisions'],
])('%s without a site is the document, and says how to get the site', async (path, text) => {
	const response = await get(without, path);
	expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
	const body = await response.text();
	expect(body).toContain(text);
	expect(body).toContain('`npm run docs` serves these pages');
});

it.each(['/docs/nothing', '/docs/..%2fREADME', '/docs/../README', '/docs/../package'])(
	'%s is not found',
	async (path) => {
		expect((await get(without, path)).status).toBe(404);
	},
);

it('a problem leads to its section on the site while that is served', async () => {
	const response = await get(beside, new URL(problemType('not_found', 'http://console/docs')).pathname);
	expect([response.url, await response.text()]).toEqual([`${site.origin}/problems`, 'a page of the site']);
});

it('the type of a problem only names the code where no documentation is served', () => {
	expect(problemType('not_found')).toBe('https://docs.callback-widget.example/problems/not_found');
});
