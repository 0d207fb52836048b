import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { presentInFull } from '../../present-delivery.ts';
import { attemptView } from './attempt-view.ts';
import { shortTime } from './desk-words.ts';
import { button, type PageDeps, type View } from './frame.ts';

/** As many attempts are shown, newest first; the first with all of its response that is kept, the others with less. */
const MOST_ATTEMPTS = 20;
const WHOLE_BODY = 4096;
const EXCERPT = 400;

/** One delivery with its attempts, and the button that sends it again. */
export async function deliveryPage(delivery: Delivery, view: View, { store }: PageDeps): Promise<Markup> {
	const { deliveries } = view.texts;
	const { id, event, event_id, status, endpoint_id, workspace_id, created_at, next_attempt_at } = delivery;
	const [endpoint, { attempts }] = await Promise.all([
		store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		presentInFull(delivery, store),
	]);
	const to =
		endpoint === null
			? deliveries.endpoint_gone
			: html`<a href="webhooks?id=${endpoint_id}" dir="ltr">${withoutQuery(endpoint.url)}</a>`;
	const next =
		next_attempt_at !== null && html`<p>${fillIn(deliveries.next_attempt, shortTime(next_attempt_at, view))}</p>`;
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
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time> · ${to}</p>${next}
<p class="soft">${deliveries.event_id} <bdi dir="ltr">${event_id}</bdi></p>
${endpoint !== null && button(view, { action: 'delivery_retried', id }, deliveries.retry)}</div>
${rows.length > 0 ? html`<ul class="list">${rows}</ul>` : html`<p class="empty">${deliveries.no_attempt}</p>`}${cut}`;
}
