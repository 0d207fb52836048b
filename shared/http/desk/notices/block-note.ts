import { chatRecipient, mailRecipient } from '../../../domain/notices/failing-recipient.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { findBlock } from '../../../use-cases/notices/blocked-address.ts';
import { findFailure } from '../../../use-cases/notices/failing-recipient.ts';
import { maySee } from '../actions.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** Says below a mail address why mails to it do not arrive. False if no reason is known. */
export async function blockNote(address: string, view: View, deps: PageDeps): Promise<Markup | false> {
	const [block, failure] = await Promise.all([
		findBlock(address, deps),
		failureNote(mailRecipient(address), view.texts.mail_fails, view, deps),
	]);
	if (block === null) return failure;
	const words = fillIn(view.texts.blocked[block.reason], shortTime(block.noticed_at, view));
	return html`<p class="missed">${words}</p>`;
}

/**
 * Says since when and why messages to the workspace's chat fail. False if the last message was accepted, or if the workspace
 * has no chat.
 */
export async function chatNote(view: View, deps: PageDeps): Promise<Markup | false> {
	const chat = chatRecipient(view.at.workspace);
	return chat !== null && failureNote(chat, view.texts.chat_fails, view, deps);
}

async function failureNote(recipient: string, text: string, view: View, deps: PageDeps): Promise<Markup | false> {
	const failing = await findFailure(recipient, deps);
	if (failing === null) return false;
	return html`<p class="missed">${fillIn(text, shortTime(failing.since, view), failing.code)}</p>`;
}

/**
 * A card that says why the team's messages do not arrive, with a link to the page of the notifications. False if they arrive,
 * or if the person may not see that page.
 */
export async function noticesAlert(view: View, deps: PageDeps): Promise<Markup | false> {
	const { at, texts } = view;
	if (!maySee(at.person, 'notices')) return false;
	const { team_email, team_webhook } = at.workspace;
	const [mail, chat] = await Promise.all([
		team_email !== null && blockNote(team_email, view, deps),
		chatNote(view, deps),
	]);
	if (!(mail || chat)) return false;
	const to = (recipient: string | undefined) => html`<p><bdi dir="ltr">${recipient ?? ''}</bdi></p>`;
	return html`<section class="card alert" aria-labelledby="unsent">
<h2 id="unsent"><a href="notices">${texts.pages.notices}</a></h2>
${mail && html`${to(team_email ?? '')}${mail}`}${chat && html`${to(team_webhook?.origin)}${chat}`}</section>
`;
}
