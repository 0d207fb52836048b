import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Queues } from '../../shared/ports/queues.ts';
import type { Store } from '../../shared/ports/store.ts';
import { sweep } from '../../shared/use-cases/operations/sweep.ts';
import { type AttemptDeps, attemptDelivery } from '../../shared/use-cases/webhooks/attempt/attempt-delivery.ts';
import { endpointCache } from '../../shared/use-cases/webhooks/attempt/endpoint-cache.ts';
import { tryEndpointAgain } from '../../shared/use-cases/webhooks/try-endpoint-again.ts';
import { type DeliveryDays, deliveryDays } from '../support/webhooks/delivery-days.ts';
import { WORKSPACE } from '../support/webhooks/delivery-world.ts';

// First attempts while the breaker is open: their messages are dropped, and nothing is lost by it.

const MINUTE_MS = 60_000;
const BATCH = 10;

/** An endpoint whose breaker is open, with a booked probe of its only event type. */
async function deadEndpoint() {
	const w = deliveryDays();
	const endpoint = await w.endpoint('dead');
	w.answers.set('dead.example', 503);
	await w.happen(30);
	await w.live(2000);
	const key = { workspace_id: WORKSPACE, id: endpoint.id };
	const health = async () => (await w.store.get('webhook_endpoint', key))?.health;
	expect((await health())?.probing?.booked.map(({ lane }) => lane)).toContain('call.completed');
	return { w, endpoint, key, health };
}
/** Events that happen one after another, and their messages, which are on their way. */
async function published(w: DeliveryDays, endpoint: WebhookEndpoint, count: number) {
	const before = w.waiting.length;
	const ids: string[] = [];
	for (let n = 0; n < count; n += 1) {
		const event = w.nextEvent();
		await w.commitEvent(event, [endpoint]);
		ids.push(event.id);
		w.clock.now_ms += 1;
	}
	const messages = w.waiting.splice(before).map(({ message }) => message);
	return { ids, messages };
}

/** Counts what a process asks of the store and the queues. */
function counted(w: DeliveryDays) {
	const count = { gets: 0, lists: 0, listed: 0, commits: 0, sends: 0 };
	const store: Store = {
		...w.store,
		get: (...asked) => {
			count.gets += 1;
			return w.store.get(...asked);
		},
		list: (record, workspace_id, range) => {
			count.lists += 1;
			count.listed += range.limit;
			return w.store.list(record, workspace_id, range);
		},
		commit: (writes) => {
			count.commits += 1;
			return w.store.commit(writes);
		},
	};
	const queues: Queues = {
		send: (...asked) => {
			count.sends += 1;
			return w.queues.send(...asked);
		},
	};
	const deps = { ...w.deps, store, queues, endpoints: endpointCache({ store, clock: w.clock }) };
	return { count, deps };
}

describe('1,000 first attempts that wait for an open breaker', () => {
	it('cost one read for each batch of messages: no write, and no message', async () => {
		const { w, endpoint } = await deadEndpoint();
		const { messages } = await published(w, endpoint, 1000);
		const { count, deps } = counted(w);
		for (let at = 0; at < messages.length; at += BATCH) {
			await Promise.all(messages.slice(at, at + BATCH).map((message) => attemptDelivery(message, deps)));
		}
		expect(count).toMatchObject({ lists: 0, commits: 0, sends: 0 });
		expect(count.gets).toBeLessThanOrEqual(messages.length / BATCH + 1);
	});

	it('cost the sweep one write each in a quarter of an hour, and no message', async () => {
		const { w, endpoint } = await deadEndpoint();
		const { messages } = await published(w, endpoint, 1000);
		for (const message of messages) await w.handle(message);
		w.clock.now_ms += MINUTE_MS;
		const { count, deps } = counted(w);
		await sweep(deps);
		for (let minute = 0; minute < 11; minute += 1) {
			w.clock.now_ms += MINUTE_MS;
			await sweep(deps);
		}
		const newest = await w.store.get('delivery', { id: messages.at(-1)?.delivery_id ?? '' });
		expect(newest).toMatchObject({ version: 2, attempt_count: 0, waiting_since: expect.any(String) });
		expect(count.commits).toBeLessThan(1100);
		expect(count.sends).toBeLessThan(100);
	});

	it('cost one short list after a failed probe, which books the next one', async () => {
		const { w, endpoint, health } = await deadEndpoint();
		const { messages } = await published(w, endpoint, 1000);
		for (const message of messages) await w.handle(message);
		const probe = w.waiting.find(({ message }) => message.endpoint_id === endpoint.id);
		if (probe === undefined) throw new Error('no probe is booked');
		w.clock.now_ms = Math.max(w.clock.now_ms, probe.at_ms);
		const { count, deps } = counted(w);
		const before = (await health())?.probing?.booked;
		await attemptDelivery(probe.message, deps);
		expect((await health())?.probing?.booked).not.toEqual(before);
		expect(count.listed).toBeLessThanOrEqual(20);
	});

	it('and 500 more are sent at most 20 a second when the receiver is back, each once', async () => {
		const { w, endpoint } = await deadEndpoint();
		// They are due for the sweep before the second visit of the resumption, which sends those that the first one left.
		await w.live(MINUTE_MS - (w.clock.now_ms % MINUTE_MS) - 2000);
		const { ids, messages } = await published(w, endpoint, 1500);
		for (const message of messages) await w.handle(message);
		w.answers.delete('dead.example');
		w.posts.length = 0;
		await w.live(4 * MINUTE_MS);
		expect(w.postsTo(endpoint)).toEqual(expect.arrayContaining(ids));
		expect(new Set(w.postsTo(endpoint)).size).toBe(w.posts.length);
		const seconds = Map.groupBy(w.posts, ({ at_ms }) => Math.ceil(at_ms / 1000));
		expect(Math.max(...[...seconds.values()].map(({ length }) => length))).toBeLessThanOrEqual(21);
	});
});

