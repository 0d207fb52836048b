import { type AttemptOutcome, attemptRecord, judgeAttempt } from '../../../domain/webhooks/attempt-outcome.ts';
import type { Attempt, Delivery } from '../../../domain/webhooks/delivery.ts';
import { decideDelivery } from '../../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../../domain/webhooks/event.ts';
import { liveSecrets, type WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { signatureHeaders } from '../../../domain/webhooks/webhook-signature.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { DeliveryMessage } from '../../../ports/registry.ts';
import type { Write } from '../../../ports/store.ts';
import type { SecretVault } from '../../../ports/vault.ts';
import type { WebhookSender } from '../../../ports/webhook-sender.ts';
import { change } from '../../kernel/change.ts';
import { openHeaders } from '../custom-headers.ts';
import { putDelivery } from '../replay-delivery.ts';
import { claimDelivery } from './claim-delivery.ts';
import { noteHealth, type WhenDisabled } from './note-endpoint-health.ts';
import { sendOn } from './send-on.ts';

export type AttemptDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'log'> & {
	readonly vault: Pick<SecretVault, 'openSecret'>;
	readonly sender: Pick<WebhookSender, 'send'>;
	readonly schedule_seconds: readonly number[];
	readonly whenDisabled: WhenDisabled;
};

const USER_AGENT = 'Call-Back-Webhooks/1';

/**
 * One attempt: read and claim, sign, POST, record, note the endpoint's health. A failed POST is a normal result: the table
 * has the next attempt before this function ends. After a crash, the sweep finds the delivery when the lease has expired.
 */
export async function attemptDelivery(message: DeliveryMessage, deps: AttemptDeps): Promise<void> {
	const { clock, ids, sender, schedule_seconds } = deps;
	const claim = await claimDelivery(message, deps);
	if (claim === null) return;
	const { delivery, endpoint, event } = claim;
	const number = delivery.attempt_count + 1;
	const started_at = new Date(clock.now()).toISOString();
	const headers = await webhookHeaders(endpoint, event, { delivery_id: delivery.id, attempt: number }, deps);
	const result = await sender.send({ url: endpoint.url, headers, body: event.body });
	const attempt = attemptRecord(number, started_at, result);
	const random = (ids.random(1)[0] ?? 0) / 256;
	const outcome = judgeAttempt(result, delivery, { now_ms: clock.now(), random, schedule_seconds });
	await record(delivery, attempt, outcome, deps);
	await noteHealth(endpoint, attempt, deps);
}

/** The request headers of a delivery: the sender, the metadata and the signatures. */
export async function webhookHeaders(
	endpoint: WebhookEndpoint,
	event: Pick<Event, 'id' | 'kind' | 'sequence' | 'body'>,
	about: { readonly delivery_id: string; readonly attempt: number },
	{ vault, clock }: Pick<AttemptDeps, 'vault' | 'clock'>,
): Promise<Record<string, string>> {
	const now_ms = clock.now();
	const [custom, ...secrets] = await Promise.all([
		openHeaders(endpoint, vault),
		...liveSecrets(endpoint, now_ms).map((secret) => vault.openSecret(secret, endpoint)),
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
async function record(leased: Delivery, attempt: Attempt, outcome: AttemptOutcome, deps: AttemptDeps): Promise<void> {
	const { store, clock } = deps;
	const input = { input: 'attempted', attempt, outcome, claim: leased } as const;
	await change<Delivery | null, null>(
		{
			from: leased,
			read: () => store.get('delivery', { id: leased.id }),
			decide: (current) => {
				const item = current === null ? null : decideDelivery(current, input, clock.now());
				if (current === null || item === null) return { result: null };
				return {
					result: null,
					writes: { delivery: putDelivery(item, current.version), older: archived(current) },
					afterwards: () => recorded(item, outcome, deps),
				};
			},
		},
		store,
	);
}

async function recorded(item: Delivery, { outcome }: AttemptOutcome, deps: AttemptDeps): Promise<void> {
	const { id: delivery_id, endpoint_id, event, attempt_count: attempt } = item;
	const code = item.last_attempt?.error ?? 'none';
	deps.log.info('attempt', { delivery_id, endpoint_id, event, attempt, outcome, code });
	if (outcome === 'retry') await sendOn(item, deps);
}

function archived({ id: delivery_id, last_attempt, expires_at_epoch_s }: Delivery): readonly Write[] {
	if (last_attempt === null) return [];
	const item = { delivery_id, number: last_attempt.number, attempt: last_attempt, expires_at_epoch_s };
	return [{ op: 'put', record: 'delivery_attempt', item, guard: { if: 'always' } }];
}
