import { STATUS_CODES } from 'node:http';
import * as z from 'zod/mini';
import { shortened, visibleLine } from '../../../domain/kernel/visible-line.ts';
import type { Attempt, Delivery } from '../../../domain/webhooks/delivery.ts';
import { hintCode } from '../../../domain/webhooks/receiver-hint.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { startOfYesterday } from '../../../domain/workspaces/business-hours.ts';
import { indentedJson } from '../../../presentation/indented-json.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { failedSince } from '../../../use-cases/webhooks/undelivered.ts';
import { exactTime, timeUntil } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';

// The words about endpoints and attempts, for developers. The error code and the names of the phases are the same as in the
// API, in English.

const MOST_CHARACTERS = 60;

/**
 * An address without its query, because the query may be a secret. The address is cut, so that a list of 20 endpoints stays
 * small.
 */
export const shortAddress = (url: string): string => shortened(withoutQuery(url), MOST_CHARACTERS);
/** The description of an endpoint. If it has no description, its address without the query. Long texts are cut. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
	shortened(description ?? withoutQuery(url), MOST_CHARACTERS);
/** For a list: the description of an endpoint. If it has no description, its host. Long texts are cut. */
export const endpointTitle = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
	shortened(description ?? new URL(url).host, MOST_CHARACTERS);

/** Since when no attempt to an endpoint has succeeded. Empty if the endpoint does not fail. */
export const failingSince = ({ failing_since }: WebhookEndpoint['health'], view: View): string =>
	failing_since === null ? '' : fillIn(view.texts.webhooks.failing_since, timeUntil(failing_since, view));

/** What the receiver did, in words: `Answered 503`. */
export const answerOf = ({ response_status, error }: Attempt, { texts }: View): string =>
	fillIn(texts.answers[error ?? 'ok'], String(response_status ?? ''));

/** The newest deliveries that failed for good today or yesterday, on the shop's clock. */
export const failedLately = ({ at, time_zone, now_ms }: View, deps: PageDeps): Promise<readonly Delivery[]> =>
	failedSince(at.workspace.id, startOfYesterday(time_zone, now_ms), deps);

/** A link to a delivery. Its text says which event it is and what the receiver answered: `Call requested: Answered 500`. */
export const deliveryLink = ({ id, event }: Delivery, attempt: Attempt, view: View): Markup =>
	html`<a href="../developers/deliveries?id=${id}">${view.texts.events[event]}: <strong>${answerOf(attempt, view)}${phraseOf(attempt)}</strong></a>`;

/** What a status means, as HTTP names it: `Internal Server Error` for 500. */
export function phraseOf({ response_status }: Attempt): Markup | false {
	const name = STATUS_CODES[response_status ?? 0];
	return name !== undefined && html` <bdi lang="en">${name}</bdi>`;
}

/**
 * The most bytes that a response may take in a list. A quotation mark takes six bytes, because the page contains `&quot;`.
 */
const EXCERPT_BYTES = 200;
/** A tag of HTML. A style or a script counts as one tag, because its content says nothing to people. */
const TAG = /<(style|script)\b[^<>]*>[^<]*|<[^<>]*>/gi;

/**
 * The beginning of the response of an attempt that failed, on one line. False if the attempt succeeded or has no response
 * with text.
 */
export function saidBy(attempt: Attempt): Markup | false {
	const line = firstWords(attempt);
	return line !== '' && html`<p class="answer" dir="auto"><code>${line}</code></p>`;
}

/**
 * The text of `saidBy`. Empty if there is none. Error pages are HTML, and only their text says what went wrong, so their tags
 * are left out.
 */
export function firstWords({ error, response_body }: Attempt): string {
	if (error === null || response_body === null) return '';
	const isHtml = response_body.trimStart().startsWith('<');
	const text = isHtml ? response_body.replace(TAG, ' ') : (messageIn(response_body) ?? response_body);
	return excerptOf(visibleLine(text.replace(/\s+/g, ' ')));
}

