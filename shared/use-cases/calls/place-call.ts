import { isFull, type UsageCount } from '../../domain/access/rate-limit.ts';
import type { Call } from '../../domain/calls/call.ts';
import type { NewCall } from '../../domain/calls/call-machine.ts';
import { newCallRecord } from '../../domain/calls/call-record.ts';
import { mayStillRing } from '../../domain/calls/deadlines.ts';
import { admitNumber, type NumberAdmission, type NumberRefusal } from '../../domain/calls/number-usage.ts';
import type { Write } from '../../ports/store.ts';
import { type Proposal, putNext } from '../kernel/unit-of-work.ts';
import { boundedBy } from '../webhooks/event-outbox.ts';
import type { CallDeps } from './advance-call.ts';
import { publishEvents } from './call-events.ts';
import { sendWhatBegins } from './follow-ups.ts';

export type NumberRequest = {
	readonly number_hash: string;
	/**
	 * The number's hashes that were made with older keys. A number that was suppressed under such a hash is still
	 * suppressed.
	 */
	readonly former_hashes: readonly string[];
	/** The most calls to the number in a UTC day. */
	readonly calls_per_number_per_day: number;
	/**
	 * The counters that this request uses. If any counter is full, the request is refused, and the first full counter gives
	 * the reason.
	 */
	readonly counts: readonly UsageCount[];
	/** The counter of requests that were refused because of the number's state. Absent if such requests are not counted. */
	readonly refused?: UsageCount;
};
type Usage = Extract<NumberAdmission, { readonly usage: unknown }>['usage'];
export type NotAdmitted =
	| { readonly outcome: 'number_refused'; readonly refusal: NumberRefusal }
	| { readonly outcome: 'limit_spent'; readonly refusal: UsageCount['refusal'] };

/**
 * The refusal for a number whose latest call has ended while a phone of that call may still ring, because hanging up takes
 * a moment.
 */
const RINGING: NumberRefusal = { refused: 'in_a_call', retry_after_seconds: 10 };

/**
 * Decides whether a call to this number may be requested now. Neither the response to a visitor nor the response time may
 * show the number's state, such as suppressed or in a call. So the reads are the same in every state. If a counter is full,
 * the refusal gives the counter as the reason, in any state of the number. `call_id` is the id of the new call.
 */
export async function admitRequest(
	{ number_hash, former_hashes, calls_per_number_per_day: calls_per_day, counts: spent, refused }: NumberRequest,
	call_id: string,
	{ store, clock, speed }: Pick<CallDeps, 'store' | 'clock' | 'speed'>,
): Promise<{ readonly outcome: 'admitted'; readonly usage: Usage } | NotAdmitted> {
	const counts = refused === undefined ? spent : [...spent, refused];
	const usageOf = (hash: string) => store.get('number_usage', { number_hash: hash });
	const [usage, former, counter_values] = await Promise.all([
		usageOf(number_hash),
		Promise.all(former_hashes.map(usageOf)),
		Promise.all(counts.map(({ count }) => store.used(count.counter))),
	]);
	// If the number has no live call, read a record that does not exist, so that both cases cost one read.
	const live = await store.get('call', { id: usage?.live_call_id ?? call_id });
	const full = counts.find(({ count }, position) => isFull(count, counter_values[position] ?? {}));
	const now_ms = clock.now();
	const decisive = former.find((each) => each?.suppressed) ?? usage;
	const admission = admitNumber(decisive, live, { number_hash, call_id, calls_per_day, now_ms });
	const isRinging = live !== null && mayStillRing(live, { now_ms, speed });
	if (full === undefined && !('refused' in admission) && !isRinging)
		return { outcome: 'admitted', usage: admission.usage };
	// Count the refused request in every state of the number, even if the number's own counter is full, because otherwise
	// the response time would show the state. There is one exception: if a limit of the whole workspace is full, the request
	// is not counted.
	if (refused !== undefined && full?.refusal.closes === undefined) await store.count(refused.count);
	if (full !== undefined) return { outcome: 'limit_spent', refusal: full.refusal };
	return { outcome: 'number_refused', refusal: 'refused' in admission ? admission : RINGING };
}

export type PlaceCallInput = Omit<NewCall, 'id'> &
	NumberRequest & {
		/** Returns further writes, by name, for the call's transaction. */
		readonly alsoWrite: (call: Call) => Readonly<Record<string, Write | readonly Write[]>>;
	};
export type PlacedCall = { readonly outcome: 'placed'; readonly call: Call } | NotAdmitted;

/**
 * After how many seconds a visitor or a team member may request a call again, if calls are switched off or no provider is
 * set up. The value is a guess, because no one knows when calls will be possible again.
 */
export const UNAVAILABLE_RETRY_SECONDS = 300;

/**
 * Creates a call, if the state of its number and the counters allow it. The call, its event, the deliveries, the counters
 * and the writes that `alsoWrite` returns are in one transaction. The call's timer is sent at the same time, and the other
 * messages are sent afterwards. If messages are lost, the timer or the sweep does their work.
 */
export async function proposeCall(input: PlaceCallInput, deps: CallDeps): Promise<Proposal<PlacedCall>> {
	const { store, clock, ids, speed } = deps;
	const now_ms = clock.now();
	const id = ids.next(now_ms);
	const [admission, endpoints] = await Promise.all([
		admitRequest(input, id, deps),
		store.endpointsOf(input.workspace.id),
	]);
	if (admission.outcome !== 'admitted') return { result: admission };
	const callChange = newCallRecord({ id, ...input }, { now_ms, speed });
	const { call } = callChange;
	const publication = publishEvents({ event_count: 0 }, callChange.events, endpoints, now_ms, ids);
	const { counts, refusals } = spending<PlacedCall>(input.counts, (refusal) => ({
		outcome: 'limit_spent',
		refusal,
	}));
	return {
		result: { outcome: 'placed', call },
		writes: {
			...counts,
			number: putNext('number_usage', admission.usage),
			call: { op: 'put', record: 'call', item: call, guard: { if: 'absent' } },
			...input.alsoWrite(call),
			events: publication.writes,
		},
		refusals,
		...boundedBy(now_ms, clock),
		...sendWhatBegins(callChange, publication, deps),
	};
}

/**
 * Turns the counters into writes, each with a name. `refusals` contains, for each of these names, the refusal to return if
 * the counter is full.
 */
export function spending<Result>(
	counts: readonly UsageCount[],
	say: (refusal: UsageCount['refusal']) => Result,
): Required<Pick<Proposal<Result>, 'refusals'>> & { readonly counts: Readonly<Record<string, Write>> } {
	return {
		counts: Object.fromEntries(counts.map(({ count }) => [count.counter, count])),
		refusals: Object.fromEntries(counts.map(({ count, refusal }) => [count.counter, say(refusal)])),
	};
}
