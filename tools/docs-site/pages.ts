import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

// The documents of the repository as pages of a site: their paths, links and menu.

const root = join(import.meta.dirname, '../..');
const OVERVIEW = 'docs/README.md';
const RECEIVERS = 'examples/webhooks';
/** Documents whose path on the site differs from their path below docs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
	'README.md': 'readme.md',
	'packages/cdk/README.md': 'cdk.md',
	[`${RECEIVERS}/README.md`]: 'receivers.md',
};
const documents = globSync(['*.md', 'docs/**/*.md', 'packages/cdk/README.md', `${RECEIVERS}/README.md`], {
	cwd: root,
}).sort();
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

function pathOf(file: string): string {
	return ELSEWHERE[file] ?? file.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');
}

/**
 * For the path of each document in the repository, the document's path on the site, which also ends with `.md`. The first page
 * of the site (`index.md`) is docs/README.md.
 */
export const sitePaths: Readonly<Record<string, string>> = Object.fromEntries(
	documents.map((file) => [file, pathOf(file)]),
);

/**
 * Where a link in `file` leads on the site. Null if the site does not contain that file. The page then shows the name of the
 * file without a link.
 */
export function hrefOnSite(href: string, file: string): string | null {
	if (/^([a-z]+:|#)/.test(href)) return href;
	const [target = '', fragment] = href.split('#');
	const named = posix.join(posix.dirname(file), target);
	if (posix.dirname(named) === RECEIVERS && named.endsWith('.ts')) {
		return `/${sitePaths[`${RECEIVERS}/README.md`]}#${anchorOf(posix.basename(named))}`;
	}
	const data = /^docs\/([\w.-]+\.json)$/.exec(named)?.[1];
	const path = sitePaths[named] ?? data;
	if (path === undefined) return null;
	return fragment === undefined ? `/${path}` : `/${path}#${fragment}`;
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
	heading
		.trim()
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');

/** What the site adds to a document. Below the page of the example receivers, the site shows their code. */
export function appendixOf(file: string): string {
	if (file !== `${RECEIVERS}/README.md`) return '';
	const sources = globSync(`${RECEIVERS}/*.ts`, { cwd: root }).sort();
	return sources.map((source) => `\n## ${posix.basename(source)}\n\n\`\`\`ts\n${textOf(source)}\`\`\`\n`).join('');
}

type Item = { readonly text: string; readonly link: string; readonly target?: '_self' };
type Group = { readonly text: string; readonly items: readonly Item[] };

/** The API reference. The API reference is a separate page, which the site's router does not load. */
const API_REFERENCE: Item = { text: 'API reference', link: '/api', target: '_self' };

function itemOf(file: string): Item {
	if (file === 'docs/openapi.json') return API_REFERENCE;
	const title = /^# (.+)$/m.exec(textOf(file))?.[1] ?? file;
	return { text: title.replaceAll('`', ''), link: `/${sitePaths[file]}` };
}

/**
 * The menu of the site. The menu begins with the pages that docs/README.md names, by kind of reader and in the same order.
 * The other pages follow. The decisions are listed on a page of their own.
 */
export function sidebar(): readonly Group[] {
	const groups = [{ text: 'Start here', files: [OVERVIEW] }];
	const placed = new Set([OVERVIEW]);
	for (const [, reader, target = ''] of textOf(OVERVIEW).matchAll(/^\*\*(.+?)\*\*|\]\(([\w./-]+)\)/gm)) {
		if (reader !== undefined) groups.push({ text: reader, files: [] });
		const file = posix.join('docs', target);
		if (reader !== undefined || placed.has(file)) continue;
		placed.add(file);
		groups.at(-1)?.files.push(file);
	}
	const rest = documents.filter((file) => !placed.has(file) && !file.startsWith('docs/decisions/'));
	return [...groups, { text: 'More', files: rest }].map(({ text, files }) => ({ text, items: files.map(itemOf) }));
}
