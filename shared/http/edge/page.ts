import { createHash } from 'node:crypto';
import { pageRefusals } from '../../contract/kernel/page.ts';
import { problems } from '../../contract/kernel/problem.ts';
import { cookieIn } from '../../domain/desk/session-cookie.ts';
import { knownLanguage, type Language } from '../../domain/workspaces/language.ts';
import { html, type Markup } from '../../presentation/markup.ts';
import { fillIn, type RefusalText, textsIn } from '../../presentation/team-texts.ts';
import { CARD_STYLE } from './card-style.ts';
import type { EdgeProblem } from './refusals.ts';
import type { HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** The style of a page, its body, and whether the browser sends a Referer from this page to our other pages. */
export type Layout = {
	readonly style: string;
	readonly body: (title: string, main: Markup) => Markup;
	readonly referrer: 'no-referrer' | 'same-origin';
	/**
	 * What the page may load besides its style, as directives of its content security policy. If absent, the page may load
	 * nothing else.
	 */
	readonly loads?: readonly string[];
};

/** A page that shows only one card. It sends no referrer, because the page's address is secret. */
const CARD: Layout = {
	style: CARD_STYLE,
	body: (title, main) => html`<main><h1>${title}</h1>
${main}
</main>`,
	referrer: 'no-referrer',
};

/**
 * The headers of every response to a person's browser, including files and redirects. With these headers, the response
 * cannot be shown in a frame, and it runs no script. Pages that need more replace some of these headers.
 */
export const GUARDED = {
	'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
	'x-robots-tag': 'noindex, nofollow',
	'cross-origin-opener-policy': 'same-origin',
} as const;

/**
 * The headers of a layout. They allow only what the layout loads, no inline script, and no frame around the page. A form of
 * the page may be sent only to the page's own host.
 */
const headersOf = ({ style, referrer, loads = [] }: Layout) => ({
	...GUARDED,
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': [
		"default-src 'none'",
		`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
		...loads,
		"form-action 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
	].join('; '),
	'referrer-policy': referrer,
});

type Page = {
	readonly language: Language;
	readonly title: string;
	readonly main: Markup;
	/** The code of the error, for programs. Absent if the page shows no error. */
	readonly problem?: string | null | undefined;
	readonly layout?: Layout;
};

/** A page for people: HTML that contains its own style. */
export function pageResponse(
	status: number,
	{ language, title, main, problem, layout = CARD }: Page,
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	const page = html`<!doctype html>
<html lang="${language}" dir="${textsIn(language).dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
${problem && html`<meta name="problem" content="${problem}">`}<title>${title}</title>
<style>${{ markup: layout.style }}</style></head>
<body>${layout.body(title, main)}</body></html>
`;
	return {
		statusCode: status,
		headers: { ...headersOf(layout), 'content-language': language, ...headers },
		body: page.markup,
	};
}

/** The HTTP status of each refusal, by its code. */
export const refusalStatus = { ...problems, ...pageRefusals };

/**
 * Some refusals have no `page` texts of their own. This table names their texts. If a code is not listed here, its text is
 * `internal_error`.
 */
const TEXT_OF: Readonly<Partial<Record<EdgeProblem['code'], RefusalText>>> = {
	link_not_valid: 'link_not_valid',
	form_not_ours: 'form_not_ours',
	payload_too_large: 'form_unreadable',
	unsupported_media_type: 'form_unreadable',
	validation_failed: 'form_unreadable',
	service_busy: 'service_busy',
};

/**
 * A button for the page on which a team member confirms a call back. The button leads to the list on the desk. False if the
 * browser has no session at the desk.
 */
export const backToList = ({ cookies }: Pick<HttpRequest, 'cookies'>, language: Language): Markup | false =>
	cookieIn(cookies) !== '' &&
	html`<p><a class="button" href="../desk/pages/today">${textsIn(language).back_to_list}</a></p>`;

/** A refusal as a page. It has words for people, and the refusal's code for programs. */
export function problemPage(
	problem: EdgeProblem,
	request: Pick<HttpRequest, 'id' | 'headers' | 'cookies'>,
): HttpResponse {
	const { code, headers } = problem;
	const { language, title, detail } = wordsOf(problem, request);
	const reference = fillIn(textsIn(language).reference, request.id);
	const main = html`<p>${detail}</p>${wayOn(problem, request, language)}<p class="soft">${reference}</p>`;
	return pageResponse(refusalStatus[code].status, { language, title, main, problem: code }, headers);
}

/** Refusals which mean that the link does nothing any more, or that it does nothing for this visitor. */
const LINK_IS_DONE: ReadonlySet<EdgeProblem['code']> = new Set([
	'link_not_valid',
	'link_used',
	'link_expired',
	'lead_closed',
	'phone_not_callable',
]);

/**
 * The button on the page of a refusal. If the refusal has page texts and the browser has a session at the desk, the button
 * leads to the list on the desk. Otherwise, if the link does nothing any more (`LINK_IS_DONE`), the button leads to the
 * desk, where a person without a session can sign in. In all other cases, the button opens the same page again, because a
 * page and its form have the same address.
 */
function wayOn({ code, page }: EdgeProblem, request: Pick<HttpRequest, 'cookies'>, language: Language): Markup {
	const { open_desk, open_again } = textsIn(language);
	const back = page !== undefined && backToList(request, language);
	if (back) return back;
	return LINK_IS_DONE.has(code)
		? html`<p><a class="button" href="../desk/pages/today">${open_desk}</a></p>`
		: html`<p><a class="button" href="">${open_again}</a></p>`;
}

function wordsOf({ code, page, detail }: EdgeProblem, request: Pick<HttpRequest, 'headers'>) {
	if (page !== undefined) return { ...page, detail };
	const language = readersLanguage(request);
	return { language, ...textsIn(language).refusals[TEXT_OF[code] ?? 'internal_error'] };
}

/**
 * The first supported language in the browser's Accept-Language, in the order of that header. If the header names no
 * supported language, English.
 */
export function readersLanguage({ headers }: Pick<HttpRequest, 'headers'>): Language {
	const languages = (headers['accept-language'] ?? '')
		.split(',')
		.map((range) => knownLanguage(range.split(';')[0]?.trim() ?? ''));
	return languages.find((language) => language !== undefined) ?? 'en';
}
