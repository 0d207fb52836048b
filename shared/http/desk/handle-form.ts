import { type DeskPage, folderOf } from '../../contract/desk/desk-pages.ts';
import { isFormOf } from '../../domain/desk/csrf-token.ts';
import { sessionCookie } from '../../domain/desk/session-cookie.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { cutAt, visibleLine } from '../../domain/kernel/visible-line.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import { type DeskTexts, deskTextsIn } from '../../presentation/desk-texts.ts';
import { fillIn } from '../../presentation/team-texts.ts';
import { type AtDesk, enterDesk, signOut } from '../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../edge/form-fields.ts';
import type { HttpRequest } from '../edge/request.ts';
import { type HttpResponse, seeOther } from '../edge/response.ts';
import { actionOf, maySee, savedQuery, sessionForms } from './actions.ts';
import type { RunAction } from './define-action.ts';
import type { DeskSite } from './desk-site.ts';
import { pageOf } from './kit/list.ts';
import { type PageDeps, type View, viewOf, type WrongField } from './kit/view.ts';
import { auditEntryText } from './log/log-page.ts';
import { isCurrent, savedFields, sectionOf } from './sections.ts';
import { shownBack } from './shown-back.ts';
import { signedOutPage } from './sign-in/sign-in-pages.ts';
import { nameIn, wrongFields } from './wrong-field.ts';

/** The most characters of another shop's name that a page shows. */
const MOST_NAME_CHARACTERS = 100;

type Desk<P extends DeskPage, Deps> = {
	readonly site: Pick<DeskSite<P, Deps>, 'show'>;
	readonly run: RunAction<Deps>;
	/** Switches to another desk of the person. Only the shop's pages have a form for that. */
	readonly switchDesk?: RunAction<Deps>;
};

type FormResult = { readonly response: HttpResponse; readonly about: LogFields };

/** Why a form was not saved. `problem` is a code for programs, and `text` is for people. */
type Explanation = { readonly problem: string; readonly text: string };

/**
 * Answers a form of a page. After a save, the answer is a redirect, so that reloading the page does not save again. If the
 * form was refused, the answer is the current page with the entered values. A form without the token of this session saves
 * nothing.
 */
