import {
	channelsOf,
	missedCallChannels,
	type NoticeChannel,
	noticeChannels,
} from '../../../domain/notices/team-notice.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { button } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/**
 * A table of what is sent to the mail address and to the chat. It has a row for each kind of message, and buttons that send a
 * test message.
 */
export function channelsPart(view: View): Markup {
	const { texts, at } = view;
	const { notices } = texts;
	const used = channelsOf(at.workspace);
	const missed = missedCallChannels(at.workspace);
	const row = (label: string, cell: (channel: NoticeChannel) => Markup | string): Markup =>
		html`<tr><th scope="row">${label}</th>${noticeChannels.map((channel) => html`<td>${cell(channel)}</td>`)}</tr>
`;
	const goesTo = (channels: readonly NoticeChannel[]) => (channel: NoticeChannel) =>
		channels.includes(channel) ? notices.yes : notices.no;
	const test = (channel: NoticeChannel): Markup | string => {
		if (!used.includes(channel)) return '–';
		const attributes = html` class="quiet" aria-label="${notices.test}: ${notices[channel]}"`;
		return button(view, { action: 'test-notices', channel }, notices.test, attributes);
	};
	return html`<table class="channels"><caption>${notices.what}</caption>
<thead><tr><td></td>${noticeChannels.map((channel) => html`<th scope="col">${notices[channel]}</th>`)}</tr></thead>
<tbody>${row(notices.requests, goesTo(used))}${row(notices.missed, goesTo(missed))}
${row(notices.endpoint, goesTo(used))}${row(notices.owners, (channel) => (channel === 'mail' ? notices.to_owners : notices.no))}
${used.length > 0 && row(notices.send_test, test)}</tbody></table>
`;
}
