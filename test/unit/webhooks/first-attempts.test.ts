import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { HEALTHY, type WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import type { FirstDeliveryMessage } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { sweep } from '../../../shared/use-cases/operations/sweep.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt/attempt-delivery.ts';
import { ENDPOINT_CACHED_MS, endpointCache } from '../../../shared/use-cases/webhooks/attempt/endpoint-cache.ts';
import { publish } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { retryDelivery } from '../../../shared/use-cases/webhooks/retry-delivery.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { answered, START, WORKSPACE, type World, world } from '../../support/webhooks/delivery-world.ts';

// The first attempt of a delivery, requested by a message that carries the event.

/** As SQS and the function's schema pass it on. */
const passedOn = (message: FirstDeliveryMessage): FirstDeliveryMessage =>
	messageSchemas.deliveries.parse(JSON.parse(JSON.stringify(message)));
const attempt = (w: World, message = w.first) => attemptDelivery(passedOn(message), w.deps);

/** Commits another event; `seen` is the endpoint as the publishing function read it. */
async function published(w: World, n: number, seen: WebhookEndpoint, data: Record<string, string> = { id: 'x' }) {
	const created_at = new Date(w.clock.now_ms).toISOString();
	const ids = { id: derivedId(START, `event ${n}`), subject_id: derivedId(START, `call ${n}`) };
	const facts = { ...ids, workspace_id: WORKSPACE, kind: 'call.completed', sequence: n, created_at } as const;
	const event = makeEvent({ ...facts, data });
	const { writes, messages } = publish(event, [seen]);
	expect((await w.store.commit(writes)).committed).toBe(true);
	const [first] = messages;
	if (first === undefined) throw new Error('no message');
	return { event, message: first.message };
}

/** Its owner, or an attempt elsewhere, changes the endpoint. */
async function changed(w: World, changes: Partial<WebhookEndpoint>): Promise<WebhookEndpoint> {
	const key = { workspace_id: WORKSPACE, id: w.endpoint.id };
	const before = await w.store.get('webhook_endpoint', key);
	if (before === null) throw new Error('the endpoint is gone');
	const item = { ...before, ...changes, version: before.version + 1 };
	const guard = { if: 'version', version: before.version } as const;
	await w.store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard }]);
	return item;
}

/** Counts the reads of each kind of record. */
async function counting() {
	const w = await world();
	const reads: string[] = [];
	const get: Store['get'] = (record, key) => {
		reads.push(record);
		return w.store.get(record, key);
	};
	const store = { ...w.store, get };
	const deps = { ...w.deps, store, endpoints: endpointCache({ store, clock: w.clock }) };
	return { ...w, deps, reads };
}

describe('the first attempt', () => {
	it('reads the endpoint once in 3 s for all of its deliveries, and nothing else', async () => {
		const w = await counting();
		await attempt(w);
		const others = await Promise.all([1, 2, 3].map((n) => published(w, n, w.endpoint)));
		await Promise.all(others.map(({ message }) => attempt(w, message)));
		expect([w.posts.length, w.reads]).toEqual([4, ['webhook_endpoint']]);
		w.clock.now_ms += ENDPOINT_CACHED_MS;
		await attempt(w, (await published(w, 4, w.endpoint)).message);
		expect([w.posts.length, w.reads]).toEqual([5, ['webhook_endpoint', 'webhook_endpoint']]);
		expect(await w.read()).toMatchObject({ status: 'succeeded', attempt_count: 1, due_at: null, lease_until: null });
	});

	it('and every later one have the bytes of the event, for any text, in a message that SQS accepts', async () => {
		const odd = fc.constantFrom('\uFFFE', '\uFFFF', '\uD800', '\u0000', '\u007F', '"', '😀', 'x'.repeat(5000));
		const text = fc
			.array(fc.oneof(fc.string({ unit: anyCharacter }), odd), { maxLength: 4 })
			.map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(text, async (said) => {
				const w = await world();
				const { event, message } = await published(w, 1, w.endpoint, { id: said });
				const wire = JSON.stringify(message);
				expect(wire).toMatch(/^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u);
				expect(Buffer.byteLength(wire)).toBeLessThan(5000);
				w.script.push(answered(500));
				await attempt(w, message);
				w.clock.now_ms += 60_000;
				for (const { message: again } of w.sent) await attempt(w, again);
				expect(w.posts.map(({ body }) => body)).toEqual([event.body, event.body]);
			}),
			{ examples: [['\uFFFF'], ['x'.repeat(5000)], ['plain']] },
		);
	});

	it('posts what was committed, even if the message says something else', async () => {
		const facts = ['id', 'sequence', 'created_at', 'body', 'workspace_id', 'subject_id', 'event'] as const;
		const field = fc.constantFrom(...facts, 'endpoint_id', 'delivery_id');
		await fc.assert(
			fc.asyncProperty(field, async (name) => {
				const w = await world();
				const other = derivedId(START, 'other');
				const item = { ...w.endpoint, id: other, url: 'https://other.example/' };
				await w.store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard: { if: 'absent' } }]);
				const { carries } = w.first;
				if (carries === undefined) throw new Error('it carries nothing');
				const wrong = { sequence: 9, created_at: new Date(START + 1).toISOString(), event: 'call.failed' };
				const forged: FirstDeliveryMessage = { ...w.first, carries: { ...carries } };
				const value = Object.hasOwn(wrong, name) ? wrong[name as keyof typeof wrong] : other;
				Object.assign(Object.hasOwn(carries, name) ? (forged.carries ?? {}) : forged, { [name]: value });
				await attempt(w, forged).catch(() => undefined);
				if (name === 'delivery_id') expect(w.posts).toEqual([]);
				for (const { url, body, headers } of w.posts) {
					expect([url, body]).toEqual([w.endpoint.url, w.event.body]);
					expect(headers).toMatchObject({ 'service-sequence': '4', 'webhook-id': w.event.id });
				}
				await attempt(w);
				expect([w.posts.length, await w.read()]).toMatchObject([1, { status: 'succeeded', workspace_id: WORKSPACE }]);
			}),
		);
	});

	it('is one, for any number of copies of the message', async () => {
		const w = await world();
		await Promise.all(Array.from({ length: 20 }, () => attempt(w)));
		await attempt(w);
		expect([w.posts.length, (await w.read()).attempt_count]).toEqual([1, 1]);
	});

	it('is made although the sweep was faster than the message, and not once a person has asked for another', async () => {
		const w = await world();
		w.clock.now_ms += 60_000;
		await sweep(w.deps);
		await attempt(w);
		expect([w.posts.length, (await w.read()).status]).toEqual([1, 'succeeded']);
		await retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps);
		await attempt(w);
		expect(w.posts).toHaveLength(1);
	});
});

