import { folderOf, type MenuPage } from '../../../contract/desk/desk-pages.ts';
import type { DeskChange } from '../../../domain/desk/desk-change.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { madeMeanwhile } from '../../../use-cases/desk/since-handover.ts';
import { actionNames, mayDo, maySee, wordOf } from '../actions.ts';
import { madeBy } from '../keys/made-by.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { auditEntryText } from '../log/log-page.ts';

/** The daily actions of a team. `meanwhileNote` does not list them, because the owners need not check them. */
const daily = actionNames.filter((name) => mayDo({ role: 'member' }, name)).map(wordOf);
const DAILY: readonly string[] = [...daily, 'signed_in', 'put_back'];
const isWorthALook = ({ change }: DeskChange): boolean => !DAILY.includes(change);

/**
 * A note that the desk shows for one day after an owner has restored it. It lists the keys, endpoints and changes of the 24
 * hours before the restoration, with links to the pages where they can be ended or undone. False if there is nothing to show,
 * or if the person may not see the page *People*.
 */
export async function meanwhileNote(view: View, { store }: PageDeps): Promise<Markup | false> {
	const { at, texts, now_ms } = view;
	if (!maySee(at.person, 'people')) return false;
	const made = await madeMeanwhile(at.workspace, isWorthALook, { store, now_ms });
	if (made === null) return false;
	const link = (page: MenuPage, label: string): Markup =>
		html`<a href="../${folderOf(page)}/${page}">${texts.pages[page]}: <bdi>${label}</bdi></a>`;
	const rows = [
		...made.keys.map(({ name, made_by }) => html`<li>${link('keys', name)}${madeBy(made_by, view)}</li>`),
		...made.endpoints.map(
			({ url, made_by }) => html`<li>${link('webhooks', withoutQuery(url))}${madeBy(made_by, view)}</li>`,
		),
		...made.changes.map((change) => html`<li>${auditEntryText(change, view)}</li>`),
	];
	const says = fillIn(texts.handover.meanwhile, shortTime(made.put_back_at, view));
	return html`<div class="card"><p class="missed">${says}</p><ul>${rows}</ul>
<p><a href="log">${texts.pages.log}</a></p></div>
`;
}
