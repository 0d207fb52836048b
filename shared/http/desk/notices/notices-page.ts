import { noticeChannels } from '../../../domain/notices/team-notice.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { field, fields } from '../kit/fields.ts';
import { type Form, fieldValue, formCard, hiddenFields, tick } from '../kit/form.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { blockNote, chatNote } from './block-note.ts';
import { channelsPart } from './channels-part.ts';
import { BY_CHANNEL, missedField } from './notices-section.ts';

/** Where messages to the team go, which messages go there, and whether they arrive. */
export async function noticesPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const { team_email, team_email_asked: asked, team_webhook } = at.workspace;
	const note = team_email !== null && (await blockNote(team_email, view, deps));
	const block = note && html`<p><strong><bdi dir="ltr">${team_email}</bdi></strong></p>${note}`;
	const fails = await chatNote(view, deps);
	const chat = team_webhook === null ? texts.notices.no_chat : fillIn(texts.chat_is, team_webhook.origin);
	const waits = asked && html`<p class="card">${fillIn(texts.agree.waits, asked.address)}</p>`;
	const form = formCard(view, 'save-notices', noticesForm, texts.save);
	return html`<div class="halves"><div>${form}${waits}</div>
<div class="card">${channelsPart(view)}${block}<p class="soft">${chat}</p>${fails}</div></div>`;
}

/**
 * The form with the team's address and with the choice whether missed calls are reported. If the workspace has a chat, the
 * address and the chat each have a check box for missed calls.
 */
function noticesForm(form: Form): Markup {
	const { at, texts } = form.view;
	if (at.workspace.team_webhook === null) return fields('team_email', 'tells_missed_calls')(form);
	const ticks = noticeChannels.map((channel) => {
		const { value, beside } = fieldValue(form, missedField(channel));
		return html`${tick('checkbox', missedField(channel), 'yes', value, texts.notices[channel])}${beside}`;
	});
	return html`${field(form, 'team_email')}<fieldset><legend>${texts.fields.tells_missed_calls}</legend>${ticks}</fieldset>
${hiddenFields(BY_CHANNEL)}`;
}
