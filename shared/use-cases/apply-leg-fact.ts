import type { LegFact } from '../domain/leg.ts';
import { advanceCall, type CallDeps } from './advance-call.ts';

/**
 * What a provider reported of a leg becomes part of the call. A leg that the call does not have is an unknown one; the
 * first callback of a leg may come before the dial has returned, and brings the provider's id.
 */
export async function applyLegFact(
	ids: { readonly call_id: string; readonly leg_id: string },
	fact: LegFact,
	deps: CallDeps,
): Promise<'applied' | 'not_found'> {
	let known = false;
	await advanceCall(
		ids.call_id,
		(call) => {
			known = call.legs.some(({ id }) => id === ids.leg_id);
			return known ? { input: 'leg_fact', leg_id: ids.leg_id, fact } : null;
		},
		deps,
	);
	return known ? 'applied' : 'not_found';
}
