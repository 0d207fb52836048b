import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { keptBuild } from '../bundle/build-cache.ts';
import { renderApiReference } from './api-reference.ts';
import { pageOf } from './layout.ts';
import { API_REFERENCE, menuOf } from './menu.ts';
import { renderContent, type Source } from './page.ts';
import { operationsOf, sectionsOf } from './search-index.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const pathOf = (file: string): string =>
	file === 'README.md' ? 'index.html' : file.replace(/^docs\//, '').replace(/\.md$/, '.html');

/** Builds the documentation site into `folder`: a page for each document, the API reference, and what a search needs. */
async function makeDocs(folder: string): Promise<void> {
	const documents = globSync(['README.md', 'CHANGELOG.md', 'docs/**/*.md'], { cwd: root }).sort();
	const files = globSync('docs/**/*.{webp,json}', { cwd: root });
	const pages = new Map([...documents, ...files].map((file) => [file, pathOf(file)]));
	pages.set('docs/api.html', API_REFERENCE.path);
	const sources: readonly Source[] = documents.map((file) => ({ file, path: pathOf(file), text: read(file) }));
	const menu = menuOf(sources);
	const rendered = sources.map((source) => ({ source, content: renderContent(source, pages) }));
	for (const { source, content } of rendered) place(folder, source.path, pageOf(source, content, menu));
	const sections = [
		...rendered.flatMap(({ source, content }) => sectionsOf(source, content)),
		...operationsOf(JSON.parse(read('docs/openapi.json'))),
	];
	// A script, because a page that was opened from a disk may not fetch.
	place(folder, 'search-index.js', `globalThis.searchIndex = ${JSON.stringify(sections)};\n`);
	for (const file of files) {
		mkdirSync(dirname(join(folder, pathOf(file))), { recursive: true });
		copyFileSync(join(root, file), join(folder, pathOf(file)));
	}
	for (const file of ['docs.css', 'diagrams.js']) copyFileSync(join(import.meta.dirname, file), join(folder, file));
	const entryPoints = [join(import.meta.dirname, 'reader.js')];
	buildSync({ entryPoints, outdir: folder, bundle: true, minify: true, target: 'es2024' });
	copyFileSync(join(root, 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'), join(folder, 'mermaid.tiny.js'));
	await renderApiReference(folder);
}

function place(folder: string, path: string, content: string): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), content);
}

/** Returns the folder with the site. Rebuilds it only if a document or a source has changed. */
export const docsSite = (): Promise<string> =>
	keptBuild({ name: 'docs', make: makeDocs, also: ['README.md', 'CHANGELOG.md', 'docs/**/*', 'tools/docs-site/*'] });

if (import.meta.main) process.stdout.write(`${await docsSite()}/index.html\n`);
