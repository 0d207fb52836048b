import { type Call, type CallStatus, isTerminal } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { isSameSecret } from '../../domain/webhooks/webhook-signature.ts';
import type { Macs } from '../../ports/vault.ts';
import { cancelSecrets } from '../access/keyed-hash.ts';
import { type CallDeps, proposeAdvance } from '../calls/advance-call.ts';
import { change, mapProposal } from '../kernel/unit-of-work.ts';

export type CancelOwnCallResult =
	| { readonly outcome: 'canceled'; readonly call: Call }
	| { readonly outcome: 'not_found' | 'call_already_connected' }
	| { readonly outcome: 'call_already_terminal'; readonly call_status: CallStatus };

/**
 * Cancels the call that a widget's page has requested, with the secret that the page got. This works only until the call is
 * connected. After that, people end the call by hanging up. A wrong secret gets the same answer as an unknown call.
 */
export async function cancelOwnCall(
	{ call_id, secret }: { readonly call_id: string; readonly secret: string },
	deps: CallDeps & { readonly macs: Macs },
): Promise<CancelOwnCallResult> {
	const secrets = await cancelSecrets(deps.macs, call_id);
	if (!secrets.some((one) => isSameSecret(one, secret))) return { outcome: 'not_found' };
	return change<CallRecord | null, CancelOwnCallResult>(
		{
			read: () => deps.store.get('call', { id: call_id }),
			decide: async (before) => {
				if (before === null) return { result: { outcome: 'not_found' } };
				const { status } = before;
				if (isTerminal(status)) return { result: { outcome: 'call_already_terminal', call_status: status } };
				if (status === 'connected') return { result: { outcome: 'call_already_connected' } };
				return mapProposal(await proposeAdvance(before, { input: 'cancel' }, deps), (call) => ({
					outcome: 'canceled',
					call,
				}));
			},
		},
		deps.store,
	);
}
