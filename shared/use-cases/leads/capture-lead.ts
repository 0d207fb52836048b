import { leadOwner } from '../../domain/kernel/number-owner.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { newNotice } from '../../domain/leads/team-notice.ts';
import { makeEvent } from '../../domain/webhooks/event.ts';
import { dailyLeadCount, numberLeadCount, windowRefusal } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Write } from '../../ports/store.ts';
import { admitsVisitor } from '../visitors/admits-visitor.ts';
import { keepVisitor } from '../visitors/keep-visitor.ts';
import {
	type ScreenedVisitor,
	type ScreeningRefusal,
	screenVisitor,
	type VisitorDeps,
	type VisitorRequest,
} from '../visitors/screen-visitor.ts';
import { publish } from '../webhooks/publish-event.ts';
import { noticeMessage } from './notify-team.ts';

export type CaptureLeadOutcome =
	| { readonly lead: CallbackLead }
	| ScreeningRefusal
	| { readonly refused: 'rate_limited' | 'calls_unavailable'; readonly retry_after_seconds: number }
	| { readonly refused: 'idempotency_conflict' };

/** The team may work through its leads for this long; then the number is gone. */
const SEALED_NUMBER_SECONDS = 30 * 24 * 3600;

/**
 * A visitor asks to be called back later. The lead, its `callback.requested` event with deliveries, the sealed number,
 * consent, the kept answer and that the team is to be told are one transaction. It places no call. The window is used
 * up, and a refusal for the number's sake is worded, as for a call.
 */
export async function captureLead(
	request: VisitorRequest,
	alongside: (lead: CallbackLead) => readonly Write[],
	deps: VisitorDeps,
): Promise<CaptureLeadOutcome> {
	const screened = await screenVisitor(request, deps);
	if ('refused' in screened) return screened;
	const { workspace } = request;
	const { number_hash } = screened.number;
	const now = deps.clock.now();
	const [window_open, usage] = await Promise.all([
		admitsVisitor(workspace, screened, deps),
		deps.store.get('number_usage', { number_hash }),
	]);
	if (!window_open || usage?.suppressed) return windowRefusal(now);

	const lead = newLead(request, screened, deps);
	const event = requestedEvent(lead, deps.ids.next(Date.parse(lead.created_at)));
	const publication = publish(event, await deps.store.endpointsOf(workspace.id), now);
	const limits = limitsOf(workspace);
	const counts = [
		dailyLeadCount({ workspace_id: workspace.id, limits }, now),
		numberLeadCount(screened.number, limits, now),
	];
	const notices = noticeOf(lead, workspace, number_hash, now);
	const kept = alongside(lead);
	const outcome = await deps.store.commit([
		...counts.map(({ count }) => count),
		...kept,
		{ op: 'put', record: 'callback_lead', item: lead, guard: { if: 'absent' } },
		...keepVisitor(leadOwner(lead.id), request, screened, SEALED_NUMBER_SECONDS, deps),
		...publication.writes,
		...notices,
	]);
	if (!outcome.committed) {
		const spent = outcome.refused.map((position) => counts[position]).find((count) => count !== undefined);
		if (spent === undefined) return { refused: 'idempotency_conflict' };
		return { refused: spent.refusal.code, retry_after_seconds: spent.refusal.retry_after_seconds };
	}
	await Promise.all([
		deps.queues.send('deliveries', publication.messages),
		notices.length > 0 && deps.queues.send('team-notices', [noticeMessage(lead)]),
	]);
	return { lead };
}

/** That the team is to be told, if it has an address. */
function noticeOf(lead: CallbackLead, { team_email }: Workspace, number_hash: string, now: number): readonly Write[] {
	if (!team_email) return [];
	return [{ op: 'put', record: 'team_notice', item: newNotice(lead, number_hash, now), guard: { if: 'absent' } }];
}

function newLead({ workspace }: VisitorRequest, screened: ScreenedVisitor, { ids, clock }: VisitorDeps): CallbackLead {
	const now = clock.now();
	const created_at = new Date(now).toISOString();
	return {
		id: ids.next(now),
		version: 1,
		workspace_id: workspace.id,
		name: screened.name,
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
