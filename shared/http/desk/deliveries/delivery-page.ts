import type { Attempt, Delivery, DeliveryStatus } from '../../../domain/webhooks/delivery.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { indentedJson } from '../../../presentation/indented-json.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { CALL_EVENTS, eventsOf, LEAD_EVENTS } from '../../../use-cases/webhooks/subject-events.ts';
import { presentInFull } from '../../webhooks/present-delivery.ts';
import { copyable, copyBeside } from '../kit/copyable.ts';
import { button, LOUD } from '../kit/form.ts';
import { exactTime, timeUntil } from '../kit/times.ts';
import type { PageContent, PageDeps, View } from '../kit/view.ts';
import {
	adviceOf,
	answerOf,
	bodyOf,
	endpointName,
	firstWords,
	phraseOf,
	resultOf,
	saidBy,
	timingOf,
} from '../webhooks/webhook-words.ts';

/**
 * The most attempts that are shown, newest first. The newest attempt is shown with its whole stored response, and each
 * older attempt with an excerpt of its response.
 */
const MOST_ATTEMPTS = 20;
const WHOLE_BODY = 4096;
const EXCERPT = 400;

const LOOKS: Readonly<Record<DeliveryStatus, string>> = {
	pending: 'chip',
	succeeded: 'chip good',
	failed: 'chip missed',
	held: 'chip missed',
	canceled: 'chip',
};
export const stateChip = (status: DeliveryStatus, { texts }: View): Markup =>
	html`<span class="${LOOKS[status]}">${texts.deliveries.states[status]}</span>`;

/** How many times the delivery was tried, and when it is tried next. Empty if the first attempt succeeded. */
export function attemptsOf({ status, attempt_count, next_attempt_at }: Delivery, view: View): string {
	const { attempts, next_attempt, no_attempt } = view.texts.deliveries;
	if (status === 'succeeded' && attempt_count === 1) return '';
	const tried = attempt_count === 0 ? no_attempt : fillIn(attempts, String(attempt_count));
	const next = next_attempt_at === null ? '' : ` · ${fillIn(next_attempt, timeUntil(next_attempt_at, view))}`;
	return `${tried}${next}`;
}

/** One delivery: what happened to it, with the button that sends it again, its facts, and its earlier attempts. */
export async function deliveryPage(delivery: Delivery, view: View, { store }: PageDeps): Promise<PageContent> {
	const { deliveries, events: kinds } = view.texts;
	const { event, endpoint_id, workspace_id, subject_id } = delivery;
	const [endpoint, { attempts, request }, events] = await Promise.all([
		store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		presentInFull(delivery, store),
		eventsOf(subject_id, isOfLead(delivery) ? LEAD_EVENTS : CALL_EVENTS, store),
	]);
	const [newest, ...older] = attempts.toReversed().slice(0, MOST_ATTEMPTS);
	const rows = byResult(older).map((same) => attemptsRow(same, view));
	const cut = attempts.length > MOST_ATTEMPTS && html`<p class="soft">${deliveries.older_attempts}</p>`;
	const { markup } = html`<p class="back"><a href="deliveries">${deliveries.all}</a></p>
${happenedPart(delivery, newest, endpoint, view)}
${facts(delivery, endpoint, view)}
${rows.length > 0 && html`<h2>${deliveries.earlier}</h2><ul class="list tries">${rows}</ul>`}${cut}
${request !== null && sentView(request, endpoint, view)}
${events.length > 0 && html`<h2>${deliveries.related_events}</h2><ul class="list">${events.map((each) => eventRow(each, view))}</ul>`}`;
	return { markup, title: kinds[event] };
}

/** What happened in one sentence, what the receiver said, what to do, and the button. Below it is the whole newest attempt. */
function happenedPart(
	delivery: Delivery,
	newest: Attempt | undefined,
	endpoint: WebhookEndpoint | null,
	view: View,
): Markup {
	const { id, status } = delivery;
	const again =
		endpoint !== null &&
		button(
			view,
			{ action: 'retry-delivery', id },
			view.texts.deliveries.retry,
			status === 'succeeded' ? undefined : LOUD,
		);
	const look = LOOKS[status] === 'chip missed' ? 'card alert' : 'card';
	return html`<div class="${look} happened"><div class="beside"><div><p>${stateChip(status, view)} ${sentenceOf(delivery, view)}</p>
${newest !== undefined && answerPart(newest, view)}</div>${again}</div>
${newest !== undefined && attemptPart(newest, view)}</div>`;
}

/** What happened, in one sentence, with how often the delivery was tried. */
function sentenceOf(delivery: Delivery, view: View): Markup {
	const { status, attempt_count, succeeded_before = false } = delivery;
	const { happened } = view.texts.deliveries;
	const pending = succeeded_before ? happened.again : happened.pending;
	const isNew = status === 'pending' && attempt_count === 0;
	const says = !isNew && html`<strong>${status === 'pending' ? pending : happened[status]}</strong> `;
	return html`${says}<span class="soft">${attemptsOf(delivery, view)}</span>`;
}

/** The status of the receiver's answer and the answer's first words. */
const answerPart = (attempt: Attempt, view: View): Markup =>
	html`<p>${answerOf(attempt, view)}${phraseOf(attempt)}</p>${saidBy(attempt)}`;

