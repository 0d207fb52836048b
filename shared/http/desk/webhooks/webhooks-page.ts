import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import type { Delivery } from '../../../domain/webhooks/delivery.ts';
import { EVENT_RETENTION_SECONDS, eventKinds } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { endpointTextsIn } from '../../../presentation/endpoint-texts.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import {
	LATEST_DELIVERIES,
	type LastAttempts,
	type LastAttemptsOfAll,
	lastAttempts,
	lastAttemptsOfAll,
	MOST_FAILED_SEARCHED,
} from '../../../use-cases/webhooks/last-attempts.ts';
import { undelivered } from '../../../use-cases/webhooks/undelivered.ts';
import { connectPart } from '../keys/connect-part.ts';
import { secretNote } from '../keys/secret-note.ts';
import { copyBeside } from '../kit/copyable.ts';
import { addForm } from '../kit/form.ts';
import { itemList, rowMenu } from '../kit/list.ts';
import { noSuch } from '../kit/no-such.ts';
import { rowTime, timeUntil } from '../kit/times.ts';
import type { DeveloperDeps, PageContent, PageDeps, View } from '../kit/view.ts';
import { endpointFields, endpointForms } from './endpoint-forms.ts';
import { ownFailure } from './undelivered-card.ts';
import {
	answerOf,
	deliveryLink,
	endpointName,
	endpointTitle,
	failedLately,
	failingSince,
	reasonOf,
	saidBy,
	shortAddress,
} from './webhook-words.ts';

/** The page of an endpoint shows at most this many characters of the response to the newest failed attempt. */
const EXCERPT = 400;

/** All endpoints of the workspace, at most 20. If the query names one of them, the page of that endpoint with its forms. */
export async function webhooksPage(view: View, deps: DeveloperDeps): Promise<PageContent> {
	const { texts, at, query } = view;
	const key = { workspace_id: at.workspace.id, id: query['id'] ?? '' };
	const endpoint = ID_PATTERN.test(key.id) ? await deps.store.get('webhook_endpoint', key) : null;
	if (endpoint !== null) return endpointPage(endpoint, view, deps);
	const { webhooks } = texts;
	const endpoints = (await deps.store.endpointsOf(at.workspace.id)).toReversed();
	const link = (each: WebhookEndpoint): Markup =>
		html`<a href="webhooks?id=${each.id}"><bdi>${endpointName(each)}</bdi></a>`;
	const secret = await secretNote(view, deps, async (id) => {
		const own = endpoints.find((each) => each.id === id);
		return own === undefined ? html`` : madeWhat(own, link(own), view);
	});
	const failed = endpoints.length === 0 ? [] : await failedLately(view, deps);
	const rows = await Promise.all(
		endpoints.map(async (each) => {
			const newest = failed.find(({ endpoint_id }) => endpoint_id === each.id);
			return endpointRow(each, await lastAttempts(each, deps), newest, view);
		}),
	);
	const subject = { about: {}, saved: { ...Object.fromEntries(eventKinds.map((kind) => [kind, 'yes'])) } };
	const create = addForm(view, 'create-endpoint', {
		title: webhooks.create_title,
		isEmpty: rows.length === 0,
		content: endpointFields,
		label: webhooks.create,
		subject,
	});
	return html`${noSuch('endpoint', key.id, view)}${secret}${create}${itemList(rows, webhooks.none)}${connectPart(view, deps)}`;
}

/**
 * The row of one endpoint. The whole row is a link to its page. The links to the missed deliveries and the menu lie above
 * that link, so that people can use them. `failed`: the newest delivery that failed for good today or yesterday.
 */
