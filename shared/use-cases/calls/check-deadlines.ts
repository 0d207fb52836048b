import type { Call } from '../../domain/calls/call.ts';
import type { LegLookUp } from '../../domain/calls/call-input.ts';
import { detailOf } from '../../domain/calls/call-input.ts';
import { type CallRecord, isDue } from '../../domain/calls/call-record.ts';
import { silentLegs } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import type { Log } from '../../ports/log.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { advanceCall, type CallDeps } from './advance-call.ts';
import { timer } from './follow-ups.ts';
import { legLine } from './leg-line.ts';

type Timer = Messages['call-timers'];
type Deps = CallDeps & { readonly telephony: Telephony; readonly log: Log };

/**
 * Does what is due for a call. This function first asks the provider about legs on which the provider has not reported, so
 * that all facts are known. Then the function ends the call, or the legs, that have taken too long, and sends lost messages
 * again. The call's timers start this function. If a timer was lost, the sweep starts this function.
 */
export async function checkDeadlines(message: Timer, deps: Deps): Promise<void> {
	const call = await deps.store.get('call', { id: message.call_id });
	if (call === null) return;
	const moment = { now_ms: deps.clock.now(), speed: deps.speed };
	if (!isDue(call, moment)) return keepWaiting(call, message, moment.now_ms, deps);
	const lookUps = await Promise.all(silentLegs(call, moment).map((leg) => lookUp(call, leg, deps)));
	await passTime(call, lookUps, deps);
}

async function lookUp(call: Call, { id: leg_id, provider_id }: Leg, { telephony, log }: Deps): Promise<LegLookUp> {
	const outcome = await telephony.lookup(leg_id, provider_id);
	const report = outcome.lookup === 'found' ? { detail: detailOf(outcome.fact) } : {};
	log.info('look-up', { ...legLine(call, leg_id), outcome: outcome.lookup, ...report });
	return { leg_id, answer: outcome.lookup === 'found' ? outcome.fact : outcome.lookup };
}

/**
 * Handles a timer when nothing is due. A timer that came early, because SQS cannot delay a message long enough, is sent
 * again. If the timer's deadline has moved, a timer for the new deadline is sent. If the message is not the call's current
 * timer, nothing happens.
 */
async function keepWaiting(call: CallRecord, { at }: Timer, nowMs: number, deps: Deps): Promise<void> {
	if (at === null || call.timer_at !== at) return;
	const atMs = Date.parse(at);
	if (atMs <= nowMs) await passTime(call, [], deps);
	else await deps.queues.send('call-timers', [timer(call.id, atMs, nowMs)]);
}

async function passTime(call: CallRecord, look_ups: readonly LegLookUp[], deps: Deps): Promise<void> {
	const { id: call_id, workspace_id, status: call_status } = call;
	deps.log.info('deadline', { workspace_id, call_id, call_status });
	await advanceCall(call, { input: 'time', look_ups }, deps);
}
