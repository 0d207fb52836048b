import { formToken } from '../../../domain/desk/csrf-token.ts';
import { maySwitch } from '../../../domain/desk/session-cookie.ts';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { ListPart, Records } from '../../../ports/registry.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { initialsOf } from '../../../presentation/team-words.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import { listPage, type Page } from '../../../use-cases/kernel/list-page.ts';
import { type Layout, pageResponse } from '../../edge/page.ts';
import type { Fields, HttpRequest } from '../../edge/request.ts';
import type { HttpResponse } from '../../edge/response.ts';
import { type DeskPage, type MenuPage, maySee } from '../roles.ts';
import { seenFor } from '../sections.ts';
import { DESK_STYLE } from './desk-style.ts';
import { deskMenu } from './menu.ts';

export type View = {
	readonly at: AtDesk;
	readonly now_ms: number;
	readonly texts: DeskTexts;
	readonly language: Language;
	readonly time_zone: string;
	readonly query: HttpRequest['query'];
	/** What the page says above its content. `problem`: the code for programs of why a form was not saved, null if it was. */
	readonly note: { readonly text: string; readonly problem: string | null; readonly more?: Markup | null } | null;
	readonly entered: Fields | null;
	readonly wrong: WrongField | null;
	/** What the form that was just sent came to, where that is no change of the page. */
	readonly result: FormResult | null;
};
/** The field of a form that was refused, and why, in words that stand beside it. */
export type WrongField = { readonly name: string; readonly text: string };
/** A test of an endpoint, or a part of a recovery and the form that asked for it. `next`: where the next part starts. */
export type FormResult =
	| { readonly attempt: Attempt }
	| {
			readonly recovery: { readonly dry_run: boolean; readonly count: number; readonly next: string | null };
			readonly form: Fields;
	  };
export type PageDeps = Pick<Ports, 'store' | 'clock'>;
export type ShopDeps = PageDeps & {
	/** Where the widget is served and where it reaches the API. */
	readonly addresses: { readonly widget_script: string; readonly base_url: string };
};

export function viewOf(at: AtDesk, now_ms: number, query: HttpRequest['query'] = {}): View {
	const { language, time_zone } = at.workspace;
	const texts = deskTextsIn(language);
	const { saved = '' } = query;
	const says = new Map([
		['retried', texts.deliveries.retried],
		['test_called', texts.test_call.rings],
	]);
	const text = says.get(saved) ?? texts.saved;
	const view: View = {
		at,
		now_ms,
		texts,
		language,
		time_zone,
		query,
		note: null,
		entered: null,
		wrong: null,
		result: null,
	};
	return query['saved'] === undefined ? view : { ...view, note: { text, problem: null, more: undoButton(view) } };
}

/** Puts a request that was just dealt with back on the list. */
function undoButton(view: View): Markup | null {
	const { saved, of } = view.query;
	const id = startOf(view, 'id');
	const was = saved?.replace('lead_', '');
	if (id === null || (was !== 'handled' && was !== 'dismissed')) return null;
	const about = of === 'call' ? { id, of } : { id, was };
	return button(view, { action: 'lead_reopened', ...about }, view.texts.undo);
}

/** What pages load: the desk's script and the preview of the widget, both pages of the desk. */
const LOADS: Readonly<Partial<Record<DeskPage, readonly string[]>>> = {
	site: ["script-src 'self'", "frame-src 'self'"],
};

/** A page of the desk, with its menu and its note. */
export function framed(view: View, page: DeskPage, main: Markup): HttpResponse {
	const { at, texts, language, note } = view;
	const { name } = at.workspace;
	const shop = html`<span class="avatar" aria-hidden="true">${initialsOf(name)}</span><strong><bdi>${name}</bdi></strong>`;
	const signOut = html`<button class="plain">${texts.sign_out}</button>`;
	const desks = maySwitch(at.session) && html`<a href="../pages/desks">${texts.pages.desks}</a>`;
	const top = html`<header><div class="top"><p class="shop">${shop}</p>${desks}
<form method="post">${hidden(view, { action: 'signed_out' })}<bdi dir="ltr">${at.person.address}</bdi> ${signOut}</form></div>
${deskMenu(page, at.person, texts)}</header>`;
	const [look, role] = note?.problem ? ['note bad', 'alert'] : ['note', 'status'];
	const says = note && html`<div class="${look}" role="${role}"><p>${note.text}</p>${note.more}</div>`;
	const title = new Map(Object.entries(texts.pages)).get(page) ?? '';
	const leave = leaving(view, page);
	const body = view.query['leave'] === undefined ? html`${main}${leave}` : html`${leave}${main}`;
	return pageResponse(200, {
		title,
		language,
		problem: note?.problem,
		layout: layoutWith(top, LOADS[page]),
		main: html`${says}${body}`,
	});
}

