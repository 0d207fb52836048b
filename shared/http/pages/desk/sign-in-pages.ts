import { type Language, localeOf } from '../../../domain/workspaces/language.ts';
import type { WindowRefusal } from '../../../domain/workspaces/rate-limit.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import type { FoundLink } from '../../../use-cases/desk/open-desk.ts';
import type { EdgeProblem } from '../../exchange.ts';
import { retryAfter } from '../../refusals.ts';
import type { Fields, Headers, HttpRequest } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { readersLanguage } from '../page.ts';
import { strangerPage } from './frame.ts';

type Reader = Pick<HttpRequest, 'headers'>;

/** Asks for a mail address. */
export function signInPage(request: Reader): HttpResponse {
	const language = readersLanguage(request);
	const texts = deskTextsIn(language);
	return strangerPage(200, { language, title: texts.sign_in, main: addressForm(texts, '') });
}

/** The answer to every address. */
export function sentPage(request: Reader): HttpResponse {
	const language = readersLanguage(request);
	const texts = deskTextsIn(language);
	return strangerPage(200, { language, title: texts.sent_title, main: html`<p class="card">${texts.sent}</p>` });
}

/** Behind a link: one button for each desk. Opening the page opens no desk, because programs open links, too. */
export function openPage({ workspaces }: FoundLink, request: Reader): HttpResponse {
	const [only] = workspaces;
	const language = only === undefined ? readersLanguage(request) : localeOf(only).language;
	const texts = deskTextsIn(language);
	const buttons = workspaces.map(
		({ id, name }) => html`<p><button name="workspace" value="${id}">${fillIn(texts.open, name)}</button></p>`,
	);
	return strangerPage(200, {
		language,
		title: texts.open_title,
		main: html`<form method="post" class="card">${buttons}</form>`,
	});
}

/**
 * The page for a request without a session. A form that was sent after its session had ended is not lost: its fields are sent
 * again after the sign-in, and its page then asks to save them. A phone number is not shown again.
 */
export function signedOutPage(language: Language, form: Fields | null): HttpResponse {
	const texts = deskTextsIn(language);
	const { title, detail } = texts.problems.signed_out;
	const main = html`<p>${detail}</p>${addressForm(texts, '../')}${form === null ? html`` : hiddenFields(form, texts)}`;
	return strangerPage(401, { language, title, main, head: html`<meta name="problem" content="signed_out">` });
}

function hiddenFields({ token: _, phone: __, ...fields }: Fields, texts: DeskTexts): Markup {
	const inputs = Object.entries(fields).map(
		([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
	);
	return html`<form method="post" class="card">${inputs}<p>${texts.kept}</p><button class="quiet">${texts.go_on}</button></form>`;
}

/** `base`: leads from the page to the folder of the sign-in page. */
const addressForm = (
	texts: DeskTexts,
	base: string,
): Markup => html`<form method="post" action="${`${base}sign-in`}" class="card">
<p class="soft" id="hint">${texts.sign_in_hint}</p>
<label for="address">${texts.address}</label><input id="address" name="address" type="email" dir="ltr" autocomplete="email" required aria-describedby="hint">
<button>${texts.send_link}</button></form>`;

/** A refusal that the desk explains in its own words. */
export function refusal(
	code: keyof DeskTexts['problems'],
	language: Language,
	headers: Headers = {},
): { readonly problem: EdgeProblem } {
	const { title, detail } = deskTextsIn(language).problems[code];
	return { problem: { code, detail, page: { title, language }, headers } };
}

/** The refusal of a request that came too often. */
export const tooManyTries = ({ retry_after_seconds }: WindowRefusal, request: Reader) =>
	refusal('rate_limited', readersLanguage(request), retryAfter(retry_after_seconds));
