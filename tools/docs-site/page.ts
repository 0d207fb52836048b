import { posix } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';

/** A Markdown file of the repository and its place on the site. */
export type Source = { readonly file: string; readonly path: string; readonly text: string };
export type Link = { readonly path: string; readonly title: string };
/** The menu of every page; decisions are collapsed. */
export type Menu = { readonly links: readonly Link[]; readonly decisions: readonly Link[] };

/** What a page with diagrams loads: Mermaid, then what draws them. */
const DIAGRAM_SCRIPTS = ['mermaid.tiny.js', 'diagrams.js'] as const;

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The first heading of a document. */
export function titleOf({ file, text }: Source): string {
	return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
}

/**
 * The target on the site of a link in `source`: the page of another document, or a file of the site. Null for files of the
 * repository that the site does not contain: the page shows their name without a link.
 */
function hrefOnSite(href: string, source: Source, pages: ReadonlyMap<string, string>): string | null {
	if (/^([a-z]+:|#)/.test(href)) return href;
	const [target = '', fragment] = href.split('#');
	const path = pages.get(posix.normalize(posix.join(posix.dirname(source.file), target)));
	if (path === undefined) return null;
	const relative = posix.relative(posix.dirname(source.path), path);
	return fragment === undefined ? relative : `${relative}#${fragment}`;
}

/** Renders one document as a page. `pages`: the site's path of each file of the repository. */
export function renderPage(source: Source, pages: ReadonlyMap<string, string>, menu: Menu): string {
	const marked = new Marked(gfmHeadingId());
	marked.use({
		renderer: {
			link({ href, tokens }) {
				const text = this.parser.parseInline(tokens);
				const found = hrefOnSite(href, source, pages);
				return found === null ? text : `<a href="${escaped(found)}">${text}</a>`;
			},
			image({ href, text }) {
				return `<img src="${escaped(hrefOnSite(href, source, pages) ?? href)}" alt="${escaped(text)}">`;
			},
			table(table) {
				const cell = ({ text, tokens, header }: (typeof table.header)[number]) => {
					// A screen reader announces a header, so an empty one is none.
					const tag = header && text !== '' ? 'th' : 'td';
					return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
				};
				const row = (cells: typeof table.header) => `<tr>${cells.map(cell).join('')}</tr>`;
				const body = table.rows.map(row).join('\n');
				return `<div class="table" tabindex="0"><table><thead>${row(table.header)}</thead><tbody>${body}</tbody></table></div>`;
			},
			code({ text, lang }) {
				if (lang === 'mermaid') return `<pre class="mermaid">${escaped(text)}</pre>`;
				return `<pre tabindex="0"><code>${escaped(text)}</code></pre>`;
			},
		},
	});
	const up = posix.relative(posix.dirname(source.path), '.');
	const from = (path: string): string => posix.join(up, path);
	const scripts = source.text.includes('\n```mermaid\n') ? DIAGRAM_SCRIPTS : [];
	const list = (links: readonly Link[]): string => {
		const items = links.map(({ path, title }) => {
			const current = path === source.path ? ' aria-current="page"' : '';
			return `<li><a href="${from(path)}"${current}>${escaped(title)}</a></li>`;
		});
		return `<ul>${items.join('\n')}</ul>`;
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
<nav aria-label="Documentation">
${list(menu.links)}
<details><summary>Decisions</summary>${list(menu.decisions)}</details>
</nav>
<main>${marked.parse(source.text, { async: false })}</main>
</body>
</html>
`;
}
