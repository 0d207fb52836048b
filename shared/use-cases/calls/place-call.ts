import type { Call } from '../../domain/calls/call.ts';
import { newCallRecord } from '../../domain/calls/call-record.ts';
import type { NewCall } from '../../domain/calls/call-transitions.ts';
import type { NumberUsage } from '../../domain/calls/number-usage.ts';
import type { UsageCount } from '../../domain/workspaces/rate-limit.ts';
import type { Write } from '../../ports/store.ts';
import type { Proposal } from '../kernel/change.ts';
import { admitRequest, type NotAdmitted, type NumberRequest } from './admit-number.ts';
import { type CallDeps, publishEvents, sendWhatFollows } from './advance-call.ts';

/** The call, its number, and the limits. */
export type PlaceCallInput = Omit<NewCall, 'id'> &
	NumberRequest & {
		/** Further writes in the call's transaction, by name. */
		readonly alsoWrite: (call: Call) => Readonly<Record<string, Write | readonly Write[]>>;
	};
export type PlacedCall = { readonly outcome: 'placed'; readonly call: Call } | NotAdmitted;

/** For the kill switch and a missing provider: it is unknown when calls will be available again. */
export const UNAVAILABLE_RETRY_SECONDS = 300;

/**
 * Creates a call, if the use of its number and the counters allow it. Call, event, deliveries, counters and the caller's
 * writes are one transaction. Messages are sent after it; if that fails, the sweep finds the work.
 */
export async function proposeCall(input: PlaceCallInput, deps: CallDeps): Promise<Proposal<PlacedCall>> {
	const { clock, ids, speed } = deps;
	const now_ms = clock.now();
	const id = ids.next(now_ms);
	const admission = await admitRequest(input, id, deps);
	if (admission.outcome !== 'admitted') return { result: admission };
	const callChange = newCallRecord({ id, ...input }, { now_ms, speed });
	const { call } = callChange;
	const before = { workspace_id: input.workspace.id, event_count: 0 };
	const publication = await publishEvents(before, callChange.events, now_ms, deps);
	const { counts, refusals } = spending<PlacedCall>(input.counts, (refusal) => ({
		outcome: 'limit_spent',
		refusal,
	}));
	return {
		result: { outcome: 'placed', call },
		writes: {
			...counts,
			number: numberUse(admission.usage),
			call: { op: 'put', record: 'call', item: call, guard: { if: 'absent' } },
			...input.alsoWrite(call),
			events: publication.writes,
		},
		refusals,
		afterwards: () => sendWhatFollows(callChange, publication, deps),
	};
}

/** The counters as named writes, and the refusal if one is full. */
export function spending<Result>(
	counts: readonly UsageCount[],
	say: (refusal: UsageCount['refusal']) => Result,
): Required<Pick<Proposal<Result>, 'refusals'>> & { readonly counts: Readonly<Record<string, Write>> } {
	return {
		counts: Object.fromEntries(counts.map(({ count }) => [count.counter, count])),
		refusals: Object.fromEntries(counts.map(({ count, refusal }) => [count.counter, say(refusal)])),
	};
}

function numberUse(usage: NumberUsage): Write {
	const guard =
		usage.version === 1 ? ({ if: 'absent' } as const) : ({ if: 'version', version: usage.version - 1 } as const);
	return { op: 'put', record: 'number_usage', item: usage, guard };
}
