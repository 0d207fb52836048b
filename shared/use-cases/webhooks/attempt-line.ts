import { definedFields } from '../../domain/kernel/defined-fields.ts';
import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { LogFields } from '../../ports/log-redaction.ts';

/** The log line of an attempt. One line has all facts, because an operator who looks for one fact also needs the others. */
export function attemptLine(
	{ id: delivery_id, workspace_id, endpoint_id, event_id, event, attempt_count, next_attempt_at }: Delivery,
	{ endpoint, event: { subject_id, body } }: { readonly endpoint: WebhookEndpoint; readonly event: Event },
	{ error, response_status, timings: { total_ms, ...phases } }: Attempt,
	attempts_planned: number,
): LogFields {
	return {
		workspace_id,
		endpoint_id,
		event_id,
		event,
		delivery_id,
		...(event === 'callback.requested' ? { lead_id: subject_id } : { call_id: subject_id }),
		attempt: attempt_count,
		attempts_planned,
		bytes: Buffer.byteLength(body),
		code: error ?? 'none',
		duration_ms: Math.round(total_ms),
		breaker: endpoint.health.open_until === null ? 'closed' : 'open',
		...definedFields({ status: response_status ?? undefined, next_attempt_at: next_attempt_at ?? undefined }),
		...measured(phases),
	};
}

/** The phases that the attempt reached, with their times rounded to milliseconds. */
function measured(phases: Omit<Attempt['timings'], 'total_ms'>): LogFields {
	const reached = Object.entries(phases).flatMap(([name, ms]) => (ms === null ? [] : [[name, Math.round(ms)]]));
	return Object.fromEntries(reached);
}
