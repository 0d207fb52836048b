import * as z from 'zod/mini';
import { asDetail } from '../../domain/calls/call-input.ts';
import { DEADLINE_SECONDS } from '../../domain/calls/deadlines.ts';
import type { EndCause, LegFact } from '../../domain/calls/leg.ts';
import { standIn } from '../../domain/kernel/id.ts';
import type { DialRequest, ReceiveOutcome } from '../../ports/telephony.ts';
import { wholeSeconds } from './provider-http.ts';

// Calls of Twilio and Telnyx (TeXML), with the statuses that both providers use:
// https://www.twilio.com/docs/voice/api/call-resource#call-status-values

/** After this time, the provider itself ends a call. */
export const TIME_LIMIT_SECONDS = DEADLINE_SECONDS.leg;

export const HANG_UP = 'Status=completed';

/**
 * The events of a leg for which we ask the provider to send a status callback. Other events are not needed: the request for
 * instructions and the end of the leg show that the leg was answered, and the response to the dial shows that the leg was
 * dialed.
 */
export function statusEvents({ tells_ringing }: Pick<DialRequest, 'tells_ringing'>): readonly string[] {
	return tells_ringing ? ['ringing', 'completed'] : ['completed'];
}

const ranks: ReadonlyMap<string, Exclude<LegFact['rank'], 'accepted'>> = new Map([
	['queued', 'dialing'],
	['initiated', 'dialing'],
	['ringing', 'ringing'],
	['in-progress', 'answered'],
	['answered', 'answered'],
	['completed', 'ended'],
	['busy', 'ended'],
	['no-answer', 'ended'],
	['canceled', 'ended'],
	['failed', 'ended'],
]);

type Progress = {
	readonly provider_id: string;
	/** A report with an unknown status is ignored. */
	readonly status: string;
	readonly at_ms: number;
	/** When the call was answered. Only some providers report this time separately. */
	readonly answered_ms?: number | null;
	/** The length of the conversation, once it has ended. */
	readonly duration_seconds: number | null;
	/** Whether a person or a machine answered, if the detection is on. */
	readonly answered_by: string;
	/** The SIP response code, or the provider's own word. Empty if the provider reported none. */
	readonly hangup_code?: string;
	readonly pressed?: string;
};

/** The fact that a report contains. Null if the status is unknown. */
function factOf(progress: Progress): LegFact | null {
	const rank = ranks.get(progress.status);
	if (rank === undefined) return null;
	const { provider_id, at_ms } = progress;
	const fact = { provider_id, at: iso(at_ms), ringing_at: null, answered_at: null, accepted_at: null, cause: null };
	// A leg that a machine answers counts as ended. If the provider asks for instructions later, we tell it to hang up.
	if (/^machine|^fax$/.test(progress.answered_by)) return { ...fact, rank: 'ended', cause: 'voicemail' };
	switch (rank) {
		case 'dialing':
			return { ...fact, rank };
		case 'ringing':
			return { ...fact, rank, ringing_at: fact.at };
		case 'answered':
			if (progress.pressed === '1') return { ...fact, rank: 'accepted', accepted_at: fact.at };
			return { ...fact, rank, answered_at: iso(progress.answered_ms ?? at_ms) };
		case 'ended':
			return { ...fact, rank, answered_at: answerTimeOf(progress), cause: causeOf(progress) };
	}
}

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * For a leg that has ended: when the leg was answered, or null if it was not answered. If the provider reports neither the
 * time of the answer nor a duration of more than 0, the leg counts as not answered.
 */
function answerTimeOf({ status, at_ms, answered_ms = null, duration_seconds }: Progress): string | null {
	if (status !== 'completed') return null;
	if (answered_ms !== null) return iso(answered_ms);
	return duration_seconds === null || duration_seconds === 0 ? null : iso(at_ms - duration_seconds * 1000);
}

/** Codes for decline, unwanted and rejected: RFC 3261 21.6.2, RFC 8197, RFC 8688. */
const DECLINED: ReadonlySet<string> = new Set(['603', '607', '608', 'call_rejected']);

function causeOf({ status, hangup_code = '' }: Progress): EndCause {
	if (status === 'completed') return 'completed';
	if (status === 'canceled') return 'hung_up';
	if (DECLINED.has(hangup_code)) return 'rejected';
	if (status === 'busy') return 'busy';
	if (status === 'no-answer') return 'no_answer';
	return /^5\d\d$/.test(hangup_code) ? 'provider_error' : 'unreachable';
}

