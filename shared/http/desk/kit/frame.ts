import type { DeskPage } from '../../../contract/desk/desk-pages.ts';
import { maySwitch } from '../../../domain/desk/session-cookie.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { initialsOf } from '../../../presentation/team-words.ts';
import { pageResponse } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';
import { hasOwnNote, maySee, sessionForms } from '../actions.ts';
import { button, hidden } from './form.ts';
import { layoutWith } from './layout.ts';
import { startOf } from './list.ts';
import { deskMenu } from './menu.ts';
import { SCRIPT_ADDRESS } from './script-address.ts';
import type { PageContent, View } from './view.ts';

const SCRIPT = "script-src 'self'";
/**
 * The pages that load more than the desk's script. *Today* and *Calls* load their own lists again. The page of the site loads
 * the preview of the widget.
 */
const LOADS: Readonly<Partial<Record<DeskPage, readonly string[]>>> = {
	today: [SCRIPT, "connect-src 'self'"],
	calls: [SCRIPT, "connect-src 'self'"],
	site: [SCRIPT, "frame-src 'self'"],
};

/**
 * `failing`: how many endpoints fail, for the mark of *Webhooks* in the menu. `card`: what *Today* says about the deliveries
 * that were not accepted. False for every other page, and if all were accepted.
 */
export type Failures = { readonly failing: number; readonly card: Markup | false };

/** A page of the desk with its menu, with the note about the last form, and with the card about failures. */
export function framed(view: View, page: DeskPage, main: PageContent, { failing, card }: Failures): HttpResponse {
	const { texts, language, refusal } = view;
	const top = html`<a class="skip" href="#main">${texts.menu.skip}</a>
<header>${shopOf(view)}${personOf(view)}</header>
${deskMenu(page, view, { failing, parts: main.parts })}
<script src="${SCRIPT_ADDRESS}" defer></script>`;
	const title = main.title ?? new Map(Object.entries({ ...texts.pages, calls: texts.calls })).get(page) ?? '';
	const asks = isLeaving(view, page) && leaving(view);
	return pageResponse(200, {
		title,
		language,
		problem: refusal?.problem,
		layout: layoutWith(top, page, LOADS[page] ?? [SCRIPT]),
		main: html`${noteOf(view, page, main)}${card}${asks}${main}`,
	});
}

function shopOf({ at: { workspace } }: View): Markup {
	const initials = html`<span class="avatar" aria-hidden="true">${initialsOf(workspace.name)}</span>`;
	return html`<p class="shop">${initials}<strong><bdi>${workspace.name}</bdi></strong></p>`;
}

/**
 * The menu that opens at the person's initials. It has the mail address, the other desks, and the two ways to go: sign out,
 * and, apart from that, leave the desk for good.
 */
function personOf(view: View): Markup {
	const { at, texts } = view;
	const { address } = at.person;
	const desks = maySwitch(at.session) && html`<a href="../pages/desks">${texts.pages.desks}</a>`;
	const signOut = html`<button class="plain">${texts.sign_out}</button>`;
	return html`<details class="me" name="menu"><summary aria-label="${address}">${initialsOf(address)}</summary>
<div class="card"><p><bdi dir="ltr">${address}</bdi></p>${desks}
<form method="post">${hidden(view, { action: sessionForms.signOut })}${signOut}</form>
<div class="apart"><p class="soft">${texts.leave_title}</p>
<a href="../pages/${placeToLeave(view)}?leave">${texts.leave} …</a></div></div></details>`;
}

/** The note above the content. It says why a form was not saved, or that it was saved. False if there is nothing to say. */
function noteOf(view: View, page: DeskPage, main: Markup): Markup | false {
	const { texts, query, refusal } = view;
	if (refusal !== null) {
		return html`<div class="note bad" role="alert"><p>${whyNotSaved(refusal.text, view, main)}</p>${refusal.more}</div>`;
	}
	const { saved } = query;
	if (saved === undefined || hasOwnNote(saved)) return false;
	const confirmations = new Map([
		['retried', texts.deliveries.retried],
		['test_called', texts.test_call.rings],
	]);
	const words = confirmations.get(saved) ?? view.said ?? texts.saved;
	return html`<div class="note" role="status"><p>${words}</p>${page === 'today' && undoButton(view)}</div>`;
}

/** Why a form was not saved. If the page says it beside the fields, this is only a link that names the fields. */
function whyNotSaved(text: string, { texts, wrong }: View, { markup }: Markup): Markup {
	const shown = wrong.filter(({ name }) => markup.includes(`id="${name}-wrong"`));
	const [first] = shown;
	if (first === undefined) return html`${text}`;
	const labelOf = new Map(Object.entries(texts.fields));
	const labels = new Set(shown.flatMap(({ name, label }) => label ?? labelOf.get(name) ?? []));
	const words = labels.size === 0 ? text : fillIn(texts.not_valid, whatToCheck([...labels], texts));
	return html`<a href="#${first.name}-wrong">${words}</a>`;
}

/** Asks to check some fields. Each name of a field has quotation marks of its own. */
export function whatToCheck(labels: readonly string[], { not_valid_field }: View['texts']): string {
	const [quoted = '{0}'] = /\S\s?\{0\}\s?[^\s.]/.exec(not_valid_field) ?? [];
	return not_valid_field.replace(quoted, () => labels.map((label) => fillIn(quoted, label)).join(', '));
}

/**
 * The button that puts a request back on the list after a person has handled or dismissed it. Null if the last form did
 * anything else.
 */
function undoButton(view: View): Markup | null {
	const { saved, of } = view.query;
	const id = startOf(view, 'id');
	const was = saved?.replace('lead_', '');
	if (id === null || (was !== 'handled' && was !== 'dismissed')) return null;
	const about = of === 'call' ? { id, of } : { id, was };
	return button(view, { action: 'reopen-request', ...about }, view.texts.undo);
}

/**
 * The page that has the form with which a person leaves the desk: *Today*, or *Activity* if the person may not see *Today*.
 * Only the shop's pages accept that form.
 */
const placeToLeave = ({ at }: View) => (maySee(at.person, 'today') ? 'today' : 'log');
const isLeaving = (view: View, page: DeskPage): boolean =>
	page === placeToLeave(view) && view.query['leave'] !== undefined;

function leaving(view: View): Markup {
	const { texts } = view;
	const leave = button(view, { action: 'leave-desk' }, texts.leave);
	return html`<div class="card"><p>${texts.asks.leave}</p>${leave}</div>`;
}
