import { copyFileSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { apiDocument, apiServer } from '../api-document.ts';
import { anchorOf, appendixOf, hrefOnSite, sidebar, sitePaths } from '../pages.ts';

const root = join(import.meta.dirname, '../../..');
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(join(root, 'local/console/page/icon.svg'), 'utf8'))}`;

/** Makes links lead to pages of the site, and turns diagrams into components that draw them. */
function documentRules(md) {
	// When VitePress builds its search index, only `path` is set.
	const fileOf = ({ realPath, path }) => relative(root, realPath ?? path);
	md.core.ruler.before('normalize', 'appendix', (state) => {
		state.src += appendixOf(fileOf(state.env));
	});
	md.core.ruler.push('links', ({ tokens, env }) => {
		const file = fileOf(env);
		for (const { children } of tokens) replaceLinks(children ?? [], file);
	});
	const { fence } = md.renderer.rules;
	md.renderer.rules.fence = (tokens, index, ...rest) => {
		const { info, content } = tokens[index];
		if (info !== 'mermaid') return fence(tokens, index, ...rest);
		return `<Diagram source="${md.utils.escapeHtml(content)}" />`;
	};
}

function replaceLinks(tokens, file) {
	let unlinked = false;
	for (const token of tokens) {
		const href = token.type === 'link_open' ? hrefOnSite(token.attrGet('href'), file) : undefined;
		if (href === null) unlinked = true;
		else if (href !== undefined) token.attrSet('href', href);
		if (!unlinked || !token.type.startsWith('link_')) continue;
		unlinked = token.type !== 'link_close';
		Object.assign(token, { type: 'text', content: '' });
	}
}

/** Adds the files that are not pages: the API reference with the document that it shows, and data to which documents link. */
function addFiles({ outDir }) {
	for (const file of globSync(join(root, 'docs/*.json'))) copyFileSync(file, join(outDir, basename(file)));
	const server = apiServer(process.env.CALL_BACK_URL, join(root, '.local/stack.json'));
	writeFileSync(join(outDir, 'openapi.json'), JSON.stringify(apiDocument(server), null, 2));
	const reference = readFileSync(join(import.meta.dirname, '../api.html'), 'utf8');
	writeFileSync(join(outDir, 'api.html'), reference.replace('ICON', icon));
	const scalar = '../node_modules/@scalar/api-reference/dist/browser/standalone.js';
	copyFileSync(join(import.meta.dirname, scalar), join(outDir, 'scalar.js'));
}

/**
 * The documents are outside this folder. Without this plugin, Vite would not find the packages that they need, which are in
 * this folder.
 */
const VUE_FROM_HERE = {
	name: 'vue-from-here',
	enforce: 'pre',
	resolveId(id) {
		return /^vue(\/|$)/.test(id) ? this.resolve(id, import.meta.filename, { skipSelf: true }) : null;
	},
};

/**
 * VitePress makes a page of every document that it finds. The pages of the client and the widget are left out, because npm shows
 * them.
 */
const otherFolders = readdirSync(root, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !['docs', 'packages', 'examples'].includes(entry.name))
	.map(({ name }) => `${name}/**`)
	.concat('packages/client/**', 'packages/widget/**');

// biome-ignore lint/style/noDefaultExport: VitePress takes the default export
export default {
	lang: 'en',
	title: 'Call-Back Widget Service',
	srcDir: root,
	srcExclude: otherFolders,
	rewrites: sitePaths,
	outDir: process.env.DOCS_SITE,
	cleanUrls: true,
	head: [['link', { rel: 'icon', href: icon }]],
	markdown: {
		anchor: { slugify: anchorOf },
		attrs: { disable: true },
		theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
		config: documentRules,
	},
	themeConfig: { search: { provider: 'local' }, sidebar: sidebar(), outline: [2, 3] },
	vite: { plugins: [VUE_FROM_HERE], build: { target: 'es2024' } },
	buildEnd: addFiles,
};