/** The words of an answer in JSON: its `error` and its `message`, as far as they are texts. Null if there are none. */
function messageIn(body: string): string | null {
	try {
		const { data } = answer.safeParse(JSON.parse(body));
		const said = [data?.error, data?.message].filter((text) => text !== undefined && text !== '');
		return said.length === 0 ? null : said.join(': ');
	} catch {
		return null;
	}
}
/** Anything but a text counts as none. (`z.catch` would say the same, and would keep 8 KB more of zod in the functions.) */
const words = z.optional(z.transform((said: unknown) => (typeof said === 'string' ? said : undefined)));
const answer = z.object({ error: words, message: words });

/** The beginning of a line. On the page, with its escapes, it takes at most `EXCERPT_BYTES`. */
function excerptOf(line: string): string {
	let bytes = 0;
	let end = 0;
	for (const character of line) {
		bytes += Buffer.byteLength(html`${character}`.markup);
		if (bytes > EXCERPT_BYTES) break;
		end += character.length;
	}
	return line.slice(0, end);
}

/** The status and the error of an attempt: `200`, or `503 http_status`, or `timeout`. */
export const resultOf = ({ response_status, error }: Attempt): string =>
	[response_status, error].filter((part) => part !== null).join(' ');

/** How long an attempt took: `31 ms (DNS 2, TCP 5, TLS 9, TTFB 14)`. Phases that it did not reach are left out. */
function timesOf({ timings }: Attempt): string {
	const { dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms } = timings;
	const phases = Object.entries({ DNS: dns_ms, TCP: connect_ms, TLS: tls_ms, TTFB: first_byte_ms });
	const parts = phases.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${Math.round(ms)}`]));
	return `${Math.round(total_ms)} ms${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

/** The status of an attempt in words, and the error as the API names it. */
export function attemptChip(attempt: Attempt, view: View): Markup {
	const look = attempt.error === null ? 'chip good' : 'chip missed';
	return html`<span class="${look}">${answerOf(attempt, view)}</span> <code dir="ltr">${resultOf(attempt)}</code>`;
}

/** One attempt: its status, when it was made, why it failed, and the response's body up to a given length. */
export const attemptView = (attempt: Attempt, view: View, mostCharacters: number): Markup =>
	html`<p>${attemptChip(attempt, view)}</p><p class="soft">${timingOf(attempt, view)}</p>${reasonOf(attempt, mostCharacters, view)}`;

/** When an attempt was made, and how long each phase took. */
export const timingOf = (attempt: Attempt, view: View): Markup =>
	html`<time datetime="${attempt.started_at}">${exactTime(attempt.started_at, view)}</time> · <bdi dir="ltr">${timesOf(attempt)}</bdi>`;

/** Why an attempt failed: the hint, and the response's body up to a given length. A success has only the body. */
export const reasonOf = (attempt: Attempt, mostCharacters: number, view: View): Markup =>
	html`${adviceOf(attempt, view)}
${bodyOf(attempt, mostCharacters)}`;

/** What to do about an attempt that failed. False if the attempt succeeded. */
export const adviceOf = (attempt: Attempt, view: View): Markup | false =>
	attempt.hint !== null && hintOf(attempt, attempt.hint, view);

/** The body of the response, up to a given length. False if it is empty. */
export function bodyOf({ response_body }: Attempt, mostCharacters: number): Markup | false {
	const shown = shortened(indentedJson(response_body ?? ''), mostCharacters);
	return shown !== '' && html`<pre dir="ltr" tabindex="0">${shown}</pre>`;
}

/**
 * The hint in the language of the page. Some hints exist only in English, such as those about a firewall in front of the
 * receiver. A hint about a redirect names the redirect's target in brackets. The target is shown after the sentence.
 */
function hintOf(attempt: Attempt, hint: string, { texts }: View): Markup {
	const code = hintCode(attempt);
	const says = code === null ? undefined : new Map(Object.entries(texts.advice)).get(code);
	if (says === undefined) return html`<p lang="en" dir="ltr">${hint}</p>`;
	const [, target] = (code === 'redirect' && /\(to (.+)\);/.exec(hint)) || [];
	return html`<p>${says}${target !== undefined && html` <code dir="ltr">${target}</code>`}</p>`;
}
