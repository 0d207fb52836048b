import type { CallChange } from '../../domain/calls/call-record.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Outgoing } from '../../ports/queues.ts';
import type { Messages } from '../../ports/registry.ts';
import type { Proposal } from '../kernel/unit-of-work.ts';
import { delaySeconds, type Publication } from '../webhooks/event-outbox.ts';

/**
 * Sends the messages that follow a change of a call. If a message is lost, a timer or the sweep does the message's work
 * later.
 */
export async function sendWhatFollows(
	{ call, dial, hang_up, timer_at_ms }: CallChange,
	{ messages }: Publication,
	{ queues, clock }: Pick<Ports, 'queues' | 'clock'>,
): Promise<void> {
	const ofLeg = ({ id: leg_id, throttled_until }: Leg): Outgoing<Messages['dial-legs']> => {
		const waitMs = throttled_until === null ? 0 : Date.parse(throttled_until) - clock.now();
		return { message: { call_id: call.id, leg_id }, delay_seconds: delaySeconds(waitMs), group: null };
	};
	await Promise.all([
		messages.length > 0 && queues.send('deliveries', messages),
		dial.length > 0 && queues.send('dial-legs', dial.map(ofLeg)),
		hang_up.length > 0 && queues.send('hang-up-legs', hang_up.map(ofLeg)),
		timer_at_ms !== null && queues.send('call-timers', [timer(call.id, timer_at_ms, clock.now())]),
	]);
}

/**
 * The two steps that send the messages of a new call. The call's first timer is sent at the same time as the commit. If the
 * function dies before it sends the dials, that timer sends them. If the call was refused, the timer finds no call and does
 * nothing.
 */
export function sendWhatBegins(
	callChange: CallChange,
	publication: Publication,
	deps: Pick<Ports, 'queues' | 'clock'>,
): Required<Pick<Proposal<unknown>, 'beside' | 'afterwards'>> {
	const { call, timer_at_ms } = callChange;
	return {
		beside: async () =>
			timer_at_ms !== null && deps.queues.send('call-timers', [timer(call.id, timer_at_ms, deps.clock.now())]),
		afterwards: () => sendWhatFollows({ ...callChange, timer_at_ms: null }, publication, deps),
	};
}

/** A message that arrives at the deadline. If SQS cannot delay the message that long, the message arrives earlier. */
export function timer(call_id: string, atMs: number, nowMs: number): Outgoing<Messages['call-timers']> {
	return {
		message: { call_id, at: new Date(atMs).toISOString() },
		delay_seconds: delaySeconds(atMs - nowMs),
		group: null,
	};
}
