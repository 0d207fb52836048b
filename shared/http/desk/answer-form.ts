import { isFormOf, sessionCookie } from '../../domain/desk/desk-session.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import type { Ports } from '../../ports/ports.ts';
import { type DeskTexts, deskTextsIn } from '../../presentation/desk-texts.ts';
import { filled } from '../../presentation/team-texts.ts';
import { actAtDesk } from '../../use-cases/desk/act-at-desk.ts';
import { type AtDesk, enterDesk, leaveDesk } from '../../use-cases/desk/enter-desk.ts';
import type { EdgeProblem } from '../exchange.ts';
import { type DeskPage, type Note, viewOf } from '../pages/desk/frame.ts';
import type { SiteAddresses } from '../pages/desk/site-page.ts';
import type { Fields, HttpRequest } from '../request.ts';
import { type HttpResponse, seeOther } from '../response.ts';
import { pageOf } from './page-of.ts';
import { readAction } from './read-action.ts';
import { showPage } from './show-page.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'sealer' | 'numbers'> & {
	readonly addresses: SiteAddresses;
};
type Reply = { readonly response: HttpResponse } | { readonly problem: EdgeProblem };

/**
 * Answers a form of a page. What was saved is answered with a redirect, so that reloading saves nothing again; what was not is
 * answered with the page as it is now, and with what was entered. A form without the token of this session saves nothing.
 */
export async function answerForm(at: AtDesk, request: HttpRequest, fields: Fields, deps: Deps): Promise<Reply> {
	const { language } = localeOf(at.workspace);
	const texts = deskTextsIn(language);
	const is_ours = isFormOf(at.secret, fields['token'] ?? '');
	if (request.params['page'] === 'sign-out' && is_ours) {
		await leaveDesk(at, deps);
		return { response: seeOther('../sign-in', sessionCookie(null)) };
	}
	const page_or_problem = pageOf(request, at);
	if ('problem' in page_or_problem) return page_or_problem;
	const again = async (code: string, text: string, status: number): Promise<Reply> => {
		const note = { text, problem: code, entered: enteredIn(fields) };
		return { response: await shownAgain(at, request, page_or_problem.page, note, status, deps) };
	};
	if (!is_ours) return again('form_not_of_session', texts.check_again, 403);
	const action_or_fault = readAction(fields, language);
	if ('invalid' in action_or_fault) {
		const field = filled(texts.not_valid_field, labelOf(action_or_fault.invalid, texts));
		return again('validation_failed', filled(texts.not_valid, field), 422);
	}
	const outcome = await actAtDesk(at, action_or_fault.action, deps);
	switch (outcome.outcome) {
		case 'done':
			return { response: seeOther(`${page_or_problem.page}?saved`) };
		case 'call':
			return { response: seeOther(`../../callback-links/${outcome.token}`) };
		case 'refused':
			return again(outcome.refused, texts.refusals[outcome.refused], outcome.refused === 'owners_only' ? 403 : 409);
	}
}

/** The page as it is now, with a note; the session may have ended with the change. */
async function shownAgain(
	at: AtDesk,
	request: HttpRequest,
	page: DeskPage,
	note: Note,
	status: number,
	deps: Deps,
): Promise<HttpResponse> {
	const now = (await enterDesk(request.cookies, deps)) ?? at;
	const response = await showPage(page, viewOf(now, deps.clock.now(), note), {}, deps);
	return { ...response, statusCode: status };
}

const NOT_ENTERED: ReadonlySet<string> = new Set(['token', 'act', 'seen', 'place', 'id', 'phone']);

/** What a person typed or chose. A phone number is never shown back. */
function enteredIn(fields: Fields): readonly string[] {
	return Object.entries(fields).flatMap(([name, value]) => (NOT_ENTERED.has(name) || value === '' ? [] : [value]));
}

/** The label of the field that a setting is entered in. */
function labelOf(setting: string, texts: DeskTexts): string {
	const labels: Readonly<Record<string, string>> = {
		weekly: texts.by_hours,
		time_zone: texts.time_zone,
		holidays: texts.holidays,
		origins: texts.origins,
		name: texts.name,
		language: texts.language,
		consent_texts: texts.consent,
		privacy_links: texts.privacy_link,
		team_email: texts.team_email,
		address: texts.address,
		back: texts.back_on,
	};
	return labels[setting] ?? setting;
}
