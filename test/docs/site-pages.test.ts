import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import { apiDocument, apiServer } from '../../tools/docs-site/api-document.ts';
import { anchorOf, hrefOnSite, sidebar, sitePaths } from '../../tools/docs-site/pages.ts';
import { document } from '../support/openapi-document.ts';

// The parts from which the documentation's site is built. test/browser/docs-site.test.ts builds the site.

const folder = mkdtempSync(join(tmpdir(), 'site-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
const documents = [...globSync(['*.md', 'docs/**/*.md']), 'packages/cdk/README.md', 'examples/webhooks/README.md'];

it('the site has every document, each at its own address', () => {
	expect(Object.keys(sitePaths).sort()).toEqual(documents.sort());
	expect(new Set(Object.values(sitePaths)).size).toBe(documents.length);
	expect(sitePaths).toMatchObject({ 'docs/README.md': 'index.md', 'docs/problems.md': 'problems.md' });
});

it('each picture is shown by a page', () => {
	const pages = documents.map((file) => readFileSync(file, 'utf8')).join('\n');
	const pictures = globSync('docs/**/*.webp').map((file) => file.replace(/^docs\//, ''));
	expect(pictures.length).toBeGreaterThan(5);
	expect(pictures.filter((file) => !pages.includes(`${file})`))).toEqual([]);
});

it.each([
	['webhooks.md#verify', 'docs/README.md', '/webhooks.md#verify'],
	['../README.md', 'docs/README.md', '/readme.md'],
	['../CONTRIBUTING.md#tests', 'docs/README.md', '/CONTRIBUTING.md#tests'],
	['docs/decisions/README.md', 'README.md', '/decisions/index.md'],
	['../world.md', 'docs/decisions/x.md', '/world.md'],
	['openapi.json', 'docs/README.md', '/openapi.json'],
	['#below', 'docs/webhooks.md', '#below'],
	['https://aws.amazon.com', 'docs/webhooks.md', 'https://aws.amazon.com'],
	['../shared/domain', 'docs/webhooks.md', null],
	['../package.json', 'docs/webhooks.md', null],
	['../packages/cdk/README.md', 'docs/README.md', '/cdk.md'],
	['../../docs/scaling.md#what-to-raise', 'packages/cdk/README.md', '/scaling.md#what-to-raise'],
	['../examples/webhooks/express.ts', 'docs/webhooks.md', '/receivers.md#expressts'],
	['lambda.ts', 'examples/webhooks/README.md', '/receivers.md#lambdats'],
	['../client/README.md', 'packages/cdk/README.md', null],
])('a link to %s in %s leads to %s', (href, file, expected) => {
	expect(hrefOnSite(href, file)).toBe(expected);
});

it('headings have the anchors that GitHub gives them', () => {
	const ids = documents.flatMap((file) => {
		const marked = new Marked(gfmHeadingId());
		marked.parse(readFileSync(file, 'utf8'), { async: false });
		// A heading whose text occurred before gets a number at the end of its anchor, as on GitHub. Such anchors are left out.
		return getHeadingList().filter(({ id }) => !/-\d+$/.test(id));
	});
	expect(ids.map(({ raw }) => anchorOf(raw.replaceAll('`', '')))).toEqual(ids.map(({ id }) => id));
	expect(ids.length).toBeGreaterThan(200);
});

it('the menu names the pages in the order of docs/README.md, by reader, each once', () => {
	const overview = readFileSync('docs/README.md', 'utf8');
	const readers = [...overview.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, reader]) => reader);
	expect(sidebar().map(({ text }) => text)).toEqual(['Start here', ...readers, 'More']);
	const links = sidebar().flatMap(({ items }) => items.map(({ link }) => link));
	const named = [...overview.matchAll(/\]\(([\w./-]+)\)/g)].map(([, target = '']) =>
		target === 'openapi.json' ? '/api' : hrefOnSite(target, 'docs/README.md'),
	);
	expect(links).toEqual(['/index.md', ...new Set(named), '/CHANGELOG.md']);
});

describe('the server of the API reference', () => {
	const facts = join(folder, 'stack.json');
	writeFileSync(facts, JSON.stringify({ base_url: 'http://localhost:3100/v1' }));
	it.each([
		[
			'the one that the site is built for',
			'https://api.shop.example/v1',
			facts,
			'https://api.shop.example/v1',
			/built for/,
		],
		['otherwise the running stack', undefined, facts, 'http://localhost:3100/v1', /this machine/],
		['otherwise a placeholder that says so', '', join(folder, 'none'), 'https://api.example.com/v1', /placeholder/],
	])('is %s', (_, address, file, url, description) => {
		const server = apiServer(address, file);
		expect(server).toEqual({ url, description: expect.stringMatching(description) });
		expect(apiDocument(server)).toMatchObject({ servers: [server] });
	});
});

it('the reference shows webhooks, and the permission of each operation as a badge', () => {
	const text = JSON.stringify(apiDocument(apiServer('https://api.example/v1', '')));
	expect(text).not.toContain('x-internal');
	const permissions = JSON.stringify(document).match(/"x-required-permission"/g) ?? [];
	expect(text.match(/"x-badges":\[\{"name":"[a-z-]+:[a-z]+"\}\]/g)).toHaveLength(permissions.length);
	expect(permissions.length).toBeGreaterThan(10);
});
