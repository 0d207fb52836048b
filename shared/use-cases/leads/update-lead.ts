import { leadTally } from '../../domain/calls/tally.ts';
import type { CallbackLead, LeadStatus } from '../../domain/leads/callback-lead.ts';
import type { Ports } from '../../ports/ports.ts';
import { change, type ForRequest } from '../kernel/unit-of-work.ts';

export type UpdateLeadResult =
	| { readonly outcome: 'updated'; readonly lead: CallbackLead }
	| { readonly outcome: 'not_found' | 'precondition_failed' };
type Deps = ForRequest<UpdateLeadResult> & Pick<Ports, 'store' | 'clock'>;

/** Sets the status of a lead. If the lead has that status already, nothing changes. This function never places a call. */
export async function updateLead(
	input: { readonly workspace_id: string; readonly id: string; readonly status: LeadStatus },
	deps: Deps,
): Promise<UpdateLeadResult> {
	const { store, clock, hasSeen } = deps;
	return change<CallbackLead | null, UpdateLeadResult>(
		{
			read: () => store.get('callback_lead', { id: input.id }),
			decide: (before) => {
				if (before?.workspace_id !== input.workspace_id) return { result: { outcome: 'not_found' } };
				const same = { outcome: 'updated', lead: before } as const;
				if (hasSeen?.(same) === false) return { result: { outcome: 'precondition_failed' } };
				if (before.status === input.status) return { result: same };
				const nowMs = clock.now();
				const updated_at = new Date(nowMs).toISOString();
				const lead = { ...before, version: before.version + 1, status: input.status, updated_at };
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { outcome: 'updated', lead },
					writes: {
						lead: { op: 'put', record: 'callback_lead', item: lead, guard },
						tally: leadTally(lead, before, nowMs),
					},
				};
			},
		},
		deps.store,
		deps.keepResponse,
	);
}
