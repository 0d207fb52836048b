import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { keptBuild } from '../bundle/kept-build.ts';
import { renderApiReference } from './api-reference.ts';
import { type Link, type Menu, renderPage, type Source, titleOf } from './page.ts';

const root = join(import.meta.dirname, '../..');
/** The first documents of the menu, in this order. */
const FIRST = ['README.md', 'docs/getting-started.md', 'docs/local-to-aws.md', 'docs/widget.md', 'docs/webhooks.md'];
const API_REFERENCE: Link = { path: 'api.html', title: 'API reference' };

const pathOf = (file: string): string =>
	file === 'README.md' ? 'index.html' : file.replace(/^docs\//, '').replace(/\.md$/, '.html');

/** Builds the documentation site into `folder`: a page for each document, and the API reference. */
async function makeDocs(folder: string): Promise<void> {
	const documents = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: root }).sort();
	const files = globSync('docs/**/*.{webp,json}', { cwd: root });
	const pages = new Map([...documents, ...files].map((file) => [file, pathOf(file)]));
	pages.set('docs/api.html', API_REFERENCE.path);
	const order = (file: string): number => (FIRST.includes(file) ? FIRST.indexOf(file) : FIRST.length);
	const sources: readonly Source[] = documents
		.sort((a, b) => order(a) - order(b))
		.map((file) => ({ file, path: pathOf(file), text: readFileSync(join(root, file), 'utf8') }));
	const isDecision = ({ file }: Source): boolean => file.startsWith('docs/decisions/');
	const linked = (found: readonly Source[]) => found.map((source) => ({ path: source.path, title: titleOf(source) }));
	const menu: Menu = {
		links: [...linked(sources.filter((source) => !isDecision(source))), API_REFERENCE],
		decisions: linked(sources.filter(isDecision)),
	};
	for (const source of sources) {
		const page = join(folder, source.path);
		mkdirSync(dirname(page), { recursive: true });
		writeFileSync(page, renderPage(source, pages, menu));
	}
	for (const file of files) {
		const copy = join(folder, pathOf(file));
		mkdirSync(dirname(copy), { recursive: true });
		copyFileSync(join(root, file), copy);
	}
	for (const file of ['docs.css', 'diagrams.js']) copyFileSync(join(import.meta.dirname, file), join(folder, file));
	copyFileSync(join(root, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'), join(folder, 'mermaid.tiny.js'));
	await renderApiReference(folder);
}

/** Returns the folder with the site. Rebuilds it only if a document or a source has changed. */
export const docsSite = (): Promise<string> =>
	keptBuild({ name: 'docs', make: makeDocs, also: ['README.md', 'CHANGELOG.md', 'docs/**/*', 'tools/docs-site/*'] });

if (import.meta.main) process.stdout.write(`${await docsSite()}/index.html\n`);
