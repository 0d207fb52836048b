import { html, type Markup } from '../../../presentation/markup.ts';
import { type OtherDesk, otherDesks } from '../../../use-cases/desk/switch-desk.ts';
import { FIRST, listToCallBack } from '../../../use-cases/desk/to-call-back.ts';
import { maySee, sessionForms } from '../actions.ts';
import { button } from '../kit/form.ts';
import type { PageDeps, View } from '../kit/view.ts';

/** The most waiting people that are counted for one desk. If more wait, the page shows `9+`. */
const MOST_COUNTED = 9;
/** For how many desks the waiting people are counted at the same time. */
const AT_ONCE = 5;
/**
 * *Today* shows a person's other desks only if there are at most this many. The page *Your desks* always shows all of them.
 */
const MOST_ON_TODAY = 5;

/** The person's other desks, each with how many people wait there to be called back. */
export async function desksPage(view: View, deps: PageDeps): Promise<Markup> {
	const desks = await otherDesks(view.at, deps);
	if (desks.length === 0) return html`<p class="empty">${view.texts.no_other_desk}</p>`;
	return html`<div class="card row">${await desksOf(desks, view, deps)}</div>`;
}

/** The person's other desks, on *Today*. False if there are none, or too many for *Today*. */
export async function desksOnToday(view: View, deps: PageDeps): Promise<Markup | false> {
	const desks = await otherDesks(view.at, deps);
	if (desks.length === 0 || desks.length > MOST_ON_TODAY) return false;
	return html`<nav class="card row" aria-label="${view.texts.pages.desks}">${await desksOf(desks, view, deps)}</nav>`;
}

async function desksOf(desks: readonly OtherDesk[], view: View, deps: PageDeps): Promise<readonly Markup[]> {
	const buttons: Markup[] = [];
	for (let at = 0; at < desks.length; at += AT_ONCE)
		buttons.push(...(await Promise.all(desks.slice(at, at + AT_ONCE).map((desk) => switchButton(desk, view, deps)))));
	return buttons;
}

async function switchButton({ workspace, person }: OtherDesk, view: View, deps: PageDeps): Promise<Markup> {
	const count = maySee(person, 'today') && (await waitingIn(workspace, deps));
	// Isolate the name, so that it keeps its own direction beside other text.
	const name = `\u2068${workspace.name}\u2069`;
	const label = count === false ? name : `${name} · ${view.texts.waiting}: ${count}`;
	return button(view, { action: sessionForms.switchDesk, desk: workspace.id }, label);
}

async function waitingIn(workspace: OtherDesk['workspace'], deps: PageDeps): Promise<string> {
	const { items, next } = await listToCallBack(workspace, FIRST, MOST_COUNTED, deps);
	return next === null ? `${items.length}` : `${MOST_COUNTED}+`;
}
