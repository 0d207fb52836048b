import type { Call, RingPlan } from '../../domain/calls/call.ts';
import { newCall } from '../../domain/calls/call-transitions.ts';
import { mayRing } from '../../domain/calls/deadlines.ts';
import { admitNumber, type NumberAdmission, type NumberRefusal } from '../../domain/calls/number-usage.ts';
import type { UsageCount } from '../../domain/workspaces/rate-limit.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Write } from '../../ports/store.ts';
import { type CallDeps, publishAll, sendWhatFollows } from './advance-call.ts';

/** Who is to be called, for whom, and what is to be written with it. */
export type CallWish = {
	readonly workspace: Workspace;
	readonly number_hash: string;
	readonly visitor_phone_masked: string;
	readonly visitor_name: string | null;
	readonly source_url: string;
	/** Instead of the workspace's own. */
	readonly plan?: RingPlan;
	/** The lead that it comes of, which has the number. */
	readonly lead_id?: string;
	/** Whether the window of whoever asks has room: looked up while the number's use is. */
	readonly window_open: Promise<boolean>;
	/** Calls to the number that a UTC day may have. */
	readonly calls_per_number_per_day: number;
	readonly counts: readonly UsageCount[];
	/** Writes that may refuse the call: it is then refused as `alongside`. */
	readonly alongside: (call: Call) => readonly Write[];
	/** Writes that come along. */
	readonly keep: (call: Call) => readonly Write[];
};
export type PlacedCall =
	| { readonly call: Call }
	| { readonly refused: 'window_spent' }
	| { readonly refused: 'alongside' }
	| NumberRefusal
	| { readonly refused: 'rate_limited'; readonly retry_after_seconds: number }
	| { readonly refused: 'calls_unavailable'; readonly retry_after_seconds: number }
	/** A race was lost: decide again from what the winner left. */
	| 'again';

/** Kill switch and missing provider: nobody knows when. */
export const UNAVAILABLE_RETRY_SECONDS = 300;

/**
 * Places a call, if the use of its number and the counters admit it. Call, event, deliveries, counters and what the
 * caller adds are one transaction; what follows is sent after it, and found by the sweep if that fails.
 */
export async function placeCall(wish: CallWish, deps: CallDeps): Promise<PlacedCall> {
	const { store, clock, ids } = deps;
	const { workspace, counts } = wish;
	const now = clock.now();
	const id = ids.next(now);
	// Together, so that a refusal for the number's sake takes no longer than one for the window's.
	const [window_open, admission] = await Promise.all([wish.window_open, admit(wish, id, deps)]);
	if (!window_open) return { refused: 'window_spent' };
	if ('refused' in admission) return admission;
	const decision = newCall({ id, ...wish }, { now_ms: now, speed: deps.speed });
	const { call } = decision;
	const publication = await publishAll({ workspace_id: workspace.id, event_count: 0 }, decision.events, now, deps);
	const guarded = wish.alongside(call);
	const outcome = await store.commit([
		...counts.map(({ count }) => count),
		...guarded,
		numberUse(admission.usage),
		{ op: 'put', record: 'call', item: call, guard: { if: 'absent' } },
		...wish.keep(call),
		...publication.writes,
	]);
	if (!outcome.committed) return refusal(outcome.refused, counts, guarded.length);
	await sendWhatFollows(decision, publication, deps);
	return { call };
}

/** The last call is over, but a phone of it may still ring: it takes a moment to hang up. */
const RINGING_RETRY_SECONDS = 10;

/** The number's use so far, and whether one more call is admitted. */
async function admit(
	{ calls_per_number_per_day: calls_per_day, number_hash }: CallWish,
	call_id: string,
	{ store, clock, speed }: CallDeps,
): Promise<NumberAdmission> {
	const usage = await store.get('number_usage', { number_hash });
	const live = usage?.live_call_id ? await store.get('call', { id: usage.live_call_id }) : null;
	const now_ms = clock.now();
	const admission = admitNumber(usage, live, { number_hash, call_id, calls_per_day, now_ms });
	if ('refused' in admission || live === null || !mayRing(live, { now_ms, speed })) return admission;
	return { refused: 'in_a_call', retry_after_seconds: RINGING_RETRY_SECONDS };
}

type Usage = Extract<NumberAdmission, { readonly usage: unknown }>['usage'];

function numberUse(usage: Usage): Write {
	const guard =
		usage.version === 1 ? ({ if: 'absent' } as const) : ({ if: 'version', version: usage.version - 1 } as const);
	return { op: 'put', record: 'number_usage', item: usage, guard };
}

/** Counters stand first, then what came alongside; anything behind them is a lost race, to be decided again. */
function refusal(positions: readonly number[], counts: readonly UsageCount[], guarded: number): PlacedCall {
	if (positions.some((position) => position >= counts.length && position < counts.length + guarded)) {
		return { refused: 'alongside' };
	}
	const spent = positions.map((position) => counts[position]).find((count) => count !== undefined);
	if (spent === undefined) return 'again';
	const { code: refused, retry_after_seconds } = spent.refusal;
	return { refused, retry_after_seconds };
}
