import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { type LeadStatus, leadStatuses } from '../../../domain/leads/callback-lead.ts';
import { endOfToday } from '../../../domain/workspaces/business-hours.ts';
import {
	handleMissed,
	callBack as linkBack,
	reopenMissed,
	doNotCall as suppress,
} from '../../../use-cases/desk/contacts.ts';
import { changePeople } from '../../../use-cases/desk/people.ts';
import { type UpdateLeadResult, updateLead } from '../../../use-cases/leads/update-lead.ts';
import { changeWorkspace } from '../../../use-cases/workspaces/change-workspace.ts';
import type { Fields } from '../../edge/form-fields.ts';
import {
	type ActionOutcome,
	type Audit,
	changesShop,
	defineAction,
	formOf,
	perPerson,
	type Uses,
} from '../define-action.ts';

const HOUR_MS = 3_600_000;

export const pauseCalls = defineAction(formOf(z.object({ for: z.enum(['hour', 'day']) })), {
	limit: perPerson,
	audit: changesShop,
	run: (form, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs'>) => {
		const nowMs = deps.clock.now();
		const untilMs = form.for === 'hour' ? nowMs + HOUR_MS : endOfToday(workspace.time_zone, nowMs);
		return changeWorkspace(workspace.id, { paused_until: new Date(untilMs).toISOString() }, deps);
	},
});

export const resumeCalls = defineAction(formOf(z.object({})), {
	limit: perPerson,
	audit: changesShop,
	run: (_, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs'>) =>
		changeWorkspace(workspace.id, { paused_until: null }, deps),
});

const byId = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });
/** A visitor who waits to be called back: a lead, or a call that the team missed. */
const ofRequest = z.extend(byId, { of: z._default(z.enum(['call', 'callback_lead']), 'callback_lead') });
const changesRequest: Audit<z.infer<typeof byId>> = {
	with: ['callback_lead', 'callback_link', 'number_usage'],
	about: ({ id }) => id,
};

/**
 * Leads to the page that places the call. A repeated press leads to the same link, because the link is derived from the
 * session and the form.
 */
export const callBack = defineAction(formOf(z.extend(ofRequest, { shown: z.optional(z.string()) })), {
	limit: perPerson,
	audit: changesRequest,
	once: false,
	run: ({ id, of, shown }, { workspace, secret }, deps: Uses) => {
		const pressed = createHmac('sha256', secret)
			.update(`callback ${id} ${shown ?? deps.clock.now()}`)
			.digest();
		return linkBack(workspace.id, { of, id }, pressed, deps);
	},
});

/** The page that follows the form. It has a button that puts the request back on the list. */
const mayReopen = ({ action: saved = '', id = '', of = 'callback_lead' }: Fields) => ({
	link: `today?${new URLSearchParams({ saved, id, of })}`,
});

export const handleRequest = defineAction(formOf(ofRequest), {
	limit: perPerson,
	audit: changesRequest,
	next: mayReopen,
	run: ({ of, id }, { workspace }, deps: Uses) =>
		of === 'call'
			? handleMissed(workspace.id, id, deps)
			: moveLead({ workspace_id: workspace.id, id, status: 'handled' }, deps),
});

export const dismissRequest = defineAction(formOf(byId), {
	limit: perPerson,
	audit: changesRequest,
	next: mayReopen,
	run: ({ id }, { workspace }, deps: Uses) => moveLead({ workspace_id: workspace.id, id, status: 'dismissed' }, deps),
});

/**
 * `was`: the status that the lead got when it was taken off the list. The form is refused if the lead now has another
 * status, unless the lead is already back on the list.
 */
export const reopenRequest = defineAction(
	formOf(z.extend(ofRequest, { was: z._default(z.enum(leadStatuses), 'handled') })),
	{
		limit: perPerson,
		audit: changesRequest,
		run: ({ of, id, was }, { workspace }, deps: Uses) =>
			of === 'call'
				? reopenMissed(workspace.id, id, deps)
				: moveLead({ workspace_id: workspace.id, id, status: 'pending' }, deps, [was, 'pending']),
	},
);

/** Sets the status of a lead, but only if its current status is one of `from`. */
async function moveLead(
	lead: { readonly workspace_id: string; readonly id: string; readonly status: LeadStatus },
	{ store, clock }: Uses,
	from: readonly LeadStatus[] = leadStatuses,
): Promise<ActionOutcome> {
	const hasSeen = (now: UpdateLeadResult): boolean => 'lead' in now && from.includes(now.lead.status);
	const outcome = await updateLead(lead, { store, clock, hasSeen });
	if ('lead' in outcome) return { done: true };
	return { refused: outcome.outcome === 'not_found' ? 'not_found' : 'changed_meanwhile' };
}

export const doNotCall = defineAction(formOf(ofRequest), {
	limit: perPerson,
	audit: changesRequest,
	run: (request, { workspace }, deps: Uses) => suppress(workspace.id, request, deps),
});

export const leaveDesk = defineAction(formOf(z.object({})), {
	limit: perPerson,
	audit: changesShop,
	next: () => ({ link: '../sign-in' }),
	run: (_, { workspace, person: { address } }, deps: Uses<'queues'>) =>
		changePeople(workspace.id, { change: 'remove', address, by: address, left: true }, deps),
});
