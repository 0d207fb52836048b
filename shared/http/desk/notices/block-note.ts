import { chatRecipient, mailRecipient } from '../../../domain/notices/failing-recipient.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { findBlock } from '../../../use-cases/notices/blocked-address.ts';
import { findFailure } from '../../../use-cases/notices/failing-recipient.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** Says below a mail address why mails to it do not arrive. False if no reason is known. */
export async function blockNote(address: string, view: View, deps: PageDeps): Promise<Markup | false> {
	const block = await findBlock(address, deps);
	if (block === null) return failureNote(mailRecipient(address), view.texts.mail_fails, view, deps);
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
