import { type Call, isMissed } from '../../domain/calls/call.ts';
import type { CallbackLead } from '../../domain/leads/callback-lead.ts';
import { callIdsOf } from '../../domain/notices/callback-link.ts';
import { missedNoticeIds } from '../../domain/notices/missed-call-notice.ts';
import { noticeChannels, noticeId } from '../../domain/notices/team-notice.ts';
import type { Trace } from '../../domain/trace/span.ts';
import { type Consequences, callTrace, leadTrace } from '../../domain/trace/trace.ts';
import type { TracedDelivery, TracedEvent } from '../../domain/trace/webhook-spans.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Event, EventKind } from '../../domain/webhooks/event.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';
import { everyItem } from '../kernel/list-page.ts';
import { CALL_EVENTS, deliveriesOf, eventsOf, LEAD_EVENTS } from '../webhooks/subject-events.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;

/** Reads the trace of a call. Null if there is no such call. */
export async function readCallTrace(id: string, deps: Deps): Promise<Trace | null> {
	const call = await deps.store.get('call', { id });
	return call && traceOfCall(call, deps);
}

/** Reads the trace of a callback lead. Null if there is no such lead. */
export async function readLeadTrace(id: string, deps: Deps): Promise<Trace | null> {
	const lead = await deps.store.get('callback_lead', { id });
	return lead && traceOfLead(lead, deps);
}

/**
 * The traces of all calls and leads of a workspace that were created in this range: first the calls, oldest first, and then
 * the leads.
 */
export async function* tracesOf(
	workspaceId: string,
	range: { readonly from_id: string; readonly before_id: string | null },
	deps: Deps,
): AsyncGenerator<Trace> {
	for await (const call of everyItem('call', workspaceId, range, deps.store)) yield traceOfCall(call, deps);
	for await (const lead of everyItem('callback_lead', workspaceId, range, deps.store)) yield traceOfLead(lead, deps);
}

/** Reads everything that a call led to, and makes the trace of the call. */
export async function traceOfCall(call: Call, deps: Deps): Promise<Trace> {
	return callTrace(call, await consequencesOf(call, CALL_EVENTS, missedNotices(call), deps), deps.clock.now());
}

async function traceOfLead(lead: CallbackLead, deps: Deps): Promise<Trace> {
	const noticeIds = noticeChannels.map((channel) => noticeId(lead.id, channel));
	return leadTrace(lead, await consequencesOf(lead, LEAD_EVENTS, noticeIds, deps), deps.clock.now());
}

/** The ids of the notices that may tell the team that it missed this call. */
function missedNotices(call: Call): readonly string[] {
	const { workspace_id, completed_at } = call;
	return isMissed(call) && completed_at !== null ? missedNoticeIds(workspace_id, Date.parse(completed_at)) : [];
}

async function consequencesOf(
	{ id }: Pick<Call | CallbackLead, 'id'>,
	kinds: readonly EventKind[],
	noticeIds: readonly string[],
	{ store }: Deps,
): Promise<Consequences> {
	const [events, notices, link] = await Promise.all([
		eventsOf(id, kinds, store),
		Promise.all(noticeIds.map((id) => store.get('team_notice', { id }))),
		store.get('callback_link', { lead_id: id }),
	]);
	const calls = await Promise.all(
		(link === null ? [] : callIdsOf(link)).map((callId) => store.get('call', { id: callId })),
	);
	return {
		events: await Promise.all(events.map((event) => tracedEvent(event, store))),
		notices: notices.filter((notice) => notice !== null).filter(({ missed }) => missed?.call_ids.includes(id) ?? true),
		calls_back: calls.filter((call) => call !== null),
	};
}

async function tracedEvent(event: Event, store: Pick<Store, 'list' | 'attemptsOf'>): Promise<TracedEvent> {
	const deliveries = await deliveriesOf(event, store);
	return { event, deliveries: await Promise.all(deliveries.map((delivery) => tracedDelivery(delivery, store))) };
}

async function tracedDelivery(delivery: Delivery, store: Pick<Store, 'attemptsOf'>): Promise<TracedDelivery> {
	const older = delivery.attempt_count > 1 ? await store.attemptsOf(delivery.id) : [];
	const newest = delivery.last_attempt === null ? [] : [delivery.last_attempt];
	return { delivery, attempts: [...older.map(({ attempt }) => attempt), ...newest] };
}