describe('a cached endpoint', () => {
	it('is never older than the event: what was changed before is honoured at once', async () => {
		const w = await world();
		await attempt(w);
		const url = 'https://moved.example/';
		const moved = await changed(w, { url, secrets: [{ sealed: 'whsec_BBBB', expires_at: null }] });
		const { message } = await published(w, 1, moved);
		await attempt(w, message);
		expect(w.posts.map((post) => post.url)).toEqual([w.endpoint.url, url]);
		expect(new Set(w.posts.map(({ headers }) => headers['service-signature'])).size).toBe(2);
	});

	it.each([
		['disabled', { status: 'disabled' } as const, 'held'],
		['moved', { url: 'https://moved.example/' }, 'succeeded'],
	])('that is %s while a message waits is honoured after 3 s', async (_, changes, status) => {
		const w = await world();
		await attempt(w);
		const { message } = await published(w, 1, w.endpoint);
		await changed(w, changes);
		w.clock.now_ms += ENDPOINT_CACHED_MS;
		await attempt(w, message);
		expect((await w.store.get('delivery', { id: message.delivery_id }))?.status).toBe(status);
		const urls = w.posts.map(({ url }) => url);
		expect(urls).toEqual(status === 'held' ? [w.endpoint.url] : [w.endpoint.url, 'https://moved.example/']);
	});

	it('that is deleted while a message waits is honoured after 3 s', async () => {
		const w = await world();
		await attempt(w);
		const { message } = await published(w, 1, w.endpoint);
		const key = { workspace_id: WORKSPACE, id: w.endpoint.id };
		await w.store.commit([{ op: 'remove', record: 'webhook_endpoint', key, guard: { if: 'always' } }]);
		w.clock.now_ms += ENDPOINT_CACHED_MS;
		await attempt(w, message);
		expect((await w.store.get('delivery', { id: message.delivery_id }))?.status).toBe('canceled');
		expect(w.posts).toHaveLength(1);
	});

	it('that was disabled does not hold a delivery once it is enabled', async () => {
		const w = await world();
		const { message } = await published(w, 1, w.endpoint);
		const off = await changed(w, { status: 'disabled' });
		await attempt(w);
		expect((await w.read()).status).toBe('held');
		await changed(w, { status: 'enabled' });
		await attempt(w, { ...message });
		expect([off.version, w.posts.length]).toEqual([2, 1]);
	});

	it('is forgotten when an attempt fails, so that the next delivery meets the breaker that it opened', async () => {
		const w = await world();
		const waiting = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => published(w, n, w.endpoint)));
		w.script.push(...waiting.map(() => answered(504)));
		for (const { message } of waiting) await attempt(w, message);
		expect(w.posts).toHaveLength(5);
		const last = await w.store.get('delivery', { id: waiting.at(-1)?.message.delivery_id ?? '' });
		expect(last).toMatchObject({ status: 'pending', attempt_count: 0, waiting_since: expect.any(String) });
	});

	it('that is failing is read with every delivery, and a success makes it healthy', async () => {
		const failing_since = new Date(START - 60_000).toISOString();
		const w = await world({ health: { ...HEALTHY, failing_since, consecutive_failures: 3 } });
		await attempt(w);
		const endpoint = await w.store.get('webhook_endpoint', { workspace_id: WORKSPACE, id: w.endpoint.id });
		expect(endpoint?.health).toEqual({ ...HEALTHY, trusted_since: new Date(START).toISOString() });
	});

	it('is dropped when a thousand newer ones are cached, and a failed read is repeated', async () => {
		const w = await world();
		let reads = 0;
		const get: Store['get'] = async (record, key) => {
			reads += 1;
			if (reads === 1) throw new Error('throttled');
			return w.store.get(record, key);
		};
		const cache = endpointCache({ store: { get }, clock: w.clock });
		const read = (id: string) => cache.calm({ workspace_id: WORKSPACE, id }, 1);
		await expect(read(w.endpoint.id)).rejects.toThrow('throttled');
		expect(await read(w.endpoint.id)).toEqual(w.endpoint);
		for (let n = 0; n < 1000; n += 1) await read(`other ${n}`);
		expect(reads).toBe(1002);
		await read(w.endpoint.id);
		expect(reads).toBe(1003);
	});
});

it('no later message carries an event, nor does an operator see one', async () => {
	const w = await world();
	w.script.push(answered(500));
	await attempt(w);
	w.clock.now_ms += 120_000;
	await sweep(w.deps);
	expect(w.sent.length).toBeGreaterThan(0);
	expect(w.sent.filter(({ message }) => 'carries' in message)).toEqual([]);
	// The form in which operators read a dead letter.
	expect(messageSchemas.retries.parse(w.first)).toEqual(w.message);
});
