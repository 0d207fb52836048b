import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';

/** A Markdown file of the repository and its place on the site. */
export type Source = { readonly file: string; readonly path: string; readonly text: string };
export type Heading = { readonly level: number; readonly id: string; readonly text: string };
/** A rendered document. */
export type Content = { readonly html: string; readonly headings: readonly Heading[] };

export const escaped = (text: string): string =>
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

/** Renders one document. `pages`: the site's path of each file of the repository. */
export function renderContent(source: Source, pages: ReadonlyMap<string, string>): Content {
	const marked = new Marked(gfmHeadingId());
	marked.use({
		renderer: {
			link({ href, tokens }) {
				const text = this.parser.parseInline(tokens);
				const href_on_site = hrefOnSite(href, source, pages);
				return href_on_site === null ? text : `<a href="${escaped(href_on_site)}">${text}</a>`;
			},
			image({ href, text }) {
				return `<img src="${escaped(hrefOnSite(href, source, pages) ?? href)}" alt="${escaped(text)}">`;
			},
			table({ header, rows }) {
				const cell = ({ text, tokens, header: heads }: Tokens.TableCell) => {
					// A screen reader announces a header, so an empty one is none.
					const tag = heads && text !== '' ? 'th' : 'td';
					return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
				};
				const row = (cells: readonly Tokens.TableCell[]) => `<tr>${cells.map(cell).join('')}</tr>`;
				const body = rows.map(row).join('\n');
				return `<div class="table" tabindex="0"><table><thead>${row(header)}</thead><tbody>${body}</tbody></table></div>`;
			},
			code({ text, lang }) {
				if (lang === 'mermaid') return `<pre class="mermaid">${escaped(text)}</pre>`;
				return `<div class="code"><pre tabindex="0"><code>${escaped(text)}</code></pre></div>`;
			},
		},
	});
	const html = marked.parse(source.text, { async: false });
	return { html, headings: getHeadingList().map(({ level, id, text }) => ({ level, id, text })) };
}
