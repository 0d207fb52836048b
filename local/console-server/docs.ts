import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../..');
const DOCUMENTS = join(root, 'docs');
/** A site on this machine answers in milliseconds. */
const PATIENCE_MS = 1000;
const HINT = '`npm run docs` serves these pages as a site, with a search and the API reference.\n\n';

/** Where a browser finds a page of the documentation: at an address, or as the text of its document. */
export type DocsPage = { readonly location: string } | { readonly text: string };

/** The page of that name: on the site, if one is served at the address; otherwise its document. Null if there is none. */
export async function docsPage(name: string, site: string): Promise<DocsPage | null> {
	if (await isServed(site)) return { location: `${site}/${name}` };
	const candidates = [`${name}.md`, join(name, 'README.md')].map((file) => join(DOCUMENTS, file));
	const file = candidates.find((path) => !relative(DOCUMENTS, path).startsWith('..') && existsSync(path));
	return file === undefined ? null : { text: HINT + readFileSync(file, 'utf8') };
}

async function isServed(site: string): Promise<boolean> {
	try {
		return (await fetch(site, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE_MS) })).ok;
	} catch {
		return false;
	}
}
