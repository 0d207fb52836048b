import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { isFailing, type WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { MOST_FAILED, NEWEST_READ, type Undelivered, undelivered } from '../../../use-cases/webhooks/undelivered.ts';
import { maySee } from '../actions.ts';
import { hidden } from '../kit/form.ts';
import { rowTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { deliveryLink, endpointTitle, failedLately, failingSince, saidBy } from './webhook-words.ts';

/** The most endpoints that the card names, and the most deliveries of other endpoints. The page *Webhooks* has all. */
const MOST_NAMED = 3;
/** The list of all deliveries that failed for good or are held. */
const MISSED = '../developers/deliveries?state=missed';

/**
 * A card about the endpoints that fail. Each entry has what the receiver answered, a link to the delivery, and a button that
 * sends it again. False if no endpoint fails.
 */
export async function undeliveredCard(
	endpoints: readonly WebhookEndpoint[],
	view: View,
	deps: PageDeps,
): Promise<Markup | false> {
	const failing = endpoints.filter(isFailing);
	const named = failing.slice(0, MOST_NAMED);
	const found = await Promise.all(
		named.map(async (endpoint) => ({ endpoint, ...(await undelivered(endpoint, deps)) })),
	);
	return failedCard(
		found.map((each) => failingEntry(each, view)),
		failing.length - named.length,
		view,
	);
}

/**
 * A card about deliveries that failed for good today or yesterday although their endpoints work. *Today* shows it below those
 * who wait. False if there are none, or if the person may not see webhooks.
 */
export async function lostCard(view: View, deps: PageDeps): Promise<Markup | false> {
	const { person, workspace } = view.at;
	if (!maySee(person, 'webhooks')) return false;
	const failed = await failedLately(view, deps);
	const endpoints = failed.length === 0 ? [] : await deps.store.endpointsOf(workspace.id);
	const entries = failed.flatMap((delivery) => {
		const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id);
		// A failing endpoint already has an entry with its newest failure.
		return endpoint === undefined || isFailing(endpoint) ? [] : [failedEntry({ delivery, endpoint }, view)];
	});
	const others = entries.length - MOST_NAMED;
	// Only the newest failures were read. If they are as many as were read, there may be more.
	const { more, more_at_least } = view.texts.deliveries;
	const words = fillIn(failed.length < MOST_FAILED ? more : more_at_least, numberIn(view.language)(others));
	return cardOf(
		entries.slice(0, MOST_NAMED),
		others > 0 && html`<p><a href="${MISSED}">${words}</a></p>`,
		view,
		'lost',
	);
}

/** The card with the entries of endpoints that fail. `others`: how many more endpoints fail. */
export function failedCard(entries: readonly Markup[], others: number, view: View): Markup | false {
	const all = html`<a href="../developers/webhooks">${view.texts.webhooks.all}</a>`;
	return cardOf(entries, others > 0 && html`<p>${all} <bdi>+${others}</bdi></p>`, view, 'failing');
}

/** A card with entries, and below them what leads to the others. */
function cardOf(
	entries: readonly Markup[],
	more: Markup | false,
	{ texts: { pages, deliveries } }: View,
	id: 'failing' | 'lost',
): Markup | false {
	if (entries.length === 0) return false;
	return html`<section class="card alert" aria-labelledby="${id}"><div class="beside"><h2 id="${id}">${pages.webhooks}</h2>
<a href="${MISSED}">${deliveries.all_missed}</a></div>
${entries}${more}</section>
`;
}

/** The entry of an endpoint that fails or that was disabled because it failed. */
export function failingEntry(
	{ endpoint, newest, waiting }: Undelivered & { readonly endpoint: WebhookEndpoint },
	view: View,
): Markup {
	const { webhooks, deliveries } = view.texts;
	const { id, status, health } = endpoint;
	const enabled = status === 'enabled';
	const count = waiting < NEWEST_READ ? `${waiting}` : `${NEWEST_READ}+`;
	const waits =
		waiting > 0 &&
		html` · <a href="../developers/deliveries?endpoint_id=${id}&amp;state=pending">${deliveries.states.pending}: <bdi>${count}</bdi></a>`;
	return html`<div class="beside loss"><div><p><span class="chip missed">${enabled ? webhooks.failing : webhooks.disabled}</span>
<a href="../developers/webhooks?id=${id}"><bdi>${endpointTitle(endpoint)}</bdi></a>
<span class="soft">${enabled && failingSince(health, view)}${waits}</span></p>
${newest !== null && reasonLine(newest, view)}</div>${newest !== null && enabled && sendAgain(newest, view)}</div>
`;
}

/** The entry of a delivery that failed for good although its endpoint works. */
function failedEntry(
	{ delivery, endpoint }: { readonly delivery: Delivery; readonly endpoint: WebhookEndpoint },
	view: View,
): Markup {
	const { deliveries } = view.texts;
	return html`<div class="beside loss"><div><p><span class="chip missed">${deliveries.states.failed}</span>
<a href="../developers/webhooks?id=${endpoint.id}"><bdi>${endpointTitle(endpoint)}</bdi></a></p>
${reasonLine(delivery, view)}</div>${endpoint.status === 'enabled' && sendAgain(delivery, view)}</div>
`;
}

/** For the page of an endpoint: the entry of its failure. `state`: a word, and what it means. `reason`: why it failed. */
export function ownFailure(
	delivery: Delivery,
	{ state, reason, retries }: { readonly state: Markup; readonly reason: Markup; readonly retries: boolean },
	view: View,
): Markup {
	return html`<section class="card alert"><div class="beside loss"><div><p>${state}</p>
${reasonLine(delivery, view, reason)}</div>${retries && sendAgain(delivery, view)}</div></section>
`;
}

/**
 * The event of a delivery and what the receiver answered to it, as a link to the delivery. `reason`: what stands below it. By
 * default, the answer's first words.
 */
function reasonLine(delivery: Delivery, view: View, reason?: Markup): Markup | false {
	const { last_attempt } = delivery;
	if (last_attempt === null) return false;
	const time = html`<time datetime="${last_attempt.started_at}">${rowTime(last_attempt.started_at, view)}</time>`;
	return html`<p>${deliveryLink(delivery, last_attempt, view)}
<span class="soft">${time}</span></p>${reason ?? saidBy(last_attempt)}`;
}

/** The button that sends a delivery again. Its form belongs to the page of the delivery, which then shows what came of it. */
const sendAgain = ({ id }: Delivery, view: View): Markup =>
	html`<form method="post" action="../developers/deliveries">${hidden(view, { action: 'retry-delivery', id })}
<button class="quiet">${view.texts.deliveries.retry}</button></form>`;
