import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { pageLinks, pageOf, tableList } from '../kit/list.ts';
import { rowTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** The audit list, newest first. */
export async function logPage(view: View, deps: PageDeps): Promise<Markup> {
	const { heads, no_changes } = view.texts;
	const page = await pageOf('desk_change', view, deps);
	const rows = page.items.map((item) => {
		const { when, who, what } = partsOf(item, view);
		return html`<tr><td class="when">${when}</td><td>${who}</td><td class="what">${what}</td></tr>\n`;
	});
	const table = tableList([heads.when, heads.who, heads.what], rows, no_changes, 'sheet log');
	return html`${table}${pageLinks(view, 'log', page)}`;
}

/** Who changed what, and when, as a sentence. */
export function auditEntryText(entry: DeskChange, view: View): Markup {
	const { when, who, what } = partsOf(entry, view);
	return html`<p>${who} ${what}</p>
<p class="soft">${when}</p>`;
}

/** The most characters of what was changed, such as the address of an endpoint. */
const MOST_ABOUT = 200;

function partsOf({ address, change, about, created_at }: DeskChange, view: View) {
	const words = new Map(Object.entries(view.texts.changes)).get(change) ?? change;
	return {
		when: html`<time datetime="${created_at}">${rowTime(created_at, view)}</time>`,
		who: html`<bdi dir="ltr">${address}</bdi>`,
		what: fillIn(words, shortened(about ?? '', MOST_ABOUT)),
	};
}
