import type { DeskPage } from '../../../contract/desk/desk-pages.ts';
import { maySwitch } from '../../../domain/desk/session-cookie.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { initialsOf } from '../../../presentation/team-words.ts';
import { pageResponse } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';
import { sessionForms } from '../actions.ts';
import { maySee } from '../roles.ts';
import { button, hidden } from './form.ts';
import { layoutWith } from './layout.ts';
import { startOf } from './list.ts';
import { deskMenu } from './menu.ts';
import type { PageContent, View } from './view.ts';

/** What pages load: the desk's script and the preview of the widget, both pages of the desk. */
const LOADS: Readonly<Partial<Record<DeskPage, readonly string[]>>> = {
	site: ["script-src 'self'", "frame-src 'self'"],
	webhooks: ["script-src 'self'"],
	keys: ["script-src 'self'"],
};

/** A page of the desk, with its menu and its note. */
export function framed(view: View, page: DeskPage, main: PageContent): HttpResponse {
	const { at, texts, language, refusal } = view;
	const { name } = at.workspace;
	const shop = html`<span class="avatar" aria-hidden="true">${initialsOf(name)}</span><strong><bdi>${name}</bdi></strong>`;
	const signOut = html`<button class="plain">${texts.sign_out}</button>`;
	const person = html`<bdi dir="ltr">${at.person.address}</bdi>`;
	const desks = maySwitch(at.session) && html`<a href="../pages/desks">${texts.pages.desks}</a>`;
	const top = html`<header><div class="top"><p class="shop">${shop}</p>${desks}
<form method="post">${hidden(view, { action: sessionForms.signOut })}${person} ${signOut}</form></div>
${deskMenu(page, at.person, texts)}</header>`;
	const title = main.title ?? new Map(Object.entries(texts.pages)).get(page) ?? '';
	const leave = leaving(view, page);
	const body = view.query['leave'] === undefined ? html`${main}${leave}` : html`${leave}${main}`;
	return pageResponse(200, {
		title,
		language,
		problem: refusal?.problem,
		layout: layoutWith(top, LOADS[page]),
		main: html`${noteOf(view)}${body}`,
	});
}

/** What the page says above its content: why a form was not saved, or that it was. */
function noteOf(view: View): Markup | false {
	const { texts, query, refusal } = view;
	if (refusal !== null) return html`<div class="note bad" role="alert"><p>${refusal.text}</p>${refusal.more}</div>`;
	const { saved } = query;
	if (saved === undefined) return false;
	const said = new Map([
		['retried', texts.deliveries.retried],
		['test_called', texts.test_call.rings],
	]);
	return html`<div class="note" role="status"><p>${said.get(saved) ?? texts.saved}</p>${undoButton(view)}</div>`;
}

/** Puts a request that was just dealt with back on the list. */
function undoButton(view: View): Markup | null {
	const { saved, of } = view.query;
	const id = startOf(view, 'id');
	const was = saved?.replace('lead_', '');
	if (id === null || (was !== 'handled' && was !== 'dismissed')) return null;
	const about = of === 'call' ? { id, of } : { id, was };
	return button(view, { action: 'reopen-request', ...about }, view.texts.undo);
}

/** Leads from each page to the form that leaves the desk. The shop's pages alone take it; every role has one of them. */
function leaving(view: View, page: DeskPage): Markup {
	const { at, texts } = view;
	const place = maySee(at.person, 'today') ? 'today' : 'log';
	if (page !== place || view.query['leave'] === undefined)
		return html`<footer><a href="../pages/${place}?leave">${texts.leave}</a></footer>`;
	const leave = button(view, { action: 'leave-desk' }, texts.leave);
	return html`<div class="card"><p>${texts.asks.leave}</p>${leave}</div>`;
}
