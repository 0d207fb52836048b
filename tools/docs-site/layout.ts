import { posix } from 'node:path';
import type { Link, Menu } from './menu.ts';
import { type Content, escaped, type Heading, type Source, titleOf } from './page.ts';

/** What a page with diagrams loads: Mermaid, then what draws them. */
const DIAGRAM_SCRIPTS = ['mermaid.tiny.js', 'diagrams.js'] as const;
/** A page with more headings lists only the upper ones. */
const MOST_LISTED = 30;

const items = (links: readonly string[]): string => `<ul>${links.map((link) => `<li>${link}</li>`).join('\n')}</ul>`;

function menuList(menu: Menu, current: string, from: (path: string) => string): string {
	const anchor = ({ path, title }: Link): string => {
		const here = path === current ? ' aria-current="page"' : '';
		return `<a href="${from(path)}"${here}>${escaped(title)}</a>`;
	};
	const groups = menu.map(({ title, links, folded }) => {
		const list = items(links.map(anchor));
		const open = links.some(({ path }) => path === current) ? ' open' : '';
		return folded
			? `<details${open}><summary>${title}</summary>${list}</details>`
			: `<p class="group">${title}</p>${list}`;
	});
	return groups.join('\n');
}

/** The links to a page's sections; empty if there are too few to need any. */
function contentsList(headings: readonly Heading[]): string {
	const all = headings.filter(({ level }) => level === 2 || level === 3);
	const listed = all.length > MOST_LISTED ? all.filter(({ level }) => level === 2) : all;
	if (listed.length < 2) return '';
	// The text of a heading is HTML already.
	return items(listed.map(({ level, id, text }) => `<a class="level-${level}" href="#${id}">${text}</a>`));
}

/**
 * The whole page of a rendered document. On a wide screen menu and contents stand beside the text; on a narrow one each is
 * a popover behind a button, which needs no script.
 */
export function pageOf(source: Source, { html, headings }: Content, menu: Menu): string {
	const up = posix.relative(posix.dirname(source.path), '.');
	const from = (path: string): string => posix.join(up, path);
	const scripts = ['reader.js', ...(source.text.includes('\n```mermaid\n') ? DIAGRAM_SCRIPTS : [])];
	const contents = contentsList(headings);
	const listed =
		contents === ''
			? { button: '', list: '' }
			: {
					button: '<button type="button" popovertarget="contents">On this page</button>',
					list: `<nav id="contents" aria-label="On this page" popover><p class="group">On this page</p>${contents}</nav>`,
				};
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(source))} · Call-Back Widget Service</title>
<link rel="stylesheet" href="${from('docs.css')}">
${scripts.map((script) => `<script src="${from(script)}" defer></script>`).join('\n')}
</head>
<body>
<header>
<a class="home" href="${from('index.html')}">Call-Back</a>
<button type="button" popovertarget="menu">Menu</button>
${listed.button}
<search></search>
</header>
<nav id="menu" aria-label="Documentation" popover>
${menuList(menu, source.path, from)}
</nav>
<main>${html}</main>
${listed.list}
</body>
</html>
`;
}
