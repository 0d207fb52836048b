import type { EndCause, LegFact } from '../../domain/calls/leg.ts';
import type { DialRequest, Received } from '../../ports/telephony.ts';
import type { FormFields } from './form.ts';

// The call statuses of Twilio and Telnyx (TeXML): https://www.twilio.com/docs/voice/api/call-resource#call-status-values

/**
 * The leg events that we request callbacks for. The request for instructions and the end show that the leg was answered;
 * the response to the dial shows that it was dialled.
 */
export function statusEvents({ tells_ringing }: Pick<DialRequest, 'tells_ringing'>): readonly string[] {
	return tells_ringing ? ['ringing', 'completed'] : ['completed'];
}

const ranks: ReadonlyMap<string, LegFact['rank']> = new Map([
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

/** Whether a call of this status can still change. */
export function isLive(status: string): boolean {
	return ranks.get(status) !== 'ended';
}

/** A provider's report on a leg, in the provider's terms. */
export type Progress = {
	readonly provider_id: string;
	/** An unknown status carries no information. */
	readonly status: string;
	readonly at_ms: number;
	/** Only if the provider distinguishes it. */
	readonly answered_ms: number | null;
	/** The length of the conversation, once it has ended. */
	readonly duration_seconds: number | null;
	/** The result of machine detection, if it was enabled. */
	readonly answered_by: string;
	/** SIP response code or the provider's term; empty if not reported. */
	readonly hangup_code: string;
	readonly pressed: string;
};

/** Null: an unknown status. */
export function factOfProgress(progress: Progress): LegFact | null {
	const rank = ranks.get(progress.status);
	if (rank === undefined) return null;
	const { provider_id, at_ms } = progress;
	const fact = { provider_id, at: iso(at_ms), ringing_at: null, answered_at: null, accepted_at: null, cause: null };
	// A machine answered: the leg has ended for us, and a later request for instructions gets a hang-up.
	if (isMachine(progress.answered_by)) return { ...fact, rank: 'ended', cause: 'voicemail' };
	switch (rank) {
		case 'dialing':
			return { ...fact, rank };
		case 'ringing':
			return { ...fact, rank, ringing_at: fact.at };
		case 'answered': {
			const answered_at = iso(progress.answered_ms ?? at_ms);
			if (progress.pressed !== '1') return { ...fact, rank, answered_at };
			return { ...fact, rank: 'accepted', answered_at: null, accepted_at: fact.at };
		}
		case 'ended':
			return { ...fact, rank, answered_at: answeredBefore(progress), cause: causeOf(progress) };
		case 'accepted':
			return null;
	}
}

const iso = (ms: number): string => new Date(ms).toISOString();

function isMachine(answered_by: string): boolean {
	return answered_by.startsWith('machine') || answered_by === 'fax';
}

/**
 * When an ended leg was answered; null if it never was. A leg with a duration of 0 and no reported answer was not answered.
 */
function answeredBefore({ status, at_ms, answered_ms, duration_seconds }: Progress): string | null {
	if (status !== 'completed') return null;
	if (answered_ms !== null) return iso(answered_ms);
	return duration_seconds === null || duration_seconds === 0 ? null : iso(at_ms - duration_seconds * 1000);
}

/** Decline, unwanted, rejected: RFC 3261 21.6.2, RFC 8197, RFC 8688. */
const DECLINED: ReadonlySet<string> = new Set(['603', '607', '608', 'call_rejected']);

function causeOf({ status, hangup_code }: Progress): EndCause {
	if (status === 'completed') return 'completed';
	if (status === 'canceled') return 'hung_up';
	if (DECLINED.has(hangup_code)) return 'rejected';
	if (status === 'busy') return 'busy';
	if (status === 'no-answer') return 'no_answer';
	return /^5\d\d$/.test(hangup_code) ? 'provider_error' : 'unreachable';
}

/** A report on a leg, from a status callback or a request for instructions. */
export function readCallback(fields: FormFields, asks: boolean, now_ms: number): Received {
	const progress = progressOfCallback(fields, asks, now_ms);
	if (progress === null) return { received: 'ignored', why: 'malformed' };
	const fact = factOfProgress(progress);
	return fact === null ? { received: 'ignored', why: 'unknown_status' } : { received: 'fact', fact };
}

/**
 * Reads a status callback or a request for instructions. Only an answered leg asks for instructions, and not every such
 * request repeats its status. Null: the request names no call.
 */
function progressOfCallback(fields: FormFields, asks: boolean, now_ms: number): Progress | null {
	const field = (name: string): string => fields.get(name)?.[0] ?? '';
	const provider_id = field('CallSid');
	if (provider_id === '') return null;
	return {
		provider_id,
		status: field('CallStatus') || (asks ? 'in-progress' : ''),
		at_ms: readTime(field('Timestamp')) ?? now_ms,
		answered_ms: readTime(field('AnsweredTime')),
		duration_seconds: readSeconds(field('CallDuration')),
		answered_by: field('AnsweredBy'),
		hangup_code: field('SipResponseCode') || field('HangupCause'),
		pressed: field('Digits'),
	};
}

/** Parses a time in any format that providers send (RFC 2822, ISO 8601), in epoch milliseconds. */
export function readTime(text: string): number | null {
	const ms = Date.parse(text);
	return Number.isNaN(ms) ? null : ms;
}

export function readSeconds(text: string): number | null {
	return /^\d{1,6}$/.test(text) ? Number(text) : null;
}
