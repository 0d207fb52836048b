import { limitsOf } from '../../domain/access/limits.ts';
import {
	dailyLeadCount,
	numberCallCount,
	numberLeadCount,
	numberRefusalCount,
	type UsageCount,
	type WindowRefusal,
	windowRefusal,
	workspaceWindowCount,
} from '../../domain/access/rate-limit.ts';
import { leadTally } from '../../domain/calls/tally.ts';
import { leadOwner } from '../../domain/kernel/phone-number.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { channelsOf, newNotice } from '../../domain/notices/team-notice.ts';
import { makeEvent } from '../../domain/webhooks/event.ts';
import { admitRequest, spending } from '../calls/place-call.ts';
import { sourceCodes } from '../calls/source-codes.ts';
import { change, type ForRequest, type Proposal } from '../kernel/unit-of-work.ts';
import { newNoticeWrite, sendNotices } from '../notices/new-notices.ts';
import { boundedBy, publish } from '../webhooks/event-outbox.ts';
import {
	countRequest,
	keepVisitor,
	noteClosingLimit,
	type ScreenedVisitor,
	type ScreeningRefusal,
	screenVisitor,
	type VisitorDeps,
	type VisitorRequest,
} from '../widget/screen-visitor.ts';

export type CaptureLeadResult =
	| { readonly outcome: 'captured'; readonly lead: CallbackLead }
	| ({ readonly outcome: 'refused' } & CaptureLeadRefusal);
export type CaptureLeadRefusal = ScreeningRefusal | WindowRefusal;

/** `note`: what the visitor wrote about a suitable time. */
export type LeadRequest = VisitorRequest & { readonly note?: string | null };

/** How many seconds the team has to deal with a lead. After that, the visitor's number is deleted. */
export const LEAD_NUMBER_SECONDS = 30 * 24 * 3600;

/**
 * Stores a visitor's request for a callback, and places no call. The lead, its `callback.requested` event with deliveries,
 * the encrypted number, the consent, the stored response and the team's notices are in one transaction. Like a request for
 * a call, the request counts against the rate limits of the visitor's address and network. Apart from that, callback
 * requests have limits of their own: a shop that may place no more calls still accepts callback requests. If a call to this
 * number would be refused now, the request gets the same refusal.
 */
export async function captureLead(
	request: LeadRequest,
	deps: VisitorDeps & ForRequest<CaptureLeadResult>,
): Promise<CaptureLeadResult> {
	const visitor = await screenVisitor(request, 'lead', deps);
	if ('refused' in visitor) return { outcome: 'refused', ...visitor };
	if (!(await countRequest(request.workspace, visitor, deps))) return rateLimited(windowRefusal(deps.clock.now()));
	const propose = () => proposeLead(request, visitor, deps);
	const work = { read: async () => null, decide: propose };
	const result = await change<null, CaptureLeadResult>(work, deps.store, deps.keepResponse);
	return noteClosingLimit(result, request, deps);
}

async function proposeLead(
	request: LeadRequest,
	visitor: ScreenedVisitor,
	deps: VisitorDeps,
): Promise<Proposal<CaptureLeadResult>> {
	const nowMs = deps.clock.now();
	const lead = newLead(request, visitor, deps);
	const { number, former_hashes } = visitor;
	const limits = limitsOf(request.workspace);
	const quota = { workspace_id: request.workspace.id, limits };
	const counts = [
		dailyLeadCount(quota, nowMs),
		workspaceWindowCount('leads', quota, nowMs),
		numberLeadCount(number, limits, nowMs),
	];
	const numberRequest = {
		number_hash: number.number_hash,
		former_hashes,
		calls_per_number_per_day: limits.calls_per_number_per_day,
		counts: [...counts, numberCallCount(number, limits, nowMs)],
		refused: numberRefusalCount(number, quota, nowMs),
	};
	const admission = await admitRequest(numberRequest, lead.id, deps);
	if (admission.outcome === 'admitted') return writesOf(lead, counts, request, visitor, deps);
	return { result: rateLimited(admission.outcome === 'limit_spent' ? admission.refusal : windowRefusal(nowMs)) };
}

function rateLimited({
	retry_after_seconds,
	limit,
	closes,
}: Pick<WindowRefusal, 'retry_after_seconds' | 'limit' | 'closes'>): CaptureLeadResult {
	return {
		outcome: 'refused',
		refused: 'rate_limited',
		retry_after_seconds,
		...(limit !== undefined && { limit }),
		...(closes !== undefined && { closes }),
	};
}

async function writesOf(
	lead: CallbackLead,
	dayCounts: readonly UsageCount[],
	request: LeadRequest,
	visitor: ScreenedVisitor,
	deps: VisitorDeps,
): Promise<Proposal<CaptureLeadResult>> {
	const { workspace } = request;
	const event = leadEvent(lead, deps.ids.next(Date.parse(lead.created_at)));
	const [endpoints, codes] = await Promise.all([deps.store.endpointsOf(workspace.id), sourceCodes(lead, deps.store)]);
	const publication = publish(event, endpoints);
	const { counts, refusals } = spending(dayCounts, rateLimited);
	const notices = channelsOf(workspace).map((channel) => newNotice(lead, Date.parse(lead.created_at), channel));
	return {
		result: { outcome: 'captured', lead },
		writes: {
			...counts,
			lead: { op: 'put', record: 'callback_lead', item: lead, guard: { if: 'absent' } },
			visitor: keepVisitor(leadOwner(lead.id), request, visitor, LEAD_NUMBER_SECONDS, deps),
			event: publication.writes,
			tally: leadTally(lead, null, Date.parse(lead.created_at), codes),
			notices: notices.map(newNoticeWrite),
		},
		refusals,
		...boundedBy(Date.parse(lead.created_at), deps.clock),
		afterwards: () =>
			Promise.all([deps.queues.send('deliveries', publication.messages), sendNotices(notices, deps.queues)]),
	};
}

function newLead(
	{ workspace, note = null }: LeadRequest,
	visitor: ScreenedVisitor,
	{ ids, clock }: VisitorDeps,
): CallbackLead {
	const nowMs = clock.now();
	const created_at = new Date(nowMs).toISOString();
	return {
		id: ids.next(nowMs),
		version: 1,
		workspace_id: workspace.id,
		name: visitor.name,
		note,
		visitor_phone_masked: visitor.visitor_phone_masked,
		source_url: visitor.source_url,
		reference: visitor.reference,
		number_hash: visitor.number.number_hash,
		status: 'pending',
		created_at,
		updated_at: created_at,
	};
}

export function leadEvent(lead: CallbackLead, id: string) {
	const { workspace_id, status, source_url, created_at, reference } = lead;
	const about = reference === null ? {} : { reference };
	const data = { id: lead.id, workspace_id, status, source_url, created_at, ...about };
	return makeEvent({
		id,
		workspace_id,
		subject_id: lead.id,
		kind: 'callback.requested',
		sequence: 1,
		created_at,
		data,
	});
}
