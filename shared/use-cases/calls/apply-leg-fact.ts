import type { Call } from '../../domain/calls/call.ts';
import { isSaidOf, type LegFact } from '../../domain/calls/leg.ts';
import type { Log } from '../../ports/log.ts';
import { change, inWords } from '../kernel/change.ts';
import { type CallDeps, moveOn } from './advance-call.ts';

/** Where a provider said something of a leg. `keyed`: the address had the leg's MAC, and it was right. */
export type LegAddress = { readonly call_id: string; readonly leg_id: string; readonly keyed: boolean };

/**
 * What a provider reported of a leg becomes part of the call. A leg that the call does not have is an unknown one. The first
 * callback of a leg may come before the dial has returned, and brings the provider's id; from then on a report with
 * another id is of another leg and changes nothing.
 */
export async function applyLegFact(
	{ call_id, leg_id, keyed }: LegAddress,
	fact: LegFact,
	deps: CallDeps,
): Promise<'applied' | 'not_found' | 'other_leg'> {
	return change<Call | null, 'applied' | 'not_found' | 'other_leg'>(
		{
			read: () => deps.store.get('call', { id: call_id }),
			decide: async (call) => {
				const leg = call?.legs.find(({ id }) => id === leg_id);
				if (call === null || leg === undefined) return { result: 'not_found' };
				if (!isSaidOf(leg, { provider_id: fact.provider_id, keyed })) return { result: 'other_leg' };
				return inWords(await moveOn(call, { input: 'leg_fact', leg_id, fact }, deps), () => 'applied');
			},
		},
		deps.store,
	);
}

/** Takes in what the provider says of a leg; false when it is not of this leg, or there is none. */
export async function hearProvider(
	at: LegAddress,
	fact: LegFact,
	deps: CallDeps & { readonly log: Log },
): Promise<boolean> {
	const outcome = await applyLegFact(at, fact, deps);
	if (outcome === 'other_leg') deps.log.warn('callback of another leg', { call_id: at.call_id, leg_id: at.leg_id });
	return outcome === 'applied';
}
