import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { byId, copyButton, element, keyedList, type Places, say, unchanging } from '../element.ts';
import { listView } from '../filter.ts';
import { type Changes, header, type Webhook, whenText } from '../wire.ts';
import { anchorOf } from './events-view.ts';

const VERDICTS = { true: 'signature verified', false: 'signature wrong', null: 'secret not known here' } as const;

function pretty(body: string): string {
	try {
		return JSON.stringify(JSON.parse(body), null, 2);
	} catch {
		return body;
	}
}

function headerTable(webhook: Webhook): HTMLElement {
	const rows = Object.entries(webhook.headers).map(([name, value]) =>
		element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, String(value))),
	);
	return element('table', {}, element('caption', {}, 'Headers'), element('tbody', {}, ...rows));
}

function bodyOf({ body }: Webhook): HTMLElement {
	const title = element('p', { class: 'label' }, 'Body ', copyButton(body, 'Copy raw bytes'));
	return element('div', {}, title, element('pre', { tabindex: '0' }, pretty(body)));
}

function summaryOf(webhook: Webhook): HTMLElement {
	const attempt = header(webhook, 'service-attempt');
	const verdict = VERDICTS[`${webhook.verified}`];
	return element(
		'summary',
		{},
		element('time', { datetime: webhook.received_at }, whenText(webhook.received_at)),
		element('strong', {}, header(webhook, 'service-event')),
		element('span', { class: 'muted' }, webhook.visitor),
		...(attempt === '1' ? [] : [element('span', { class: 'chip pending' }, `attempt ${attempt}`)]),
		element('span', { class: `chip verified-${webhook.verified}` }, webhook.error ?? verdict),
	);
}

function webhookItem(webhook: Webhook): HTMLElement {
	const details = element('div', { class: 'opened' }, bodyOf(webhook), headerTable(webhook));
	return element('details', { class: 'card webhook', id: anchorOf(webhook) }, summaryOf(webhook), details);
}

/** The webhooks that the inbox received, unchanged, newest first. */
export function webhooksView(places: Places<'list' | 'empty' | 'bar'>) {
	const view = listView<Webhook>(places, {
		about: 'webhooks',
		states: eventKinds,
		nothing: 'No webhook matches.',
		list: 'webhooks',
		keyOf: ({ key }) => key,
		show: keyedList(places.list, ({ key }: Webhook) => key, unchanging(webhookItem)),
		count: (text) => say(byId('webhook-count'), text),
	});
	return { load: () => view.load(), update: ({ webhooks }: Changes) => view.merge(webhooks) };
}
