import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { copyButton, element, keyedList, type Places, say } from '../element.ts';
import { filteredList } from '../filter.ts';
import { clockTime, envelopeOf, header, type Snapshot, type Webhook } from '../wire.ts';
import { anchorOf } from './events-view.ts';

const VERDICTS = { true: 'signature verified', false: 'signature wrong', null: 'secret not known here' } as const;
/** A webhook, and the number of its call. */
type Item = { readonly webhook: Webhook; readonly phone: string };

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

function summaryOf(webhook: Webhook, phone: HTMLElement): HTMLElement {
	const attempt = header(webhook, 'service-attempt');
	const verdict = VERDICTS[`${webhook.verified}`];
	return element(
		'summary',
		{},
		element('time', { datetime: webhook.received_at }, clockTime(webhook.received_at)),
		element('strong', {}, header(webhook, 'service-event')),
		phone,
		...(attempt === '1' ? [] : [element('span', { class: 'chip pending' }, `attempt ${attempt}`)]),
		element('span', { class: `chip verified-${webhook.verified}` }, webhook.error ?? verdict),
	);
}

function webhookItem({ webhook }: Item) {
	const phone = element('span', { class: 'muted' });
	const opened = element('div', { class: 'opened' }, bodyOf(webhook), headerTable(webhook));
	return {
		shown: element('details', { class: 'card webhook', id: anchorOf(webhook) }, summaryOf(webhook, phone), opened),
		update: (item: Item) => say(phone, item.phone),
	};
}

/** The webhooks that the inbox received, unchanged, newest first. */
export function webhooksView(places: Places<'list' | 'empty' | 'bar'>) {
	const keyOf = ({ webhook }: Item) => `${anchorOf(webhook)}/${webhook.received_at}`;
	const show = filteredList<Item>(places, {
		about: 'webhooks',
		states: eventKinds,
		nothing: 'No webhook matches.',
		show: keyedList(places.list, keyOf, webhookItem),
		traits: ({ webhook, phone }) => {
			return [[phone, webhook.body, header(webhook, 'service-delivery')], header(webhook, 'service-event')];
		},
	});
	return ({ webhooks, calls, names }: Snapshot): void => {
		const whose = new Map(
			(calls.data ?? []).map(({ id, visitor_phone_masked }) => {
				return [id, [names[id] ?? [], readableMask(visitor_phone_masked)].flat().join(', ')];
			}),
		);
		const items = webhooks.toReversed().map((webhook) => ({
			webhook,
			phone: whose.get(envelopeOf(webhook)?.data.id ?? '') ?? envelopeOf(webhook)?.data.status ?? '',
		}));
		show(items);
	};
}
