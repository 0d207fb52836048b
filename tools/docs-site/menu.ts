import { posix } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { type Source, titleOf } from './page.ts';

export type Link = { readonly path: string; readonly title: string };
/** Pages for one kind of reader; `folded`: the menu shows them on demand. */
export type MenuGroup = { readonly title: string; readonly links: readonly Link[]; readonly folded: boolean };
/** The menu of every page. */
export type Menu = readonly MenuGroup[];

const OVERVIEW = 'docs/README.md';
/** The reference is the readable form of this document. */
const API_DOCUMENT = 'docs/openapi.json';
export const API_REFERENCE: Link = { path: 'api.html', title: 'API reference' };

/** The title of each group of docs/README.md, and the files that it links to, in order. */
function groupsOf(overview: string): readonly { readonly title: string; readonly files: readonly string[] }[] {
	const groups: { title: string; files: string[] }[] = [{ title: 'Start here', files: ['README.md', OVERVIEW] }];
	void walkTokens(lexer(overview), (token) => {
		if (token.type === 'strong') groups.push({ title: token.text, files: [] });
		if (token.type === 'link') groups.at(-1)?.files.push(posix.join('docs', token.href));
	});
	return groups;
}

/** The pages in the order in which docs/README.md names them, by reader; then the decisions, and what it does not name. */
export function menuOf(sources: readonly Source[]): Menu {
	const byFile = new Map(sources.map((source) => [source.file, source]));
	const linkTo = (file: string): Link[] => {
		const source = byFile.get(file);
		byFile.delete(file);
		return source === undefined ? [] : [{ path: source.path, title: titleOf(source) }];
	};
	const named = groupsOf(byFile.get(OVERVIEW)?.text ?? '').map(({ title, files }) => {
		const links = files.flatMap((file) => (file === API_DOCUMENT ? [API_REFERENCE] : linkTo(file)));
		return { title, links, folded: false };
	});
	const rest = [...byFile.keys()];
	const isDecision = (file: string): boolean => file.startsWith('docs/decisions/');
	return [
		...named,
		{ title: 'Decisions', links: rest.filter(isDecision).flatMap(linkTo), folded: true },
		{ title: 'More', links: rest.filter((file) => !isDecision(file)).flatMap(linkTo), folded: false },
	];
}
