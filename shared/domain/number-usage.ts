import { type Call, isTerminal } from './call.ts';
import { endOfDay, utcDay } from './rate-limit.ts';

/** What a phone number (by its keyed hash) has been used for: the live call and the calls of one UTC day. */
export type NumberUsage = {
	readonly number_hash: string;
	readonly version: number;
	readonly live_call_id: string | null;
	readonly day: string;
	readonly day_count: number;
	/** Asked never to be called again. */
	readonly suppressed: boolean;
	readonly expires_at_epoch_s: number | null;
};

export type NumberAdmission =
	/** The record that the call's transaction writes (version 1: there was none). */
	| { readonly usage: NumberUsage }
	| { readonly refused: 'phone_not_callable' }
	| { readonly refused: 'rate_limited'; readonly retry_after_seconds: number };

/** A visitor whose last call is still live is told to come back after this. */
const LIVE_RETRY_AFTER_SECONDS = 60;

/**
 * Whether one more call to this number may be placed: never if it is suppressed, one live call at a time, and so many
 * a UTC day. `live_call` is the call that `usage` names as live, as it stands now (null: none, or it is gone).
 */
export function admitNumber(
	usage: NumberUsage | null,
	live_call: Pick<Call, 'status'> | null,
	next: {
		readonly number_hash: string;
		readonly call_id: string;
		readonly calls_per_day: number;
		readonly now_ms: number;
	},
): NumberAdmission {
	const day = utcDay(next.now_ms);
	const day_count = usage?.day === day ? usage.day_count : 0;
	if (usage?.suppressed) return { refused: 'phone_not_callable' };
	if (live_call !== null && !isTerminal(live_call.status)) {
		return { refused: 'rate_limited', retry_after_seconds: LIVE_RETRY_AFTER_SECONDS };
	}
	const end = endOfDay(next.now_ms);
	if (day_count >= next.calls_per_day) return { refused: 'rate_limited', retry_after_seconds: end.in_seconds };
	return {
		usage: {
			number_hash: next.number_hash,
			version: (usage?.version ?? 0) + 1,
			live_call_id: next.call_id,
			day,
			day_count: day_count + 1,
			suppressed: false,
			expires_at_epoch_s: end.epoch_s + 24 * 3600,
		},
	};
}
