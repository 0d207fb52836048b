import { lowestIdAt } from '../shared/domain/kernel/id.ts';
import type { Delivery, DeliveryStatus } from '../shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../shared/domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../shared/ports/ports.ts';
import { everyItem } from '../shared/use-cases/kernel/list-page.ts';
import {
	type RecoverInput,
	type RecoveryPlace,
	recoverDeliveries,
} from '../shared/use-cases/webhooks/recover-deliveries.ts';
import { OperatorError } from './operator-error.ts';
import type { Session } from './session.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;
type EndpointKey = { readonly workspace_id: string; readonly id: string };

async function endpointAt(key: EndpointKey, { store }: Deps): Promise<WebhookEndpoint> {
	const endpoint = await store.get('webhook_endpoint', key);
	if (endpoint === null) throw new OperatorError('the workspace has no endpoint with this id');
	return endpoint;
}

const breakerIn = ({ health: { open_until } }: WebhookEndpoint): string =>
	open_until === null ? 'closed' : `open; one attempt passes at ${open_until} or later`;

type Counts = Record<DeliveryStatus, number>;

function advice(endpoint: WebhookEndpoint, counts: Counts): string {
	if (endpoint.status === 'disabled') {
		return (
			`It is disabled (${endpoint.disabled_reason}). Its owner repairs it, enables it, then recovers what was held. ` +
			'Held deliveries are kept for 30 days.'
		);
	}
	if (endpoint.health.failing_since !== null) {
		return (
			'It keeps failing: its owner has to fix it. Retries continue by themselves; ' +
			'after 5 days without a success it is disabled.'
		);
	}
	if (counts.failed + counts.held > 0) {
		return 'It works. Its owner can run recover to send failed and held deliveries again.';
	}
	return 'Nothing: all is well.';
}

/** The health of an endpoint, and how many of its deliveries since `sinceMs` have each status. */
export async function endpointStatus(key: EndpointKey, sinceMs: number, deps: Deps, session: Session) {
	const endpoint = await endpointAt(key, deps);
	const counts: Counts = { pending: 0, succeeded: 0, failed: 0, held: 0, canceled: 0 };
	let last: Delivery | null = null;
	let readCount = 0;
	const range = { from_id: lowestIdAt(sinceMs), before_id: null, part: { endpoint_id: key.id } };
	for await (const delivery of everyItem('delivery', key.workspace_id, range, deps.store)) {
		if (session.stopped()) break;
		readCount += 1;
		session.progress(() => ({
			text: `deliveries of the endpoint read: ${readCount}, up to ${delivery.created_at}`,
			share: shareOf(delivery, sinceMs, deps.clock.now()),
		}));
		counts[delivery.status] += 1;
		if ((delivery.last_attempt?.started_at ?? '') > (last?.last_attempt?.started_at ?? '')) last = delivery;
	}
	const { health } = endpoint;
	return {
		endpoint_id: endpoint.id,
		origin: new URL(endpoint.url).origin,
		events: endpoint.events,
		status: endpoint.status,
		disabled_reason: endpoint.disabled_reason,
		failing_since: health.failing_since,
		consecutive_failures: health.consecutive_failures,
		breaker: breakerIn(endpoint),
		counted_since: new Date(sinceMs).toISOString(),
		complete: !session.stopped(),
		deliveries: counts,
		last_attempt: lastAttempt(last),
		what_to_do: advice(endpoint, counts),
	};
}

/**
 * How much of the range of time lies before this delivery, from 0 to 1. Deliveries are read in the order of their creation.
 */
const shareOf = ({ created_at }: Delivery, sinceMs: number, untilMs: number): number =>
	(Date.parse(created_at) - sinceMs) / Math.max(1, untilMs - sinceMs);

function lastAttempt(delivery: Delivery | null) {
	if (delivery?.last_attempt == null) return null;
	const { started_at, response_status, error, hint } = delivery.last_attempt;
	return { delivery_id: delivery.id, started_at, response_status, error, hint };
}

/** Notes how many deliveries to the endpoint are held, and which command sends them. */
export async function noteHeld({ workspace_id, id }: EndpointKey, { store }: Deps, session: Session): Promise<void> {
	const range = { from_id: null, before_id: null, part: { status: 'held' } } as const;
	let count = 0;
	let since: string | null = null;
	for await (const delivery of everyItem('delivery', workspace_id, range, store)) {
		if (session.stopped()) return;
		if (delivery.endpoint_id !== id) continue;
		count += 1;
		since ??= delivery.created_at;
	}
	if (since !== null) session.note(`${count} held since ${since}; endpoint recover --since ${since} sends them again.`);
}

/**
 * Recovers an endpoint part by part until nothing is left, or until the operator presses Ctrl-C. Deliveries that are queued
 * by then are still sent.
 */
export async function recoverEndpoint(
	input: Omit<RecoverInput, 'from'>,
	deps: Pick<Ports, 'store' | 'queues' | 'clock'>,
	session: Session,
) {
	const counts = { matched: 0, queued: 0 };
	let from: RecoveryPlace | undefined;
	do {
		const part = await recoverDeliveries({ ...input, from }, deps);
		if (part === null) throw new OperatorError('the workspace has no endpoint with this id');
		if ('refused' in part) throw new OperatorError('the endpoint is disabled: enable it first, or add --dry-run');
		counts.matched += part.matched;
		counts.queued += part.queued;
		from = part.next ?? undefined;
		session.progress(() => ({ text: `missed: ${counts.matched}, queued: ${counts.queued}` }));
	} while (from !== undefined && !session.stopped());
	return { endpoint_id: input.endpoint_id, dry_run: input.dry_run, ...counts, complete: from === undefined };
}
