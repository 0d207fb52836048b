import { createHmac } from 'node:crypto';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { WebhookRequest } from '../../../shared/ports/webhook-sender.ts';
import type { Failure, Receiver } from './faults.ts';
import { currentProcess, onStage, type Post } from './stage.ts';
import { open } from './vault.ts';

/** How old a signature may be, in seconds. A process may stall twice between its signature and its POST. */
const STALE_SECONDS = 400;
const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };

/** Whether the sender of a POST stalled for so long that its lease has expired. */
const hasStalled = ({ at_ms, process }: Post): boolean => at_ms - (process?.started_ms ?? at_ms) > 55_000;

/**
 * Delivers a POST to its simulated receiver. First checks that the event is committed, that the body contains the event's
 * bytes, that the sender holds the lease, that the endpoint is enabled, and that the signatures are valid. The lease is not
 * checked if the sender has stalled, or if a sender that had stalled has delivered the same event: such a sender still records
 * its success, although its lease has expired and this sender holds another. The endpoint's status is not checked if the
 * endpoint changed after the sender started.
 */
export function post({ url, headers, body }: WebhookRequest): Promise<SendResult> {
	const stage = onStage();
	return stage.step('post', async () => {
		const host = new URL(url).hostname;
		const delivery_id = headers['service-delivery'] ?? '';
		const event_id = headers['webhook-id'] ?? '';
		const at_ms = stage.time.now();
		const attempt = Number(headers['service-attempt']);
		const process = currentProcess() ?? null;
		const made: Post = { at_ms, host, delivery_id, event_id, attempt, process, status: null, ended_ms: null };
		stage.outputs.push(body);
		const delivery = await stage.truth.get('delivery', { id: delivery_id });
		if (delivery !== null) {
			stage.posts.push(made);
			stage.tell(host, `gets POST ${attempt} of ${headers['service-event']}`);
			const event = await stage.truth.get('event', { subject_id: delivery.subject_id, kind: delivery.event });
			if (event === null) stage.broken('no POST without a committed event', delivery_id);
			if (event?.body !== body) stage.broken('all POSTs of an event are byte for byte its body', delivery_id);
			const overtaken = stage.posts.some((other) => other.delivery_id === delivery_id && hasStalled(other));
			const leased = delivery.lease_until !== null && Date.parse(delivery.lease_until) > at_ms;
			if (!overtaken && !(leased && delivery.status === 'pending'))
				stage.broken('a POST holds the lease of its delivery', `${delivery_id} ${delivery.status}`);
			const key = { workspace_id: delivery.workspace_id, id: delivery.endpoint_id };
			const endpoint = await stage.truth.get('webhook_endpoint', key);
			const changedMs = stage.endpoint_changes.get(delivery.endpoint_id) ?? 0;
			const meanwhile = endpoint === null || changedMs >= (process?.started_ms ?? at_ms);
			if (endpoint?.status === 'disabled' && !meanwhile)
				stage.broken('a disabled endpoint gets no POST', `${delivery_id} at ${host}`);
			if (endpoint !== null && !meanwhile && !isSigned(headers, body, endpoint, at_ms))
				stage.broken('every POST is signed with the live secrets', delivery_id);
		} else if (!body.includes('"test"') && headers['service-event'] === undefined) {
			stage.broken('no POST without a committed event', delivery_id);
		}
		const receiver = stage.receivers.get(host);
		if (receiver === undefined) throw new Error('there is no such receiver');
		const failure = failureOf(receiver, headers['service-event'] ?? '', at_ms);
		await stage.wait(failure?.takes_ms ?? receiver.takes_ms);
		made.ended_ms = stage.time.now();
		if (failure?.status === null) return { kind: 'failure', error: 'connection_reset', hint: 'gone', timings };
		made.status = failure?.status ?? 200;
		const retryAfter = failure?.retry_after ?? null;
		return {
			kind: 'response',
			status: made.status,
			headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
			body: '',
			timings,
		};
	});
}

/** Verifies a POST as receivers do, with the endpoint's newest secret. */
function isSigned(
	headers: WebhookRequest['headers'],
	body: string,
	{ secrets }: WebhookEndpoint,
	nowMs: number,
): boolean {
	const secret = open(secrets[0]?.sealed ?? '')[1] ?? '';
	const [, t = ''] = /^t=(\d+),/.exec(headers['service-signature'] ?? '') ?? [];
	const service = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
	const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
	const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${t}.${body}`).digest('base64');
	return (
		Math.abs(nowMs / 1000 - Number(t)) < STALE_SECONDS &&
		(headers['service-signature'] ?? '').split(',').includes(`v1=${service}`) &&
		(headers['webhook-signature'] ?? '').split(' ').includes(`v1,${standard}`)
	);
}

/** How the receiver fails for this event at this time. Null if it accepts the event. */
function failureOf({ down, while_down, refuses, refusal }: Receiver, event: string, nowMs: number): Failure | null {
	if (down.some(({ from_ms, to_ms }) => nowMs >= from_ms && nowMs < to_ms)) return while_down;
	return refuses.some((kind) => kind === event) ? refusal : null;
}
