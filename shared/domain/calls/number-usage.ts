import { endOfDay, utcDay } from '../access/rate-limit.ts';
import { type Call, isTerminal } from './call.ts';

/**
 * The calls to a phone number: the latest call, and how many calls there were on one UTC day. The phone number is stored as
 * a keyed hash.
 */
export type NumberUsage = {
	readonly number_hash: string;
	readonly version: number;
	/** The latest call to the number, whether it is live or over. */
	readonly live_call_id: string | null;
	/**
	 * When a call before the latest call was last connected. Absent if no such call was connected since this record was
	 * created.
	 */
	readonly reached_at?: string;
	readonly day: string;
	readonly day_count: number;
	/** The number's owner asked never to be called again. */
	readonly suppressed: boolean;
	readonly expires_at_epoch_s: number | null;
};

export type NumberAdmission =
	/** The record that the transaction of the call writes. Its version is 1 if there was no record before. */
	{ readonly usage: NumberUsage } | NumberRefusal;

/**
 * Why a number cannot be called now. The team may see this reason. A visitor only sees the refusal of a full rate limit.
 */
export type NumberRefusal = {
	readonly refused: 'suppressed' | 'in_a_call' | 'called_enough';
	readonly retry_after_seconds: number;
};

/**
 * How long the record is kept after the UTC day of the latest call. In every time zone, this is longer than the time in
 * which a missed call may be called back.
 */
export const NUMBER_USAGE_SECONDS = 48 * 3600;
/** A team that wants to call a visitor who is in a call should try again after this time. */
const LIVE_RETRY_AFTER_SECONDS = 60;

/**
 * Whether another call to this number may be placed. A suppressed number may never be called. Any other number may have only
 * one live call at a time, and only a limited number of calls on a UTC day. `liveCall` is the current state of the call that
 * `usage` names. `liveCall` is null if `usage` names no call, or if the call no longer exists.
 */
export function admitNumber(
	usage: NumberUsage | null,
	liveCall: Pick<Call, 'status' | 'connected_at'> | null,
	request: {
		readonly number_hash: string;
		readonly call_id: string;
		readonly calls_per_day: number;
		readonly now_ms: number;
	},
): NumberAdmission {
	const day = utcDay(request.now_ms);
	const dayCount = usage?.day === day ? usage.day_count : 0;
	const end = endOfDay(request.now_ms);
	if (usage?.suppressed) return { refused: 'suppressed', retry_after_seconds: end.in_seconds };
	if (liveCall !== null && !isTerminal(liveCall.status)) {
		return { refused: 'in_a_call', retry_after_seconds: LIVE_RETRY_AFTER_SECONDS };
	}
	if (dayCount >= request.calls_per_day) return { refused: 'called_enough', retry_after_seconds: end.in_seconds };
	const reached_at = liveCall?.connected_at ?? usage?.reached_at;
	return {
		usage: {
			...(reached_at !== undefined && { reached_at }),
			number_hash: request.number_hash,
			version: next(usage),
			live_call_id: request.call_id,
			day,
			day_count: dayCount + 1,
			suppressed: false,
			expires_at_epoch_s: end.epoch_s + NUMBER_USAGE_SECONDS,
		},
	};
}

/** The record of a suppressed number, which never expires. */
export function suppressedUsage(usage: NumberUsage | null, numberHash: string): NumberUsage {
	return { ...(usage ?? unusedNumber(numberHash)), version: next(usage), suppressed: true, expires_at_epoch_s: null };
}

/** The record after the suppression was removed. The counts stay as they are. */
export function allowedUsage(usage: NumberUsage | null, numberHash: string, nowMs: number): NumberUsage {
	const expires_at_epoch_s = endOfDay(nowMs).epoch_s + NUMBER_USAGE_SECONDS;
	return { ...(usage ?? unusedNumber(numberHash)), version: next(usage), suppressed: false, expires_at_epoch_s };
}

/** The record of a suppressed number after the person's data was erased. Only the suppression remains. */
export function erasedUsage(usage: NumberUsage): NumberUsage {
	return { ...suppressedUsage(null, usage.number_hash), version: next(usage) };
}

const next = (usage: NumberUsage | null): number => (usage?.version ?? 0) + 1;

function unusedNumber(number_hash: string): Pick<NumberUsage, 'number_hash' | 'live_call_id' | 'day' | 'day_count'> {
	return { number_hash, live_call_id: null, day: '', day_count: 0 };
}
