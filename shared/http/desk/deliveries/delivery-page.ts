import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { CALL_EVENTS, eventsOf, LEAD_EVENTS } from '../../../use-cases/webhooks/subject-events.ts';
import { presentInFull } from '../../webhooks/present-delivery.ts';
import { button } from '../kit/form.ts';
import { exactTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { attemptView } from '../webhooks/attempt-view.ts';

/**
 * At most this many attempts are shown, newest first: the first with the whole stored response, the others with an excerpt.
 */
const MOST_ATTEMPTS = 20;
const WHOLE_BODY = 4096;
const EXCERPT = 400;

/** One delivery with its attempts, and the button that sends it again. */
export async function deliveryPage(delivery: Delivery, view: View, { store }: PageDeps): Promise<Markup> {
	const { deliveries } = view.texts;
	const { id, event, event_id, status, endpoint_id, workspace_id, subject_id, created_at, next_attempt_at } = delivery;
	const [endpoint, { attempts, request }, events] = await Promise.all([
		store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		presentInFull(delivery, store),
		eventsOf(subject_id, LEAD_EVENTS.includes(event) ? LEAD_EVENTS : CALL_EVENTS, store),
	]);
	const to =
		endpoint === null
			? deliveries.endpoint_gone
			: html`<a href="webhooks?id=${endpoint_id}" dir="ltr">${withoutQuery(endpoint.url)}</a>`;
	const next =
		next_attempt_at !== null && html`<p>${fillIn(deliveries.next_attempt, exactTime(next_attempt_at, view))}</p>`;
	const newest = attempts.toReversed().slice(0, MOST_ATTEMPTS);
	const rows = newest.map(
		(attempt, index) =>
			html`<li><p><strong>${fillIn(deliveries.attempt, String(attempt.number))}</strong></p>
${attemptView(attempt, view, index === 0 ? WHOLE_BODY : EXCERPT)}</li>\n`,
	);
	const isCut = attempts.length > newest.length;
	const cut = isCut && html`<p class="soft">${fillIn(deliveries.older_attempts, String(attempts.length))}</p>`;
	return html`<p><a href="deliveries">${deliveries.all}</a></p>
<div class="card"><p><strong><bdi dir="ltr">${event}</bdi></strong> · ${deliveries.states[status]}</p>
<p class="soft"><time datetime="${created_at}">${exactTime(created_at, view)}</time> · ${to}</p>${next}
<p class="soft">${deliveries.event_id} <bdi dir="ltr">${event_id}</bdi></p>
${endpoint !== null && button(view, { action: 'retry-delivery', id }, deliveries.retry)}</div>
${rows.length > 0 ? html`<ul class="list">${rows}</ul>` : html`<p class="empty">${deliveries.no_attempt}</p>`}${cut}
${request !== null && sentView(request, view)}
${events.length > 0 && html`<h2>${deliveries.related_events}</h2><ul class="list">${events.map((each) => eventRow(each, view))}</ul>`}`;
}

/** The headers and the body, for a developer who compares them with what arrived. */
function sentView({ headers, body }: NonNullable<Request>, { texts: { deliveries } }: View): Markup {
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	return html`<h2>${deliveries.sent}</h2><p class="soft">${deliveries.sent_hint}</p>
<pre dir="ltr" tabindex="0">${[...lines, '', body].join('\n')}</pre>`;
}
type Request = Awaited<ReturnType<typeof presentInFull>>['request'];

function eventRow({ id, kind, created_at }: Event, view: View): Markup {
	const time = html`<time datetime="${created_at}">${exactTime(created_at, view)}</time>`;
	return html`<li><bdi dir="ltr">${kind}</bdi> · ${time} · <bdi dir="ltr" class="soft">${id}</bdi></li>\n`;
}
