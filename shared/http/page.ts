import { createHash } from 'node:crypto';
import { problems } from '../contract/kernel/problem.ts';
import { pageRefusals } from '../contract/leads/callback-links.ts';
import { html, type Markup } from '../domain/kernel/markup.ts';
import type { EdgeProblem } from './exchange.ts';
import type { HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

const STYLE = `
:root{color-scheme:light dark;--page:#f4f6f4;--card:#fff;--text:#16201a;--soft:#4d5a52;--line:#d5dcd7;--go:#14532d;--on-go:#fff}
@media(prefers-color-scheme:dark){:root{--page:#101512;--card:#19211c;--text:#eaf1ec;--soft:#a9b8ae;--line:#34423a;--go:#8fe0b6;--on-go:#0c1f14}}
*{box-sizing:border-box}
body{margin:0;padding:max(24px,6vh) 16px 32px;background:var(--page);color:var(--text);font:17px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:30rem;margin:auto;padding:24px;border:1px solid var(--line);border-radius:16px;background:var(--card)}
h1{margin:0 0 12px;font-size:1.4rem;line-height:1.25;text-wrap:balance}
p{margin:0 0 14px}
.soft{color:var(--soft);font-size:.9rem}
p:last-child{margin:0}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:0 0 20px}
dt{color:var(--soft)}
dd{margin:0}
fieldset{margin:0 0 20px;padding:0;border:0}
legend{margin-bottom:6px;padding:0;font-weight:600}
label{display:flex;gap:12px;align-items:center;min-height:48px;padding:4px 14px;border:1px solid var(--line);font-variant-numeric:tabular-nums;cursor:pointer}
label:first-of-type{border-radius:12px 12px 0 0}
label:last-of-type{border-radius:0 0 12px 12px}
label:only-of-type{border-radius:12px}
label+label{border-top:0}
input{width:20px;height:20px;margin:0;accent-color:var(--go)}
button{width:100%;min-height:52px;margin:0 0 14px;border:0;border-radius:12px;background:var(--go);color:var(--on-go);font:600 1.05rem system-ui,sans-serif;cursor:pointer}
:focus-visible{outline:3px solid var(--text);outline-offset:3px}
a{color:inherit}
`;

/**
 * No script, nothing from elsewhere, in nobody's frame; the form goes back to where it came from. No referrer: the address
 * of the page is a secret.
 */
const HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': [
		"default-src 'none'",
		`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
		"form-action 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
	].join('; '),
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
	'x-robots-tag': 'noindex, nofollow',
	'cross-origin-opener-policy': 'same-origin',
} as const;

/** A page for people: plain HTML that works without anything else. */
export function pageResponse(
	status: number,
	{ title, main, head = html`` }: { readonly title: string; readonly main: Markup; readonly head?: Markup },
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">${head}<title>${title}</title><style>${{ markup: STYLE }}</style></head>
<body><main><h1>${title}</h1>
${main}
</main></body></html>
`;
	return { statusCode: status, headers: { ...HEADERS, ...headers }, body: page.markup };
}

const refusals = { ...problems, ...pageRefusals };

/** A refusal as a page: in words for people, its code for programs. */
export function problemPage(problem: EdgeProblem, request: Pick<HttpRequest, 'id'>): HttpResponse {
	const { status, title } = refusals[problem.code];
	const head = html`<meta name="problem" content="${problem.code}">`;
	const main = html`<p>${problem.detail}</p><p class="soft">Reference: ${request.id}</p>`;
	return pageResponse(status, { title, main, head }, problem.headers);
}
