import { type Call, type CallStatus, isTerminal } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { change, type ForRequest, mapProposal } from '../kernel/unit-of-work.ts';
import { type CallDeps, proposeAdvance } from './advance-call.ts';

export type CancelCallResult =
	| { readonly outcome: 'canceled'; readonly call: Call }
	| { readonly outcome: 'not_found' }
	| { readonly outcome: 'call_already_terminal'; readonly call_status: CallStatus };

/**
 * Ends a live call. Its status becomes `completed` if it was connected, and `canceled` otherwise. After the commit, messages
 * are queued that ask a worker to hang up the call's live legs.
 */
export async function cancelCall(
	{ workspace_id, id }: { readonly workspace_id: string; readonly id: string },
	deps: CallDeps & ForRequest<CancelCallResult>,
): Promise<CancelCallResult> {
	return change<CallRecord | null, CancelCallResult>(
		{
			read: () => deps.store.get('call', { id }),
			decide: async (before) => {
				if (before?.workspace_id !== workspace_id || before.is_test) return { result: { outcome: 'not_found' } };
				if (isTerminal(before.status)) {
					return { result: { outcome: 'call_already_terminal', call_status: before.status } };
				}
				return mapProposal(await proposeAdvance(before, { input: 'cancel' }, deps), (call) => ({
					outcome: 'canceled',
					call,
				}));
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
