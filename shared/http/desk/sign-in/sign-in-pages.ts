import type { WindowRefusal } from '../../../domain/access/rate-limit.ts';
import { cookieIn } from '../../../domain/desk/session-cookie.ts';
import { deskAddress } from '../../../domain/workspaces/desk-person.ts';
import { isEmailAddress } from '../../../domain/workspaces/email-address.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn, textsIn } from '../../../presentation/team-texts.ts';
import type { OpenDeskLink } from '../../../use-cases/desk/desk-links.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { LinkWithPurpose, ServedLink } from '../../../use-cases/desk/link-purposes.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { pageResponse, readersLanguage, refusalStatus } from '../../edge/page.ts';
import { retryAfter } from '../../edge/refusals.ts';
import type { Headers, HttpRequest } from '../../edge/request.ts';
import type { HttpResponse, PageResult } from '../../edge/response.ts';
import { hiddenFields } from '../kit/form.ts';
import { layoutWith } from '../kit/layout.ts';
import type { View } from '../kit/view.ts';
import { shownBack } from '../shown-back.ts';

type Reader = Pick<HttpRequest, 'headers'>;
type Visitor = Pick<HttpRequest, 'headers' | 'cookies' | 'query'>;

/** What pages for a person without a session need: the texts, and a function that makes the page. */
function strangers(language: Language) {
	const show = (status: number, title: string, main: Markup, problem: string | null = null): HttpResponse =>
		pageResponse(status, { language, title, main, problem, layout: layoutWith(null) });
	return { texts: deskTextsIn(language), show };
}

/** The form that asks for a mail address. */
export function signInPage(request: Reader): HttpResponse {
	const { texts, show } = strangers(readersLanguage(request));
	return show(200, texts.sign_in, html`<p>${texts.welcome}</p>${addressForm(texts, '')}`);
}

/**
 * The page if what a person has entered cannot be a mail address. Null if it can be one: then the answer is the same whether
 * or not the address belongs to a desk.
 */
export function refusedAddress(request: Reader, typed: string): HttpResponse | null {
	if (isEmailAddress(deskAddress(typed))) return null;
	const { texts, show } = strangers(readersLanguage(request));
	const { no_address, address } = texts.wrong;
	const text = typed.trim() === '' ? no_address : address;
	return show(422, texts.sign_in, addressForm(texts, '', { typed, text }), 'validation_failed');
}

/** The page after a person has entered an address. It is the same for every address. */
export function sentPage(request: Reader): HttpResponse {
	const { texts, show } = strangers(readersLanguage(request));
	return show(200, texts.sent_title, html`<p class="card">${texts.sent}</p>`);
}

/**
 * The page behind a sign-in link, with a button for each desk. Opening the page opens no desk, because programs open links,
 * too.
 */
export function openPage({ link, workspaces, is_asker }: OpenDeskLink, request: Reader): HttpResponse {
	const [only, ...others] = workspaces;
	// A page for one desk has the language of that desk. A page for several desks has the language of the browser.
	const own = others.length === 0 ? only?.language : undefined;
	const { texts, show } = strangers(own ?? readersLanguage(request));
	const buttons = workspaces.map(
		({ id, name }) => html`<p><button name="workspace" value="${id}">${fillIn(texts.open, name)}</button></p>`,
	);
	const hint = (link.used_at && texts.used_elsewhere) || (link.asked_by && !is_asker && texts.other_browser);
	return show(
		200,
		texts.open_title,
		html`<p>${texts.welcome}</p>
${hint && html`<p class="note">${hint}</p>`}<form method="post" class="card">${buttons}</form>`,
	);
}

/**
 * The page behind a link that is not valid, or that does not work any more. It offers another link. If the person has a
 * session, it also leads back to the desk.
 */
export function lostLinkPage(
	code: 'link_not_valid' | 'link_used' | 'link_expired',
	at: AtDesk | null,
	request: HttpRequest,
): PageResult {
	const language = at?.workspace.language ?? readersLanguage(request);
	const texts = deskTextsIn(language);
	const back = at && toDesk(fillIn(texts.open, at.workspace.name));
	return refused(code, language, html`${back}${addressForm(texts, '../')}`, request);
}

/**
 * A browser loads the first page of a session within this time after the sign-in. If a browser loads that address later, it
 * has taken the address from its history.
 */
const COMES_BACK_MS = 60_000;

/**
 * The address of the first page of a session. Its query says when the session began. With that time, the service can
 * distinguish a browser that has kept no cookie from a browser that never had a session.
 */
export const firstPageOf = (beganMs: number): string => `../pages/today?began=${beganMs}`;

function keptNoCookie({ cookies, query }: Visitor, nowMs: number): boolean {
	const ageMs = nowMs - Number(query['began'] ?? 0);
	return cookieIn(cookies) === '' && ageMs >= 0 && ageMs < COMES_BACK_MS;
}

