import type { CallbackLead, LeadStatus } from '../domain/callback-lead.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store, Write } from '../ports/store.ts';

export type UpdateLeadOutcome =
	| { readonly lead: CallbackLead }
	| { readonly refused: 'not_found' | 'idempotency_conflict' };

/** Moves a lead to any of the three statuses. The same one again changes nothing. It never places a call. */
export async function updateLead(
	input: { readonly workspace_id: string; readonly id: string; readonly status: LeadStatus },
	alongside: (lead: CallbackLead) => readonly Write[],
	{ store, clock }: { readonly store: Store; readonly clock: Clock },
): Promise<UpdateLeadOutcome> {
	for (;;) {
		const lead = await store.get('callback_lead', { id: input.id });
		if (lead === null || lead.workspace_id !== input.workspace_id) return { refused: 'not_found' };
		const updated_at = new Date(clock.now()).toISOString();
		const same = lead.status === input.status;
		const item = same ? lead : { ...lead, version: lead.version + 1, status: input.status, updated_at };
		const change = {
			op: 'put',
			record: 'callback_lead',
			item,
			guard: { if: 'version', version: lead.version },
		} as const;
		const extra = alongside(item);
		const writes = same ? extra : [change, ...extra];
		if (writes.length === 0) return { lead: item };
		const outcome = await store.commit(writes);
		if (outcome.committed) return { lead: item };
		if (same || outcome.refused.some((position) => position >= 1)) return { refused: 'idempotency_conflict' };
	}
}