function endpointRow(endpoint: WebhookEndpoint, last: LastAttempts, failed: Delivery | undefined, view: View): Markup {
	const { webhooks, deliveries } = view.texts;
	const { id, url, status, events } = endpoint;
	const name = endpointTitle(endpoint);
	const { state, since } = stateOf(endpoint, last, view);
	const said = isFailing(endpoint) && last.failure !== null && saidBy(last.failure);
	const lost =
		failed?.last_attempt &&
		html`<span class="chip missed">${deliveries.states.failed}</span> ${deliveryLink(failed, failed.last_attempt, view)}`;
	const about = lost || html`<code dir="ltr">${events.join(', ')}</code>`;
	const menu = html`<a href="webhooks?id=${id}#test">${webhooks.test}</a>
<a href="webhooks?id=${id}#rotate">${webhooks.rotate}</a><a href="deliveries?endpoint_id=${id}">${webhooks.deliveries}</a>
<a${status === 'enabled' && html` class="end"`} href="webhooks?id=${id}#end">${status === 'enabled' ? webhooks.end : webhooks.enable}</a>`;
	return html`<li class="item"><p class="who" dir="auto"><a href="webhooks?id=${id}"><strong>${name}</strong></a></p>
<p class="result">${state}</p>${said}
<p class="to" dir="ltr"><code>${shortAddress(url)}</code></p>
<p class="more">${since === '' ? about : since} ${missedLink(endpoint, view)}</p>
${rowMenu(view, name, menu)}</li>
`;
}

/**
 * Two texts that say whether an endpoint works. `state`: a chip, with what the receiver answered last, why the endpoint is
 * disabled, or when a delivery last succeeded. `since`: since when the endpoint fails, or empty.
 */
function stateOf(endpoint: WebhookEndpoint, { failure, success }: LastAttempts, view: View) {
	const { webhooks } = view.texts;
	const { status, disabled_reason, health } = endpoint;
	const answer = isFailing(endpoint) && failure !== null && html` <strong>${answerOf(failure, view)}</strong>`;
	if (status === 'disabled') {
		const look = disabled_reason === 'manual' ? 'chip' : 'chip missed';
		const why = whyDisabled(endpoint, view);
		return {
			state: html`<span class="${look}">${webhooks.disabled}</span>${answer} <span class="soft">${why}</span>`,
			since: '',
		};
	}
	if (health.failing_since !== null) {
		const since = failingSince(health, view);
		return { state: html`<span class="chip missed">${webhooks.failing}</span>${answer}`, since };
	}
	const says =
		success === null ? webhooks.no_delivery : fillIn(webhooks.last_success, rowTime(success.started_at, view));
	return {
		state: html`<span class="chip good">${webhooks.enabled}</span> <span class="soft">${says}</span>`,
		since: '',
	};
}

/**
 * Whether an endpoint fails now, or was disabled because it failed. In both cases, the endpoint's last failure says why.
 */
const isFailing = ({ disabled_reason, health }: WebhookEndpoint): boolean =>
	disabled_reason === null ? health.failing_since !== null : disabled_reason !== 'manual';

/**
 * A link to the deliveries of an endpoint, which begin with those that were not accepted and those that are tried again. False
 * if the endpoint works.
 */
function missedLink({ id, status, health }: WebhookEndpoint, { texts }: View): Markup | false {
	if (status === 'enabled' && health.failing_since === null) return false;
	return html`<a href="deliveries?endpoint_id=${id}">${texts.deliveries.states.missed}</a>`;
}

/** Says which events a new endpoint receives, or that an endpoint has a new secret. */
function madeWhat({ events, created_at, updated_at }: WebhookEndpoint, link: Markup, { texts }: View): Markup {
	if (created_at !== updated_at) return fillMarkup(texts.secret.rotated, link);
	return fillMarkup(texts.secret.endpoint, link, html`<bdi dir="ltr">${events.join(', ')}</bdi>`);
}

async function endpointPage(endpoint: WebhookEndpoint, view: View, deps: PageDeps): Promise<PageContent> {
	const { webhooks, fields, keys } = view.texts;
	const { id, url, description, header_names, events, health, made_by } = endpoint;
	const [last, newest] = await Promise.all([lastAttemptsOfAll(endpoint, deps), newestFailure(endpoint, view, deps)]);
	const waiting =
		health.open_until !== null && html`<p>${fillIn(webhooks.waiting, timeUntil(health.open_until, view))}</p>`;
	const fact = (label: string, value: Markup | string | undefined): Markup | false =>
		value !== undefined && html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
	const names = header_names.length > 0 ? html`<code dir="ltr">${header_names.join(', ')}</code>` : undefined;
	const failure = newest && failurePart(endpoint, newest, view);
	const { markup } = html`<p class="back"><a href="webhooks">${webhooks.all}</a></p>
${failure}<div class="card">${statePart(endpoint, last, newest, view)}${waiting}
<dl class="facts wide">${fact(fields.url, html`<code dir="ltr">${url}</code> ${copyBeside({ text: url }, fields.url, view.texts)}`)}
${fact(fields.events, html`<code dir="ltr">${events.join(', ')}</code>`)}${fact(fields.headers, names)}
${fact(keys.maker, made_by && html`<bdi dir="ltr">${made_by}</bdi>`)}${lastTimes(endpoint, last, newest, view)}</dl>
<p><a href="deliveries?endpoint_id=${id}">${webhooks.deliveries}</a></p></div>
${endpointForms(endpoint, view)}`;
	return { markup, title: description ?? new URL(url).host };
}

