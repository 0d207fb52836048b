import type { Problem, ProblemCode } from '../../contract/kernel/problem.ts';
import type { NamedLimit } from '../../domain/access/rate-limit.ts';
import type { PhoneFault } from '../../domain/kernel/phone-number.ts';
import type { UnavailableReason } from '../../domain/workspaces/workspace.ts';
import type { CancelOwnCallResult } from '../../use-cases/widget/cancel-own-call.ts';
import type { RequestCallRefusal } from '../../use-cases/widget/request-call.ts';
import type { ConsentRefusal } from '../../use-cases/widget/screen-visitor.ts';
import { alreadyTerminal, atField, NOT_FOUND, retryAfter } from '../edge/refusals.ts';

/** Explains what is wrong with a number to the person who typed it. The number is not repeated. */
const PHONE_FAULTS: Readonly<Record<PhoneFault, string>> = {
	empty: 'Give a phone number; this one is empty.',
	other_characters:
		'A number has digits, and a + at its beginning; only spaces, dots, slashes, dashes and brackets may stand between.',
	extension: 'Extensions cannot be dialled; give a number without one.',
	no_plus: 'Begin with + and the country code, such as +1 202 555 0199.',
	unknown_country: 'No country has this code; give + and the country code first.',
	too_short: 'The number is too short; give all of its digits.',
	too_long: 'The number is too long; it has at most 15 digits.',
	not_in_plan: 'This is not a number of its country; check the digits.',
};

const UNAVAILABLE: Readonly<Record<UnavailableReason, string>> = {
	switched_off: 'Calls are switched off for this workspace.',
	no_team: 'The workspace has no team to call.',
	no_agent_callable: 'The rules of the workspace let no phone of its team ring.',
	no_provider: 'No telephone provider is set up.',
	daily_limit: 'The workspace has had its calls of the day.',
	window_limit: 'The workspace has had its calls of these ten minutes.',
};

function consentProblem({ fault }: ConsentRefusal): Problem {
	if (fault === 'not_given') return atField('consent_required', '/consent', 'The visitor must agree to be called.');
	const detail = 'The workspace shows no such text now; read the configuration again and show its text.';
	return atField('consent_required', '/consent_text_id', detail, fault);
}

/** The problem for a refusal of a visitor's request. */
export function visitorProblem(refusal: RequestCallRefusal): Problem {
	switch (refusal.refused) {
		case 'consent_required':
			return consentProblem(refusal);
		case 'page_url_invalid':
			return atField('validation_failed', '/page_url', 'Give the http(s) address of the page.');
		case 'page_url_mismatch':
			return atField('page_url_mismatch', '/page_url', "`page_url` must be on the Origin's host.");
		case 'phone_invalid':
			return {
				...atField('phone_invalid', '/phone', PHONE_FAULTS[refusal.fault], refusal.fault),
				reason: refusal.fault,
			};
		case 'country_not_allowed':
			return atField('country_not_allowed', '/phone', 'Numbers of this region are not called.');
		case 'phone_not_callable':
			return atField('phone_not_callable', '/phone', 'This number cannot be called.');
		case 'outside_business_hours':
			return {
				code: 'outside_business_hours',
				detail: 'The team takes no calls now.',
				extra: { next_open_at: refusal.next_open_at },
			};
		case 'rate_limited':
			return {
				...retryLater('rate_limited', limitInWords(refusal.limit), refusal.retry_after_seconds),
				reason: refusal.closes ?? 'address_or_number',
			};
		case 'calls_unavailable':
			return {
				...retryLater('calls_unavailable', UNAVAILABLE[refusal.reason], refusal.retry_after_seconds),
				extra: { reason: refusal.reason },
				reason: refusal.reason,
			};
	}
}

/**
 * The words for a limit. The limit of a number has the same words as a rate limit, because a stranger must learn nothing
 * about a number.
 */
function limitInWords(limit: NamedLimit | undefined): string {
	if (limit === 'leads_per_day') return 'This workspace has had its callback requests of the day (UTC).';
	return 'The requests of this address, this workspace or this number are spent for now; we do not say which.';
}

function retryLater(code: ProblemCode, detail: string, retryAfterSeconds: number): Problem {
	return { code, detail, headers: retryAfter(retryAfterSeconds) };
}

/** The problem if a visitor's own call cannot be canceled. */
export function ownCancelProblem(result: Exclude<CancelOwnCallResult, { readonly outcome: 'canceled' }>): Problem {
	switch (result.outcome) {
		case 'call_already_connected':
			return { code: 'call_already_connected', detail: 'The call is connected; hang up to end it.' };
		case 'call_already_terminal':
			return alreadyTerminal(result.call_status);
		case 'not_found':
			return NOT_FOUND;
	}
}
