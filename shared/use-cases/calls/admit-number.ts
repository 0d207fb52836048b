import { mayRing } from '../../domain/calls/deadlines.ts';
import { admitNumber, type NumberAdmission, type NumberRefusal } from '../../domain/calls/number-usage.ts';
import { isFull, type UsageCount } from '../../domain/workspaces/rate-limit.ts';
import type { CallDeps } from './advance-call.ts';

/** A request about a number. */
export type NumberRequest = {
	readonly number_hash: string;
	/** The number's hashes with replaced keys, under which it may be suppressed. */
	readonly former_hashes: readonly string[];
	/** Maximum calls to the number in a UTC day. */
	readonly calls_per_number_per_day: number;
	/** The counters that refuse the request if one is full; the first full one decides. */
	readonly counts: readonly UsageCount[];
};
type Usage = Extract<NumberAdmission, { readonly usage: unknown }>['usage'];
export type NotAdmitted =
	| { readonly outcome: 'number_refused'; readonly refusal: NumberRefusal }
	| { readonly outcome: 'limit_spent'; readonly refusal: UsageCount['refusal'] };

/** The last call has ended, but one of its phones may still ring, because hanging up takes a moment. */
const RINGING_RETRY_SECONDS = 10;

/**
 * Whether a request about a number is allowed now. Its reads are the same in every state of the number, and a full counter
 * decides before the number does, so that neither the response nor its time reveals the state. `call_id`: the new id.
 */
export async function admitRequest(
	{ number_hash, former_hashes, calls_per_number_per_day: calls_per_day, counts }: NumberRequest,
	call_id: string,
	{ store, clock, speed }: Pick<CallDeps, 'store' | 'clock' | 'speed'>,
): Promise<{ readonly outcome: 'admitted'; readonly usage: Usage } | NotAdmitted> {
	const usageOf = (hash: string) => store.get('number_usage', { number_hash: hash });
	const [usage, former, counter_values] = await Promise.all([
		usageOf(number_hash),
		Promise.all(former_hashes.map(usageOf)),
		Promise.all(counts.map(({ count }) => store.used(count.counter))),
	]);
	// Without a live call, this reads one that does not exist.
	const live = await store.get('call', { id: usage?.live_call_id ?? call_id });
	const full = counts.find(({ count }, position) => isFull(count, counter_values[position] ?? {}));
	if (full !== undefined) return { outcome: 'limit_spent', refusal: full.refusal };
	const now_ms = clock.now();
	const decisive = former.find((each) => each?.suppressed) ?? usage;
	const admission = admitNumber(decisive, live, { number_hash, call_id, calls_per_day, now_ms });
	if ('refused' in admission) return { outcome: 'number_refused', refusal: admission };
	if (live === null || !mayRing(live, { now_ms, speed })) return { outcome: 'admitted', usage: admission.usage };
	return {
		outcome: 'number_refused',
		refusal: { refused: 'in_a_call', retry_after_seconds: RINGING_RETRY_SECONDS },
	};
}