export async function handleForm<P extends DeskPage, Deps extends PageDeps>(
	{ site, run, switchDesk = run }: Desk<P, Deps>,
	{ page, at }: { readonly page: P; readonly at: AtDesk },
	request: Pick<HttpRequest, 'cookies' | 'headers' | 'query'>,
	fields: Fields,
	deps: Deps,
): Promise<FormResult> {
	const texts = deskTextsIn(at.workspace.language);
	const form = fields['action'] ?? '';
	// The name of the action comes from the request, so it is logged only if it is one of ours.
	const isKnown = actionOf(form) !== undefined || Object.values<string>(sessionForms).includes(form);
	const ended = (response: HttpResponse, outcome: string): FormResult => ({
		response,
		about: { workspace_id: at.workspace.id, ...(isKnown && { form }), outcome },
	});
	type Again = {
		readonly result?: View['result'];
		readonly wrong?: readonly WrongField[];
		readonly entered?: Fields | null;
	};
	const again = async (
		statusCode: number,
		says: Explanation | null,
		{ result = null, wrong = [], entered = shownBack(fields) }: Again = {},
	): Promise<FormResult> => {
		// The session may have ended while the form was handled.
		const person = await enterDesk(request.cookies, deps);
		if (person === null) return ended(signedOutPage(request, fields, deps.clock.now()), 'signed_out_meanwhile');
		// Show the page of the form without the note about an earlier form.
		const { saved: _, made: __, ...query } = request.query;
		const now = viewOf(person, deps.clock.now(), query);
		// A form of the developers' pages has no section that another person could have changed, and the function that runs
		// these forms may not read the audit list.
		const more = folderOf(page) === 'pages' ? await whoChanged(fields, now, deps) : null;
		const view = { ...now, refusal: says && { ...says, more }, result, wrong, entered };
		return ended({ ...(await site.show(page, view, deps)), statusCode }, says?.problem ?? 'shown');
	};
	const { shop = at.workspace.id, shop_name = '' } = fields;
	if (shop !== at.workspace.id) {
		// The form belongs to another shop. This shop's page must not show what was entered in it, because the next press
		// of the button would save it for this shop.
		const text = fillIn(texts.other_shop, cutAt(visibleLine(shop_name), MOST_NAME_CHARACTERS), at.workspace.name);
		return again(403, { problem: 'form_not_of_session', text }, { entered: null });
	}
	if (!isFormOf(at.secret, fields['token'])) {
		return again(403, { problem: 'form_not_of_session', text: texts.check_again });
	}
	if (form === sessionForms.signOut) {
		await signOut(at, deps);
		return ended(seeOther('../sign-in', sessionCookie(null)), 'saved');
	}
	const act = form === sessionForms.switchDesk ? switchDesk : run;
	const outcome = await act(at, fields, deps);
	if ('link' in outcome) return ended(seeOther(outcome.link, outcome.cookie), 'saved');
	if ('entered' in outcome) return again(200, null, { entered: shownBack(outcome.entered) });
	if ('result' in outcome) return again(200, null, { result: outcome.result });
	if (!('refused' in outcome || 'invalid' in outcome)) {
		return ended(seeOther(`${page}?${stays(page, request)}${savedQuery(form)}`), 'saved');
	}
	const wrong = wrongFields(outcome, fields, viewOf(at, deps.clock.now()));
	if ('refused' in outcome) {
		const { refused, words = '' } = outcome;
		const says = { problem: refused, text: fillIn(texts.refusals[refused], words) };
		return again(refused === 'owners_only' ? 403 : 409, says, { wrong });
	}
	const text = fillIn(texts.not_valid, fillIn(texts.not_valid_field, labelOf(outcome.invalid, texts)));
	return again(422, { problem: 'validation_failed', text }, { wrong });
}

/** The parameters of a search of calls. The page that they lead to checks their values. */
const SEARCH = ['end', 'day', 'name', 'reference', 'digits', 'before'] as const;
const MOST_SEARCHED = 64;

/**
 * The part of the query that leads back to the page from which the form was sent, if that is the page of a call or lead, the
 * result of a search of calls, or a part of a list. Empty for every other page.
 */
function stays(page: DeskPage, { query }: Pick<HttpRequest, 'query'>): string {
	const { from = '' } = query;
	if (page !== 'calls') return /^\d{1,3}$/.test(from) ? `from=${from}&` : '';
	const parameter = (name: string): [string, string] => [name, query[name] ?? ''];
	const id = (['id', 'lead'] as const).map(parameter).find(([, value]) => ID_PATTERN.test(value));
	const search = SEARCH.map(parameter).filter(([, value]) => value !== '' && value.length <= MOST_SEARCHED);
	const kept = new URLSearchParams([...(id ? [id] : []), ...search]).toString();
	return kept === '' ? '' : `${kept}&`;
}

/**
 * The latest audit entry about the form's section, if the section was changed since the form was shown. Null if the section
 * was not changed, if this person may not read the audit list, or if the first page of that list has no such entry.
 */
async function whoChanged(fields: Fields, view: View, deps: PageDeps) {
	const { person, workspace } = view.at;
	const action = actionOf(fields['action']);
	const isOfSection = savedFields(action, fields, workspace) !== undefined;
	if (!isOfSection || !maySee(person, 'log') || isCurrent(fields, workspace)) return null;
	const section = sectionOf(action);
	const { items } = await pageOf('desk_change', view, deps);
	const last = items.find(({ change }) => sectionOf(actionOf(change)) === section);
	return last === undefined ? null : auditEntryText(last, view);
}

function labelOf(path: readonly PropertyKey[], texts: DeskTexts): string {
	const name = nameIn(path, texts) ?? '';
	return new Map(Object.entries(texts.fields)).get(name) ?? String(path[0]);
}