const DETAIL_WORD = /^[a-z_-]{1,30}$/i;
const DETAIL_TIME = /^[\w ,-]+(?::\d\d){2}[\w .:+]*$/;
const DETAIL_CODE = /^\w{1,6}$/;
/** The fields of a callback that the log may show, and for each a pattern that its values must match. */
const DETAIL: ReadonlyMap<string, RegExp> = new Map([
	['CallSid', /^.+$/],
	['CallStatus', DETAIL_WORD],
	['AnsweredBy', DETAIL_WORD],
	['HangupCause', DETAIL_WORD],
	['Timestamp', DETAIL_TIME],
	['AnsweredTime', DETAIL_TIME],
	['CallDuration', DETAIL_CODE],
	['SipResponseCode', DETAIL_CODE],
	['SipHangupCause', DETAIL_CODE],
	['ErrorCode', DETAIL_CODE],
	['ErrorMessage', /^[\w .,:-]{1,80}$/],
	['Digits', /^\w$/],
	['SequenceNumber', /^\d{1,3}$/],
]);
const LONG = /\d(?:[ .-]*\d){6,}|\w{20,}/g;

function detailIn(form: URLSearchParams): string {
	const fields = [...form].filter(([name, value]) => value !== '' && DETAIL.get(name)?.test(value));
	return asDetail(
		new URLSearchParams(
			fields.map(([name, value]): [string, string] => {
				if (name === 'CallSid') return [name, standIn(value)];
				return [name, name === 'ErrorMessage' ? value.replace(LONG, '*') : value];
			}),
		),
	);
}

/**
 * Reads a status callback or a request for instructions. Providers ask for instructions only for a leg that was answered. So if
 * a request for instructions does not include the leg's status, the leg counts as answered.
 */
export function readCallback(form: URLSearchParams, isInstructionRequest: boolean, nowMs: number): ReceiveOutcome {
	const field = (name: string): string => form.get(name) ?? '';
	const fields = detailIn(form);
	const provider_id = field('CallSid');
	if (provider_id === '') return { received: 'ignored', why: 'malformed', detail: fields };
	const fact = factOf({
		provider_id,
		status: field('CallStatus') || (isInstructionRequest ? 'in-progress' : ''),
		at_ms: readTime(field('Timestamp')) ?? nowMs,
		answered_ms: readTime(field('AnsweredTime')),
		duration_seconds: wholeSeconds(field('CallDuration')),
		answered_by: field('AnsweredBy'),
		// The SIP code comes first, because it shows whether a person refused the call. Telnyx also reports `call_rejected`
		// if the network refused the call.
		hangup_code: field('SipResponseCode') || sipCode(field('SipHangupCause')) || field('HangupCause'),
		pressed: field('Digits'),
	});
	return fact === null
		? { received: 'ignored', why: 'unknown_status', detail: fields }
		: { received: 'fact', fact, detail: fields };
}

/** The SIP code. Empty if the text is not a SIP code: Telnyx sends `unspecified` if Telnyx has no code. */
const sipCode = (value: string): string => (/^\d{3}$/.test(value) ? value : '');

const text = z.nullish(z.string());
const CallResource = z.object({
	sid: z.string(),
	status: z.string(),
	end_time: text,
	date_updated: text,
	duration: text,
	answered_by: text,
});

/** Reads a call from the response to a `GET`. Null if the response is no call, or if the call has an unknown status. */
export function factOfCall(json: unknown, nowMs: number): LegFact | null {
	const call = CallResource.safeParse(json).data;
	if (call === undefined) return null;
	const endedMs = ranks.get(call.status) === 'ended' ? (readTime(call.end_time) ?? readTime(call.date_updated)) : null;
	return factOf({
		provider_id: call.sid,
		status: call.status,
		// The resource of a live call does not say since when it has its status: the start time may be the time of the
		// dial. So we use the current time.
		at_ms: endedMs ?? nowMs,
		duration_seconds: wholeSeconds(call.duration ?? ''),
		answered_by: call.answered_by ?? '',
	});
}

/** Reads a time in any format that providers send (RFC 2822, ISO 8601), as epoch milliseconds. */
export function readTime(text: string | null | undefined): number | null {
	const ms = Date.parse(text ?? '');
	return Number.isNaN(ms) ? null : ms;
}
