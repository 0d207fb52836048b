import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { documentPage } from '../../local/console/server/document-page.ts';
import { type ConsoleServer, startConsole } from '../../local/console/server/server.ts';
import { problemType } from '../../shared/contract/kernel/problem.ts';
import { sitePaths } from '../../tools/docs-site/pages.ts';
import { listen } from '../support/listen.ts';

// What the console shows below /docs: the site if `npm run docs` serves it, and otherwise the documents of the checkout.

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
	['/docs', '<h1 id="documentation">Documentation</h1>'],
	['/docs/', '<h1 id="documentation">Documentation</h1>'],
	['/docs/getting-started', '<h1 id="getting-started-the-widget-on-your-site">'],
	['/docs/webhooks.html', '<h1 id="webhooks">'],
	['/docs/problems', 'id="rate_limited"'],
	['/docs/decisions/', 'href="/docs/decisions/0038-kept-tools-show-the-documents"'],
	['/docs/cdk', '<code>packages/cdk/README.md</code>'],
])('%s shows the document of the checkout if no site is served', async (path, part) => {
	const response = await get(without, path);
	expect([response.status, response.headers.get('content-security-policy')]).toEqual([
		200,
		expect.stringContaining("default-src 'none'"),
	]);
	expect(await response.text()).toContain(part);
});

it.each([
	['/docs/api', 'Run <code>npm run docs</code>'],
	['/docs/package.json', 'Run <code>npm run docs</code>'],
	['/docs/constructor', 'Run <code>npm run docs</code>'],
	['/docs/%2e%2e/package', 'Nothing here.'],
	['/docs/..%2fpackage.json', 'Run <code>npm run docs</code>'],
])('%s has no document, so the response is 404', async (path, says) => {
	const response = await get(without, path);
	expect([response.status, await response.text()]).toEqual([404, expect.stringContaining(says)]);
});

it('each link of a document leads to a document and to a heading that exist', () => {
	const pages = new Map(Object.values(sitePaths).map((path) => [path, documentPage(path) ?? '']));
	const broken = [...pages].flatMap(([from, page]) =>
		[...page.matchAll(/ href="(#[^"]+|\/docs\/[^"]*)"/g)]
			.map(([, href = '']) => href)
			.filter((href) => {
				const [path = '', anchor] = href.split('#');
				const target = path === '' ? page : documentPage(path.slice('/docs/'.length));
				return target === null || (anchor !== undefined && !target.includes(` id="${anchor}"`));
			})
			.map((href) => `${from}: ${href}`),
	);
	expect([pages.size > 50, [...pages.values()].every((page) => page.includes('<h1')), broken]).toEqual([
		true,
		true,
		[],
	]);
});

it('the type of a problem leads to its section on the site while the site is served', async () => {
	const response = await get(beside, new URL(problemType('not_found', 'http://console/docs')).pathname);
	expect([response.url, await response.text()]).toEqual([`${site.origin}/problems`, 'a page of the site']);
});

it('the type of a problem only names the code if no documentation is served', () => {
	expect(problemType('not_found')).toBe('https://docs.callback-widget.example/problems/not_found');
});
