import type { Call } from '../../domain/calls/call.ts';
import type { CallEvent } from '../../domain/calls/call-events.ts';
import type { CallInput } from '../../domain/calls/call-input.ts';
import { type Decision, decide } from '../../domain/calls/call-transitions.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import { type Event, makeEvent } from '../../domain/webhooks/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import { MAX_DELAY_SECONDS, type Messages, type Outgoing, type Queues } from '../../ports/queues.ts';
import { type Store, StoreBusy, type Write } from '../../ports/store.ts';
import { type Publication, publish } from '../webhooks/publish-event.ts';

export type CallDeps = {
	readonly store: Store;
	readonly queues: Queues;
	readonly clock: Clock;
	readonly ids: Ids;
	/** Divides the deadlines (simulated phones may run faster). */
	readonly speed: number;
};

/** Lost races are decided again this often: a call has few legs, so few writers. */
const TRIES = 20;

export type Advanced = { readonly decision: Decision } | { readonly refused: 'not_found' | 'alongside' };

/**
 * Moves a call on: read, decide, and commit the change with its events, their deliveries and whatever the caller adds,
 * in one transaction under the call's version. A lost race is decided again from what the winner left. What follows is
 * sent after the commit; nothing is written where nothing changed and the caller adds nothing.
 */
export async function advanceCall(
	call_id: string,
	input: CallInput | ((call: Call) => CallInput | null),
	deps: CallDeps,
	alongside: (call: Call) => readonly Write[] = () => [],
): Promise<Advanced> {
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const call = await deps.store.get('call', { id: call_id });
		if (call === null) return { refused: 'not_found' };
		const given = typeof input === 'function' ? input(call) : input;
		const moment = { now_ms: deps.clock.now(), speed: deps.speed };
		const decision = given === null ? unmoved(call) : decide(call, given, moment);
		const outcome = await commit(call, decision, alongside(decision.call), deps);
		if (outcome === 'committed') return { decision };
		if (outcome === 'alongside') return { refused: 'alongside' };
	}
	throw new StoreBusy('too many changes of one call at once');
}

function unmoved(call: Call): Decision {
	return { call, events: [], dial: [], hang_up: [], timer_at_ms: null };
}

async function commit(
	before: Call,
	decision: Decision,
	alongside: readonly Write[],
	deps: CallDeps,
): Promise<'committed' | 'alongside' | 'again'> {
	const changed = decision.call !== before;
	const item = { ...decision.call, version: before.version + 1 };
	const guard = { if: 'version', version: before.version } as const;
	const change: readonly Write[] = changed ? [{ op: 'put', record: 'call', item, guard }] : [];
	const publication = await publishAll(before, decision.events, deps.clock.now(), deps);
	const writes = [...alongside, ...change, ...publication.writes];
	if (writes.length > 0) {
		const outcome = await deps.store.commit(writes);
		if (!outcome.committed) {
			return outcome.refused.some((position) => position < alongside.length) ? 'alongside' : 'again';
		}
	}
	await sendWhatFollows(decision, publication, deps);
	return 'committed';
}

/** The events of a call that come after those it has had. */
export async function publishAll(
	{ workspace_id, event_count }: Pick<Call, 'workspace_id' | 'event_count'>,
	events: readonly CallEvent[],
	now: number,
	{ store, ids }: Pick<CallDeps, 'store' | 'ids'>,
): Promise<Publication> {
	if (events.length === 0) return { writes: [], messages: [] };
	const endpoints = await store.endpointsOf(workspace_id);
	const publications = events.map((event, index) => {
		const sequence = event_count + index + 1;
		return publish(callEvent(event, sequence, ids.next(now), now), endpoints, now);
	});
	return {
		writes: publications.flatMap(({ writes }) => writes),
		messages: publications.flatMap(({ messages }) => messages),
	};
}

/** A call's event in its envelope. */
export function callEvent({ kind, data }: CallEvent, sequence: number, id: string, now: number): Event {
	const { id: subject_id, workspace_id } = data;
	return makeEvent({ id, workspace_id, subject_id, kind, sequence, created_at: new Date(now).toISOString(), data });
}

/** Messages are hints: what is lost here is found by the timers and the sweep. */
export async function sendWhatFollows(
	decision: Decision,
	{ messages }: Publication,
	{ queues, clock }: Pick<CallDeps, 'queues' | 'clock'>,
): Promise<void> {
	const { call, dial, hang_up, timer_at_ms } = decision;
	const ofLeg = (leg: Leg): Outgoing<Messages['dial-legs']> => {
		return { message: { call_id: call.id, leg_id: leg.id }, delay_seconds: 0, group: null };
	};
	await Promise.all([
		messages.length > 0 && queues.send('deliveries', messages),
		dial.length > 0 && queues.send('dial-legs', dial.map(ofLeg)),
		hang_up.length > 0 && queues.send('hang-up-legs', hang_up.map(ofLeg)),
		timer_at_ms !== null && queues.send('call-timers', [timer(call.id, timer_at_ms, clock.now())]),
	]);
}

/** A message that comes at the deadline, or on the way to it where SQS cannot wait so long. */
export function timer(call_id: string, at_ms: number, now_ms: number): Outgoing<Messages['call-timers']> {
	const delay_seconds = Math.min(MAX_DELAY_SECONDS, Math.max(0, Math.ceil((at_ms - now_ms) / 1000)));
	return { message: { call_id, at: new Date(at_ms).toISOString() }, delay_seconds, group: null };
}
