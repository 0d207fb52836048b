import type { LookedUp } from '../../domain/calls/call-input.ts';
import { type CallRecord, goesOnAt, isDue } from '../../domain/calls/call-record.ts';
import { silentLegs } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { advanceCall, type CallDeps, timer } from './advance-call.ts';

type Timer = Messages['call-timers'];
type Deps = CallDeps & { readonly telephony: Telephony };

/**
 * Does what is due for a call: first looks up silent legs at the provider, so that decisions use all available facts, then
 * ends what took too long and sends lost messages again. The call's timers call it, and the sweep if a timer is lost; at
 * any other moment it does nothing.
 */
export async function checkDeadlines(message: Timer, deps: Deps): Promise<void> {
	const call = await deps.store.get('call', { id: message.call_id });
	if (call === null) return;
	const moment = { now_ms: deps.clock.now(), speed: deps.speed };
	if (!isDue(call, moment)) return waitOn(call, message, moment.now_ms, deps);
	const looked_up = await Promise.all(silentLegs(call, moment).map((leg) => lookUp(leg, deps)));
	await passTime(call, message, looked_up, deps);
}

async function lookUp({ id, provider_id }: Leg, { telephony }: Deps): Promise<LookedUp> {
	const outcome = await telephony.lookup(id, provider_id);
	return { leg_id: id, found: outcome.lookup === 'found' ? outcome.fact : outcome.lookup };
}

/** The timer of the call that this message is or continues; null if a sooner timer replaced it, or the sweep asks. */
function notedAt(call: CallRecord, { at, timer_at }: Timer): string | null {
	const noted_at = timer_at ?? at;
	return call.timer_at === noted_at ? noted_at : null;
}

/**
 * Nothing is due. If the timer arrived early because its time is further away than a message can wait, send it on. If its
 * deadline has moved meanwhile, arm the next. Any other timer was replaced by a sooner one.
 */
async function waitOn(call: CallRecord, message: Timer, now_ms: number, deps: Deps): Promise<void> {
	const noted_at = notedAt(call, message);
	if (message.at === null || noted_at === null) return;
	const at_ms = Date.parse(message.at);
	if (at_ms <= now_ms) await passTime(call, message, [], deps);
	else await deps.queues.send('call-timers', [timer(call.id, at_ms, now_ms, noted_at)]);
}

/** Lets time pass for the call. If that only moves its timer, the message continues and nothing is written. */
async function passTime(call: CallRecord, message: Timer, looked_up: readonly LookedUp[], deps: Deps): Promise<void> {
	const now_ms = deps.clock.now();
	const noted_at = notedAt(call, message);
	const at_ms = noted_at === null ? null : goesOnAt(call, looked_up, { now_ms, speed: deps.speed });
	if (noted_at === null || at_ms === null) await advanceCall(call, { input: 'time', looked_up }, deps);
	else await deps.queues.send('call-timers', [timer(call.id, at_ms, now_ms, noted_at)]);
}
