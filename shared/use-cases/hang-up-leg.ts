import type { Store } from '../ports/store.ts';
import type { Telephony } from '../ports/telephony.ts';

/** The provider did not say whether the leg is over: the message comes again. */
export class HangupUnclear extends Error {
	override readonly name = 'HangupUnclear';
}

/**
 * Asks the provider to end a leg, until it says that it is over. A leg whose provider id is not known yet is left: when
 * the id becomes known, the call asks for the hang-up again.
 */
export async function hangUpLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	{ store, telephony }: { readonly store: Store; readonly telephony: Telephony },
): Promise<void> {
	const call = await store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!leg || leg.provider_id === null || leg.hangup_requested_at === null) return;
	const outcome = await telephony.hangup(leg.provider_id);
	if (outcome.hangup === 'unclear') throw new HangupUnclear('the provider did not answer');
}
