import { type Call, isTerminal, missedReasonOf } from '../../domain/calls/call.ts';
import type { CallEvent } from '../../domain/calls/call-aggregation.ts';
import type { CallInput } from '../../domain/calls/call-input.ts';
import { type CallChange, type CallRecord, nextCallRecord } from '../../domain/calls/call-record.ts';
import { isReportOn, type Leg, type LegFact } from '../../domain/calls/leg.ts';
import { callTally } from '../../domain/calls/tally.ts';
import { callOwner } from '../../domain/kernel/phone-number.ts';
import { type Event, makeEvent } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Log } from '../../ports/log.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { ReceiveOutcome } from '../../ports/telephony.ts';
import { change, mapProposal, type Proposal } from '../kernel/unit-of-work.ts';
import { boundedBy, delaySeconds, type Publication, publish } from '../webhooks/event-outbox.ts';
import { legLine } from './leg-line.ts';
import { sourceCodes } from './source-codes.ts';

export type CallDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids'> & {
	/** Divides the deadlines, because simulated phones may run faster. */
	readonly speed: number;
	/** Further writes with a call that the team did not answer. Functions in which no call ends that way have none. */
	readonly whenMissed?: WhenMissed;
};
type WhenMissed = (call: Call, now_ms: number, deps: Pick<Ports, 'store'>) => Promise<readonly Write[]>;

export type AdvanceOutcome =
	| { readonly outcome: 'advanced'; readonly call: CallRecord }
	/** The caller had no input for the call in its current state. */
	| { readonly outcome: 'left_alone' | 'not_found' };

/**
 * Advances a call: reads, decides, and commits the change with its events and their deliveries in one transaction under the
 * call's version. Sends messages after the commit. Writes nothing if nothing changed. A call that was read before is read again
 * only if it has changed since.
 */
export async function advanceCall(
	call_or_id: CallRecord | string,
	input: CallInput | ((call: CallRecord) => CallInput | null),
	deps: CallDeps,
): Promise<AdvanceOutcome> {
	const read_before = typeof call_or_id === 'string' ? undefined : call_or_id;
	const id = typeof call_or_id === 'string' ? call_or_id : call_or_id.id;
	return change<CallRecord | null, AdvanceOutcome>(
		{
			...(read_before !== undefined && { from: read_before }),
			read: () => deps.store.get('call', { id }),
			decide: async (call) => {
				if (call === null) return { result: { outcome: 'not_found' } };
				const next_input = typeof input === 'function' ? input(call) : input;
				if (next_input === null) return { result: { outcome: 'left_alone' } };
				return mapProposal(await proposeAdvance(call, next_input, deps), (after) => ({
					outcome: 'advanced',
					call: after,
				}));
			},
		},
		deps.store,
	);
}

/** The call's new record, its events with their deliveries, and the messages to send afterwards. */
export async function proposeAdvance(
	before: CallRecord,
	input: CallInput,
	deps: CallDeps,
): Promise<Proposal<CallRecord>> {
	const now_ms = deps.clock.now();
	const callChange = nextCallRecord(before, input, { now_ms, speed: deps.speed });
	const { call, events } = callChange;
	const ends = isTerminal(call.status) && !isTerminal(before.status);
	const counts = ends && !call.is_test;
	const [endpoints, codes] = await Promise.all([
		events.length === 0 ? [] : deps.store.endpointsOf(before.workspace_id),
		counts ? sourceCodes(call, deps.store) : undefined,
	]);
	const publication = publishEvents(before, events, endpoints, now_ms, deps.ids);
	const guard = { if: 'version', version: before.version } as const;
	const is_missed = counts && missedReasonOf(call) !== null;
	return {
		result: call,
		writes: {
			call: call === before ? [] : [{ op: 'put', record: 'call', item: call, guard }],
			events: publication.writes,
			tally: counts ? callTally(call, codes) : [],
			number: ends && !is_missed ? forgetNumber(call) : [],
			notices: is_missed ? ((await deps.whenMissed?.(call, now_ms, deps)) ?? []) : [],
		},
		...(events.length > 0 && boundedBy(now_ms, deps.clock)),
		afterwards: () => sendWhatFollows(callChange, publication, deps),
	};
}

/** Removes the number that was kept for a call back once it turns out that there is none. */
function forgetNumber({ id, call_back_until }: Call): readonly Write[] {
	if (call_back_until === undefined) return [];
	return [{ op: 'remove', record: 'sealed_number', key: { owner: callOwner(id) }, guard: { if: 'always' } }];
}

export function publishEvents(
	{ event_count }: Pick<CallRecord, 'event_count'>,
	events: readonly CallEvent[],
	endpoints: readonly WebhookEndpoint[],
	now_ms: number,
	ids: CallDeps['ids'],
): Publication {
	const publications = events.map((event, index) => {
		const sequence = event_count + index + 1;
		return publish(callEvent(event, sequence, ids.next(now_ms), now_ms), endpoints);
	});
	return {
		writes: publications.flatMap(({ writes }) => writes),
		messages: publications.flatMap(({ messages }) => messages),
	};
}

