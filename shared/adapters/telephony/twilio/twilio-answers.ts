import * as z from 'zod/mini';
import type { DialOutcome } from '../../../ports/telephony.ts';
import { readTime } from '../call-progress.ts';
import { codeOfFailure, type HttpAnswer, parseJson } from '../provider-http.ts';

// Interprets the response of Twilio's REST API to a dial.

const Created = z.object({ sid: z.string().check(z.regex(/^CA[0-9a-fA-F]{32}$/)) });
const Refused = z.object({ code: z.number() });

/** Error codes (https://www.twilio.com/docs/api/errors) that concern the called number, not our account. */
const UNREACHABLE: ReadonlySet<string> = new Set(['13223', '13224', '21211', '21214', '21217', '21612', '21614']);
/** Too many calls or requests at once: "never processed and always safe to retry". */
const THROTTLED: ReadonlySet<string> = new Set(['10004', '20429']);
/** The response to ending a call that has already ended. */
export const NOT_IN_PROGRESS = '21220';

/** The error code in a body; null if there is none. */
export function codeIn(body: string): string | null {
	const code = Refused.safeParse(parseJson(body)).data?.code;
	return code === undefined ? null : String(code);
}

export function dialOutcome(answer: HttpAnswer): DialOutcome {
	const code = codeOfFailure(answer, codeIn);
	if (answer.answer === 'not_sent') return { dial: 'throttled', retry_after_seconds: 1, code };
	if (answer.answer === 'lost') return { dial: 'unclear', code };
	const { status } = answer;
	const created = Created.safeParse(parseJson(answer.body));
	if (status === 201 && created.success) return { dial: 'accepted', provider_id: created.data.sid };
	if (status < 400 || status >= 500) return { dial: 'unclear', code };
	if (status === 429 || THROTTLED.has(code)) {
		return { dial: 'throttled', retry_after_seconds: answer.retry_after_seconds ?? 1, code };
	}
	return { dial: 'rejected', reason: UNREACHABLE.has(code) ? 'unreachable' : 'provider_rejected', code };
}

/** The query for the latest calls between two numbers (https://www.twilio.com/docs/voice/api/call-resource#read-multiple-call-resources). */
export function callsLike(to: string, from: string): string {
	return new URLSearchParams({ To: to, From: from, PageSize: '20' }).toString();
}

const Listed = z.object({
	calls: z.array(
		z.object({
			sid: z.string(),
			to: z.string(),
			from: z.string(),
			date_created: z.nullish(z.string()),
			parent_call_sid: z.nullish(z.string()),
		}),
	),
});

/** Twilio reports whole seconds, rounded down, by its own clock. */
const CLOCKS_DIFFER_MS = 1000;

/**
 * Finds the single call between these numbers since the dial whose response was lost; null if there is none, or several, or
 * the list cannot be fetched: then it is unknown which one is ours.
 */
export function onlyNewCall(
	answer: HttpAnswer,
	dialed: { readonly to: string; readonly from: string; readonly began_ms: number },
): string | null {
	if (answer.answer !== 'response' || answer.status !== 200) return null;
	const listed = Listed.safeParse(parseJson(answer.body));
	const since_ms = Math.floor(dialed.began_ms / 1000) * 1000 - CLOCKS_DIFFER_MS;
	const isNew = ({ to, from, date_created, parent_call_sid }: z.infer<typeof Listed>['calls'][number]): boolean =>
		to === dialed.to && from === dialed.from && !parent_call_sid && (readTime(date_created ?? '') ?? 0) >= since_ms;
	const fresh = (listed.data?.calls ?? []).filter(isNew);
	const [only] = fresh;
	return fresh.length === 1 && only !== undefined ? only.sid : null;
}
