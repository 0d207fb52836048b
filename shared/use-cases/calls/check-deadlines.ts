import type { Call } from '../../domain/calls/call.ts';
import type { LookedUp } from '../../domain/calls/call-input.ts';
import { isDue, silentLegs } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { advanceCall, type CallDeps, timer } from './advance-call.ts';

type Deps = CallDeps & { readonly telephony: Telephony };

/**
 * Does what is due for a call: first looks up silent legs at the provider, so that decisions use all available facts, then
 * ends what took too long and sends lost messages again. The call's timers call it, and the sweep if a timer is lost; at
 * any other moment it does nothing.
 */
export async function checkDeadlines({ call_id, at }: Messages['call-timers'], deps: Deps): Promise<void> {
	const call = await deps.store.get('call', { id: call_id });
	if (call === null) return;
	const moment = { now_ms: deps.clock.now(), speed: deps.speed };
	if (!isDue(call, moment)) return waitOn(call, at, moment.now_ms, deps);
	const looked_up = await Promise.all(silentLegs(call, moment).map((leg) => lookUp(leg, deps)));
	await advanceCall(call_id, { input: 'time', looked_up }, deps);
}

async function lookUp({ id, provider_id }: Leg, { telephony }: Deps): Promise<LookedUp> {
	const outcome = await telephony.lookup(id, provider_id);
	return { leg_id: id, found: outcome.lookup === 'found' ? outcome.fact : outcome.lookup };
}

/**
 * Nothing is due. If the timer arrived early because its time is further away than a message can wait, send it on. If its
 * deadline has moved meanwhile, arm the next. Any other timer was replaced by a sooner one.
 */
async function waitOn(call: Call, at: string | null, now_ms: number, deps: Deps): Promise<void> {
	if (at === null || call.timer_at !== at) return;
	if (Date.parse(at) > now_ms) await deps.queues.send('call-timers', [timer(call.id, Date.parse(at), now_ms)]);
	else await advanceCall(call.id, { input: 'time', looked_up: [] }, deps);
}
