import { shortened } from '../../../domain/kernel/visible-line.ts';
import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { type Contact, type SentEvent, sentEvents } from '../../../use-cases/desk/contact-story.ts';
import { itemList } from '../kit/list.ts';
import { momentTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** The most characters of an endpoint's address that are shown. They are enough to tell endpoints apart. */
const MOST_ADDRESS = 60;

/** The events of a call or lead. Below each event are its deliveries, with links to the developers' pages. */
export async function sentOf(contact: Contact, view: View, { store }: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const [events, endpoints] = await Promise.all([sentEvents(contact, { store }), store.endpointsOf(at.workspace.id)]);
	const rows = events.map((each) => eventRow(each, endpoints, view));
	return html`<h2>${texts.pages.webhooks}</h2>${itemList(rows, texts.call_page.no_events)}`;
}

function eventRow({ event, deliveries }: SentEvent, endpoints: readonly WebhookEndpoint[], view: View): Markup {
	const { kind, created_at } = event;
	const sent = deliveries.map((each) => deliveryLine(each, endpoints, view));
	const none = sent.length === 0 && html`<p class="soft">${view.texts.call_page.not_sent}</p>`;
	const time = html`<time class="soft" datetime="${created_at}">${momentTime(created_at, view)}</time>`;
	return html`<li class="event"><p><strong dir="ltr">${kind}</strong> ${time}</p>
<div>${sent}${none}</div></li>
`;
}

function deliveryLine(
	{ id, status, endpoint_id }: Delivery,
	endpoints: readonly WebhookEndpoint[],
	view: View,
): Markup {
	const { deliveries } = view.texts;
	const endpoint = endpoints.find((each) => each.id === endpoint_id);
	const address = endpoint === undefined ? null : withoutQuery(endpoint.url);
	const to =
		address === null ? deliveries.endpoint_gone : html`<bdi dir="ltr">${shortened(address, MOST_ADDRESS)}</bdi>`;
	const bad = (status === 'failed' || status === 'held') && html` class="missed"`;
	return html`<p><a${bad} href="../developers/deliveries?id=${id}">${deliveries.states[status]}</a> · ${to}</p>`;
}
