import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { MOST_NAME, pageLinks, pageOf, tableList } from '../kit/list.ts';
import { rowTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** The names of the visitors whose requests were changed, by the ids of the requests. */
export type Visitors = ReadonlyMap<string, string | null>;

/**
 * The audit list, newest first. `visitorsOf` is absent where the list is the answer to a refused form, so that the function
 * that runs forms stays small.
 */
export async function logPage(
	view: View,
	deps: PageDeps,
	visitorsOf?: (entries: readonly DeskChange[], view: View, deps: PageDeps) => Promise<Visitors>,
): Promise<Markup> {
	const { heads, no_changes } = view.texts;
	const page = await pageOf('desk_change', view, deps);
	const visitors = await visitorsOf?.(page.items, view, deps);
	const rows = page.items.map((item) => {
		const { when, who, what } = partsOf(item, view, visitors?.get(item.about ?? ''));
		return html`<tr><td class="when">${when}</td><td>${who}</td><td class="what">${what}</td></tr>\n`;
	});
	const table = tableList([heads.when, heads.who, heads.what], rows, no_changes, 'sheet log');
	return html`${table}${pageLinks(view, 'log', page)}`;
}

/** Who changed what, and when, as a sentence. */
export function auditEntryText(entry: DeskChange, view: View): Markup {
	const { when, who, what } = partsOf(entry, view);
	return html`<p>${fillMarkup(view.texts.who_did, who, what)}</p>
<p class="soft">${when}</p>`;
}

/** The most characters of what was changed, such as the address of an endpoint. */
const MOST_ABOUT = 200;

/** `visitor`: the name of the visitor whose request was changed. Absent or null: the sentence does without it. */
function partsOf({ address, change, about, created_at }: DeskChange, view: View, visitor: string | null = null) {
	const { changes, changes_of } = view.texts;
	const sentences = new Map(Object.entries(visitor === null ? changes : { ...changes, ...changes_of }));
	const name = shortened(visitor ?? about ?? '', visitor === null ? MOST_ABOUT : MOST_NAME);
	return {
		when: html`<time datetime="${created_at}">${rowTime(created_at, view)}</time>`,
		who: html`<bdi dir="ltr">${address}</bdi>`,
		what: fillMarkup(sentences.get(change) ?? change, isolated(name)),
	};
}

/** A name. Of a changed name, the former and the new one, each in its own direction. */
const isolated = (name: string): Markup =>
	html`${name.split(' → ').map((each, nth) => html`${nth > 0 && ' → '}<bdi>${each}</bdi>`)}`;
