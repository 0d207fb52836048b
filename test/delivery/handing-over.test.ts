import { describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Delivery } from '../../shared/domain/webhooks/delivery.ts';
import { consume } from '../../shared/messages/consume.ts';
import type { Store } from '../../shared/ports/store.ts';
import { sweep } from '../../shared/use-cases/retention/sweep.ts';
import { publish } from '../../shared/use-cases/webhooks/event-outbox.ts';
import { another, type OneDelivery, oneDelivery, START } from '../support/webhooks/deliveries.ts';
import { put } from '../support/writes.ts';

// Tests how the message for a delivery reaches the queue: after the commit of a change, and through the sweep if that message
// is lost.

const MINUTE_MS = 60_000;
/** The sweep sends another message for a delivery that is two minutes overdue. */
const OVERDUE_MS = 2 * MINUTE_MS;

/** Changes the stored delivery, as another process would. */
async function left(w: OneDelivery, change: Partial<Delivery>): Promise<Delivery> {
	const delivery = await w.read();
	const item = { ...delivery, ...change, version: delivery.version + 1 };
	const guard = { if: 'version', version: delivery.version } as const;
	await w.store.commit([put('delivery', item, guard)]);
	return item;
}

describe('an event', () => {
	it('that is committed a second time is refused, and its delivery stays unchanged', async () => {
		const w = await oneDelivery();
		const before = await left(w, { status: 'succeeded', due_at: null });
		const { writes } = publish(w.event, [w.endpoint]);
		expect(await w.store.commit(writes)).toEqual({ committed: false, refused: [0, 1] });
		expect(await w.read()).toEqual(before);
	});

	it('is handed over fairly: the messages of each endpoint form a group', async () => {
		const w = await oneDelivery();
		const other = { ...w.endpoint, id: w.endpoint.id.replace(/.$/, '0') };
		const { messages } = publish(w.event, [w.endpoint, other]);
		expect(messages.map(({ group }) => group)).toEqual([w.endpoint.id, other.id]);
	});
});

describe('a batch of messages', () => {
	it('goes back to the queue only in part: the messages that failed, and the messages that could not be read', async () => {
		const handled: string[] = [];
		const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
		const worker = consume('worker', z.object({ name: z.string() }), log, async ({ name }) => {
			if (name === 'bad') throw new Error('no');
			handled.push(name);
		});
		const bodies = ['{"name":"a"}', '{"name":"bad"}', 'no JSON', '{"name":7}', '{"name":"b"}'];
		const Records = bodies.map((body, position) => ({ messageId: String(position), body })) as SQSRecord[];
		const { batchItemFailures } = await worker({ Records });
		expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['1', '2', '3']);
		expect(handled).toEqual(['a', 'b']);
	});
});

describe('the sweep', () => {
	it('skips a delivery with an attempt in flight', async () => {
		const w = await oneDelivery();
		const lease_until = new Date(START + 3 * MINUTE_MS).toISOString();
		const before = await left(w, { lease_until });
		w.clock.now_ms += OVERDUE_MS;
		await sweep(w.deps);
		expect([w.sent, await w.read()]).toEqual([[], before]);
		w.clock.now_ms += MINUTE_MS;
		await sweep(w.deps);
		expect(w.sent).toHaveLength(1);
	});

	it.each([
		['is due later now', { due_at: new Date(START + 5 * MINUTE_MS).toISOString() }],
		['no longer waits for anything', { due_at: null, status: 'succeeded' }],
	] as const)(
		'leaves alone a delivery that %s, even if an index that lags behind still lists it',
		async (_, change) => {
			const w = await oneDelivery();
			const before = await left(w, change);
			w.clock.now_ms += MINUTE_MS;
			const due_at = new Date(START).toISOString();
			const due: Store['due'] = async (shard) => (shard === 0 ? [{ record: 'delivery', id: w.id, due_at }] : []);
			await sweep({ ...w.deps, store: { ...w.store, due } });
			expect([w.sent, await w.read()]).toEqual([[], before]);
		},
	);

	it('overwrites no change that was made after its read', async () => {
		const w = await oneDelivery();
		w.clock.now_ms += OVERDUE_MS;
		let after: Delivery | null = null;
		const get: Store['get'] = async (record, key) => {
			const read = await w.store.get(record, key);
			after ??= await left(w, { status: 'succeeded', due_at: null });
			return read;
		};
		await sweep({ ...w.deps, store: { ...w.store, get } });
		expect([w.sent, await w.read()]).toEqual([[], after]);
	});

	it('continues with the other records if one record cannot be read', async () => {
		const w = await oneDelivery();
		const others = await Promise.all(Array.from({ length: 30 }, (_, n) => another(w, n)));
		w.clock.now_ms += OVERDUE_MS;
		const get: Store['get'] = async (record, key) => {
			if ('id' in key && key.id === w.id) throw new Error('unreadable');
			return await w.store.get(record, key);
		};
		await sweep({ ...w.deps, store: { ...w.store, get } });
		const sentIds = w.sent.map(({ message }) => message.delivery_id);
		expect(sentIds.sort()).toEqual(others.map(({ delivery_id }) => delivery_id).sort());
	});
});
