import { cookieIn } from '../../domain/desk/session-cookie.ts';
import { localeOf, type TeamLocale } from '../../domain/workspaces/language.ts';
import { isSilenced } from '../../domain/workspaces/silenced-members.ts';
import type { TeamMember, Workspace } from '../../domain/workspaces/workspace.ts';
import { html, type Markup } from '../../presentation/markup.ts';
import { readableMask } from '../../presentation/readable-mask.ts';
import { fillIn, type RefusalText, type TeamTexts, textsIn } from '../../presentation/team-texts.ts';
import { initialsOf, readableTime, visitorsNote, whoAsked, withoutMarks } from '../../presentation/team-words.ts';
import type { ConfirmRefusal } from '../../use-cases/leads/confirm-callback.ts';
import type { OpenLink } from '../../use-cases/leads/find-callback-link.ts';
import { backToList, pageResponse } from '../edge/page.ts';
import type { EdgeProblem } from '../edge/refusals.ts';
import { retryAfter } from '../edge/refusals.ts';
import type { HttpRequest } from '../edge/request.ts';
import type { HttpResponse } from '../edge/response.ts';

/**
 * The page that asks a team member for confirmation. It shows who asked for a call, from which page and when, and offers
 * the phones of the team. The visitor's page opens in a new tab, so that this page stays open.
 */
export function askPage(
	{ lead, expires_at, workspace }: OpenLink,
	{ cookies }: Pick<HttpRequest, 'cookies'>,
): HttpResponse {
	const locale = localeOf(workspace);
	const texts = textsIn(locale.language);
	const phones = phonesOffered(workspace).map(({ member, place }, nth) => phoneOption(member, place, nth === 0, texts));
	const note = visitorsNote(lead);
	const back = cookieIn(cookies) === '' ? texts.open_desk : texts.back_to_list;
	const main = html`<dl>
<dt>${texts.number}</dt><dd><bdi dir="ltr">${readableMask(lead.visitor_phone_masked)}</bdi></dd>
${note === '' ? html`` : html`<dt>${texts.note}</dt><dd><bdi>${note}</bdi></dd>`}
<dt>${texts.page}</dt>
<dd><bdi dir="ltr"><a href="${lead.source_url}" target="_blank" rel="noreferrer noopener nofollow">${lead.source_url}</a></bdi>
<small>(${texts.new_tab})</small></dd>
<dt>${texts.when}</dt><dd><time datetime="${lead.created_at}">${readableTime(lead.created_at, locale)}</time></dd>
</dl>
<form method="post">
<fieldset><legend>${phones.length === 1 ? texts.your_phone : texts.which_phone}</legend>
${phones}
</fieldset>
<button>${texts.ring}</button>
<p class="soft">${texts.what_happens} ${fillIn(texts.works_until, readableTime(expires_at, locale))}</p>
</form>
<p class="soft"><a href="../desk/pages/today">${back}</a></p>`;
	return pageResponse(200, {
		language: locale.language,
		title: fillIn(lead.of === 'call' ? texts.not_answered : texts.asked, whoAsked(lead, locale)),
		main,
	});
}

/**
 * The phones that may ring, with their positions in the team. If no phone may ring, all phones are offered, and the refusal
 * of the call says why no phone rings.
 */
function phonesOffered(workspace: Workspace) {
	const phones = workspace.team.map((member, place) => ({ member, place }));
	const ringable = phones.filter(({ member }) => !isSilenced(member, workspace));
	return ringable.length === 0 ? phones : ringable;
}

function phoneOption(
	{ id, name, phone_masked }: TeamMember,
	place: number,
	isChecked: boolean,
	texts: TeamTexts,
): Markup {
	const checkAttribute = { markup: isChecked ? ' checked' : '' };
	const label = name ?? fillIn(texts.phone, `${place + 1}`);
	const avatar = html`<span class="avatar" aria-hidden="true">${name === undefined ? `${place + 1}` : initialsOf(name)}</span>`;
	return html`<label><input type="radio" name="phone" value="${id}"${checkAttribute} required> ${avatar}
<span>${label} <small><bdi dir="ltr">${readableMask(phone_masked)}</bdi></small></span></label>
`;
}

/** The page after the confirmation. It says which phone rings. */
export function ringingPage(
	{ name, phone_masked }: Pick<TeamMember, 'name' | 'phone_masked'>,
	{ language }: Pick<TeamLocale, 'language'>,
	request: Pick<HttpRequest, 'cookies'>,
): HttpResponse {
	const texts = textsIn(language);
	const mask = withoutMarks(readableMask(phone_masked), texts);
	const phone = name === undefined ? mask : `${name} (${mask})`;
	const back = backToList(request, language);
	const main = html`<p>${fillIn(texts.ringing, phone)}</p>
${back}<p class="soft">${texts.used_up}${!back && html` ${texts.may_close}`}</p>`;
	return pageResponse(202, { language, title: texts.ringing_title, main });
}

/** Says why no call is placed, in the language of the team. If the team is unknown, in the language of the browser. */
export function confirmProblem(refusal: ConfirmRefusal): EdgeProblem {
	switch (refusal.refused) {
		case 'link_not_valid':
			return { code: 'link_not_valid', detail: 'No message holds this link.' };
		case 'link_used':
		case 'link_expired':
			return refusalPage(refusal.refused, refusal.refused, refusal.locale, readableTime(refusal.at, refusal.locale));
		case 'lead_closed':
			return refusalPage('lead_closed', `lead_${refusal.lead_status}`, refusal.locale);
		case 'member_unknown':
		case 'member_not_callable':
			return refusalPage('validation_failed', refusal.refused, refusal.locale);
		case 'suppressed':
			return refusalPage('phone_not_callable', 'suppressed', refusal.locale);
		case 'in_a_call':
		case 'called_enough':
			return {
				...refusalPage('rate_limited', refusal.refused, refusal.locale),
				headers: retryAfter(refusal.retry_after_seconds),
			};
		case 'calls_unavailable':
			return {
				...refusalPage('calls_unavailable', 'calls_unavailable', refusal.locale),
				headers: retryAfter(refusal.retry_after_seconds),
			};
	}
}

function refusalPage(
	code: EdgeProblem['code'],
	reason: RefusalText,
	{ language }: TeamLocale,
	value = '',
): EdgeProblem {
	const { title, detail } = textsIn(language).refusals[reason];
	return { code, detail: fillIn(detail, value), page: { title, language } };
}
