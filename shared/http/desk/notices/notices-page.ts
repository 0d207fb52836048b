import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { fields } from '../kit/fields.ts';
import { formCard } from '../kit/form.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { blockNote, chatNote } from './block-note.ts';

/** Where messages to the team go. */
export async function noticesPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const { team_email, team_email_asked: asked, team_webhook } = at.workspace;
	const note = team_email !== null && (await blockNote(team_email, view, deps));
	const block = note && html`<div class="card"><strong><bdi dir="ltr">${team_email}</bdi></strong>${note}</div>`;
	const fails = await chatNote(view, deps);
	const chat = team_webhook && html`<p class="soft">${fillIn(texts.chat_is, team_webhook.origin)}</p>${fails}`;
	const waits = asked && html`<p class="card">${fillIn(texts.agree.waits, asked.address)}</p>`;
	const form = formCard(view, 'save-notices', fields('team_email', 'tells_missed_calls'), texts.save);
	return html`${form}${waits}${block}${chat}`;
}