/** `happen` comes between two steps of a process: before its n-th call of the store. */
function interrupted(deps: DeliveryDays['deps'], step: number, happen: () => Promise<void>) {
	let calls = 0;
	const between = async (): Promise<void> => {
		calls += 1;
		if (calls === step) await happen();
	};
	const { store } = deps;
	const slow = {
		...store,
		get: (async (...asked: Parameters<Store['get']>) => {
			await between();
			return store.get(...asked);
		}) as Store['get'],
		list: (async (...asked: Parameters<Store['list']>) => {
			await between();
			return store.list(...asked);
		}) as Store['list'],
		commit: async (...asked: Parameters<Store['commit']>) => {
			await between();
			return store.commit(...asked);
		},
	};
	return { ...deps, store: slow, endpoints: endpointCache({ store: slow, clock: deps.clock }) };
}

describe('a breaker that closes', () => {
	const arrive = async (w: DeliveryDays, endpoint: WebhookEndpoint, ids: readonly string[]) => {
		await w.live(2 * MINUTE_MS);
		const arrived = w.postsTo(endpoint);
		expect(ids.filter((id) => !arrived.includes(id))).toEqual([]);
	};
	const step = fc.integer({ min: 1, max: 40 });

	it('while messages are dropped loses none of them, at any step', async () => {
		await fc.assert(
			fc.asyncProperty(step, async (at) => {
				const { w, endpoint, key } = await deadEndpoint();
				const { ids, messages } = await published(w, endpoint, 30);
				w.answers.delete('dead.example');
				const worker: AttemptDeps = interrupted(w.deps, at, () => tryEndpointAgain(key, w.deps));
				await Promise.all(messages.map((message) => attemptDelivery(message, worker)));
				await tryEndpointAgain(key, w.deps);
				await arrive(w, endpoint, ids);
			}),
			{ numRuns: 40 },
		);
	});

	/** Ten deliveries that the open breaker dropped, overdue for the sweep, and a receiver that is back. */
	const overdue = async () => {
		const dead = await deadEndpoint();
		const { w, endpoint } = dead;
		const { ids, messages } = await published(w, endpoint, 10);
		for (const message of messages) await w.handle(message);
		w.clock.now_ms += 2 * MINUTE_MS;
		w.answers.delete('dead.example');
		return { ...dead, ids };
	};

	it('while the sweep postpones what was dropped loses none of it, at any step', async () => {
		await fc.assert(
			fc.asyncProperty(step, async (at) => {
				const { w, endpoint, key, ids } = await overdue();
				await sweep(interrupted(w.deps, at, () => tryEndpointAgain(key, w.deps)));
				await tryEndpointAgain(key, w.deps);
				await arrive(w, endpoint, ids);
			}),
			{ numRuns: 40 },
		);
	});

	it('is not stopped by a sweep that postpones at any step of the resumption', async () => {
		await fc.assert(
			fc.asyncProperty(step, async (at) => {
				const { w, endpoint, key, ids } = await overdue();
				const open = await w.store.get('webhook_endpoint', key);
				// A sweep that has read the endpoint before its breaker closed, and the deliveries later.
				const get = (async (...[record, asked]: Parameters<Store['get']>) =>
					record === 'webhook_endpoint' ? open : w.store.get(record, asked)) as Store['get'];
				const due: Store['due'] = async (...asked) =>
					(await w.store.due(...asked)).filter(({ record }) => record === 'delivery');
				const late = async () => void (await sweep({ ...w.deps, store: { ...w.store, get, due } }));
				await tryEndpointAgain(key, w.deps);
				await sweep(interrupted(w.deps, at, late));
				await arrive(w, endpoint, ids);
			}),
			{ numRuns: 40 },
		);
	});
});

describe('an open breaker', () => {
	it('gets a new probe from the sweep when the message of the booked one is lost', async () => {
		const { w, endpoint } = await deadEndpoint();
		const { messages } = await published(w, endpoint, 50);
		for (const message of messages) await w.handle(message);
		w.waiting.length = 0;
		w.answers.delete('dead.example');
		w.posts.length = 0;
		await w.live(5 * MINUTE_MS);
		expect(w.postsTo(endpoint).length).toBeGreaterThanOrEqual(50);
	});

	it('gets one message from the sweep for a free lane, not one for each delivery', async () => {
		const { w, endpoint } = await deadEndpoint();
		const { messages } = await published(w, endpoint, 50);
		for (const message of messages) await w.handle(message);
		w.waiting.length = 0;
		w.clock.now_ms += 3 * MINUTE_MS;
		await sweep(w.deps);
		expect(w.waiting.filter(({ queue }) => queue === 'deliveries')).toHaveLength(1);
	});
});
