import { type Call, type CallStatus, isTerminal } from '../../domain/calls/call.ts';
import type { Write } from '../../ports/store.ts';
import { advanceCall, type CallDeps } from './advance-call.ts';

export type CancelCallOutcome =
	| { readonly call: Call }
	| { readonly refused: 'not_found' | 'idempotency_conflict' }
	| { readonly refused: 'call_already_terminal'; readonly call_status: CallStatus };

/**
 * Ends a call that has not ended: `canceled` before anybody was joined, else `completed` with the duration until now.
 * Hanging up the live legs follows through the queue.
 */
export async function cancelCall(
	input: { readonly workspace_id: string; readonly id: string },
	alongside: (call: Call) => readonly Write[],
	deps: CallDeps,
): Promise<CancelCallOutcome> {
	const call = await deps.store.get('call', { id: input.id });
	if (call === null || call.workspace_id !== input.workspace_id) return { refused: 'not_found' };
	let already: CallStatus | null = null;
	const outcome = await advanceCall(
		input.id,
		(current) => {
			already = isTerminal(current.status) ? current.status : null;
			return already === null ? { input: 'cancel' } : null;
		},
		deps,
		(after) => (already === null ? alongside(after) : []),
	);
	if (already !== null) return { refused: 'call_already_terminal', call_status: already };
	if ('decision' in outcome) return { call: outcome.decision.call };
	return { refused: outcome.refused === 'alongside' ? 'idempotency_conflict' : outcome.refused };
}
