import type { Call } from '../calls/call.ts';
import type { CallbackLead } from '../leads/callback-lead.ts';

type CountedCall = Pick<Call, 'status' | 'created_at' | 'failure_reason' | 'legs'>;

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
	return {
		calls: calls.length,
		answered: calls.filter(({ status }) => status === 'completed').length,
		missed: calls.filter(({ failure_reason }) => failure_reason === 'no_agent_answer').length,
		leads: leads.length,
		handled: leads.filter(({ status }) => status === 'handled').length,
		median_wait_seconds: median(calls.flatMap(waitOf)),
		by_hour: Array.from({ length: 24 }, (_, hour) => hours.filter((each) => each === hour).length),
	};
}

/** The seconds until a member took the call (answered and pressed 1), if one did. */
function waitOf({ created_at, legs }: CountedCall): readonly number[] {
	const answers = legs.flatMap(({ role, accepted_at }) =>
		role === 'agent' && accepted_at !== null ? [accepted_at] : [],
	);
	if (answers.length === 0) return [];
	const first_ms = Math.min(...answers.map((at) => Date.parse(at)));
	return [Math.max(0, Math.round((first_ms - Date.parse(created_at)) / 1000))];
}

function median(values: readonly number[]): number | null {
	const ascending = [...values].sort((a, b) => a - b);
	return ascending[Math.floor((ascending.length - 1) / 2)] ?? null;
}
