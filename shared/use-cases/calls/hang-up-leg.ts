import { DEADLINE_SECONDS } from '../../domain/calls/deadlines.ts';
import type { Ports } from '../../ports/ports.ts';

/** The provider did not say whether the leg has ended, so SQS redelivers the message. */
export class HangupUnclear extends Error {
	override readonly name = 'HangupUnclear';
}

type Deps = Pick<Ports, 'store' | 'telephony' | 'clock' | 'log'>;

/**
 * Asks the provider to end a leg, and retries until the provider reports the end. Skips a leg whose provider id is still
 * unknown: when the id becomes known, the call requests the hang-up again. If the provider is silent for long, only the
 * leg's deadlines repeat the hang-up.
 */
export async function hangUpLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	{ store, telephony, clock, log }: Deps,
): Promise<void> {
	const call = await store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!leg || leg.provider_id === null || leg.hangup_requested_at === null) return;
	const outcome = await telephony.hangup(leg.provider_id);
	if (outcome.hangup !== 'unclear') {
		log.info('hang-up', { call_id, leg_id, outcome: outcome.hangup });
		return;
	}
	log.warn('hang-up unclear', { call_id, leg_id, code: outcome.code });
	const often_until_ms = Date.parse(leg.hangup_requested_at) + DEADLINE_SECONDS.hang_up_often * 1000;
	if (clock.now() < often_until_ms) throw new HangupUnclear('the provider did not answer');
}
