import { type Call, isTerminal, memberRungBy } from '../calls/call.ts';
import { isJoined } from '../calls/call-aggregation.ts';
import type { Leg } from '../calls/leg.ts';
import { spanIdOf, traceIdOf } from '../kernel/trace-context.ts';
import type { CallbackLead } from '../leads/callback-lead.ts';
import type { TeamNotice } from '../notices/team-notice.ts';
import { EVENT_RETENTION_SECONDS } from '../webhooks/event.ts';
import { inOrder, momentsOf, type Span, type SpanEvent, type Trace } from './span.ts';
import { eventSpan, type TracedEvent } from './webhook-spans.ts';

// The trace of a call or lead, derived from its records. Its id is the id of the call or lead.

/** What a call or a lead led to. */
export type Consequences = {
	readonly events: readonly TracedEvent[];
	readonly notices: readonly TeamNotice[];
	/** The calls back, oldest first. */
	readonly calls_back: readonly Call[];
};

/** The trace of a call: what happened in it, and what it led to. */
export function callTrace(call: Call, consequences: Consequences, nowMs: number): Trace {
	const { id, workspace_id, created_at, completed_at, status, failure_reason, lead_id, calls_back } = call;
	const links = [lead_id, calls_back].flatMap((origin) => (origin === undefined ? [] : [rootOf(origin)]));
	const statuses = consequences.events.map(({ event }): SpanEvent => ({ at: event.created_at, name: event.kind }));
	return {
		id: traceIdOf(id),
		workspace_id,
		root: {
			id: spanIdOf(id),
			name: 'call',
			kind: 'internal',
			started_at: created_at,
			ended_at: isTerminal(status) ? completed_at : null,
			failure: failure_reason,
			attributes: {
				'call.id': id,
				'call.workspace_id': workspace_id,
				'call.status': status,
				...(failure_reason !== null && { 'call.failure_reason': failure_reason }),
				...(call.duration_seconds !== null && { 'call.duration_seconds': call.duration_seconds }),
				...(call.is_test && { 'call.is_test': true }),
			},
			events: statuses,
			children: inOrder([...call.legs.map((leg) => legSpan(call, leg)), ...conversation(call), ...led(consequences)]),
		},
		links,
		notes: notesOf(call, nowMs),
	};
}

/** The trace of a lead, from the visitor's request to the last call back. */
export function leadTrace(lead: CallbackLead, consequences: Consequences, nowMs: number): Trace {
	const { id, workspace_id, status, created_at, updated_at } = lead;
	return {
		id: traceIdOf(id),
		workspace_id,
		root: {
			id: spanIdOf(id),
			name: 'callback lead',
			kind: 'internal',
			started_at: created_at,
			ended_at: status === 'pending' ? null : updated_at,
			failure: null,
			attributes: { 'lead.id': id, 'lead.workspace_id': workspace_id, 'lead.status': status },
			events: [],
			children: inOrder(led(consequences)),
		},
		links: [],
		notes: notesOf(lead, nowMs),
	};
}

const led = ({ events, notices, calls_back }: Consequences): readonly Span[] => [
	...events.map(eventSpan),
	...notices.map(noticeSpan),
	...calls_back.map(callBackSpan),
];

/**
 * The span of one phone of a call: from the dial, or from the creation of the leg if the phone was not dialed, to the end of
 * the leg.
 */
function legSpan(call: Call, leg: Leg): Span {
	const { id, role, created_at, dialed_at, ended_at, cause, refused_code } = leg;
	const member = memberRungBy(call, leg);
	const { ringing_at: ringing, answered_at: answered, accepted_at: accepted, hangup_requested_at } = leg;
	const talking = isJoined(leg, call) ? call.connected_at : null;
	return {
		id: spanIdOf(id),
		name: role === 'visitor' ? 'phone of the visitor' : 'phone of a team member',
		kind: 'client',
		started_at: dialed_at ?? created_at,
		ended_at,
		failure: cause === null || ['completed', 'hung_up'].includes(cause) ? null : cause,
		attributes: {
			'leg.id': id,
			'leg.role': role,
			...(member !== null && { 'leg.member_id': member }),
			'leg.is_dialed': dialed_at !== null,
			...(cause !== null && { 'leg.cause': cause }),
			...(refused_code !== undefined && { 'leg.refused_code': refused_code }),
		},
		events: momentsOf({ ringing, answered, accepted, talking, 'hang-up requested': hangup_requested_at }),
		children: [],
	};
}

function conversation({ id, connected_at, completed_at }: Call): readonly Span[] {
	if (connected_at === null) return [];
	return [
		{
			id: spanIdOf(id, 'conversation'),
			name: 'conversation',
			kind: 'internal',
			started_at: connected_at,
			ended_at: completed_at,
			failure: null,
			attributes: {},
			events: [],
			children: [],
		},
	];
}

/**
 * The span of a notice. A notice's record does not contain when the notice was made or sent. The time at which the notice
 * was made is calculated from the record's expiry, to the second. The time at which the notice was sent is unknown. So if
 * the notice is no longer pending, its span has no length.
 */
function noticeSpan({ id, channel, status, attempt_count, next_attempt_at, expires_at_epoch_s }: TeamNotice): Span {
	const started_at = new Date((expires_at_epoch_s - EVENT_RETENTION_SECONDS) * 1000).toISOString();
	return {
		id: spanIdOf(id),
		name: `notice by ${channel}`,
		kind: 'client',
		started_at,
		ended_at: status === 'pending' ? null : started_at,
		failure: status === 'failed' ? status : null,
		attributes: {
			'notice.status': status,
			'notice.tries': attempt_count,
			...(next_attempt_at !== null && { 'notice.next_attempt_at': next_attempt_at }),
		},
		events: [],
		children: [],
	};
}

/** The span of a call back. What happened in the call back is in its own trace. */
function callBackSpan(call: Call): Span {
	const { id, status, failure_reason, created_at, completed_at } = call;
	return {
		id: spanIdOf(id, 'called back'),
		name: 'call back',
		kind: 'internal',
		started_at: created_at,
		ended_at: isTerminal(status) ? completed_at : null,
		failure: failure_reason,
		attributes: { 'call.id': id, 'call.status': status },
		events: [],
		children: [],
	};
}

const rootOf = (id: string) => ({ trace_id: traceIdOf(id), span_id: spanIdOf(id) });

function notesOf(
	{ created_at, number_hash, is_test }: Pick<Call, 'created_at' | 'number_hash' | 'is_test'>,
	nowMs: number,
): readonly string[] {
	const isErased = number_hash === undefined && !is_test;
	const isOld = nowMs - Date.parse(created_at) > EVENT_RETENTION_SECONDS * 1000;
	return [
		...(isOld ? ['Events, deliveries and notices of more than 30 days ago are deleted.'] : []),
		...(isErased ? ['The visitor was erased: the notices about them and the link to call back are gone.'] : []),
	];
}
