import { attemptSpanId, traceparentOf } from '../../domain/kernel/trace-context.ts';
import {
	type AttemptOutcome,
	attemptRecord,
	judgeAttempt,
	type SendResult,
} from '../../domain/webhooks/attempt-outcome.ts';
import { allowAttempt, healthSignalOf } from '../../domain/webhooks/circuit-breaker.ts';
import type { Attempt, Delivery } from '../../domain/webhooks/delivery.ts';
import { deliveryHeaders } from '../../domain/webhooks/delivery-headers.ts';
import { type DeliveryInput, decideDelivery, taskOf } from '../../domain/webhooks/delivery-machine.ts';
import { decideEndpoint } from '../../domain/webhooks/endpoint-machine.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { liveSecrets, signatureHeaders } from '../../domain/webhooks/webhook-signature.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeliveryMessage } from '../../ports/registry.ts';
import type { Write } from '../../ports/store.ts';
import type { SecretVault } from '../../ports/vault.ts';
import type { WebhookSender } from '../../ports/webhook-sender.ts';
import { change, type Proposal, putNext } from '../kernel/unit-of-work.ts';
import { attemptLine } from './attempt-line.ts';
import { openHeaders } from './custom-headers.ts';
import { sendOn } from './event-outbox.ts';
import { resendDelivery } from './resend-delivery.ts';

export type AttemptDeps = Pick<Ports, 'store' | 'queues' | 'clock' | 'ids' | 'log'> & {
	readonly vault: Pick<SecretVault, 'openSecret'>;
	readonly sender: Pick<WebhookSender, 'send'>;
	readonly schedule_seconds: readonly number[];
	/** Returns the writes to commit together with an endpoint that an attempt disables. */
	readonly whenDisabled: (endpoint: WebhookEndpoint, nowMs: number) => readonly Write[];
};

/**
 * Makes one attempt: reads, claims, signs, POSTs, records the result, and updates the endpoint's health. A failed POST is a
 * normal result: the time of the next attempt is stored before this function ends. If the function crashes, the sweep finds
 * the delivery when its lease has expired.
 */
export async function attemptDelivery(message: DeliveryMessage, deps: AttemptDeps): Promise<void> {
	const { store, clock, ids, schedule_seconds } = deps;
	const claim = await change<ClaimState, Claim | null>(
		{ read: () => readTogether(message, deps), decide: (claimState) => claimIfDue(claimState, message, deps) },
		store,
	);
	// If this process was paused for longer than its lease, another process makes the attempt.
	if (claim === null || clock.now() >= Date.parse(claim.delivery.lease_until ?? '')) return;
	const { delivery, endpoint, event } = claim;
	const about = { delivery_id: delivery.id, number: delivery.attempt_count + 1 };
	const { result, attempt } = await signAndPost(endpoint, event, about, deps);
	const random = randomOf(ids);
	const outcome = judgeAttempt(result, delivery, { now_ms: clock.now(), random, schedule_seconds });
	await record({ delivery, endpoint, event }, attempt, outcome, deps);
	await noteHealth(endpoint, attempt, outcome, deps);
}

const randomOf = (ids: AttemptDeps['ids']): number => (ids.random(1)[0] ?? 0) / 256;

type ClaimState = {
	readonly delivery: Delivery | null;
	readonly endpoint: WebhookEndpoint | null;
	readonly event: Event | null;
};
/** The records that the message names. This process holds the delivery's lease. */
type Claim = { readonly [F in keyof ClaimState]: NonNullable<ClaimState[F]> };

async function readTogether(message: DeliveryMessage, { store }: Pick<AttemptDeps, 'store'>): Promise<ClaimState> {
	const { delivery_id, workspace_id, endpoint_id, subject_id, event: kind } = message;
	const [delivery, endpoint, event] = await Promise.all([
		store.get('delivery', { id: delivery_id }),
		store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		store.get('event', { subject_id, kind }),
	]);
	return { delivery, endpoint, event };
}

/**
 * Leases the delivery under its version, so that only one of several messages makes the attempt. Returns null if no attempt
 * is to be made now, for example because the message is too early, because the message has an older generation than the
 * delivery, because the endpoint is disabled or deleted or no longer subscribes to the event type, or because the endpoint's
 * circuit breaker is open.
 */
