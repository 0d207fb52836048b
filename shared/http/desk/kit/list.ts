import type { MenuPage } from '../../../contract/desk/desk-pages.ts';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import type { Records } from '../../../ports/registry.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { listPage, type Page } from '../../../use-cases/kernel/list-page.ts';
import type { PageDeps, View } from './view.ts';

/** The items as a list. If there are no items, the sentence `none`. */
export const itemList = (items: readonly Markup[], none: string): Markup =>
	items.length === 0 ? html`<p class="empty">${none}</p>` : html`<ul class="list">${items}</ul>`;

/**
 * A list as a table with these headings. On a phone, a row has two lines. If the list is empty, the sentence `none` instead.
 * `look`: the classes of the table, if it looks different from other lists.
 */
export function tableList(
	heads: readonly (string | Markup)[],
	rows: readonly Markup[],
	none: string,
	look: string | null = null,
): Markup {
	if (rows.length === 0) return itemList(rows, none);
	const columns = heads.map((head) => html`<th scope="col">${head}</th>`);
	return html`<table class="list${look && ` ${look}`}"><thead><tr>${columns}</tr></thead><tbody>${rows}</tbody></table>`;
}

/**
 * The rarely used actions of a row, in a menu that a button opens. `name`: the name of the row, for screen readers. `isOpen`:
 * whether the menu is open, because a field in it was refused.
 */
export const rowMenu = ({ texts }: View, name: string, content: Markup, isOpen = false): Markup => {
	const label = name === '' ? texts.menu.more : `${texts.menu.more}: ${shortened(name, MOST_NAME)}`;
	const card = html`<div class="card">${content}</div>`;
	return html`<details class="menu" name="menu"${isOpen && html` open`}><summary aria-label="${label}">⋯</summary>${card}</details>`;
};

/** The most characters of a name where a button repeats it. The row itself has the whole name. */
export const MOST_NAME = 40;

/** The most items of each list on one page. With these limits, a page with its style stays below 60 KB. */
const PER_PAGE = { call: 8, desk_change: 20, api_key: 10, delivery: 10 } as const;

/**
 * The id at which a list starts, from the page's address. Null: the list starts at its newest item. A text that is not an id
 * is ignored.
 */
export function startOf({ query }: View, name: string): string | null {
	const id = query[name] ?? '';
	return ID_PATTERN.test(id) ? id : null;
}

/** One page of a list, newest first. */
export const pageOf = <N extends keyof typeof PER_PAGE>(
	record: N,
	view: View,
	{ store }: PageDeps,
	{ limit = PER_PAGE[record] }: { readonly limit?: number } = {},
): Promise<Page<Records[N]>> => listPage(record, { ...rangeOf(record, view), limit }, () => true, store);

/** The part of a list that the page's address asks for. */
export const rangeOf = (record: keyof typeof PER_PAGE, view: View) => ({
	workspace_id: view.at.workspace.id,
	from_id: null,
	before_id: startOf(view, 'before'),
	limit: PER_PAGE[record],
});

/** Links to the next page of a list and back to its start. `rest`: the other parameters of the query. */
export function pageLinks(
	view: View,
	page: MenuPage,
	{ next_before_id }: Pick<Page<unknown>, 'next_before_id'>,
	{ name = 'before', rest = {} }: { readonly name?: string; readonly rest?: Readonly<Record<string, string>> } = {},
): Markup {
	const { older, newest } = view.texts;
	const link = (start: Readonly<Record<string, string>>, label: string) => {
		const query = new URLSearchParams({ ...rest, ...start }).toString();
		return html`<a class="button quiet" href="${query === '' ? page : `${page}?${query}`}">${label}</a>`;
	};
	const back = startOf(view, name) !== null && link({}, newest);
	const on = next_before_id && link({ [name]: next_before_id }, older);
	return back || on ? html`<p class="row">${back}${on}</p>` : html``;
}

/** The most rows of a page whose rows have many forms. */
const PART = 10;

/**
 * Splits a list into parts of ten items, and returns the part that the page's address asks for. `first` is the place of the
 * part's first item. `links` are links to all parts. A list of at most ten items has no links.
 */
export function inParts<T>(
	{ query, language }: View,
	page: MenuPage,
	items: readonly T[],
): { readonly shown: readonly T[]; readonly first: number; readonly links: Markup | false } {
	const starts = Array.from({ length: Math.ceil(items.length / PART) }, (_, nth) => nth * PART);
	const first = starts.find((start) => String(start) === query['from']) ?? 0;
	const number = numberIn(language);
	const links = starts.map((start) => {
		const current = start === first && html` aria-current="true"`;
		const range = `${number(start + 1)}–${number(Math.min(start + PART, items.length))}`;
		return html`<a href="${page}?from=${start}"${current}><bdi>${range}</bdi></a>`;
	});
	return {
		shown: items.slice(first, first + PART),
		first,
		links: starts.length > 1 && html`<p class="chips">${links}</p>`,
	};
}
