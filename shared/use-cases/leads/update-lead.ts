import type { CallbackLead, LeadStatus } from '../../domain/leads/callback-lead.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import type { ChangeAtTheEdge } from '../kernel/change-at-the-edge.ts';

export type UpdateLeadOutcome =
	| { readonly lead: CallbackLead }
	| { readonly refused: 'not_found' | 'precondition_failed' | 'idempotency_conflict' };

/** Moves a lead to any of the three statuses. The same one again changes nothing. It never places a call. */
export async function updateLead(
	input: { readonly workspace_id: string; readonly id: string; readonly status: LeadStatus },
	edge: ChangeAtTheEdge<CallbackLead>,
	{ store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<UpdateLeadOutcome> {
	for (;;) {
		const lead = await store.get('callback_lead', { id: input.id });
		if (lead === null || lead.workspace_id !== input.workspace_id) return { refused: 'not_found' };
		if (!edge.mayChange(lead)) return { refused: 'precondition_failed' };
		const outcome = await move(lead, input.status, edge, { store, now: new Date(clock.now()).toISOString() });
		if (outcome !== 'overtaken') return outcome;
	}
}

/** One try, from a version that was read; `overtaken` if the lead has another by now. */
async function move(
	lead: CallbackLead,
	status: LeadStatus,
	{ alongside }: ChangeAtTheEdge<CallbackLead>,
	{ store, now }: { readonly store: Store; readonly now: string },
): Promise<UpdateLeadOutcome | 'overtaken'> {
	const same = lead.status === status;
	const item = same ? lead : { ...lead, version: lead.version + 1, status, updated_at: now };
	const guard = { if: 'version', version: lead.version } as const;
	const change = { op: 'put', record: 'callback_lead', item, guard } as const;
	const extra = alongside(item);
	const writes = same ? extra : [change, ...extra];
	if (writes.length === 0) return { lead: item };
	const outcome = await store.commit(writes);
	if (outcome.committed) return { lead: item };
	const twin = same || outcome.refused.some((position) => position >= 1);
	return twin ? { refused: 'idempotency_conflict' } : 'overtaken';
}