function claimIfDue(
	{ delivery, endpoint, event }: ClaimState,
	message: DeliveryMessage,
	deps: AttemptDeps,
): Proposal<Claim | null> {
	const nowMs = deps.clock.now();
	if (delivery === null) return NO_ATTEMPT;
	if (!isAbout(message, delivery)) throw new Error('the message is about another delivery');
	const task = taskOf(delivery, message, nowMs);
	if (task === 'nothing') return NO_ATTEMPT;
	if (task === 'replay') return { result: null, afterwards: () => resendDelivery(delivery, deps) };
	if (task === 'keep_waiting') return { result: null, afterwards: () => sendOn(delivery, deps) };
	if (endpoint === null || event === null) return propose(delivery, { input: 'endpoint_deleted' }, nowMs);
	// A manual retry is delivered even if the endpoint no longer subscribes to the event type.
	const isWanted = endpoint.events.includes(event.kind) || delivery.is_manual_retry;
	if (!isWanted) return propose(delivery, { input: 'unsubscribed' }, nowMs);
	if (endpoint.status === 'disabled') {
		return propose(delivery, { input: 'endpoint_disabled' }, nowMs, () => restartIfEnabled(delivery, deps));
	}
	const health = allowAttempt(endpoint.health, delivery, nowMs);
	if (health === null) {
		return propose(delivery, { input: 'wait', random: randomOf(deps.ids) }, nowMs, (item) => sendOn(item, deps));
	}
	const leasedDelivery = decideDelivery(delivery, { input: 'claim' }, nowMs);
	if (leasedDelivery === null) return NO_ATTEMPT;
	const lease = putNext('delivery', leasedDelivery);
	if (health === endpoint.health) return { result: { delivery: leasedDelivery, endpoint, event }, writes: { lease } };
	const probedEndpoint = { ...endpoint, version: endpoint.version + 1, health };
	return {
		result: { delivery: leasedDelivery, endpoint: probedEndpoint, event },
		writes: { lease, probe: putNext('webhook_endpoint', probedEndpoint) },
	};
}

const NO_ATTEMPT = { result: null } as const;

/**
 * Whether the message names the same workspace, endpoint, subject and event as the delivery. These names were copied from
 * the delivery when the message was sent.
 */
function isAbout(message: DeliveryMessage, delivery: Delivery): boolean {
	const names = ['workspace_id', 'endpoint_id', 'subject_id', 'event'] as const;
	return names.every((name) => message[name] === delivery[name]);
}

function propose(
	delivery: Delivery,
	input: DeliveryInput,
	nowMs: number,
	afterwards: (item: Delivery) => Promise<unknown> = async () => undefined,
): Proposal<null> {
	const item = decideDelivery(delivery, input, nowMs);
	if (item === null) return NO_ATTEMPT;
	return { result: null, writes: { delivery: putNext('delivery', item) }, afterwards: () => afterwards(item) };
}

/**
 * The endpoint may have been enabled while this process was putting the delivery on hold. In that case, no other process
 * would restart the delivery, so this process does.
 */
async function restartIfEnabled({ id, workspace_id, endpoint_id }: Delivery, deps: AttemptDeps): Promise<void> {
	const [endpoint, current] = await Promise.all([
		deps.store.get('webhook_endpoint', { workspace_id, id: endpoint_id }),
		deps.store.get('delivery', { id }),
	]);
	if (endpoint?.status === 'enabled' && current?.status === 'held') await resendDelivery(current, deps);
}

/** Signs an event with every live secret and POSTs it once. Returns the outcome and the record of the attempt. */
export async function signAndPost(
	endpoint: WebhookEndpoint,
	event: Pick<Event, 'id' | 'subject_id' | 'kind' | 'sequence' | 'body'>,
	about: { readonly delivery_id: string; readonly number: number },
	{ vault, clock, sender }: Pick<AttemptDeps, 'vault' | 'clock' | 'sender'>,
): Promise<{ readonly result: SendResult; readonly attempt: Attempt }> {
	const now_ms = clock.now();
	const [custom, ...secrets] = await Promise.all([
		openHeaders(endpoint, vault),
		...liveSecrets(endpoint, now_ms).map((secret) => vault.openSecret(secret, endpoint)),
	]);
	const headers = {
		// With this header, the receiver's tracing continues the trace of the call or lead. If the endpoint has a custom
		// header of the same name, the custom header is sent instead.
		traceparent: traceparentOf(event.subject_id, attemptSpanId(about.delivery_id, about.number)),
		...custom,
		...deliveryHeaders(event, about),
		...signatureHeaders({ secrets, event_id: event.id, body: event.body, now_ms }),
	};
	const result = await sender.send({ url: endpoint.url, headers, body: event.body });
	return { result, attempt: attemptRecord(about.number, new Date(now_ms).toISOString(), result) };
}

