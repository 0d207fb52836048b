import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { appendixOf, hrefOnSite, sitePaths } from '../../../tools/docs-site/pages.ts';

// The documents of the checkout as plain pages, at the same addresses as on the site. The console shows these pages while
// no site is served, so that a link to a guide leads to the guide.

const root = join(import.meta.dirname, '../../..');
const files = new Map(Object.entries(sitePaths).map(([file, path]) => [path, file]));

/** The document at a path of the site, as HTML. Null if there is none: for example the API reference, which the site builds. */
export function documentPage(path: string): string | null {
	const name = path.replace(/(\.(html|md)|\/)$/, '');
	const file = files.get(`${name || 'index'}.md`) ?? files.get(`${name}/index.md`);
	if (file === undefined) return null;
	const text = readFileSync(join(root, file), 'utf8');
	const title = /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file;
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="/tokens.css"><link rel="stylesheet" href="/document.css">
<body class="console document"><main><p class="from"><a href="/docs/">All pages</a> · <a href="/">Console</a> · <code>${file}</code>.
<code>npm run docs</code> serves all pages with a search and the API reference.</p>
${rendered(`${text}${appendixOf(file)}`, file)}</main>`;
}

function rendered(text: string, file: string): string {
	const marked = new Marked(gfmHeadingId(), {
		renderer: {
			link({ href, tokens }) {
				const label = this.parser.parseInline(tokens);
				const target = targetOf(href, file);
				return target === null ? label : `<a href="${escaped(target)}">${label}</a>`;
			},
			// The console does not serve the pictures of documents. The console shows the descriptions of the pictures
			// instead.
			image: ({ text: description }) => `<em>${escaped(description)}</em>`,
		},
	});
	return marked.parse(text, { async: false });
}

/**
 * Where a link in a document leads. Null if the console has no page for the target. In that case, the page shows only the
 * link's label.
 */
function targetOf(href: string, file: string): string | null {
	const onSite = hrefOnSite(href, file);
	if (onSite === null || !onSite.startsWith('/')) return onSite;
	const page = /^\/(.*?)(?:index)?\.md(#.*)?$/.exec(onSite);
	return page === null ? null : `/docs/${page[1]}${page[2] ?? ''}`;
}

const escaped = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
