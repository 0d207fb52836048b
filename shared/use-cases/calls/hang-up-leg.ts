import type { Ports } from '../../ports/ports.ts';
import { legLine } from './leg-line.ts';

type Deps = Pick<Ports, 'store' | 'telephony' | 'log'>;

/**
 * Asks the provider to end a leg. The leg's deadlines repeat this request until the provider reports the end. A leg without
 * a provider id is skipped: as soon as the id is known, another message asks for the hang-up.
 */
export async function hangUpLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	{ store, telephony, log }: Deps,
): Promise<void> {
	const call = await store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!call || !leg || leg.provider_id === null || leg.hangup_requested_at === null) return;
	const beganMs = performance.now();
	const { hangup: outcome, ...more } = await telephony.hangup(leg.provider_id);
	const duration_ms = Math.round(performance.now() - beganMs);
	const line = { ...legLine(call, leg_id), outcome, duration_ms, ...more };
	if (outcome === 'unclear') log.warn('hang-up', line);
	else log.info('hang-up', line);
}
