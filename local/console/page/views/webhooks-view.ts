import { copyButton, element, unchanging } from '../element.ts';
import { newestList } from '../newest.ts';
import { type Shown, type Webhook, whenText } from '../wire.ts';

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

function webhookItem(webhook: Webhook): HTMLElement {
	const { anchor, received_at, headers, verified, error } = webhook;
	const attempt = `${headers['service-attempt']}`;
	const summary = element(
		'summary',
		{},
		element('time', { datetime: received_at }, whenText(received_at)),
		element('strong', {}, `${headers['service-event']}`),
		...(attempt === '1' ? [] : [element('span', { class: 'chip pending' }, `attempt ${attempt}`)]),
		element('span', { class: `chip verified-${verified}` }, error ?? VERDICTS[`${verified}`]),
	);
	const details = element('div', { class: 'opened' }, bodyOf(webhook), headerTable(webhook));
	return element('details', { class: 'card webhook', id: anchor }, summary, details);
}

/** Shows the newest webhooks that the inbox has received, each with its headers and its body. */
export function webhooksView(most: number) {
	const list = newestList<Webhook>({ name: 'webhook', timeOf: ({ id }) => id, most, make: unchanging(webhookItem) });
	return ({ webhooks }: Shown): void => list.take(webhooks);
}