/**
 * The answer to a request without a session. A browser that never had a session gets a greeting. If a form was sent after
 * the session had ended, the answer contains the form's fields. After the sign-in, a button sends these fields again, and
 * the page of the form then asks the person to save them.
 */
export function signedOutPage(request: Visitor, form: Fields | null, nowMs: number): HttpResponse {
	const { texts, show } = strangers(readersLanguage(request));
	const { title, detail } = whySignedOut(request, form, texts, nowMs);
	const again = html`<form method="post" class="card">${hiddenFields(shownBack(form ?? {}))}<p>${texts.kept}</p>
<button class="quiet">${texts.go_on}</button></form>`;
	return show(401, title, html`<p>${detail}</p>${addressForm(texts, '../')}${form && again}`, 'signed_out');
}

function whySignedOut(request: Visitor, form: Fields | null, texts: DeskTexts, nowMs: number) {
	if (keptNoCookie(request, nowMs)) return texts.no_cookie;
	const isNew = form === null && cookieIn(request.cookies) === '';
	return isNew ? { title: texts.sign_in, detail: texts.welcome } : texts.problems.signed_out;
}

/**
 * `base`: the relative path from the page to the folder of the sign-in page. `wrong`: what was typed, and what is wrong with
 * it. As in the forms of the desk, the words about it are ours and not the browser's.
 */
function addressForm(
	texts: DeskTexts,
	base: string,
	wrong: { readonly typed: string; readonly text: string } | null = null,
): Markup {
	const state = wrong ? html`"hint address-wrong" aria-invalid="true" autofocus value="${wrong.typed}"` : html`"hint"`;
	return html`<form method="post" action="${base}sign-in" class="card" novalidate>
<p class="soft" id="hint">${texts.sign_in_hint}</p>
<label for="address">${texts.fields.address}</label>
<input id="address" name="address" type="email" dir="ltr" autocomplete="email" required aria-describedby=${state}>
${wrong && html`<p class="missed" id="address-wrong">${wrong.text}</p>`}<button>${texts.send_link}</button></form>`;
}

/** A page that says, in the desk's own words, why a request was refused and what the person can do next. */
function refused(
	code: keyof DeskTexts['problems'],
	language: Language,
	next: Markup,
	{ id }: Pick<HttpRequest, 'id'>,
	headers: Headers = {},
): PageResult {
	const { texts, show } = strangers(language);
	const { title, detail } = texts.problems[code];
	const reference = html`<p class="soft">${fillIn(textsIn(language).reference, id)}</p>`;
	const response = show(refusalStatus[code].status, title, html`<p>${detail}</p>${next}${reference}`, code);
	return { response: { ...response, headers: { ...response.headers, ...headers } }, code };
}

const toDesk = (label: string): Markup => html`<p><a class="button" href="../pages/today">${label}</a></p>`;

/** The answer if a page does not exist, or if the person may not see it. It leads back to the desk. */
export function pageRefusal(
	code: 'page_unknown' | 'owners_only',
	{ language, texts }: Pick<View, 'language' | 'texts'>,
	request: HttpRequest,
): PageResult {
	return refused(code, language, toDesk(texts.mail.open), request);
}

/** The answer to too many requests. `base`: the relative path from the page to the folder of the sign-in page. */
export function tooOften({ retry_after_seconds }: WindowRefusal, request: HttpRequest, base: '' | '../'): PageResult {
	const language = readersLanguage(request);
	const form = addressForm(deskTextsIn(language), base);
	return refused('rate_limited', language, form, request, retryAfter(retry_after_seconds));
}

/**
 * The page behind a link that does not open a desk but has another purpose. The page says what the link does, and has a
 * button that does it. Opening the page changes nothing.
 */
export function purposePage({ purpose, workspace: { id, name, language } }: LinkWithPurpose): HttpResponse {
	const { texts, show } = strangers(language);
	const { title, detail, yes } =
		purpose === 'notices'
			? { ...texts.agree, title: fillIn(texts.agree.title, name) }
			: { title: texts.handover.put_back, detail: texts.handover.detail, yes: texts.handover.put_back };
	return show(
		200,
		title,
		html`<form method="post" class="card"><p><bdi>${name}</bdi></p><p>${detail}</p>
<button name="workspace" value="${id}">${yes}</button></form>`,
	);
}

/** The page that is shown after the button on a `purposePage` was pressed. */
export function servedPage({ served, workspace: { name, language } }: ServedLink): HttpResponse {
	const { texts, show } = strangers(language);
	if (served === 'notices') {
		return show(200, texts.agree.yes, html`<p class="card">${fillIn(texts.agree.done, name)}</p>`);
	}
	return show(
		200,
		texts.handover.put_back,
		html`<p class="card">${texts.handover.done}</p>${addressForm(texts, '../')}`,
	);
}
