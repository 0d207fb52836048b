import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import type { Ports } from '../../ports/ports.ts';
import type { LeadContent } from '../../ports/team-notifier.ts';
import { change } from '../kernel/change.ts';
import { planLead } from '../leads/lead-notice.ts';
import type { NoticePlan } from '../leads/notice-plan.ts';
import { isAnySuppressed, suppressHash } from '../visitors/suppress-number.ts';
import type { EditContext } from '../workspaces/edit-workspace.ts';

// What a person of the desk does with a call or a callback lead. `not_callable`: its person was erased.

type Deps = Pick<Ports, 'store' | 'clock'> & Pick<EditContext, 'line'>;
type Calling = Deps & Pick<Ports, 'ids'>;
type Done = { readonly done: true };
type Link = { readonly link: string };
type Refused = { readonly refused: 'not_found' | 'not_callable' };
type Contact = { readonly of: 'call' | 'callback_lead'; readonly id: string };

/** Whether a lead can be called back: its person was not erased, and did not ask that the number is not called. */
export const mayCallBack = async (lead: Pick<CallbackLead, 'number_hash'>, { store }: Pick<Ports, 'store'>) =>
	lead.number_hash !== undefined && !(await isAnySuppressed([lead.number_hash], store));

/**
 * Makes one more one-time link for a waiting lead, for a few minutes, and returns it as seen from a page of the desk. Its page
 * rings a member and then the visitor, and its use ends all links of the lead. `pressed`: the link's secret, the same for a
 * press that is repeated. `not_callable`: the lead is closed or was called, or its number may not be called.
 */
export async function callBack(
	workspace_id: string,
	lead_id: string,
	pressed: Uint8Array,
	deps: Calling,
): Promise<Link | Refused> {
	const lead = await deps.store.get('callback_lead', { id: lead_id });
	if (lead?.workspace_id !== workspace_id) return { refused: 'not_found' };
	if (!(await mayCallBack(lead, deps))) return { refused: 'not_callable' };
	return change<NoticePlan<LeadContent>, Link | Refused>(
		{
			read: () => planLead({ lead_id, workspace_id }, { ...deps, pressed, link_base_url: '../..' }),
			decide: (plan) => {
				if (!plan.tell) return { result: { refused: 'not_callable' } };
				const result = { link: plan.about.link.url };
				return plan.writes.length === 0 ? { result } : { result, writes: { link: plan.writes, line: deps.line ?? [] } };
			},
		},
		deps.store,
	);
}

/**
 * Never calls the number of a call or a lead of this workspace again. The number is found by its hash in the record; it is
 * neither opened nor shown.
 */
export async function doNotCall(workspace_id: string, { of, id }: Contact, deps: Deps): Promise<Done | Refused> {
	const item = await deps.store.get(of, { id });
	if (item?.workspace_id !== workspace_id) return { refused: 'not_found' };
	if (item.number_hash === undefined) return { refused: 'not_callable' };
	await suppressHash(item.number_hash, deps);
	return { done: true };
}
