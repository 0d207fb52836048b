import type { Call } from '../../domain/calls/call.ts';
import type { LegLookUp } from '../../domain/calls/call-input.ts';
import { saidOf } from '../../domain/calls/call-input.ts';
import { type CallRecord, isDue, nextTimerOnly } from '../../domain/calls/call-record.ts';
import { silentLegs } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import type { Log } from '../../ports/log.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { advanceCall, type CallDeps, timer } from './advance-call.ts';

type Timer = Messages['call-timers'];
type Deps = CallDeps & { readonly telephony: Telephony; readonly log: Log };

/**
 * Does what is due for a call: first looks up silent legs at the provider, so that decisions use all available facts, then
 * ends what took too long and sends lost messages again. The call's timers call it, and the sweep if a timer is lost; at
 * any other moment it does nothing.
 */
export async function checkDeadlines(message: Timer, deps: Deps): Promise<void> {
	const call = await deps.store.get('call', { id: message.call_id });
	if (call === null) return;
	const moment = { now_ms: deps.clock.now(), speed: deps.speed };
	if (!isDue(call, moment)) return keepWaiting(call, message, moment.now_ms, deps);
	const look_ups = await Promise.all(silentLegs(call, moment).map((leg) => lookUp(call, leg, deps)));
	await passTime(call, message, look_ups, deps);
}

async function lookUp(call: Call, { id: leg_id, provider_id }: Leg, { telephony, log }: Deps): Promise<LegLookUp> {
	const outcome = await telephony.lookup(leg_id, provider_id);
	const report = outcome.lookup === 'found' ? { said: saidOf(outcome.fact) } : {};
	log.info('look-up', { call_id: call.id, leg_id, outcome: outcome.lookup, ...report });
	return { leg_id, answer: outcome.lookup === 'found' ? outcome.fact : outcome.lookup };
}

/** The call's timer, if this message carries or continues it; null if a sooner timer replaced it, or the sweep sent it. */
function ownTimer(call: CallRecord, { at, timer_at }: Timer): string | null {
	const own_timer = timer_at ?? at;
	return call.timer_at === own_timer ? own_timer : null;
}

/**
 * Nothing is due. If the timer arrived early because its time is further away than a message can wait, send it on. If its
 * deadline has moved meanwhile, arm the next. Any other timer was replaced by a sooner one.
 */
async function keepWaiting(call: CallRecord, message: Timer, now_ms: number, deps: Deps): Promise<void> {
	const own_timer = ownTimer(call, message);
	if (message.at === null || own_timer === null) return;
	const at_ms = Date.parse(message.at);
	if (at_ms <= now_ms) await passTime(call, message, [], deps);
	else await deps.queues.send('call-timers', [timer(call.id, at_ms, now_ms, own_timer)]);
}

/** Lets time pass for the call. If that only moves its timer, the message continues and nothing is written. */
async function passTime(call: CallRecord, message: Timer, look_ups: readonly LegLookUp[], deps: Deps): Promise<void> {
	const now_ms = deps.clock.now();
	const own_timer = ownTimer(call, message);
	const at_ms = own_timer === null ? null : nextTimerOnly(call, look_ups, { now_ms, speed: deps.speed });
	if (own_timer === null || at_ms === null) {
		deps.log.info('time passed', { call_id: call.id });
		await advanceCall(call, { input: 'time', look_ups }, deps);
	} else await deps.queues.send('call-timers', [timer(call.id, at_ms, now_ms, own_timer)]);
}
