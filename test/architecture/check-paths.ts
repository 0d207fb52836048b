import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';

// Finds broken links and paths: links between documents with their anchors, and files and folders of this repository that
// documents, configurations and comments name. `npm run check` runs this.

const root = join(import.meta.dirname, '../..');
const tracked = (...patterns: readonly string[]): readonly string[] =>
	execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
		.trim()
		.split('\n');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const exists = (path: string): boolean => existsSync(join(root, path));

const folders = new Set(tracked().flatMap((file) => (file.includes('/') ? [file.slice(0, file.indexOf('/'))] : [])));
/**
 * The path of a file or folder, from the repository's root. If a path contains a wildcard or a placeholder, the pattern matches
 * the part before the wildcard or the placeholder.
 */
const PATH = new RegExp(`(?<![\\w./@-])(?:${[...folders].join('|')})/(?:[\\w.-]+/)*(?:[\\w-]+(?:\\.\\w+)+)?`, 'g');
/** One of our files, named without its folder. */
const NAME = /(?<![\w./@{*-])[a-z][\w-]*(?:\.test)?\.(?:ts|md)(?![\w/-])/g;
const names = new Set(tracked().map((file) => basename(file)));
/** The configurations, which name files, and all sources that people write and that can have comments. */
const SOURCES = [
	'package.json',
	'tsconfig.json',
	'biome.json',
	'cdk.json',
	'*.ts',
	'*.js',
	'*.css',
	'*.html',
	'*.yaml',
	'.ci/run',
	'.gitignore',
];
/** Files that a build writes and git does not track. */
const GENERATED: ReadonlySet<string> = new Set(['local/stack.json', 'index.md']);

const anchors = new Map<string, ReadonlySet<string>>();
function anchorsOf(file: string): ReadonlySet<string> {
	const known = anchors.get(file);
	if (known !== undefined) return known;
	const marked = new Marked(gfmHeadingId());
	marked.parse(textOf(file), { async: false });
	const ids = new Set(getHeadingList().map(({ id }) => id));
	anchors.set(file, ids);
	return ids;
}

/**
 * The broken links of a document: links to a file that does not exist in the repository, or to a section that the file does not
 * have.
 */
function deadLinks(file: string): readonly string[] {
	const targets = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
	return targets.filter((target) => {
		if (/^[a-z]+:/.test(target)) return false;
		const [path = '', anchor] = target.split('#');
		const found = path === '' ? file : normalize(join(dirname(file), path));
		if (GENERATED.has(found)) return false;
		if (!exists(found)) return true;
		return anchor !== undefined && found.endsWith('.md') && !anchorsOf(found).has(anchor);
	});
}

/**
 * The comments of a source file, including those at the end of a line. A string that contains `//`, such as a URL, is also read
 * as a comment.
 */
function commentsOf(text: string): string {
	return (text.match(/\/\*.*?\*\/|<!--.*?-->|(?:\/\/|(?<=^|\s)#\s).*?$/gms) ?? []).join('\n');
}

/** Files and folders that do not exist but are named in a document, a configuration or a comment. */
function deadPaths(file: string): readonly string[] {
	const text = /\.(md|json)$/.test(file) ? textOf(file) : commentsOf(textOf(file));
	const paths = (text.match(PATH) ?? []).filter((path) => !path.includes('node_modules/') && !exists(path));
	const bare = (text.match(NAME) ?? []).filter((name) => !names.has(name));
	return [...paths, ...bare].filter((path) => !GENERATED.has(path));
}

const documents = tracked('*.md');
const dead = [
	...documents.flatMap((file) => deadLinks(file).map((link) => `${file}: the link ${link} leads nowhere`)),
	// The changelog is left out, because it names files that no longer exist.
	...[...documents, ...tracked(...SOURCES)]
		.filter((file) => file !== 'CHANGELOG.md' && existsSync(join(root, file)))
		.flatMap((file) => deadPaths(file).map((path) => `${file}: ${path} does not exist`)),
];
for (const line of dead) console.error(line);
if (dead.length > 0) process.exitCode = 1;
