import { copyButton, element, keyedList } from './element.ts';
import { clockTime, envelopeOf, header, type Webhook } from './wire.ts';

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

function webhookItem(webhook: Webhook): HTMLElement {
	const verdict = VERDICTS[`${webhook.verified}`];
	const event = header(webhook, 'service-event');
	return element(
		'details',
		{ class: 'card webhook' },
		element(
			'summary',
			{},
			element('time', { datetime: webhook.received_at }, clockTime(webhook.received_at)),
			element('strong', {}, event),
			element('span', { class: 'muted' }, envelopeOf(webhook)?.data.status ?? ''),
			element('span', { class: 'muted' }, `attempt ${header(webhook, 'service-attempt')}`),
			element('span', { class: `chip verified-${webhook.verified}` }, webhook.error ?? verdict),
		),
		headerTable(webhook),
		element('p', { class: 'label' }, 'Body ', copyButton(webhook.body, 'Copy raw bytes')),
		element('pre', { tabindex: '0' }, pretty(webhook.body)),
	);
}

/** What the inbox received, newest first, as it came. */
export function webhooksView(list: HTMLElement, empty: HTMLElement) {
	const show = keyedList(list);
	return (webhooks: readonly Webhook[]): void => {
		empty.hidden = webhooks.length > 0;
		show(
			[...webhooks].reverse().slice(0, 200),
			(webhook) =>
				`${header(webhook, 'service-delivery')}/${header(webhook, 'service-attempt')}/${webhook.received_at}`,
			() => '',
			webhookItem,
		);
	};
}
