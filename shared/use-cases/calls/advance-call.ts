import { type Call, isTerminal, missedReasonOf } from '../../domain/calls/call.ts';
import type { CallInput } from '../../domain/calls/call-input.ts';
import { type CallRecord, nextCallRecord } from '../../domain/calls/call-record.ts';
import { callTally } from '../../domain/calls/tally.ts';
import { callOwner } from '../../domain/kernel/phone-number.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { change, mapProposal, type Proposal } from '../kernel/unit-of-work.ts';
import { boundedBy } from '../webhooks/event-outbox.ts';
import { publishEvents } from './call-events.ts';
import { sendWhatFollows } from './follow-ups.ts';
import { sourceCodes } from './source-codes.ts';

export type CallDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'> & {
	/**
	 * The speed of this deployment's phones: 1 for real phones, or for example 3 for simulated phones that ring, answer and
	 * talk three times as fast. The faster the phones, the shorter the deadlines (see `lengthOf`).
	 */
	readonly speed: number;
	/**
	 * Returns further writes for a call that the team did not answer. Absent in functions that never end a call as
	 * unanswered.
	 */
	readonly whenMissed?: WhenMissed;
};
type WhenMissed = (call: Call, nowMs: number, deps: Pick<Ports, 'store'>) => Promise<readonly Write[]>;

export type AdvanceOutcome =
	| { readonly outcome: 'advanced'; readonly call: CallRecord }
	/**
	 * `not_found`: there is no such call. `left_alone`: the call exists, but the function `input` returned null, because
	 * there is nothing to change in the call's current state.
	 */
	| { readonly outcome: 'left_alone' | 'not_found' };

/**
 * Advances a call: reads the call, decides what changes, and commits the change with its events and their deliveries. The
 * commit is written whole or not at all, and fails if the call's version has changed. Messages are sent after the commit. If nothing
 * changes, nothing is written. If `callOrId` is a record, the call is read again only after a conflict.
 */
export async function advanceCall(
	callOrId: CallRecord | string,
	input: CallInput | ((call: CallRecord) => CallInput | null),
	deps: CallDeps,
): Promise<AdvanceOutcome> {
	const readBefore = typeof callOrId === 'string' ? undefined : callOrId;
	const id = typeof callOrId === 'string' ? callOrId : callOrId.id;
	return change<CallRecord | null, AdvanceOutcome>(
		{
			...(readBefore !== undefined && { from: readBefore }),
			read: () => deps.store.get('call', { id }),
			decide: async (call) => {
				if (call === null) return { result: { outcome: 'not_found' } };
				const nextInput = typeof input === 'function' ? input(call) : input;
				if (nextInput === null) return { result: { outcome: 'left_alone' } };
				return mapProposal(await proposeAdvance(call, nextInput, deps), (after) => ({
					outcome: 'advanced',
					call: after,
				}));
			},
		},
		deps.store,
	);
}

/** Decides everything that a change of a call writes in one transaction, and the messages to send after the commit. */
export async function proposeAdvance(
	before: CallRecord,
	input: CallInput,
	deps: CallDeps,
): Promise<Proposal<CallRecord>> {
	const now_ms = deps.clock.now();
	const callChange = nextCallRecord(before, input, { now_ms, speed: deps.speed });
	const { call, events } = callChange;
	const ends = isTerminal(call.status) && !isTerminal(before.status);
	const counts = ends && !call.is_test;
	const [endpoints, codes] = await Promise.all([
		events.length === 0 ? [] : deps.store.endpointsOf(before.workspace_id),
		counts ? sourceCodes(call, deps.store) : undefined,
	]);
	const publication = publishEvents(before, events, endpoints, now_ms, deps.ids);
	const guard = { if: 'version', version: before.version } as const;
	const isMissed = counts && missedReasonOf(call) !== null;
	return {
		result: call,
		writes: {
			call: call === before ? [] : [{ op: 'put', record: 'call', item: call, guard }],
			events: publication.writes,
			tally: counts ? callTally(call, now_ms, codes) : [],
			number: ends && !isMissed ? forgetNumber(call) : [],
			notices: isMissed ? ((await deps.whenMissed?.(call, now_ms, deps)) ?? []) : [],
		},
		...(events.length > 0 && boundedBy(now_ms, deps.clock)),
		afterwards: () => sendWhatFollows(callChange, publication, deps),
	};
}

/** Removes the number that was kept for a call back, because no call back can follow. */
function forgetNumber({ id, call_back_until }: Call): readonly Write[] {
	if (call_back_until === undefined) return [];
	return [{ op: 'remove', record: 'sealed_number', key: { owner: callOwner(id) }, guard: { if: 'always' } }];
}
