import { isFormOf, sessionCookie } from '../../domain/desk/desk-session.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeskTexts } from '../../presentation/desk-texts.ts';
import { fillIn } from '../../presentation/team-texts.ts';
import { type AtDesk, enterDesk, leaveDesk } from '../../use-cases/desk/enter-desk.ts';
import { changesOf } from '../../use-cases/desk/read-desk.ts';
import { type DeskPage, type View, viewOf } from '../pages/desk/frame.ts';
import { changeLine } from '../pages/desk/people-pages.ts';
import type { Fields, HttpRequest } from '../request.ts';
import { type HttpResponse, seeOther } from '../response.ts';
import { actAtDesk, sectionOf } from './acts.ts';
import { seenOf } from './sections.ts';
import { type PageDeps, showPage } from './show-page.ts';

type Deps = Pick<Ports, 'queues' | 'ids' | 'sealer' | 'numbers'> & PageDeps;

/** Ends the session, if the form is of it. */
export async function signOut(at: AtDesk, fields: Fields, deps: Deps): Promise<HttpResponse> {
	if (!isFormOf(at.secret, fields['token'] ?? '')) return seeOther('today');
	await leaveDesk(at, deps);
	return seeOther('../sign-in', sessionCookie(null));
}

/**
 * Answers a form of a page: after a save with a redirect, so that reloading the page saves nothing again; otherwise with the
 * current page and the entered values. A form without the token of this session saves nothing.
 */
export async function answerForm(
	at: AtDesk,
	page: DeskPage,
	{ cookies }: Pick<HttpRequest, 'cookies'>,
	fields: Fields,
	deps: Deps,
): Promise<HttpResponse> {
	const { texts } = viewOf(at, deps.clock.now());
	const again = async (problem: string, text: string, statusCode: number): Promise<HttpResponse> => {
		// The session may have ended with the change.
		const now = (await enterDesk(cookies, deps)) ?? at;
		const view = await againView(now, { problem, text }, fields, deps);
		return { ...(await showPage(page, view, {}, deps)), statusCode };
	};
	if (!isFormOf(at.secret, fields['token'] ?? '')) return again('form_not_of_session', texts.check_again, 403);
	const outcome = await actAtDesk(at, fields, deps);
	if ('workspace' in outcome) return seeOther(`${page}?saved`);
	if ('token' in outcome) return seeOther(`../../callback-links/${outcome.token}`);
	if ('refused' in outcome) {
		const { refused } = outcome;
		return again(refused, texts.refusals[refused], refused === 'owners_only' ? 403 : 409);
	}
	const field = fillIn(texts.not_valid_field, labelOf(outcome.invalid, texts));
	return again('validation_failed', fillIn(texts.not_valid, field), 422);
}

/** The page as it is now, with what was entered; if its section has changed meanwhile, also with who changed it. */
async function againView(
	at: AtDesk,
	note: { readonly problem: string; readonly text: string },
	fields: Fields,
	deps: Deps,
): Promise<View> {
	const { section, changes } = sectionOf(fields);
	const { seen } = fields;
	const changed_meanwhile = section !== null && seen !== undefined && seenOf(section, at.workspace) !== seen;
	const view = viewOf(at, deps.clock.now(), note, { fields, changed_meanwhile });
	if (!changed_meanwhile) return view;
	const { items } = await changesOf(at.workspace.id, null, deps);
	const last = items.find(({ change }) => changes.includes(change));
	return last === undefined ? view : { ...view, note: { ...note, more: changeLine(last, view) } };
}

/** The texts that label a setting under another name than its own. */
const LABELS = new Map([
	['weekly', 'by_hours'],
	['consent_texts', 'consent'],
	['privacy_links', 'privacy_link'],
	['back', 'back_on'],
]);

/** The label of the field that a setting is entered in. */
function labelOf(setting: string, texts: DeskTexts): string {
	const text: unknown = Object.entries(texts).find(([name]) => name === (LABELS.get(setting) ?? setting))?.[1];
	return typeof text === 'string' ? text : setting;
}
