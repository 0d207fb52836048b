import { channelsOf, missedCallChannels, type NoticeChannel } from '../../../domain/notices/team-notice.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { tagOf } from '../../../presentation/team-words.ts';
import { button } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/**
 * What is sent to the mail address and to the chat: a row for each kind of message, in words that nobody takes for something to
 * press, and buttons that send a test message.
 */
export function channelsPart(view: View): Markup {
	const { texts, at } = view;
	const { notices } = texts;
	const used = channelsOf(at.workspace);
	const list = new Intl.ListFormat(tagOf(view), { type: 'conjunction' });
	const row = (label: string, cell: Markup | string): Markup =>
		html`<tr><th scope="row">${label}</th><td>${cell}</td></tr>
`;
	const namesOf = (channels: readonly NoticeChannel[]): string =>
		channels.length === 0 ? notices.no : list.format(channels.map((channel) => notices[channel]));
	const tests = used.map((channel) =>
		button(view, { action: 'test-notices', channel }, `${notices.test}: ${notices[channel]}`),
	);
	return html`<table class="channels"><caption>${notices.what}</caption>
<tbody>${row(notices.requests, namesOf(used))}${row(notices.missed, namesOf(missedCallChannels(at.workspace)))}
${row(notices.endpoint, namesOf(used))}${row(notices.owners, notices.to_owners)}
${used.length > 0 && row(notices.send_test, html`<div class="row">${tests}</div>`)}</tbody></table>
`;
}
