import { type Call, winnerLeg } from '../calls/call.ts';
import type { CallbackLead } from '../leads/callback-lead.ts';

type CountedCall = Pick<Call, 'status' | 'created_at' | 'failure_reason' | 'legs' | 'winner_leg_id'>;

/** What happened in a range of days. */
export type ShopNumbers = {
	readonly calls: number;
	/** Both people talked. */
	readonly answered: number;
	/** The team was rung and no member took the call. */
	readonly missed: number;
	readonly leads: number;
	readonly handled: number;
	/** The median of the seconds until a member took the call; null: no member took one. */
	readonly median_wait_seconds: number | null;
	/** Calls by the local hour in which they were requested, 0 to 23. */
	readonly by_hour: readonly number[];
};

/** `hourOf`: the local hour of an instant (ISO 8601). */
export function shopNumbers(
	calls: readonly CountedCall[],
	leads: readonly Pick<CallbackLead, 'status'>[],
	hourOf: (at: string) => number,
): ShopNumbers {
	const hours = calls.map(({ created_at }) => hourOf(created_at));
	const waits = calls.flatMap(waitOf).sort((a, b) => a - b);
	return {
		calls: calls.length,
		answered: calls.filter(({ status }) => status === 'completed').length,
		missed: calls.filter(({ failure_reason }) => failure_reason === 'no_agent_answer').length,
		leads: leads.length,
		handled: leads.filter(({ status }) => status === 'handled').length,
		median_wait_seconds: waits[Math.floor((waits.length - 1) / 2)] ?? null,
		by_hour: Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length),
	};
}

/** The seconds until a member took the call (answered and pressed 1), if one did. */
function waitOf(call: CountedCall): readonly number[] {
	const taken_at = winnerLeg(call)?.accepted_at ?? null;
	return taken_at === null ? [] : [Math.round((Date.parse(taken_at) - Date.parse(call.created_at)) / 1000)];
}
