import type { CallInput } from '../domain/call-input.ts';
import type { Leg } from '../domain/leg.ts';
import type { Messages } from '../ports/queues.ts';
import type { LookupOutcome, Telephony } from '../ports/telephony.ts';
import { advanceCall, type CallDeps, timer } from './advance-call.ts';

/**
 * Does what is due for a call: ends what took too long, asks the provider about silent legs, sends lost messages again.
 * Called by the call's timers, and by the sweep should one be lost.
 */
export async function checkDeadlines(
	{ call_id, at }: Messages['call-timers'],
	deps: CallDeps & { readonly telephony: Telephony },
): Promise<void> {
	const outcome = await advanceCall(call_id, { input: 'time' }, deps);
	if ('refused' in outcome) return;
	const { call, look_up, timer_at_ms } = outcome.decision;
	for (const leg of look_up) {
		const input = inputOf(leg, await deps.telephony.lookup(leg.id, leg.provider_id));
		await advanceCall(call_id, input, deps);
	}
	if (at === null || timer_at_ms !== null || call.timer_at !== at) return;
	const at_ms = Date.parse(at);
	// It came early, on its way to a deadline further off than a message can wait.
	if (at_ms > deps.clock.now()) await deps.queues.send('call-timers', [timer(call_id, at_ms, deps.clock.now())]);
}

function inputOf(leg: Leg, outcome: LookupOutcome): CallInput {
	switch (outcome.lookup) {
		case 'found':
			return { input: 'leg_fact', leg_id: leg.id, fact: outcome.fact };
		case 'missing':
			return { input: 'not_found', leg_id: leg.id };
		case 'unclear':
			return { input: 'unsaid', leg_id: leg.id };
	}
}
