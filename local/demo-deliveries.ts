import * as z from 'zod/mini';
import { attemptRecord, judgeAttempt, type SendResult } from '../shared/domain/webhooks/attempt-outcome.ts';
import type { Attempt, Delivery } from '../shared/domain/webhooks/delivery.ts';
import { decideDelivery, newDelivery } from '../shared/domain/webhooks/delivery-machine.ts';
import type { Event } from '../shared/domain/webhooks/event.ts';
import { obstacleHint } from '../shared/domain/webhooks/receiver-hint.ts';
import { RETRY_SCHEDULE_SECONDS } from '../shared/domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../shared/domain/webhooks/webhook-endpoint.ts';
import type { Write } from '../shared/ports/store.ts';

/**
 * How the receiver answers each attempt. Further attempts get the last answer again. If `status` is null, the receiver does
 * not answer.
 */
export const Answers = z.array(
	z.object({ status: z.nullable(z.number()), body: z.nullable(z.string()), ms: z.number() }),
);
export type Answers = z.infer<typeof Answers>;

const RECEIVED: Answers[number] = { status: 200, body: '{"ok":true}', ms: 38 };

/** An event of the past, with a delivery to each endpoint. Each delivery has ended, because all of its attempts were made. */
export function pastDeliveries(
	event: Event,
	endpoints: readonly WebhookEndpoint[],
	answers: Answers = [RECEIVED],
): readonly Write[] {
	const guard = { if: 'absent' } as const;
	const written = endpoints.flatMap((endpoint): readonly Write[] => {
		const { delivery, attempts } = delivered(newDelivery(event, endpoint, Date.parse(event.created_at)), answers);
		const older = attempts.slice(0, -1).map(({ number, attempt }): Write => {
			const item = { delivery_id: delivery.id, number, attempt, expires_at_epoch_s: delivery.expires_at_epoch_s };
			return { op: 'put', record: 'delivery_attempt', item, guard };
		});
		return [{ op: 'put', record: 'delivery', item: delivery, guard }, ...older];
	});
	return [{ op: 'put', record: 'event', item: event, guard }, ...written];
}

type Tried = { readonly number: number; readonly attempt: Attempt };

/** The delivery after all of its attempts. */
function delivered(start: Delivery, answers: Answers) {
	let delivery = start;
	const attempts: Tried[] = [];
	while (delivery.next_attempt_at !== null) {
		const number = delivery.attempt_count + 1;
		const result = resultOf(answers[Math.min(number, answers.length) - 1] ?? RECEIVED);
		const startedMs = Date.parse(delivery.next_attempt_at);
		const now_ms = startedMs + result.timings.total_ms;
		const attempt = attemptRecord(number, new Date(startedMs).toISOString(), result);
		const outcome = judgeAttempt(result, delivery, { now_ms, random: 0, schedule_seconds: RETRY_SCHEDULE_SECONDS });
		const claim = decideDelivery(delivery, { input: 'claim' }, startedMs);
		const next = claim && decideDelivery(claim, { input: 'attempted', attempt, outcome, claim }, now_ms);
		if (next === null) throw new Error('the delivery took no attempt');
		attempts.push({ number, attempt });
		delivery = next;
	}
	// After a delivery has failed for good, the sweep would still report the failure. Decide that step of the sweep here, too,
	// so that the sweep finds nothing to do.
	const reported = delivery.due_at && decideDelivery(delivery, { input: 'sweep' }, Date.parse(delivery.due_at));
	return { delivery: reported || delivery, attempts };
}

function resultOf({ status, body, ms }: Answers[number]): SendResult {
	const phases = { dns_ms: 2, connect_ms: 4, tls_ms: 9, total_ms: ms };
	if (status === null) {
		const error = 'timeout';
		return { kind: 'failure', error, hint: obstacleHint({ error }), timings: { ...phases, first_byte_ms: null } };
	}
	return { kind: 'response', status, headers: {}, body: body ?? '', timings: { ...phases, first_byte_ms: ms - 1 } };
}
