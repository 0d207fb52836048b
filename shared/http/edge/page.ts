import { createHash } from 'node:crypto';
import { pageRefusals } from '../../contract/kernel/page.ts';
import { problems } from '../../contract/kernel/problem.ts';
import { cookieIn } from '../../domain/desk/session-cookie.ts';
import { knownLanguage, type Language } from '../../domain/workspaces/language.ts';
import { html, type Markup } from '../../presentation/markup.ts';
import { fillIn, type RefusalText, textsIn } from '../../presentation/team-texts.ts';
import type { EdgeProblem } from './refusals.ts';
import type { HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

export const BASE_STYLE = `
:root{color-scheme:light dark;--page:#f4f6f5;--card:#fff;--text:#151a18;--soft:#57615d;--line:#dfe4e2;--go:#0a6c4d;
--on-go:#fff;--bad:#a3261c;--wash:#e6f1ec}
@media(prefers-color-scheme:dark){:root{--page:#101412;--card:#181d1b;--text:#e9eeec;--soft:#a3aeaa;--line:#2b322f;
--go:#5bdcaa;--on-go:#04261a;--bad:#ffb4a8;--wash:#1b2f27}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
p{margin:0 0 12px}
a{color:inherit}
.soft{color:var(--soft);font-size:.9rem}
bdi{font-variant-numeric:tabular-nums}
dt{color:var(--soft)}
dd{margin:0}
fieldset{margin:0 0 16px;padding:0;border:0}
button,.button{min-height:44px;padding:8px 16px;border:0;border-radius:12px;background:var(--go);color:var(--on-go);
font:600 1rem system-ui,sans-serif;cursor:pointer}
:focus-visible{outline:3px solid var(--text);outline-offset:2px}
`;
const CARD_STYLE = `${BASE_STYLE}
body{padding:max(24px,6vh) 16px 32px;font-size:17px}
main{max-width:30rem;margin:auto;padding:24px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
h1{margin:0 0 16px;font-size:1.4rem;line-height:1.25;text-wrap:balance}
p:last-child{margin:0}
dt{overflow-wrap:normal}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;margin:0 0 24px}
dd>bdi[dir]:not(:has(a)),label bdi{white-space:nowrap}
fieldset{margin:0 0 24px}
legend{margin-bottom:8px;padding:0;font-weight:600}
label{display:flex;gap:12px;align-items:center;min-height:64px;padding:8px 16px;border:1px solid var(--line);
cursor:pointer}
label:first-of-type{border-radius:12px 12px 0 0}
label:last-of-type{border-radius:0 0 12px 12px}
label:only-of-type{border-radius:12px}
label+label{border-top:0}
label:has(:checked){background:color-mix(in srgb,var(--go) 8%,transparent)}
label small{display:block;color:var(--soft);font-size:.9rem}
.avatar{display:grid;flex:none;place-items:center;width:40px;height:40px;border-radius:50%;
background:color-mix(in srgb,var(--go) 16%,transparent);font-size:.9rem;font-weight:600}
input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--go)}
button,.button{width:100%;min-height:52px;margin:0 0 16px;font-size:1.05rem}
a.button{display:block;padding:12px 16px;text-align:center;text-decoration:none}
`;

/** The look of a page, and whether a request from it to our own pages has a Referer. */
export type Layout = {
	readonly style: string;
	readonly body: (title: string, main: Markup) => Markup;
	readonly referrer: 'no-referrer' | 'same-origin';
	/** What the page may load beside nothing, as directives of its content security policy. */
	readonly loads?: readonly string[];
};

/** One card on its own. Sends no referrer, because the page's address is a secret. */
const CARD: Layout = {
	style: CARD_STYLE,
	body: (title, main) => html`<main><h1>${title}</h1>
${main}
</main>`,
	referrer: 'no-referrer',
};

/** What every answer to a person's browser has, files and redirects, too: it shows in no frame and runs nothing. */
export const GUARDED = {
	'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
	'x-robots-tag': 'noindex, nofollow',
	'cross-origin-opener-policy': 'same-origin',
} as const;

/** Allows nothing that the layout does not load, no inline script and no framing; a form posts to its own host. */
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
	/** The code for programs of what went wrong. */
	readonly problem?: string | null | undefined;
	readonly layout?: Layout;
};

/** A page for people: plain HTML without any other file. */
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

/** The status of every refusal. */
export const refusalStatus = { ...problems, ...pageRefusals };

/** The texts for codes without a known team. */
const TEXT_OF: Readonly<Partial<Record<EdgeProblem['code'], RefusalText>>> = {
	link_not_valid: 'link_not_valid',
	form_not_ours: 'form_not_ours',
	payload_too_large: 'form_unreadable',
	unsupported_media_type: 'form_unreadable',
	validation_failed: 'form_unreadable',
	service_busy: 'service_busy',
};

/** From the page of a callback link back to the desk's list, for a person whose browser has a session there. */
export const backToList = ({ cookies }: Pick<HttpRequest, 'cookies'>, language: Language): Markup | false =>
	cookieIn(cookies) !== '' &&
	html`<p><a class="button" href="../desk/pages/today">${textsIn(language).back_to_list}</a></p>`;

/** Renders a refusal as a page, with words for people and its code for programs. */
export function problemPage(
	problem: EdgeProblem,
	request: Pick<HttpRequest, 'id' | 'headers' | 'cookies'>,
): HttpResponse {
	const { code, headers, page } = problem;
	const { language, title, detail } = wordsOf(problem, request);
	const reference = fillIn(textsIn(language).reference, request.id);
	const back = page !== undefined && backToList(request, language);
	const main = html`<p>${detail}</p>${back}<p class="soft">${reference}</p>`;
	return pageResponse(refusalStatus[code].status, { language, title, main, problem: code }, headers);
}

function wordsOf({ code, page, detail }: EdgeProblem, request: Pick<HttpRequest, 'headers'>) {
	if (page !== undefined) return { ...page, detail };
	const language = readersLanguage(request);
	return { language, ...textsIn(language).refusals[TEXT_OF[code] ?? 'internal_error'] };
}

/** The first supported language in the browser's Accept-Language, in its order; otherwise English. */
export function readersLanguage({ headers }: Pick<HttpRequest, 'headers'>): Language {
	const languages = (headers['accept-language'] ?? '')
		.split(',')
		.map((range) => knownLanguage(range.split(';')[0]?.trim() ?? ''));
	return languages.find((language) => language !== undefined) ?? 'en';
}