/** Leads from each page to the form that leaves the desk. The shop's pages alone take it; every role has one of them. */
function leaving(view: View, page: DeskPage): Markup {
	const { at, texts } = view;
	const place = maySee(at.person, 'today') ? 'today' : 'log';
	if (page !== place || view.query['leave'] === undefined)
		return html`<footer><a href="../pages/${place}?leave">${texts.leave}</a></footer>`;
	return html`<div class="card"><p>${texts.asks.leave}</p>${button(view, { action: 'desk_left' }, texts.leave)}</div>`;
}

/** The layout of a page; without the menu, for a person without a session. */
export const layoutWith = (top: Markup | null, loads: readonly string[] = []): Layout => ({
	loads,
	style: DESK_STYLE,
	body: (title, main) => html`${top}<main${top === null && html` class="alone"`}><h1>${title}</h1>
${main}</main>`,
	referrer: 'same-origin',
});

/** Fields that a form sends unseen. */
export const hiddenFields = (fields: Fields): Markup =>
	html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/** The hidden fields that every form of a session has: what it asks for, its token, when it was shown, and what its section was. */
export function hidden({ at, now_ms }: View, fields: Fields): Markup {
	const state = seenFor(fields, at.workspace);
	const always = { token: formToken(at.secret), shown: now_ms.toString(36) };
	return hiddenFields({ ...always, ...fields, ...(state !== undefined && { seen: state }) });
}

/** Says of a form with entries whose they are: the page of another shop must not show them. */
export const ofShop = ({ at: { workspace } }: View): Fields => ({ shop: workspace.id, shop_name: workspace.name });

/** A form that is one button. `more`: further attributes; by default, the button is quiet. `inside`: what stands above it. */
export const button = (
	view: View,
	fields: Fields,
	label: string,
	more = html` class="quiet"`,
	inside: Markup = html``,
): Markup => html`<form method="post">${hidden(view, fields)}${inside}<button${more}>${label}</button></form>`;

/** Asks once before it does something: says what follows, and has the button that does it. `inside`: further questions. */
export const asks = (
	view: View,
	fields: Fields,
	label: string,
	says: Markup | string | false,
	yes = label,
	inside: Markup = html``,
): Markup => {
	const press = button(view, fields, yes, html` class="quiet"`, inside);
	return html`<details><summary>${label} …</summary><p class="soft">${says}</p>${press}</details>`;
};

/** A button beside a name, which its short label leaves out: it is read to those who do not see beside what it stands. */
export const buttonBeside = (view: View, fields: Fields, word: keyof DeskTexts['short'], name: string): Markup =>
	button(view, fields, view.texts.short[word], html` class="quiet" aria-label="${fillIn(view.texts[word], name)}"`);

/** A list, or what is said if it has no items. */
export const itemList = (items: readonly Markup[], none: string): Markup =>
	items.length === 0 ? html`<p class="empty">${none}</p>` : html`<ul class="list">${items}</ul>`;

/** Items of each list on one page, which stays below 30 KB. */
const PER_PAGE = { call: 10, desk_change: 20, api_key: 10, delivery: 10 } as const;

/** Where the address of a page says that a list starts; null: at its newest, as for anything but an id. */
export function startOf({ query }: View, name: string): string | null {
	const id = query[name] ?? '';
	return ID_PATTERN.test(id) ? id : null;
}

type ListOf<T> = {
	/** What the address calls the start of the list. */
	readonly name?: string;
	readonly parts?: readonly ListPart[] | undefined;
	readonly accept?: (item: T) => boolean;
	readonly limit?: number;
};

/** One page of a list, newest first. */
export function pageOf<N extends keyof typeof PER_PAGE>(
	record: N,
	view: View,
	{ store }: PageDeps,
	{ name = 'before', parts, accept = () => true, limit = PER_PAGE[record] }: ListOf<Records[N]> = {},
): Promise<Page<Records[N]>> {
	const range = { workspace_id: view.at.workspace.id, from_id: null, before_id: startOf(view, name), parts, limit };
	return listPage(record, range, accept, store);
}

/** Links to the next page of a list, and back to its beginning. `kept`: what the address has beside the start of the list. */
export function pageLinks(
	view: View,
	page: MenuPage | 'calls',
	{ next_before_id }: Page<unknown>,
	{ name = 'before', kept = {} }: { readonly name?: string; readonly kept?: Readonly<Record<string, string>> } = {},
): Markup {
	const { older, newest } = view.texts;
	const at = (start: Readonly<Record<string, string>>) => {
		const query = new URLSearchParams({ ...kept, ...start }).toString();
		return query === '' ? page : `${page}?${query}`;
	};
	const back = startOf(view, name) !== null && html`<a class="button quiet" href="${at({})}">${newest}</a>`;
	const on = next_before_id && html`<a class="button quiet" href="${at({ [name]: next_before_id })}">${older}</a>`;
	return back || on ? html`<p class="row">${back}${on}</p>` : html``;
}
