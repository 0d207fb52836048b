import { lowestIdAt } from '../../domain/kernel/id.ts';
import { isUndelivered } from '../../domain/webhooks/delivery.ts';
import { decideDelivery, newDelivery } from '../../domain/webhooks/delivery-machine.ts';
import type { Event } from '../../domain/webhooks/event.ts';
import { REPLAYS_PER_SECOND } from '../../domain/webhooks/retry-schedule.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Put } from '../../ports/store.ts';
import { putNext } from '../kernel/unit-of-work.ts';
import { sendOn } from './event-outbox.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock'>;
export type RecoverInput = {
	readonly workspace_id: string;
	readonly endpoint_id: string;
	readonly since_ms: number;
	/** Null if the recovery ends at the newest event. */
	readonly until_ms: number | null;
	/**
	 * `failed`: only deliveries that failed, are held or were canceled. `missing`: also events of the endpoint's types that
	 * have no delivery to the endpoint.
	 */
	readonly mode: 'failed' | 'missing';
	readonly dry_run: boolean;
	/** `next` of the previous part. Absent for the first part, which starts with the newest event. */
	readonly from?: RecoveryPlace | undefined;
};
export type Recovery =
	| {
			readonly matched: number;
			readonly queued: number;
			/** Where the next part starts. Null if the recovery is complete. */
			readonly next: RecoveryPlace | null;
	  }
	/** The endpoint is disabled. Deliveries that were queued now would be held instead of sent. */
	| { readonly refused: 'endpoint_disabled' };
export type RecoveryPlace = {
	/** The next part handles events older than the event with this id. */
	readonly before_id: string;
	/**
	 * When the next delivery is due. The next part needs this time, so that all parts together do not send more than
	 * `REPLAYS_PER_SECOND`.
	 */
	readonly due_ms: number;
};

const PLACE = /^([0-7][0-9A-HJKMNP-TV-Z]{25})(\d{13})$/;
/**
 * A recovery never plans an attempt further ahead than this. At `REPLAYS_PER_SECOND`, the events of 30 days fit into this
 * time.
 */
const AHEAD_MS = 24 * 3_600_000;

/** The place as the text of a cursor. */
export const writePlace = ({ before_id, due_ms }: RecoveryPlace): string =>
	`${before_id}${String(Math.ceil(due_ms)).padStart(13, '0')}`;
/** Reads a place from the text of a cursor. Null if the text is not a cursor, or if its time is impossible. */
export function readPlace(text: string, nowMs: number): RecoveryPlace | null {
	const [, before_id = '', due = ''] = PLACE.exec(text) ?? [];
	const place = { before_id, due_ms: Number(due) };
	return before_id === '' || place.due_ms > nowMs + AHEAD_MS ? null : place;
}

const PAGE = 100;
/** How long one part of a recovery may take. The gateway times out after 30 s, and a client may time out earlier. */
const PART_MS = 10_000;
const SPACING_MS = 1000 / REPLAYS_PER_SECOND;

/**
 * Sends an endpoint the events that it missed, newest first, spread over time. Each invocation handles one part of these
 * events, until a time limit, but at least one event. Pass `next` of its result as `from` to the next invocation. A part
 * that was interrupted can be repeated: it skips deliveries that have succeeded or are under way. With `dry_run`, this
 * function only counts the events, even if the endpoint is disabled. Null if there is no such endpoint.
 */
export async function recoverDeliveries(input: RecoverInput, deps: Deps): Promise<Recovery | null> {
	const { store, clock } = deps;
	const startedMs = clock.now();
	const endpoint = await store.get('webhook_endpoint', { workspace_id: input.workspace_id, id: input.endpoint_id });
	if (endpoint === null) return null;
	if (!input.dry_run && endpoint.status === 'disabled') return { refused: 'endpoint_disabled' };
	let due_ms = Math.max(input.from?.due_ms ?? 0, startedMs);
	const counts = { matched: 0, queued: 0 };
	for await (const event of eventsIn(input, deps)) {
		const at_ms = Math.max(due_ms, clock.now());
		const write = await sendingAgain(event, endpoint, { mode: input.mode, at_ms }, deps);
		if (write !== null) counts.matched += 1;
		if (write !== null && !input.dry_run && (await store.commit([write])).committed) {
			await sendOn(write.item, deps);
			counts.queued += 1;
			due_ms = Math.max(due_ms, clock.now()) + SPACING_MS;
		}
		if (clock.now() - startedMs >= PART_MS) return { ...counts, next: { before_id: event.id, due_ms } };
	}
	return { ...counts, next: null };
}

/** The write that sends an event to the endpoint again, due at `at_ms`. Null if the endpoint did not miss this event. */
async function sendingAgain(
	event: Event,
	endpoint: WebhookEndpoint,
	{ mode, at_ms }: { readonly mode: RecoverInput['mode']; readonly at_ms: number },
	{ store, clock }: Deps,
): Promise<Put<'delivery'> | null> {
	if (!endpoint.events.includes(event.kind)) return null;
	const created = newDelivery(event, endpoint, at_ms);
	const delivery = await store.get('delivery', { id: created.id });
	if (delivery === null) {
		return mode === 'missing' ? { op: 'put', record: 'delivery', item: created, guard: { if: 'absent' } } : null;
	}
	const again = isUndelivered(delivery) ? decideDelivery(delivery, { input: 'resend', at_ms }, clock.now()) : null;
	return again && putNext('delivery', again);
}

async function* eventsIn(input: RecoverInput, { store }: Deps): AsyncGenerator<Event> {
	const { workspace_id, since_ms, until_ms, from } = input;
	const from_id = lowestIdAt(since_ms);
	let before_id = from?.before_id ?? (until_ms === null ? null : lowestIdAt(until_ms));
	for (;;) {
		const page = await store.list('event', workspace_id, { from_id, before_id, limit: PAGE });
		yield* page;
		const last = page.at(-1);
		if (last === undefined || page.length < PAGE) return;
		before_id = last.id;
	}
}
