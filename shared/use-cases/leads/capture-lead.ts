import { leadOwner } from '../../domain/kernel/number-owner.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { type NoticeChannel, newNotice } from '../../domain/leads/team-notice.ts';
import { makeEvent } from '../../domain/webhooks/event.ts';
import {
	dailyLeadCount,
	numberLeadCount,
	type WindowRefusal,
	windowRefusal,
} from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Write } from '../../ports/store.ts';
import { spending } from '../calls/place-call.ts';
import { type Answering, change, type Proposal } from '../kernel/change.ts';
import { admitsVisitor } from '../visitors/admits-visitor.ts';
import { type ConsentGiven, consentGiven } from '../visitors/consent-given.ts';
import { keepVisitor } from '../visitors/keep-visitor.ts';
import {
	type ScreenedVisitor,
	type ScreeningRefusal,
	screenVisitor,
	type VisitorDeps,
	type VisitorRequest,
} from '../visitors/screen-visitor.ts';
import { publish } from '../webhooks/publish-event.ts';
import { noticeMessage } from './notice-message.ts';

export type CaptureLeadResult =
	| { readonly outcome: 'captured'; readonly lead: CallbackLead }
	| ({ readonly outcome: 'refused' } & CaptureLeadRefusal);
export type CaptureLeadRefusal = ScreeningRefusal | WindowRefusal;

/** What a visitor sent who wants to be called later. `note`: when it suits them, in their own words. */
export type LeadRequest = VisitorRequest & { readonly note?: string | null };

/** The team has this long to process a lead; then the number expires. */
const SEALED_NUMBER_SECONDS = 30 * 24 * 3600;

/**
 * Stores a visitor's request for a callback. The lead, its `callback.requested` event with deliveries, the sealed number,
 * the consent, the stored response and the team's notices are one transaction. It places no call. It counts against the
 * window, and words a refusal that depends on the number, as a call does.
 */
export async function captureLead(
	request: LeadRequest,
	deps: VisitorDeps & Answering<CaptureLeadResult>,
): Promise<CaptureLeadResult> {
	const consent = consentGiven(request, 'lead');
	if ('refused' in consent) return { outcome: 'refused', ...consent };
	const screened = await screenVisitor(request, deps);
	if ('refused' in screened) return { outcome: 'refused', ...screened };
	return admitLead(request, { ...screened, consent }, deps);
}

async function admitLead(
	request: LeadRequest,
	screened: ScreenedVisitor & { readonly consent: ConsentGiven },
	deps: VisitorDeps & Answering<CaptureLeadResult>,
): Promise<CaptureLeadResult> {
	const { number_hash } = screened.number;
	const refusal = { outcome: 'refused', ...windowRefusal(deps.clock.now()) } as const;
	if (!(await admitsVisitor(request.workspace, screened, deps))) return refusal;
	const usage = await deps.store.get('number_usage', { number_hash });
	if (usage?.suppressed) return refusal;
	return change<null, CaptureLeadResult>(
		{ read: async () => null, decide: () => proposeLead(request, screened, deps) },
		deps.store,
		deps.keepAnswer,
	);
}

async function proposeLead(
	request: LeadRequest,
	screened: ScreenedVisitor & { readonly consent: ConsentGiven },
	deps: VisitorDeps,
): Promise<Proposal<CaptureLeadResult>> {
	const { workspace } = request;
	const now_ms = deps.clock.now();
	const lead = newLead(request, screened, deps);
	const event = requestedEvent(lead, deps.ids.next(Date.parse(lead.created_at)));
	const publication = publish(event, await deps.store.endpointsOf(workspace.id));
	const limits = limitsOf(workspace);
	const { counts, refusals } = spending<CaptureLeadResult>(
		[dailyLeadCount({ workspace_id: workspace.id, limits }, now_ms), numberLeadCount(screened.number, limits, now_ms)],
		({ retry_after_seconds }) => ({ outcome: 'refused', refused: 'rate_limited', retry_after_seconds }),
	);
	const { number_hash } = screened.number;
	const notices = channelsOf(workspace).map((channel) => newNotice(lead, number_hash, now_ms, channel));
	return {
		result: { outcome: 'captured', lead },
		writes: {
			...counts,
			lead: { op: 'put', record: 'callback_lead', item: lead, guard: { if: 'absent' } },
			visitor: keepVisitor(leadOwner(lead.id), request, screened, SEALED_NUMBER_SECONDS, deps),
			event: publication.writes,
			notices: notices.map((item): Write => ({ op: 'put', record: 'team_notice', item, guard: { if: 'absent' } })),
		},
		refusals,
		afterwards: () =>
			Promise.all([
				deps.queues.send('deliveries', publication.messages),
				notices.length > 0 &&
					deps.queues.send(
						'team-notices',
						notices.map((notice) => noticeMessage(notice)),
					),
			]),
	};
}

/** The channels that notify the team. */
function channelsOf({ team_email, team_webhook }: Workspace): readonly NoticeChannel[] {
	return [...(team_email ? (['mail'] as const) : []), ...(team_webhook ? (['chat'] as const) : [])];
}

function newLead(
	{ workspace, note = null }: LeadRequest,
	screened: ScreenedVisitor,
	{ ids, clock }: VisitorDeps,
): CallbackLead {
	const now_ms = clock.now();
	const created_at = new Date(now_ms).toISOString();
	return {
		id: ids.next(now_ms),
		version: 1,
		workspace_id: workspace.id,
		name: screened.name,
		note,
		visitor_phone_masked: screened.visitor_phone_masked,
		source_url: screened.source_url,
		status: 'pending',
		created_at,
		updated_at: created_at,
	};
}

/** `callback.requested`: id, workspace_id, status, source_url, created_at. */
function requestedEvent(lead: CallbackLead, id: string) {
	const { workspace_id, status, source_url, created_at } = lead;
	const data = { id: lead.id, workspace_id, status, source_url, created_at };
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