export function callEvent({ kind, data }: CallEvent, sequence: number, id: string, now_ms: number): Event {
	const { id: subject_id, workspace_id } = data;
	return makeEvent({ id, workspace_id, subject_id, kind, sequence, created_at: new Date(now_ms).toISOString(), data });
}

/** Messages are only hints: timers and the sweep find the work of a lost one. */
export async function sendWhatFollows(
	{ call, dial, hang_up, timer_at_ms }: CallChange,
	{ messages }: Publication,
	{ queues, clock }: Pick<CallDeps, 'queues' | 'clock'>,
): Promise<void> {
	const ofLeg = ({ id: leg_id, throttled_until }: Leg): Outgoing<Messages['dial-legs']> => {
		const wait_ms = throttled_until === null ? 0 : Date.parse(throttled_until) - clock.now();
		return { message: { call_id: call.id, leg_id }, delay_seconds: delaySeconds(wait_ms), group: null };
	};
	await Promise.all([
		messages.length > 0 && queues.send('deliveries', messages),
		dial.length > 0 && queues.send('dial-legs', dial.map(ofLeg)),
		hang_up.length > 0 && queues.send('hang-up-legs', hang_up.map(ofLeg)),
		timer_at_ms !== null && queues.send('call-timers', [timer(call.id, timer_at_ms, clock.now())]),
	]);
}

/**
 * What a new call sends. Its first timer goes out beside the commit: if the function dies before it has sent the dials, the timer
 * sends them, and each later change has a timer under way already. A timer whose call was refused finds no call, and does nothing.
 */
export function sendWhatBegins(
	callChange: CallChange,
	publication: Publication,
	deps: Pick<CallDeps, 'queues' | 'clock'>,
): Required<Pick<Proposal<unknown>, 'beside' | 'afterwards'>> {
	const { call, timer_at_ms } = callChange;
	return {
		beside: async () =>
			timer_at_ms !== null && deps.queues.send('call-timers', [timer(call.id, timer_at_ms, deps.clock.now())]),
		afterwards: () => sendWhatFollows({ ...callChange, timer_at_ms: null }, publication, deps),
	};
}

/** A message that arrives at the deadline, or earlier if SQS cannot delay it that long. */
export function timer(call_id: string, at_ms: number, now_ms: number): Outgoing<Messages['call-timers']> {
	return {
		message: { call_id, at: new Date(at_ms).toISOString() },
		delay_seconds: delaySeconds(at_ms - now_ms),
		group: null,
	};
}

export type LegAddress = { readonly call_id: string; readonly leg_id: string };

/** What a provider reported on a leg, as received. */
export type Report = Extract<ReceiveOutcome, { received: 'fact' }>;

export type FactOutcome =
	| { readonly outcome: 'applied' | 'other_leg'; readonly call: CallRecord }
	| { readonly outcome: 'not_found' };

/**
 * Adds a provider's report on a leg to the call. A leg that the call does not have is unknown. A leg's first callback may
 * arrive before the dial has returned, and sets the provider's id; after that, a report with another id belongs to another
 * leg and changes nothing.
 */
export async function applyLegFact(
	{ call_id, leg_id }: LegAddress,
	fact: LegFact,
	deps: CallDeps,
): Promise<FactOutcome> {
	return change<CallRecord | null, FactOutcome>(
		{
			read: () => deps.store.get('call', { id: call_id }),
			decide: async (call) => {
				const leg = call?.legs.find(({ id }) => id === leg_id);
				if (call === null || leg === undefined) return { result: { outcome: 'not_found' } };
				if (!isReportOn(leg, fact.provider_id)) return { result: { outcome: 'other_leg', call } };
				const proposal = await proposeAdvance(call, { input: 'leg_fact', leg_id, fact }, deps);
				return mapProposal(proposal, (after) => ({ outcome: 'applied', call: after }));
			},
		},
		deps.store,
	);
}

/** Applies the provider's report on a leg: the call after it; null if it does not belong to this leg, or the leg does not exist. */
export async function hearProvider(
	{ call_id, leg_id }: LegAddress,
	{ fact, detail, unsigned }: Report,
	deps: CallDeps & { readonly log: Log },
): Promise<Call | null> {
	const at = { call_id, leg_id };
	const about = { detail, ...(unsigned && { code: 'unsigned' }) };
	const result = await applyLegFact(at, fact, deps).catch((error: unknown) => {
		deps.log.warn('callback', { ...at, ...about, outcome: 'not_stored' });
		throw error;
	});
	const { outcome } = result;
	const line = { ...(outcome === 'not_found' ? at : legLine(result.call, leg_id)), ...about, outcome };
	if (outcome === 'applied') deps.log.info('callback', line);
	else deps.log.warn('callback', line);
	return outcome === 'applied' ? result.call : null;
}
