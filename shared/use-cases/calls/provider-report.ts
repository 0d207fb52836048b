import type { Call } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { isReportOn, type LegFact } from '../../domain/calls/leg.ts';
import type { Log } from '../../ports/log.ts';
import type { ReceiveOutcome } from '../../ports/telephony.ts';
import { change, mapProposal } from '../kernel/unit-of-work.ts';
import { type CallDeps, proposeAdvance } from './advance-call.ts';
import { legLine } from './leg-line.ts';

export type LegAddress = { readonly call_id: string; readonly leg_id: string };

/** A provider's report on a leg, as the service received it. */
export type Report = Extract<ReceiveOutcome, { received: 'fact' }>;

export type FactOutcome =
	| { readonly outcome: 'applied' | 'other_leg'; readonly call: CallRecord }
	| { readonly outcome: 'not_found' };

/**
 * Adds a provider's report on a leg to the call. If the call has no such leg, the result is `not_found`. A leg's first
 * report may arrive before the request that dials it has returned. In that case, the report sets the leg's `provider_id`.
 * From then on, a report with another id belongs to another leg: it changes nothing, and the result is `other_leg`.
 */
export async function applyLegFact(
	{ call_id, leg_id }: LegAddress,
	fact: LegFact,
	deps: CallDeps,
): Promise<FactOutcome> {
	return change<CallRecord | null, FactOutcome>(
		{
			read: () => deps.store.get('call', { id: call_id }),
			decide: async (call) => {
				const leg = call?.legs.find(({ id }) => id === leg_id);
				if (call === null || leg === undefined) return { result: { outcome: 'not_found' } };
				if (!isReportOn(leg, fact.provider_id)) return { result: { outcome: 'other_leg', call } };
				const proposal = await proposeAdvance(call, { input: 'leg_fact', leg_id, fact }, deps);
				return mapProposal(proposal, (after) => ({ outcome: 'applied', call: after }));
			},
		},
		deps.store,
	);
}

/**
 * Applies the provider's report on a leg and returns the changed call. Null if the leg does not exist or the report belongs
 * to another leg.
 */
export async function takeReport(
	{ call_id, leg_id }: LegAddress,
	{ fact, detail, unsigned }: Report,
	deps: CallDeps & { readonly log: Log },
): Promise<Call | null> {
	const at = { call_id, leg_id };
	const about = { detail, ...(unsigned && { code: 'unsigned' }) };
	const result = await applyLegFact(at, fact, deps).catch((error: unknown) => {
		deps.log.warn('callback', { ...at, ...about, outcome: 'not_stored' });
		throw error;
	});
	const { outcome } = result;
	const line = { ...(outcome === 'not_found' ? at : legLine(result.call, leg_id)), ...about, outcome };
	if (outcome === 'applied') deps.log.info('callback', line);
	else deps.log.warn('callback', line);
	return outcome === 'applied' ? result.call : null;
}
