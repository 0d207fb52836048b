import * as z from 'zod/mini';
import { DEADLINE_SECONDS } from '../../domain/calls/deadlines.ts';
import type { HangupOutcome, LookupOutcome } from '../../ports/telephony.ts';
import { factOfProgress, isLive, readSeconds, readTime } from './call-progress.ts';
import { codeOfFailure, type HttpAnswer, parseJson } from './provider-http.ts';

// The call resource of the REST APIs of Twilio and Telnyx (TeXML).

/** The provider always ends a call after this. */
export const TIME_LIMIT_SECONDS = DEADLINE_SECONDS.leg;

/** The form that ends a call. */
export const HANG_UP = 'Status=completed';

const optional = z.nullish(z.string());
const CallResource = z.object({
	sid: z.string(),
	status: z.string(),
	end_time: optional,
	date_updated: optional,
	duration: optional,
	answered_by: optional,
});

/** Interprets the response to a `GET` of a call. */
export function lookupOutcome(answer: HttpAnswer, now_ms: number): LookupOutcome {
	if (answer.answer !== 'response') return { lookup: 'unclear' };
	if (answer.status === 404) return { lookup: 'missing' };
	const parsed = CallResource.safeParse(parseJson(answer.body));
	if (answer.status !== 200 || !parsed.success) return { lookup: 'unclear' };
	const call = parsed.data;
	const ended_ms = readTime(call.end_time ?? '') ?? readTime(call.date_updated ?? '');
	const fact = factOfProgress({
		provider_id: call.sid,
		status: call.status,
		// The start may be the time of the dial, so for a live call only its current state is known.
		at_ms: isLive(call.status) ? now_ms : (ended_ms ?? now_ms),
		answered_ms: null,
		duration_seconds: readSeconds(call.duration ?? ''),
		answered_by: call.answered_by ?? '',
		hangup_code: '',
		pressed: '',
	});
	return fact === null ? { lookup: 'unclear' } : { lookup: 'found', fact };
}

/** The result of a request to end a call. */
export function hangupOutcome(
	answer: HttpAnswer,
	isOver: (status: number, body: string) => boolean,
	codeIn: (body: string) => string | null,
): HangupOutcome {
	const unclear = { hangup: 'unclear', code: codeOfFailure(answer, codeIn) } as const;
	if (answer.answer !== 'response') return unclear;
	if (answer.status >= 200 && answer.status < 300) return { hangup: 'done' };
	return answer.status === 404 || isOver(answer.status, answer.body) ? { hangup: 'already_over' } : unclear;
}
