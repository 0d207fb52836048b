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
 * What is sent to the mail address and to the chat: a row for each kind of message, a column for each channel, and at the foot
 * of each column a button that sends a test message. The last kinds go to the owners, at their own addresses.
 */
export function channelsPart(view: View): Markup {
	const { texts, at } = view;
	const { notices } = texts;
	const used = channelsOf(at.workspace);
	const row = (label: string, channels: readonly NoticeChannel[]): Markup => {
		const cells = noticeChannels.map((channel) => {
			const isSent = channels.includes(channel);
			return html`<td class="${isSent ? 'yes' : 'no'}"><span class="unseen">${isSent ? notices.yes : notices.no}</span></td>`;
		});
		return html`<tr><th scope="row">${label}</th>${cells}</tr>
`;
	};
	const heads = noticeChannels.map((channel) => html`<th scope="col">${notices[channel]}</th>`);
	const tests = noticeChannels.map((channel) => html`<td>${used.includes(channel) && testButton(view, channel)}</td>`);
	const foot = html`<tfoot><tr><th scope="row">${notices.send_test}</th>${tests}</tr></tfoot>`;
	return html`<table class="channels"><caption>${notices.what}</caption>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>${row(notices.requests, used)}${row(notices.missed, missedCallChannels(at.workspace))}${row(notices.endpoint, used)}</tbody>
<tbody><tr><th scope="rowgroup" colspan="3" class="soft">${notices.to_owners}</th></tr>
${row(notices.key, ['mail'])}${row(notices.secret, ['mail'])}${row(notices.owner, ['mail'])}</tbody>
${used.length > 0 && foot}</table>
`;
}

function testButton(view: View, channel: NoticeChannel): Markup {
	const { test, [channel]: name } = view.texts.notices;
	return button(view, { action: 'test-notices', channel }, test, html` class="quiet" aria-label="${test}: ${name}"`);
}