/** What to do about the newest attempt, and its whole body, unless the first words of the answer are the whole body. */
function attemptPart(attempt: Attempt, view: View): Markup {
	const which = fillIn(view.texts.deliveries.attempt, String(attempt.number));
	const isWhole = attempt.response_body?.trim() === firstWords(attempt);
	return html`${adviceOf(attempt, view)}${!isWhole && bodyOf(attempt, WHOLE_BODY)}
<p class="soft">${which} · <code dir="ltr">${resultOf(attempt)}</code> · ${timingOf(attempt, view)}</p>`;
}

/** Divides attempts into parts of successive attempts with the same result. */
function byResult(attempts: readonly Attempt[]): readonly (readonly Attempt[])[] {
	const parts: Attempt[][] = [];
	for (const attempt of attempts) {
		const part = parts.at(-1);
		const [first] = part ?? [];
		const { hint } = attempt;
		if (first !== undefined && first.hint === hint && resultOf(first) === resultOf(attempt)) part?.push(attempt);
		else parts.push([attempt]);
	}
	return parts;
}

/**
 * Older attempts with the same result on one line, newest first. Their times and their responses are hidden until a person
 * opens the line. A response that several of them have is shown once.
 */
function attemptsRow(same: readonly Attempt[], view: View): Markup {
	const { attempt: one, attempts_from } = view.texts.deliveries;
	const [newest] = same;
	const oldest = same.at(-1);
	if (newest === undefined || oldest === undefined) return html``;
	const look = newest.error === null ? 'chip good' : 'chip missed';
	const name = (each: Attempt): string => fillIn(one, String(each.number));
	const isOne = same.length === 1;
	const names = isOne
		? html`${name(newest)}`
		: fillMarkup(attempts_from, html`<bdi dir="ltr">${oldest.number}–${newest.number}</bdi>`);
	const times = isOne
		? timingOf(newest, view)
		: html`${exactTime(oldest.started_at, view)} – ${exactTime(newest.started_at, view)}`;
	const each = same.map((attempt, nth) => {
		const when = !isOne && html`<p class="soft">${name(attempt)} · ${timingOf(attempt, view)}</p>`;
		const isRepeated = same[nth + 1]?.response_body === attempt.response_body;
		return html`${when}${!isRepeated && bodyOf(attempt, EXCERPT)}`;
	});
	return html`<li><details><summary><strong>${names}</strong>
<span class="${look}">${answerOf(newest, view)}</span> ${times}</summary>
<p class="soft"><code dir="ltr">${resultOf(newest)}</code></p>${adviceOf(newest, view)}${each}</details></li>\n`;
}

const isOfLead = ({ event }: Delivery): boolean => LEAD_EVENTS.includes(event);

/** The facts that a developer looks for or compares: the endpoint, the call, the time and the ids. */
function facts(delivery: Delivery, endpoint: WebhookEndpoint | null, view: View): Markup {
	const { id, event, event_id, created_at, subject_id } = delivery;
	const { deliveries, fields, call_page, timeline } = view.texts;
	const to =
		endpoint === null
			? deliveries.endpoint_gone
			: html`<a href="webhooks?id=${endpoint.id}"><bdi>${endpointName(endpoint)}</bdi></a>`;
	const [subject, name] = isOfLead(delivery) ? [call_page.lead, 'lead'] : [timeline.call, 'id'];
	const time = html`<time datetime="${created_at}">${exactTime(created_at, view)}</time>`;
	const ofId = (label: string, value: string, href?: string): Markup => {
		const id = html`<code dir="ltr">${value}</code>`;
		const linked = href === undefined ? id : html`<a href="${href}">${id}</a>`;
		return html`<div><dt>${label}</dt><dd>${linked} ${copyBeside({ text: value }, label, view.texts)}</dd></div>`;
	};
	return html`<div class="card"><dl class="facts wide"><div><dt>${fields.event}</dt><dd><code dir="ltr">${event}</code></dd></div>
<div><dt>${deliveries.endpoint}</dt><dd>${to}</dd></div>
<div><dt>${deliveries.created}</dt><dd>${time}</dd></div>
${ofId(subject, subject_id, `../pages/calls?${name}=${subject_id}`)}
${ofId(deliveries.id, id)}${ofId(deliveries.event_id, event_id)}</dl></div>`;
}

/** The headers and the body that were sent, and the names of the endpoint's own headers. A developer compares them with what arrived. */
function sentView({ headers, body }: NonNullable<Request>, endpoint: WebhookEndpoint | null, { texts }: View): Markup {
	const { sent, sent_hint } = texts.deliveries;
	const { header_names = [] } = endpoint ?? {};
	const own =
		header_names.length > 0 && html` ${texts.fields.headers}: <code dir="ltr">${header_names.join(', ')}</code>`;
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	return html`<h2>${sent}</h2><p class="soft">${sent_hint}${own}</p>
<div class="code">${copyable('sent', [...lines, '', indentedJson(body)].join('\n'), texts)}</div>`;
}
type Request = Awaited<ReturnType<typeof presentInFull>>['request'];

function eventRow({ id, kind, created_at }: Event, view: View): Markup {
	const time = html`<time datetime="${created_at}">${exactTime(created_at, view)}</time>`;
	return html`<li class="item"><p class="who"><strong>${view.texts.events[kind]}</strong> <code dir="ltr">${kind}</code></p>
<p class="result"><code dir="ltr">${id}</code></p><p class="when">${time}</p></li>\n`;
}