/**
 * The newest delivery that an endpoint which fails has not accepted. If the endpoint works, its newest delivery that failed for
 * good today or yesterday, as on *Today*. Null if there is none.
 */
async function newestFailure(endpoint: WebhookEndpoint, view: View, deps: PageDeps): Promise<Delivery | null> {
	if (isFailing(endpoint)) return (await undelivered(endpoint, deps)).newest;
	const failed = await failedLately(view, deps);
	return failed.find(({ endpoint_id }) => endpoint_id === endpoint.id) ?? null;
}

/** Above all else on the page of an endpoint: which delivery failed and why, and the button that sends it again. */
function failurePart(endpoint: WebhookEndpoint, delivery: Delivery, view: View): Markup | false {
	const { webhooks, deliveries } = view.texts;
	if (delivery.last_attempt === null) return false;
	const isEnabled = endpoint.status === 'enabled';
	const word = isEnabled ? webhooks.failing : webhooks.disabled;
	const label = isFailing(endpoint) ? word : deliveries.states.failed;
	const why = isEnabled ? failingSince(endpoint.health, view) : isFailing(endpoint) && whyDisabled(endpoint, view);
	const state = html`<span class="chip missed">${label}</span> <span class="soft">${why}</span>`;
	const reason = reasonOf(delivery.last_attempt, EXCERPT, view);
	return ownFailure(delivery, { state, reason, retries: isEnabled }, view);
}

/** Whether the endpoint works. It leaves out what the failure above it and the times below it say. */
function statePart(endpoint: WebhookEndpoint, last: LastAttempts, newest: Delivery | null, view: View): Markup | false {
	const { status, health } = endpoint;
	if (newest !== null && isFailing(endpoint)) return false;
	if (status === 'enabled' && health.failing_since === null && last.read > 0) {
		return html`<p><span class="chip good">${view.texts.webhooks.enabled}</span></p>`;
	}
	const { state, since } = stateOf(endpoint, last, view);
	const reason = isFailing(endpoint) && last.failure !== null && reasonOf(last.failure, EXCERPT, view);
	return html`<p>${state} <span class="soft">${since}</span></p>${reason}`;
}

function whyDisabled({ disabled_reason }: WebhookEndpoint, { texts, language }: View): string {
	if (disabled_reason === null) return '';
	return disabled_reason === 'manual' ? texts.webhooks.manual : endpointTextsIn(language)[disabled_reason];
}

/** When an attempt last succeeded and last failed. A failure that stands at the head of the page is left out. */
function lastTimes(
	{ created_at }: WebhookEndpoint,
	last: LastAttemptsOfAll,
	newest: Delivery | null,
	view: View,
): Markup | false {
	const { webhooks } = view.texts;
	const { read, success, failure } = last;
	if (read === 0) return false;
	const isYoung = view.now_ms - Date.parse(created_at) < EVENT_RETENTION_SECONDS * 1000;
	const areAll = read < LATEST_DELIVERIES && isYoung;
	const none = areAll ? webhooks.none_yet : webhooks.not_lately;
	const noFailure = last.is_cut ? fillIn(webhooks.none_searched, numberIn(view.language)(MOST_FAILED_SEARCHED)) : none;
	const at = (attempt: LastAttempts['success'], ifNone: string) =>
		attempt === null ? ifNone : rowTime(attempt.started_at, view);
	const why = failure !== null && html` · ${answerOf(failure, view)}`;
	const headAt = newest?.last_attempt?.started_at ?? '';
	const isSaid = headAt !== '' && headAt >= (failure?.started_at ?? '');
	return html`<div><dt>${webhooks.succeeded}</dt><dd>${at(success, none)}</dd></div>
${!isSaid && html`<div><dt>${webhooks.failed}</dt><dd>${at(failure, noFailure)}${why}</dd></div>`}`;
}
