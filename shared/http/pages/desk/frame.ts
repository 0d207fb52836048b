import { formToken } from '../../../domain/desk/desk-session.ts';
import type { DeskRole } from '../../../domain/workspaces/desk-person.ts';
import { type Language, localeOf } from '../../../domain/workspaces/language.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { type Layout, pageResponse } from '../page.ts';
import { DESK_STYLE } from './desk-style.ts';

/** The pages, in the order of the menu, and the lists as files. */
export const menuPages = ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'] as const;
const FOR_MEMBERS: readonly DeskPage[] = ['today', 'numbers', 'calls.csv', 'leads.csv'];
type MenuPage = (typeof menuPages)[number];
export type DeskPage = MenuPage | 'calls.csv' | 'leads.csv';

/** The page in a request's path, if this person may see it. */
export function pageNamed(
	name: string | undefined,
	{ person }: AtDesk,
): { readonly shown: DeskPage } | { readonly refused: 'page_unknown' | 'owners_only' } {
	const page = [...menuPages, ...FOR_MEMBERS].find((each) => each === name);
	if (page === undefined) return { refused: 'page_unknown' };
	return mayShow(person.role, page) ? { shown: page } : { refused: 'owners_only' };
}

const mayShow = (role: DeskRole, page: DeskPage): boolean => role === 'owner' || FOR_MEMBERS.includes(page);

/** The note above a page's content. `problem`: the code of why a form was not saved; null if it was. */
type Note = { readonly text: string; readonly problem: string | null; readonly more?: Markup };
/** The fields of a form that was not saved. `changed_meanwhile`: its section has changed since the form was shown. */
type FormEntry = { readonly fields: Fields; readonly changed_meanwhile: boolean };

/** What every page of the desk is made from. */
export type View = {
	readonly at: AtDesk;
	readonly now_ms: number;
	readonly texts: DeskTexts;
	readonly language: Language;
	readonly time_zone: string;
	readonly note: Note | null;
	readonly entered: FormEntry | null;
};

export function viewOf(at: AtDesk, now_ms: number, note: Note | null = null, entered: FormEntry | null = null): View {
	const { language, time_zone } = localeOf(at.workspace);
	return { at, now_ms, texts: deskTextsIn(language), language, time_zone: time_zone ?? 'UTC', note, entered };
}

/** A page of the desk, with its menu. */
export function deskPage(view: View, page: MenuPage, main: Markup): HttpResponse {
	const { at, texts, language } = view;
	const title = texts.pages[page];
	const links = menuPages
		.filter((each) => mayShow(at.person.role, each))
		.map((each) => menuLink(each, each === page, texts));
	const top = html`<header><div class="top"><strong><bdi>${at.workspace.name}</bdi></strong>
<form method="post" action="sign-out">${hiddenFields(view)}<bdi dir="ltr">${at.person.address}</bdi> <button class="plain">${texts.sign_out}</button></form></div>
<nav aria-label="${texts.desk}"><ul>${links}</ul></nav></header>`;
	const code = view.note?.problem ?? null;
	const head = code === null ? html`` : html`<meta name="problem" content="${code}">`;
	return pageResponse(200, { language, title, main: html`${noteBox(view)}${main}`, head, layout: layoutWith(top) });
}

/** A page of the desk for a person without a session. */
export function strangerPage(
	status: number,
	page: { readonly language: Language; readonly title: string; readonly main: Markup; readonly head?: Markup },
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	return pageResponse(status, { ...page, layout: layoutWith(null) }, headers);
}

const layoutWith = (top: Markup | null): Layout => ({
	style: DESK_STYLE,
	body: (title, main) => html`${top ?? html``}<main class="${top === null ? 'alone' : 'wide'}"><h1>${title}</h1>
${main}</main>`,
	referrer: 'same-origin',
});

function menuLink(page: MenuPage, current: boolean, texts: DeskTexts): Markup {
	const mark = { markup: current ? ' aria-current="page"' : '' };
	return html`<li><a href="${page}"${mark}>${texts.pages[page]}</a></li>`;
}

function noteBox({ note }: View): Markup {
	if (note === null) return html``;
	const [look, role] = note.problem === null ? ['note', 'status'] : ['note bad', 'alert'];
	return html`<div class="${look}" role="${role}"><p>${note.text}</p>${note.more ?? html``}</div>`;
}

/** The hidden field that every form of a session has. */
export function hiddenFields({ at }: View, fields: Readonly<Record<string, string>> = {}): Markup {
	const all = Object.entries({ token: formToken(at.secret), ...fields });
	return html`${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** A form that is one button. `name`: its label for screen readers, if the visible one needs what is beside it. */
export function button(
	view: View,
	act: Readonly<Record<string, string>>,
	label: string,
	{ name, loud = false }: { readonly name?: string; readonly loud?: boolean } = {},
): Markup {
	const aria_label = name === undefined ? html`` : html` aria-label="${name}"`;
	const look = { markup: loud ? '' : ' class="quiet"' };
	return html`<form method="post">${hiddenFields(view, act)}<button${look}${aria_label}>${label}</button></form>`;
}

/** Links to the next page of a list, and back to its beginning. `name`: the query parameter for the start of the list. */
export function pageLinks(
	{ texts }: View,
	page: MenuPage,
	next: string | null,
	older: boolean,
	name = 'before',
): Markup {
	const back = older ? html`<a class="button quiet" href="${page}">${texts.newest}</a>` : html``;
	const on = next === null ? html`` : html`<a class="button quiet" href="${page}?${name}=${next}">${texts.older}</a>`;
	return older || next !== null ? html`<p class="row">${back}${on}</p>` : html``;
}

/** The name of a language in itself. */
export const languageName = (language: Language): string =>
	new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
