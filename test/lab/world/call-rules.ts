import { isTerminal } from '../../../shared/domain/calls/call.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { type Leg, legRanks } from '../../../shared/domain/calls/leg.ts';
import type { Event } from '../../../shared/domain/webhooks/event.ts';
import type { Kind } from './faults.ts';
import type { Stage } from './stage.ts';

// The rules for calls.

export type Published = { readonly event: Event; readonly at_ms: number; readonly read_from_ms: number };

const ms = (at: string | null | undefined): number => Date.parse(at ?? '');
const ORDER = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'];
const rank = (status: string): number => Math.min(ORDER.indexOf(status), 3);
const SET_UP_MS = 120_000;
const CONVERSATION_MS = 2 * 3_600_000;
/** How much later than its maximum duration a call may end, and how much later its last phone may be hung up. */
const SLACK_MS: Readonly<Record<Kind, number>> = { calm: 60_000, 'bad line': 60_000, flood: 0, rough: 30 * 60_000 };

export function lookAtCall(stage: Stage, call: CallRecord, before: CallRecord | null): void {
	if (before === null) return;
	if (before.status !== call.status) stage.tell(`call ${call.visitor_name}`, `${before.status} -> ${call.status}`);
	const back = rank(call.status) < rank(before.status) || (isTerminal(before.status) && call.status !== before.status);
	if (back) stage.broken('no status goes back', `${before.status} -> ${call.status}`);
	if (before.winner_leg_id !== null && call.winner_leg_id !== before.winner_leg_id)
		stage.broken('the member who was first to press 1 keeps the call', `${before.winner_leg_id}`);
	if (isTerminal(before.status) && shown(call) !== shown(before))
		stage.broken('nothing of an ended call changes', `${shown(before)} -> ${shown(call)}`);
	for (const leg of before.legs) {
		const after = call.legs.find(({ id }) => id === leg.id);
		const retried = leg.throttled_until !== null;
		if (after === undefined) stage.broken('no leg disappears', leg.id);
		else if (!retried && legRanks.indexOf(after.rank) < legRanks.indexOf(leg.rank))
			stage.broken('no leg goes back', `${leg.rank} -> ${after.rank}`);
		else if (isForgotten(leg, after)) stage.broken('no fact of a leg is forgotten', JSON.stringify([leg, after]));
	}
}

const TIMES = ['ringing_at', 'answered_at', 'accepted_at', 'ended_at'] as const;

/** Whether a fact of a leg was lost or changed. Times may only become earlier, and the provider's id may not change. */
function isForgotten(before: Leg, after: Leg): boolean {
	const renamed = before.provider_id !== null && after.provider_id !== before.provider_id;
	return renamed || TIMES.some((time) => before[time] !== null && !(ms(after[time]) <= ms(before[time])));
}

function shown({
	status,
	connected_at,
	completed_at,
	duration_seconds,
	failure_reason,
	event_count,
}: CallRecord): string {
	return JSON.stringify({ status, connected_at, completed_at, duration_seconds, failure_reason, event_count });
}

/**
 * Whether the times, the duration and the status of a call fit together. They must do so however wrong the provider's clock is.
 */
function isSound({
	status,
	created_at,
	connected_at,
	completed_at,
	duration_seconds,
	failure_reason,
}: CallRecord): boolean {
	const spoke = status === 'completed';
	const seconds = spoke ? Math.floor((ms(completed_at) - ms(connected_at)) / 1000) : 0;
	const fits = spoke === (connected_at !== null) && spoke === (failure_reason === null);
	return fits && ms(completed_at) >= ms(connected_at ?? created_at) && duration_seconds === seconds;
}

