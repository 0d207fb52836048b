import type { Ports } from '../../ports/ports.ts';

type Deps = Pick<Ports, 'store' | 'telephony' | 'log'>;

/**
 * Asks the provider to end a leg. The leg's deadlines repeat it until the provider reports the end. Skips a leg whose
 * provider id is still unknown: when the id becomes known, the call requests the hang-up again.
 */
export async function hangUpLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	{ store, telephony, log }: Deps,
): Promise<void> {
	const call = await store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!leg || leg.provider_id === null || leg.hangup_requested_at === null) return;
	const outcome = await telephony.hangup(leg.provider_id);
	if (outcome.hangup === 'unclear') log.warn('hang-up unclear', { call_id, leg_id, code: outcome.code });
	else log.info('hang-up', { call_id, leg_id, outcome: outcome.hangup });
}
