import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { itemList, pageLinks, pageOf } from '../kit/list.ts';
import { rowTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** The audit list, newest first. */
export async function logPage(view: View, deps: PageDeps): Promise<Markup> {
	const page = await pageOf('desk_change', view, deps);
	const rows = page.items.map((item) => html`<li class="entry">${auditEntryText(item, view)}</li>\n`);
	return html`${itemList(rows, view.texts.no_changes)}${pageLinks(view, 'log', page)}`;
}

/** The most characters of what was changed, such as the address of an endpoint. */
const MOST_ABOUT = 200;

/** Who changed what, and when. */
export function auditEntryText({ address, change, about, created_at }: DeskChange, view: View): Markup {
	const words = new Map(Object.entries(view.texts.changes)).get(change) ?? change;
	return html`<p><bdi dir="ltr">${address}</bdi> ${fillIn(words, shortened(about ?? '', MOST_ABOUT))}</p>
<p class="soft"><time datetime="${created_at}">${rowTime(created_at, view)}</time></p>`;
}
