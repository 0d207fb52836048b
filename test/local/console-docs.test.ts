import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ConsoleServer, startConsole } from '../../local/console/server/server.ts';
import { problemType } from '../../shared/contract/kernel/problem.ts';
import { listen } from '../support/listen.ts';

// What the console shows below /docs: the site if `npm run docs` serves it, and otherwise how to start it.

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

it.each(['/docs', '/docs/', '/docs/problems', '/docs/../package'])(
	'%s says how to get the documentation if no site is served',
	async (path) => {
		const response = await get(without, path);
		expect(response.status).toBe(404);
		expect(await response.text()).toContain(
			path.startsWith('/docs/..') ? 'Nothing here.' : 'Run <code>npm run docs</code>',
		);
	},
);

it('a problem leads to its section on the site while the site is served', async () => {
	const response = await get(beside, new URL(problemType('not_found', 'http://console/docs')).pathname);
	expect([response.url, await response.text()]).toEqual([`${site.origin}/problems`, 'a page of the site']);
});

it('the type of a problem only names the code if no documentation is served', () => {
	expect(problemType('not_found')).toBe('https://docs.callback-widget.example/problems/not_found');
});
