import { formToken } from '../../../domain/desk/desk-session.ts';
import type { DeskRole } from '../../../domain/workspaces/desk-person.ts';
import { type Language, localeOf } from '../../../domain/workspaces/language.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { HttpRequest } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { type Layout, pageResponse } from '../page.ts';
import { DESK_STYLE } from './desk-style.ts';

/** The pages, in the order of the menu. */
export const deskPages = ['today', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'] as const;
export type DeskPage = (typeof deskPages)[number];
const FOR_MEMBERS: readonly DeskPage[] = ['today', 'numbers'];
export const mayShow = (role: DeskRole, page: DeskPage): boolean => role === 'owner' || FOR_MEMBERS.includes(page);

/**
 * What a page says above its content. `problem`: the code for programs of why a form was not saved, null if it was. `entered`:
 * what was typed into a form that was not saved.
 */
export type Note = {
	readonly text: string;
	readonly problem: string | null;
	readonly entered?: readonly string[];
};

/** What every page of the desk is made from. */
export type View = {
	readonly at: AtDesk;
	readonly now_ms: number;
	readonly texts: DeskTexts;
	readonly language: Language;
	readonly time_zone: string;
	readonly note: Note | null;
};

export function viewOf(at: AtDesk, now_ms: number, note: Note | null): View {
	const { language, time_zone } = localeOf(at.workspace);
	return { at, now_ms, texts: deskTextsIn(language), language, time_zone: time_zone ?? 'UTC', note };
}

/** The view of a page that a saved form has led to. */
export const savedNote = (view: View, query: HttpRequest['query']): View =>
	query['saved'] === undefined ? view : { ...view, note: { text: view.texts.saved, problem: null } };

/** A page of the desk, with its menu. */
export function deskPage(view: View, page: DeskPage, main: Markup, status = 200): HttpResponse {
	const { at, texts, language } = view;
	const title = texts.pages[page];
	const links = deskPages
		.filter((each) => mayShow(at.person.role, each))
		.map((each) => menuLink(each, each === page, texts));
	const menu = html`<header><p><bdi>${at.workspace.name}</bdi></p>
<nav aria-label="${texts.desk}"><ul>${links}</ul></nav></header>`;
	const layout = layoutWith(
		menu,
		html`<form method="post" action="sign-out">${hidden(view)}<p class="soft"><bdi>${at.person.address}</bdi>
<button class="quiet">${texts.sign_out}</button></p></form>`,
	);
	const code = view.note?.problem ?? null;
	const head = code === null ? html`` : html`<meta name="problem" content="${code}">`;
	return pageResponse(status, { language, title, main: html`${noteBox(view)}${main}`, head, layout });
}

/** A page of the desk for a person without a session. */
export function strangerPage(
	status: number,
	page: { readonly language: Language; readonly title: string; readonly main: Markup; readonly head?: Markup },
	headers: Readonly<Record<string, string>> = {},
): HttpResponse {
	return pageResponse(status, { ...page, layout: layoutWith(html``, html``) }, headers);
}

const layoutWith = (menu: Markup, foot: Markup): Layout => ({
	style: DESK_STYLE,
	body: (title, main) => html`${menu}<main><h1>${title}</h1>
${main}
${foot}</main>`,
	referrer: 'same-origin',
});

function menuLink(page: DeskPage, current: boolean, texts: DeskTexts): Markup {
	const mark = { markup: current ? ' aria-current="page"' : '' };
	return html`<li><a href="${page}"${mark}>${texts.pages[page]}</a></li>`;
}

function noteBox({ note, texts }: View): Markup {
	if (note === null) return html``;
	const entered = note.entered ?? [];
	const list =
		entered.length === 0
			? html``
			: html`<p>${texts.you_entered}</p><ul>${entered.map((line) => html`<li><bdi>${line}</bdi></li>`)}</ul>`;
	return html`<div class="${note.problem === null ? 'note' : 'note bad'}" role="${note.problem === null ? 'status' : 'alert'}"><p>${note.text}</p>${list}</div>`;
}

/** The hidden field that every form of a session has. */
export function hidden({ at }: View, fields: Readonly<Record<string, string>> = {}): Markup {
	const all = Object.entries({ token: formToken(at.secret), ...fields });
	return html`${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** A form that is one button. `name`: what it is called for those who do not see beside what it stands. */
export function button(
	view: View,
	act: Readonly<Record<string, string>>,
	label: string,
	{ name, loud = false }: { readonly name?: string; readonly loud?: boolean } = {},
): Markup {
	const named = name === undefined ? html`` : html` aria-label="${name}"`;
	const look = { markup: loud ? '' : ' class="quiet"' };
	return html`<form method="post">${hidden(view, act)}<button${look}${named}>${label}</button></form>`;
}

/** The name of a language in itself. */
export const languageName = (language: Language): string =>
	new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
