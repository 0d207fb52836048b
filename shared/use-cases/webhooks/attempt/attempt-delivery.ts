import { TIMED_BY_MESSAGE_MS } from '../../../domain/kernel/wake-up.ts';
import { type AttemptOutcome, attemptRecord, judgeAttempt } from '../../../domain/webhooks/attempt-outcome.ts';
import type { Attempt, Delivery } from '../../../domain/webhooks/delivery.ts';
import { askedByMessage, decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import { liveSecrets, type WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { signatureHeaders } from '../../../domain/webhooks/webhook-signature.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { DeliveryMessage, FirstDeliveryMessage } from '../../../ports/registry.ts';
import type { Write } from '../../../ports/store.ts';
import type { SecretVault } from '../../../ports/vault.ts';
import type { WebhookSender } from '../../../ports/webhook-sender.ts';
import { change } from '../../kernel/change.ts';
import { openHeaders } from '../custom-headers.ts';
import { deliveryMessage } from '../publish-event.ts';
import { startOver } from '../resume-endpoint.ts';
import { claimDelivery, putDelivery } from './claim-delivery.ts';
import { type Claim, claimFirst } from './claim-first.ts';
import type { EndpointCache } from './endpoint-cache.ts';
import { noteHealth, type WhenDisabled } from './note-endpoint-health.ts';

export type AttemptDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'log'> & {
	readonly endpoints: EndpointCache;
	readonly vault: Pick<SecretVault, 'openSecret'>;
	readonly sender: Pick<WebhookSender, 'send'>;
	readonly schedule_seconds: readonly number[];
	readonly whenDisabled: WhenDisabled;
};

const USER_AGENT = 'Call-Back-Webhooks/1';

/**
 * One attempt: claim, sign, POST, record. The claim is a write under the delivery's version, so only one of many messages
 * attempts it. It reads the delivery, unless the message carries its event. Drops a message that is not due or belongs to
 * another generation. A failed POST is a normal result: the table has the next attempt before this function ends. After a
 * crash, the sweep finds the delivery when the lease expires.
 */
export async function attemptDelivery(message: FirstDeliveryMessage, deps: AttemptDeps): Promise<void> {
	const first = await claimFirst(message, deps);
	const claim = first === 'undecided' ? await claimStored(message, deps) : first;
	if (claim === null) return;
	const { attempt, outcome } = await attemptOnce(claim, deps);
	if (attempt.error !== null) deps.endpoints.forget(claim.endpoint);
	await record(claim.delivery, attempt, outcome, deps);
	await noteHealth(claim.endpoint, claim.delivery, attempt, deps);
}

/** Reads what the message is about, and claims it. Null if there is no attempt to make. */
async function claimStored(message: DeliveryMessage, deps: AttemptDeps): Promise<Claim | null> {
	const { store, clock } = deps;
	const [delivery, endpoint, event] = await Promise.all([
		store.get('delivery', { id: message.delivery_id }),
		store.get('webhook_endpoint', { workspace_id: message.workspace_id, id: message.endpoint_id }),
		store.get('event', { subject_id: message.subject_id, kind: message.event }),
	]);
	if (delivery === null) return null;
	if (!isAbout(message, delivery)) throw new Error('the message is about another delivery');
	const asked = askedByMessage(delivery, message, clock.now());
	switch (asked) {
		case 'nothing':
			return null;
		case 'start_over':
			await redrive(delivery, deps);
			return null;
		case 'wait_on':
			await requeue(delivery, deps);
			return null;
		case 'attempt':
			return claimDue(delivery, endpoint, event, deps);
	}
}

/** Claims a due delivery, or holds it while its endpoint is disabled, or cancels it if the endpoint or the event is gone. */
async function claimDue(
	delivery: Delivery,
	endpoint: WebhookEndpoint | null,
	event: Event | null,
	deps: AttemptDeps,
): Promise<Claim | null> {
	if (endpoint === null || event === null) {
		await stop(delivery, 'endpoint_deleted', deps);
		return null;
	}
	if (endpoint.status === 'disabled') {
		await hold(delivery, endpoint, deps);
		return null;
	}
	const claimed = await claimDelivery(delivery, endpoint, deps);
	return claimed && { delivery: claimed, endpoint, event };
}

/** The message's other ids were copied from the delivery. */
function isAbout(message: DeliveryMessage, delivery: Delivery): boolean {
	const names = ['workspace_id', 'endpoint_id', 'subject_id', 'event'] as const;
	return names.every((name) => message[name] === delivery[name]);
}

/** It starts over as a new generation, once, even if there are many copies of the pointer. */
async function redrive(delivery: Delivery, deps: AttemptDeps): Promise<void> {
	const again = await startOver(delivery, deps.clock.now(), deps);
	if (again !== null) await deps.queues.send('retries', [again]);
}

/** The message came before its time: send it on with the rest of the delay. The sweep times longer waits. */
async function requeue(delivery: Delivery, { queues, clock }: AttemptDeps): Promise<void> {
	const wait_ms = Date.parse(delivery.next_attempt_at ?? '') - clock.now();
	if (wait_ms > TIMED_BY_MESSAGE_MS) return;
	await queues.send('retries', [deliveryMessage(delivery, wait_ms)]);
}

/** Waits for its endpoint. If the endpoint was enabled meanwhile, start over now; no other process will. */
async function hold(
	delivery: Delivery,
	key: { readonly workspace_id: string; readonly id: string },
	deps: AttemptDeps,
): Promise<void> {
	await stop(delivery, 'endpoint_disabled', deps);
	const [endpoint, held] = await Promise.all([
		deps.store.get('webhook_endpoint', key),
		deps.store.get('delivery', { id: delivery.id }),
	]);
	if (endpoint?.status !== 'enabled' || held?.status !== 'held') return;
	const again = await startOver(held, deps.clock.now(), deps);
	if (again !== null) await deps.queues.send('retries', [again]);
}

async function stop(
	delivery: Delivery,
	input: 'endpoint_deleted' | 'endpoint_disabled',
	{ store, clock }: AttemptDeps,
): Promise<void> {
	const item = decideDelivery(delivery, { input }, clock.now());
	if (item !== null) await store.commit([putDelivery(item, delivery.version)]);
}

async function attemptOnce(
	{ delivery, endpoint, event }: Claim,
	deps: AttemptDeps,
): Promise<{ readonly attempt: Attempt; readonly outcome: AttemptOutcome }> {
	const { clock, ids, sender, schedule_seconds } = deps;
	const number = delivery.attempt_count + 1;
	const started_ms = clock.now();
	const headers = await webhookHeaders(endpoint, event, { delivery_id: delivery.id, attempt: number }, deps);
	const result = await sender.send({ url: endpoint.url, headers, body: event.body });
	const attempt = attemptRecord(number, new Date(started_ms).toISOString(), result);
	const random = (ids.random(1)[0] ?? 0) / 256;
	return { attempt, outcome: judgeAttempt(result, delivery, { now_ms: clock.now(), random, schedule_seconds }) };
}

/** The request headers of a delivery: the sender, the metadata and the signatures. */
export async function webhookHeaders(
	endpoint: WebhookEndpoint,
	event: Pick<Event, 'id' | 'kind' | 'sequence' | 'body'>,
	about: { readonly delivery_id: string; readonly attempt: number },
	{ vault, clock }: Pick<AttemptDeps, 'vault' | 'clock'>,
): Promise<Record<string, string>> {
	const now_ms = clock.now();
	const sealed = liveSecrets(endpoint, now_ms);
	const [custom, ...secrets] = await Promise.all([
		openHeaders(endpoint, vault),
		...sealed.map((secret) => vault.openSecret(secret, endpoint)),
	]);
	return {
		...custom,
		'content-type': 'application/json',
		'user-agent': USER_AGENT,
		'service-event': event.kind,
		'service-delivery': about.delivery_id,
		'service-attempt': String(about.attempt),
		'service-sequence': String(event.sequence),
		...signatureHeaders({ secrets, event_id: event.id, body: event.body, now_ms }),
	};
}

/** Writes the attempt, the state and the next due time together; moves the previous attempt to its own record. */
async function record(leased: Delivery, made: Attempt, outcome: AttemptOutcome, deps: AttemptDeps): Promise<void> {
	const { store, clock } = deps;
	await change<Delivery | null, null>(
		{
			from: leased,
			read: () => store.get('delivery', { id: leased.id }),
			decide: (current) => {
				const input = { input: 'attempted', attempt: made, outcome, claim: leased } as const;
				const item = current === null ? null : decideDelivery(current, input, clock.now());
				if (current === null || item === null) return { result: null };
				return {
					result: null,
					writes: { delivery: putDelivery(item, current.version), older: archived(current) },
					afterwards: () => recorded(item, outcome, deps),
				};
			},
		},
		deps.store,
	);
}

async function recorded(item: Delivery, { outcome }: AttemptOutcome, deps: AttemptDeps): Promise<void> {
	const { id: delivery_id, endpoint_id, event, attempt_count: attempt } = item;
	const code = item.last_attempt?.error ?? 'none';
	deps.log.info('attempt', { delivery_id, endpoint_id, event, attempt, outcome, code });
	if (outcome === 'retry') await requeue(item, deps);
}

function archived({ id: delivery_id, last_attempt, expires_at_epoch_s }: Delivery): readonly Write[] {
	if (last_attempt === null) return [];
	const item = { delivery_id, number: last_attempt.number, attempt: last_attempt, expires_at_epoch_s };
	return [{ op: 'put', record: 'delivery_attempt', item, guard: { if: 'always' } }];
}
