import type { EndCause, LegFact } from '../../domain/calls/leg.ts';
import type { Received } from '../../ports/telephony.ts';
import type { FormFields } from './form.ts';

// Call statuses as Twilio and Telnyx (TeXML) both tell them: https://www.twilio.com/docs/voice/api/call-resource#call-status-values

/**
 * The events of a leg that we ask to be told. That it was answered is told by its request for instructions, and by its end;
 * that it was dialled, by the answer to the dial.
 */
export const STATUS_EVENTS = ['ringing', 'completed'] as const;

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

/** What is known of a leg, in the provider's words. */
export type Progress = {
	readonly provider_id: string;
	/** One we do not know says nothing. */
	readonly status: string;
	readonly at_ms: number;
	/** Only where the provider tells it apart. */
	readonly answered_ms: number | null;
	/** How long the conversation was, once over. */
	readonly duration_seconds: number | null;
	/** What machine detection found, if it was asked for. */
	readonly answered_by: string;
	/** SIP response code or the provider's word for it; empty when not told. */
	readonly hangup_code: string;
	readonly pressed: string;
};

/** Null: an unknown status. */
export function factOfProgress(progress: Progress): LegFact | null {
	const rank = ranks.get(progress.status);
	if (rank === undefined) return null;
	const { provider_id, at_ms } = progress;
	const fact = { provider_id, at: iso(at_ms), ringing_at: null, answered_at: null, accepted_at: null, cause: null };
	// No one answered: the leg is over for us, and a later request for instructions gets a hang-up.
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

/** When a leg that is over was answered; null if it never was. One that lasted no second and tells no answer was not. */
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

/** What a status callback or a request for instructions says of its leg. */
export function readCallback(fields: FormFields, asks: boolean, now_ms: number): Received {
	const progress = progressOfCallback(fields, asks, now_ms);
	if (progress === null) return { received: 'ignored', why: 'malformed' };
	const fact = factOfProgress(progress);
	return fact === null ? { received: 'ignored', why: 'unknown_status' } : { received: 'fact', fact };
}

/**
 * Reads a status callback or a request for instructions. Only a leg that was answered asks for instructions, and not
 * every such request repeats its status. Null: it names no call.
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

/** A time in any form that providers send (RFC 2822, ISO 8601), in milliseconds since the epoch. */
export function readTime(text: string): number | null {
	const ms = Date.parse(text);
	return Number.isNaN(ms) ? null : ms;
}

export function readSeconds(text: string): number | null {
	return /^\d{1,6}$/.test(text) ? Number(text) : null;
}
