import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { Attempt, Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/endpoint-health.ts';
import { type Event, type EventKind, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { disabledNoticeWrites } from '../../../shared/use-cases/leads/endpoint-notice.ts';
import { sweep } from '../../../shared/use-cases/operations/sweep.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt/attempt-delivery.ts';
import { publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { agenda } from '../calls/agenda.ts';
import { Killed, mortal, type Strike } from '../calls/mortal.ts';
import { memoryStore } from '../memory-store.ts';

// Deliveries from the commit of an event to their end, in virtual time: processes that are killed or stand still,
// messages that are lost, late or doubled, receivers that answer as told.

export const START_MS = Date.parse('2026-11-09T12:00:00.000Z');
export const WORKSPACE = '01K0000000000000000000000W';
const DAY_MS = 24 * 3_600_000;
const GIVE_UP_MS = 29 * DAY_MS;
const RECEIVED_AGAIN_MS = 30_000;
const MOST_RECEIVES = 5;
const MINUTE_MS = 60_000;
/** This share of messages is lost or duplicated; if it were all of them, nothing would ever end. */
const MOST_ODD = 12;
const MOST_THINGS = 30_000;

/** `null`: the connection ends without an answer. */
export type Reply = { readonly status: number | null; readonly retry_after?: string; readonly takes_ms?: number };
export type Receiver = {
	readonly events: readonly EventKind[];
	readonly status: WebhookEndpoint['status'];
	/** To its first requests; then `after` for ever. */
	readonly replies: readonly Reply[];
	readonly after: Reply;
	/** What it makes of each request; in place of both. */
	readonly answer?: (request: Asked) => Reply;
};
/** A request as a receiver sees it: the type of its event, which POST of this event it is, and when it comes. */
export type Asked = { readonly event: string; readonly event_id: string; readonly nth: number; readonly at_ms: number };
/** What becomes of a message on its way. */
export type Way = { readonly lost: boolean; readonly delay_ms: number; readonly copies: number };
export type Scene = {
	readonly receivers: readonly Receiver[];
	readonly events: readonly { readonly at_ms: number; readonly kind: EventKind }[];
	readonly schedule_seconds: readonly number[];
	/** In turn; none: every message arrives once, at its time. */
	readonly ways: readonly Way[];
	/** How long processes stall at the first calls of the store. */
	readonly stalls_ms: readonly number[];
	/** Jitter, 0 to 255, in turn. */
	readonly randoms: readonly number[];
};
export type Post = {
	readonly at_ms: number;
	readonly endpoint_id: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly before: Delivery['status'] | 'none';
};
export type Told = { readonly delivery: Delivery; readonly attempts: readonly Attempt[] };

const inTurn = <T>(list: readonly T[], otherwise: T): (() => T) => {
	let next = 0;
	return () => list[next++ % list.length] ?? otherwise;
};

export function endpointOf({ events, status }: Receiver, position: number): WebhookEndpoint {
	const created_at = new Date(START_MS).toISOString();
	return {
		id: derivedId(START_MS, `endpoint ${position}`),
		version: 1,
		workspace_id: WORKSPACE,
		url: `https://receiver-${position}.example/`,
		description: null,
		events,
		status,
		disabled_reason: status === 'disabled' ? 'manual' : null,
		secrets: [{ sealed: 'whsec_AAAA', expires_at: null }],
		header_names: [],
		sealed_headers: null,
		health: HEALTHY,
		created_at,
		updated_at: created_at,
	};
}

const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };
function resultOf({ status, retry_after }: Reply): SendResult {
	if (status === null) return { kind: 'failure', error: 'connection_reset', hint: 'gone', timings };
	return {
		kind: 'response',
		status,
		headers: retry_after === undefined ? {} : { 'retry-after': retry_after },
		body: '',
		timings,
	};
}

/** Lets everything run on that waits for nothing but other code. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

export async function runDeliveries(scene: Scene, strike: Strike = () => null) {
	const time = agenda(START_MS);
	const truth = memoryStore();
	const endpoints = scene.receivers.map(endpointOf);
	const events: Event[] = [];
	const posts: Post[] = [];
	const dead: string[] = [];
	const failures: string[] = [];
	const due = new Map<string, string>();
	const log: { message: string; outcome: unknown; at_ms: number }[] = [];
	let steps = 0;
	let kills = 0;
	let busy = 0;
	let odd = 0;
	let things = 0;
	let writes_of_deliveries = 0;
	let writes_of_endpoints = 0;
	let sweep_at_ms = Number.POSITIVE_INFINITY;
	const way = inTurn<Way>(scene.ways, { lost: false, delay_ms: 0, copies: 1 });
	const stalls = [...scene.stalls_ms];
	const stall = () => stalls.shift() ?? 0;
	const random = inTurn(scene.randoms, 0);
	const step = () => {
		const struck = strike(steps++);
		if (struck !== null) kills += 1;
		return struck;
	};
	const wait = (ms: number) => new Promise<void>((resolve) => (ms === 0 ? resolve() : time.after(ms, resolve)));

	const store: Store = {
		...truth,
		async get(record, key) {
			await wait(stall());
			return await truth.get(record, key);
		},
		async commit(writes) {
			await wait(stall());
			const outcome = await truth.commit(writes);
			if (!outcome.committed) return outcome;
			for (const write of writes) {
				if (write.op === 'remove' && write.record === 'resumption') due.delete(`resumption ${write.key.id}`);
				if (write.op !== 'put') continue;
				if (write.record === 'event') events.push(write.item);
				if (write.record === 'resumption') due.set(`resumption ${write.item.id}`, write.item.due_at);
				if (write.record === 'delivery') writes_of_deliveries += 1;
				if (write.record === 'webhook_endpoint') writes_of_endpoints += 1;
				if (write.record !== 'delivery') continue;
				if (write.item.due_at === null) due.delete(write.item.id);
				else due.set(write.item.id, write.item.due_at);
			}
			planSweep();
			return outcome;
		},
	};
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message, delay_seconds } of messages) {
				if (!('delivery_id' in message)) continue;
				if (queue === 'dead-letters') {
					dead.push(message.delivery_id);
					continue;
				}
				const { lost, delay_ms, copies } = way();
				const run = () => attemptDelivery(message, deps);
				const meant = lost ? 0 : copies;
				const times = odd < MOST_ODD ? meant : 1;
				odd += times === 1 ? 0 : 1;
				for (let copy = 1; copy <= times; copy += 1)
					time.after(delay_seconds * 1000 + delay_ms * copy, () => start(run, MOST_RECEIVES));
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const answered = new Map<string, number>();
	const postsOf = new Map<string, number>();
	const sender = {
		async send({ headers, body, url }: { headers: Readonly<Record<string, string>>; body: string; url: string }) {
			const position = endpoints.findIndex((endpoint) => endpoint.url === url);
			const receiver = scene.receivers[position];
			const id = headers['service-delivery'] ?? '';
			const now = await truth.get('delivery', { id });
			const nth = answered.get(url) ?? 0;
			answered.set(url, nth + 1);
			const endpoint_id = endpoints[position]?.id ?? '';
			posts.push({ at_ms: time.now(), endpoint_id, headers, body, before: now?.status ?? 'none' });
			const event_id = headers['webhook-id'] ?? '';
			const of = `${endpoint_id} ${event_id}`;
			postsOf.set(of, (postsOf.get(of) ?? 0) + 1);
			const event = headers['service-event'] ?? '';
			const asked = { event, event_id, nth: postsOf.get(of) ?? 1, at_ms: time.now() - START_MS };
			const reply = receiver?.answer?.(asked) ?? receiver?.replies[nth] ?? receiver?.after ?? { status: 500 };
			await wait(reply.takes_ms ?? 0);
			return resultOf(reply);
		},
	};
	const note = (message: string, fields: { readonly outcome?: unknown } = {}) =>
		log.push({ message, outcome: fields.outcome, at_ms: time.now() });
	const mortalStore = mortal(store, step);
	const clock = { now: () => time.now() };
	const deps = {
		store: mortalStore,
		queues: mortal(queues, step),
		sender: mortal(sender, step),
		vault: mortal({ openSecret: async (sealed: string) => sealed }, step),
		clock,
		ids: { next: () => derivedId(time.now(), `${steps}`), random: () => new Uint8Array([random()]) },
		log: { info: note, warn: note, error: note },
		schedule_seconds: scene.schedule_seconds,
		whenDisabled: disabledNoticeWrites,
	};

	/** Runs beside everything else; runs again after a while when it fails, as SQS does. */
	function start(run: () => Promise<void>, receives: number): void {
		busy += 1;
		run()
			.catch((error: unknown) => {
				if (!(error instanceof Killed)) failures.push(String(error));
				if (receives > 1) time.after(RECEIVED_AGAIN_MS, () => start(run, receives - 1));
			})
			.finally(() => {
				busy -= 1;
			});
	}
	/** The sweep runs on the minute; those that would find nothing are left out. */
	function planSweep(): void {
		const soonest = Math.min(...[...due.values()].map((due_at) => Date.parse(due_at)));
		const minute = Math.ceil(Math.max(soonest, time.now() + 1) / MINUTE_MS) * MINUTE_MS;
		if (minute >= sweep_at_ms || !Number.isFinite(minute)) return;
		sweep_at_ms = minute;
		time.at(minute, () => {
			sweep_at_ms = Number.POSITIVE_INFINITY;
			start(async () => void (await sweep(deps)), 1);
			planSweep();
		});
	}

	const absent = { if: 'absent' } as const;
	await truth.commit(
		endpoints.map((item) => ({ op: 'put', record: 'webhook_endpoint', item, guard: absent }) as const),
	);
	scene.events.forEach(({ at_ms, kind }, position) => {
		const handler = async (): Promise<void> => {
			const event = makeEvent({
				id: derivedId(time.now(), `event ${position}`),
				workspace_id: WORKSPACE,
				subject_id: derivedId(START_MS, `call ${position}`),
				kind,
				sequence: 1,
				created_at: new Date(time.now()).toISOString(),
				data: { id: `call ${position}`, status: 'ü' },
			});
			const subscribed = await deps.store.endpointsOf(WORKSPACE);
			const { writes, messages } = publish(event, subscribed);
			await deps.store.commit(writes);
			await deps.queues.send('deliveries', messages);
		};
		time.at(START_MS + at_ms, () => start(handler, 1));
	});
	for (let run = time.next(START_MS + GIVE_UP_MS); run; run = time.next(START_MS + GIVE_UP_MS)) {
		things += 1;
		if (things > MOST_THINGS) throw new Error('the deliveries go round in circles');
		await run();
		await settled();
	}
	if (busy > 0) throw new Error('a process has not ended');

	const told = async (delivery: Delivery): Promise<Told> => {
		const older = await truth.attemptsOf(delivery.id);
		const newest = delivery.last_attempt === null ? [] : [delivery.last_attempt];
		return { delivery, attempts: [...older.map(({ attempt }) => attempt), ...newest] };
	};
	const listed = await truth.list('delivery', WORKSPACE, { from_id: null, before_id: null, limit: 1000 });
	const deliveries = await Promise.all(listed.map(told));
	const now = await truth.endpointsOf(WORKSPACE);
	const written = { deliveries: writes_of_deliveries, endpoints: writes_of_endpoints };
	return {
		endpoints: now,
		events,
		deliveries,
		posts,
		dead,
		failures,
		log,
		steps,
		kills,
		written,
		ended_ms: time.now(),
	};
}
export type Ran = Awaited<ReturnType<typeof runDeliveries>>;
