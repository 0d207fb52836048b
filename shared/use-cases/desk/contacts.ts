import { isTerminal } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { formatToken } from '../../domain/kernel/link-token.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, callIdsOf, endOfSecret, withSecret } from '../../domain/leads/callback-link.ts';
import type { Ports } from '../../ports/ports.ts';
import { asRead, change } from '../kernel/change.ts';
import { isAnySuppressed, suppressHash } from '../visitors/suppress-number.ts';
import type { EditContext } from '../workspaces/edit-workspace.ts';

// What a person of the desk does with a call or a callback lead. `not_callable`: its person was erased, or may not be called.

type Reads = Pick<Ports, 'store'>;
type Deps = Pick<Ports, 'store' | 'clock'> & Pick<EditContext, 'line'>;
type Done = { readonly done: true };
type Link = { readonly link: string };
type NotNow = 'not_callable' | 'calling_now';
type Refused = { readonly refused: 'not_found' | NotNow };
type Contact = { readonly of: 'call' | 'callback_lead'; readonly id: string };

/** A visitor who waits to be called back. */
export type Waiting = {
	readonly lead: CallbackLead;
	readonly link: CallbackLink | null;
	/** The calls by its links, oldest first. */
	readonly attempts: readonly CallRecord[];
	/** Why it cannot be called back now; null: it can. */
	readonly refused: NotNow | null;
};

/** What the team did about a lead, and whether it can be called back now. */
export async function waitingOf(lead: CallbackLead, { store }: Reads): Promise<Waiting> {
	const link = await store.get('callback_link', { lead_id: lead.id });
	const calls = await Promise.all((link === null ? [] : callIdsOf(link)).map((id) => store.get('call', { id })));
	const attempts = calls.filter((call) => call !== null);
	const mayCall = lead.number_hash !== undefined && !(await isAnySuppressed([lead.number_hash], store));
	const isUnderWay = attempts.some(({ status }) => !isTerminal(status));
	if (isUnderWay) return { lead, link, attempts, refused: 'calling_now' };
	return { lead, link, attempts, refused: mayCall ? null : 'not_callable' };
}

/**
 * Makes one more one-time link for a waiting lead, for a few minutes, and returns it as seen from a page of the desk. Its page
 * rings a member and then the visitor, and its use ends all links of the lead. After a call that ended, the next press makes
 * the next link. `pressed`: the link's secret, the same for a press that is repeated, which leads to the same page.
 */
export async function callBack(
	workspace_id: string,
	lead_id: string,
	pressed: Uint8Array,
	deps: Deps,
): Promise<Link | Refused> {
	const { store, clock, line = [] } = deps;
	return change<CallbackLead | null, Link | Refused>(
		{
			read: () => store.get('callback_lead', { id: lead_id }),
			decide: async (lead) => {
				if (lead?.workspace_id !== workspace_id) return { result: { refused: 'not_found' } };
				const { link, refused } = await waitingOf(lead, deps);
				const result = { link: `../../callback-links/${formatToken(lead_id, pressed)}` };
				if (link !== null && endOfSecret(link, pressed) !== null) return { result };
				if (refused !== null || lead.status !== 'pending') return { result: { refused: refused ?? 'not_callable' } };
				const item = withSecret(link, { lead_id, workspace_id }, pressed, clock.now(), 'desk');
				return { result, writes: { link: { op: 'put', record: 'callback_link', item, guard: asRead(link) }, line } };
			},
		},
		store,
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
