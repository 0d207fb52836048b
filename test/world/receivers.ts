import type { SendResult } from '../../shared/domain/webhooks/attempt-outcome.ts';
import type { WebhookRequest } from '../../shared/ports/webhook-sender.ts';
import { currentProcess, onStage, type Post } from './stage.ts';

const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };

/** A POST reaches its receiver: only for a committed event, with the event's own bytes, under a lease. */
export function post({ url, headers, body }: WebhookRequest): Promise<SendResult> {
	const stage = onStage();
	return stage.step('post', async () => {
		const host = new URL(url).hostname;
		const delivery_id = headers['service-delivery'] ?? '';
		const event_id = headers['webhook-id'] ?? '';
		const at_ms = stage.time.now();
		const attempt = Number(headers['service-attempt']);
		const process = currentProcess() ?? null;
		const made: Post = { at_ms, host, delivery_id, event_id, attempt, process, status: null };
		stage.outputs.push(body);
		const delivery = await stage.truth.get('delivery', { id: delivery_id });
		if (delivery !== null) {
			stage.posts.push(made);
			stage.tell(host, `gets POST ${attempt} of ${headers['service-event']}`);
			const event = await stage.truth.get('event', { subject_id: delivery.subject_id, kind: delivery.event });
			if (event === null) stage.broken('no POST without a committed event', delivery_id);
			if (event?.body !== body) stage.broken('all POSTs of an event are byte for byte its body', delivery_id);
			const stalled = at_ms - (process?.started_ms ?? at_ms) > 55_000;
			const leased = delivery.lease_until !== null && Date.parse(delivery.lease_until) > at_ms;
			if (!stalled && !(leased && delivery.status === 'pending'))
				stage.broken('a POST holds the lease of its delivery', `${delivery_id} ${delivery.status}`);
			const key = { workspace_id: delivery.workspace_id, id: delivery.endpoint_id };
			const endpoint = await stage.truth.get('webhook_endpoint', key);
			const meanwhile = endpoint === null || Date.parse(endpoint.updated_at) >= (process?.started_ms ?? at_ms);
			if (endpoint?.status === 'disabled' && !meanwhile)
				stage.broken('a disabled endpoint gets no POST', `${delivery_id} at ${host}`);
			if ((headers['service-signature'] ?? '') === '') stage.broken('every POST is signed', delivery_id);
		} else if (!body.includes('"test"') && headers['service-event'] === undefined) {
			stage.broken('no POST without a committed event', delivery_id);
		}
		const receiver = stage.receivers.get(host);
		if (receiver === undefined) throw new Error('there is no such receiver');
		if (receiver.takes_ms > 0) await stage.wait(receiver.takes_ms);
		const well = stage.time.now() >= receiver.recovers_ms;
		if (!well && receiver.answers === null)
			return { kind: 'failure', error: 'connection_reset', hint: 'gone', timings };
		made.status = well ? 200 : (receiver.answers ?? 500);
		const hints = receiver.retry_after === null || well ? {} : { 'retry-after': receiver.retry_after };
		return { kind: 'response', status: made.status, headers: hints, body: '', timings };
	});
}