/**
 * Stores the attempt, the delivery's new state and its next due time in one commit. Moves the previous attempt to a
 * record of its own.
 */
async function record(claim: Claim, attempt: Attempt, outcome: AttemptOutcome, deps: AttemptDeps): Promise<void> {
	const { store, clock } = deps;
	const { delivery } = claim;
	const input = { input: 'attempted', attempt, outcome, claim: delivery } as const;
	await change<Delivery | null, null>(
		{
			from: delivery,
			read: () => store.get('delivery', { id: delivery.id }),
			decide: (current) => {
				const item = current && decideDelivery(current, input, clock.now());
				if (current === null || item === null) return { result: null };
				return {
					result: null,
					writes: { delivery: putNext('delivery', item), older: archiveAttempt(current) },
					afterwards: () => afterRecord(item, claim, attempt, outcome, deps),
				};
			},
		},
		store,
	);
}

function archiveAttempt({ id: delivery_id, last_attempt, expires_at_epoch_s }: Delivery): readonly Write[] {
	if (last_attempt === null) return [];
	const item = { delivery_id, number: last_attempt.number, attempt: last_attempt, expires_at_epoch_s };
	return [{ op: 'put', record: 'delivery_attempt', item, guard: { if: 'always' } }];
}

async function afterRecord(
	item: Delivery,
	claim: Claim,
	attempt: Attempt,
	{ outcome }: AttemptOutcome,
	deps: AttemptDeps,
): Promise<void> {
	deps.log.info('attempt', { ...attemptLine(item, claim, attempt, deps.schedule_seconds.length), outcome });
	if (outcome === 'retry') await sendOn(item, deps);
}

/**
 * Updates the endpoint's health after an attempt. Concurrent failures are written one after another. If the endpoint was
 * healthy when the delivery was claimed, a success reads and writes nothing, because reading the endpoint again would cost
 * a quarter more processor time for every delivery. The circuit breaker may have opened during the attempt. But the attempt
 * began before the circuit breaker opened, so its success does not show that the receiver works again. Only a probe or a
 * manual retry shows that. A probe follows soon: the first probe may succeed 13 s after the circuit breaker has opened.
 */
async function noteHealth(
	endpoint: WebhookEndpoint,
	attempt: Attempt,
	outcome: AttemptOutcome,
	deps: AttemptDeps,
): Promise<void> {
	const { store, clock, whenDisabled } = deps;
	const { workspace_id, id } = endpoint;
	const input = {
		input: 'attempted',
		signal: healthSignalOf(attempt, outcome),
		started_ms: Date.parse(attempt.started_at),
	} as const;
	await change<WebhookEndpoint | null, null>(
		{
			from: endpoint,
			read: () => store.get('webhook_endpoint', { workspace_id, id }),
			decide: (before) => {
				const after = before && decideEndpoint(before, input, clock.now());
				if (before === null || after === null) return { result: null };
				const disabled = after.status !== before.status;
				return {
					result: null,
					writes: {
						endpoint: putNext('webhook_endpoint', after),
						also: disabled ? whenDisabled(after, clock.now()) : [],
					},
					afterwards: async () => logHealth(before, after, deps),
				};
			},
		},
		store,
	);
}

function logHealth(
	before: WebhookEndpoint,
	{ id: endpoint_id, ...after }: WebhookEndpoint,
	{ log }: AttemptDeps,
): void {
	const was = before.health;
	const is = after.health;
	const warning = is.warned.length > was.warned.length ? is.warned.at(-1) : undefined;
	if (warning !== undefined) log.warn('endpoint failing', { endpoint_id, outcome: warning });
	if (after.status !== before.status)
		log.warn('endpoint disabled', { endpoint_id, outcome: after.disabled_reason ?? '' });
	if ((is.open_until === null) === (was.open_until === null)) return;
	log.info('breaker', { endpoint_id, outcome: is.open_until === null ? 'closed' : 'opened' });
}