export function checkCalls(stage: Stage, calls: readonly CallRecord[], published: readonly Published[]): void {
	for (const call of calls) {
		const kinds = published.filter(({ event }) => event.subject_id === call.id).map(({ event }) => event.kind);
		const ends = kinds.filter((kind) => kind === 'call.completed' || kind === 'call.failed');
		if (!isTerminal(call.status)) stage.broken('every call ends', `${call.id} is ${call.status}`);
		else if (!isSound(call)) stage.broken('the times of a call fit together', shown(call));
		if (isTerminal(call.status) && ends.length !== 1)
			stage.broken('every call has one terminal event', kinds.join(', '));
		if (kinds.includes('call.completed') && !kinds.includes('call.connected'))
			stage.broken('a completed call was connected', kinds.join(', '));
		if (call.connected_at !== null && kinds.indexOf('call.connected') > kinds.indexOf('call.completed'))
			stage.broken('connected comes before completed', kinds.join(', '));
		const tookMs = Date.parse(call.completed_at ?? '') - Date.parse(call.created_at);
		const limitMs = SET_UP_MS + (call.connected_at === null ? 0 : CONVERSATION_MS) + SLACK_MS[stage.kind];
		if (tookMs > limitMs) stage.broken('a call ends by its deadline', `${tookMs} ms`);
		const talked = call.status === 'completed' && (call.duration_seconds ?? 0) > 0;
		const answered = stage
			.phones()
			.phones.filter(({ leg_id, answered_at }) => answered_at !== null && call.legs.some(({ id }) => id === leg_id));
		if (talked && answered.length < 2) stage.broken('in a call with talk time, two phones have answered', call.id);
		checkReason(stage, call);
		if (stage.kind === 'calm' || stage.kind === 'bad line') checkRecord(stage, call);
		const sequences = published.filter(({ event }) => event.subject_id === call.id).map(({ event }) => event.sequence);
		if (sequences.some((sequence, position) => sequence !== position + 1))
			stage.broken('the events of a call are counted from 1', sequences.join(', '));
	}
	for (const phone of stage.phones().phones) {
		if (phone.rank !== 'ended') stage.broken('no phone is left on', `${phone.role} ${phone.rank}`);
	}
}

/**
 * The record must not blame a person if the shop's own rules or a change of its team kept every phone from ringing. It must not
 * blame a rule if a member's phone rang.
 */
function checkReason(stage: Stage, call: CallRecord): void {
	const agents = call.legs.filter(({ role }) => role === 'agent');
	const refusedByUs = agents.length > 0 && agents.every(({ refused_code, dialed_at }) => refused_code && !dialed_at);
	const { failure_reason: reason } = call;
	const isAbout = reason === 'no_agent_answer' || reason === 'agent_left';
	if (refusedByUs && isAbout) stage.broken('no call blames a person for what a rule refused', `${call.id} ${reason}`);
	const rang = [...stage.phones().legs.values()].some(({ call_id, role }) => call_id === call.id && role === 'agent');
	if (reason === 'no_agent_callable' && rang)
		stage.broken('no call blames a rule if a member’s phone rang', `${call.id} rang a member`);
}

/** The record of a call must say what its phones did, in whatever order its callbacks arrived. */
function checkRecord(stage: Stage, call: CallRecord): void {
	const phones = stage.phones().phones.filter(({ leg_id }) => call.legs.some(({ id }) => id === leg_id));
	// If a visitor hangs up just as the member presses 1, the visitor leaves before the member enters the conference.
	const agents = phones.filter(({ role, accepted_at }) => role === 'agent' && accepted_at !== null);
	const first = agents.sort((one, other) => ms(one.accepted_at) - ms(other.accepted_at))[0];
	const winner = agents.find(({ entered }) => entered) ?? first;
	const visitor = phones.find(({ role }) => role === 'visitor');
	const lastMs = Math.max(...phones.map(({ ended_at }) => ms(ended_at)));
	if (lastMs > ms(call.completed_at) + SLACK_MS[stage.kind])
		stage.broken('every phone is hung up soon after the end', call.id);
	const joinedMs = Math.max(ms(winner?.accepted_at), ms(visitor?.answered_at));
	const endedMs = Math.min(ms(winner?.ended_at), ms(visitor?.ended_at));
	const iso = (atMs: number): string => new Date(atMs).toISOString();
	const truth =
		joinedMs <= endedMs
			? ['completed', iso(joinedMs), iso(endedMs), Math.floor((endedMs - joinedMs) / 1000)]
			: ['failed', null, null, 0];
	const { status, connected_at, completed_at, duration_seconds } = call;
	const record = [status, connected_at, connected_at === null ? null : completed_at, duration_seconds];
	if (JSON.stringify(record) !== JSON.stringify(truth))
		stage.broken('the record of a call says what its phones did', `${record} but ${truth}`);
}
