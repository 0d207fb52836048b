import { describe, expect, it } from '@jest/globals';
import { derivedId } from '../../shared/domain/kernel/id.ts';
import { attemptSpanId, traceparentOf } from '../../shared/domain/kernel/trace-context.ts';
import { HEALTHY } from '../../shared/domain/webhooks/circuit-breaker.ts';
import type { Store } from '../../shared/ports/store.ts';
import type { WebhookRequest } from '../../shared/ports/webhook-sender.ts';
import { sweep } from '../../shared/use-cases/retention/sweep.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { another, answered, oneDelivery, START, timings, WORKSPACE } from '../support/webhooks/deliveries.ts';
import { put, version } from '../support/writes.ts';

describe('an attempt', () => {
	it('posts the event once, signed, and stores the response', async () => {
		const w = await oneDelivery();
		await attemptDelivery(w.message, w.deps);
		expect(w.posts).toHaveLength(1);
		expect(w.posts[0]?.body).toBe(w.event.body);
		expect(w.posts[0]?.headers).toMatchObject({
			'service-event': 'call.completed',
			'service-delivery': w.id,
			'service-attempt': '1',
			'service-sequence': '4',
			'webhook-id': w.event.id,
		});
		expect(await w.read()).toMatchObject({ status: 'succeeded', attempt_count: 1, due_at: null, lease_until: null });
	});

	it('has one line in the log, with everything that an operator asks about', async () => {
		const w = await oneDelivery();
		const lines: object[] = [];
		const log = { ...w.deps.log, info: (fact: string, fields: object) => void lines.push({ fact, ...fields }) };
		w.script.push({ ...answered(503), timings: { ...timings, connect_ms: null, first_byte_ms: 40, total_ms: 41 } });
		await attemptDelivery(w.message, { ...w.deps, log });
		const { workspace_id, endpoint_id, next_attempt_at } = await w.read();
		expect(lines).toEqual([
			{
				fact: 'attempt',
				event: 'call.completed',
				breaker: 'closed',
				next_attempt_at,
				workspace_id,
				endpoint_id,
				delivery_id: w.id,
				event_id: w.event.id,
				call_id: w.event.subject_id,
				outcome: 'retry',
				code: 'http_status',
				status: 503,
				attempt: 1,
				attempts_planned: 14,
				bytes: Buffer.byteLength(w.event.body),
				dns_ms: 0,
				tls_ms: 0,
				first_byte_ms: 40,
				duration_ms: 41,
			},
		]);
	});

	it('continues the trace of its call, with a separate span for each attempt', async () => {
		const w = await oneDelivery();
		w.script.push(answered(500));
		await attemptDelivery(w.message, w.deps);
		w.clock.now_ms += 3_600_000;
		await attemptDelivery(w.message, w.deps);
		expect(w.posts.map(({ headers }) => headers['traceparent'])).toEqual(
			[1, 2].map((number) => traceparentOf(w.event.subject_id, attemptSpanId(w.id, number))),
		);
	});

	it('sends the traceparent that the endpoint’s own headers set, if they set one', async () => {
		const w = await oneDelivery();
		const vault = {
			openSecret: async (sealed: string) => (sealed === 'own' ? '{"traceparent":"theirs"}' : 'whsec_AAAA'),
		};
		const item = { ...w.endpoint, version: 2, header_names: ['traceparent'], sealed_headers: 'own' };
		await w.store.commit([put('webhook_endpoint', item, version(1))]);
		await attemptDelivery(w.message, { ...w.deps, vault });
		expect(w.posts[0]?.headers['traceparent']).toBe('theirs');
	});

	it.each([
		['endpoint', { endpoint_id: derivedId(0, 'other endpoint') }],
		['event', { event: 'call.failed' }],
		['subject', { subject_id: derivedId(0, 'other call') }],
		['workspace', { workspace_id: derivedId(0, 'other workspace') }],
	] as const)(
		'is not made if the message names another %s than the delivery; the message then fails',
		async (_what, other) => {
			const w = await oneDelivery();
			const before = await w.read();
			await expect(attemptDelivery({ ...w.message, ...other }, w.deps)).rejects.toThrow('about another delivery');
			expect([w.posts, await w.read()]).toEqual([[], before]);
		},
	);

	it('whose message arrives early is queued again with the rest of its delay', async () => {
		const w = await oneDelivery();
		w.script.push(answered(500));
		await attemptDelivery(w.message, w.deps);
		w.sent.length = 0;
		w.clock.now_ms += 2000;
		await attemptDelivery(w.message, w.deps);
		expect(w.posts).toHaveLength(1);
		expect(w.sent).toMatchObject([{ queue: 'retries', delay_seconds: 3 }]);
	});

	it('is not made if the endpoint was deleted or is disabled; the delivery is then canceled or held', async () => {
		const gone = await oneDelivery();
		const key = { workspace_id: WORKSPACE, id: gone.endpoint.id };
		await gone.store.commit([{ op: 'remove', record: 'webhook_endpoint', key, guard: { if: 'always' } }]);
		await attemptDelivery(gone.message, gone.deps);
		expect([(await gone.read()).status, gone.posts.length]).toEqual(['canceled', 0]);

		const off = await oneDelivery();
		const item = { ...off.endpoint, version: 2, status: 'disabled' as const };
		await off.store.commit([put('webhook_endpoint', item, version(1))]);
		await attemptDelivery(off.message, off.deps);
		expect([(await off.read()).status, off.posts.length]).toEqual(['held', 0]);
	});

	describe('whose endpoint has unsubscribed from the event type', () => {
		const unsubscribed = async () => {
			const w = await oneDelivery();
			w.script.push(answered(500));
			await attemptDelivery(w.message, w.deps);
			await w.change(w.endpoint.id, { events: ['call.failed'] });
			return w;
		};

		it('is canceled when it is due: nothing more is sent, and operators get no dead letter', async () => {
			const w = await unsubscribed();
			await w.live(90 * 3_600_000);
			expect(await w.read()).toMatchObject({ status: 'canceled', attempt_count: 1, due_at: null });
			expect([w.posts.length, w.dead]).toEqual([1, []]);
		});

		it('is canceled even while the breaker is open or the endpoint is disabled', async () => {
			const open_until = new Date(START + 3_600_000).toISOString();
			const health = { ...HEALTHY, failing_since: open_until, consecutive_unreachable: 5, open_until };
			const [waiting, off] = await Promise.all([oneDelivery({ health }), oneDelivery({ status: 'disabled' })]);
			for (const w of [waiting, off]) {
				await w.change(w.endpoint.id, { events: ['call.failed'] });
				await attemptDelivery(w.message, w.deps);
				expect([(await w.read()).status, w.posts.length]).toEqual(['canceled', 0]);
			}
		});

		it('is made once by a manual retry; if it fails, the delivery is canceled again', async () => {
			const w = await unsubscribed();
			await w.live(3_600_000);
			w.script.push(answered(500));
			expect((await retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps)).outcome).toBe('retried');
			await w.live(3_600_000);
			expect([(await w.read()).status, w.posts.length]).toEqual(['canceled', 2]);
			await retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps);
			await w.live(3_600_000);
			expect([(await w.read()).status, w.posts.length]).toEqual(['succeeded', 3]);
		});
	});

	it('that gets a 410 ends the delivery and disables the endpoint', async () => {
		const w = await oneDelivery();
		w.script.push(answered(410));
		await attemptDelivery(w.message, w.deps);
		expect((await w.read()).status).toBe('failed');
		const endpoint = await w.store.get('webhook_endpoint', { workspace_id: WORKSPACE, id: w.endpoint.id });
		expect(endpoint).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
	});

	it('stores earlier attempts separately, in order', async () => {
		const w = await oneDelivery();
		w.script.push(answered(500), answered(503));
		await w.live(10 * 60_000);
		expect((await w.read()).status).toBe('succeeded');
		const older = await w.store.attemptsOf(w.id);
		expect(older.map(({ attempt }) => attempt.response_status)).toEqual([500, 503]);
		expect((await w.read()).last_attempt?.response_status).toBe(200);
		expect(w.posts.map(({ body }) => body)).toEqual(Array.from({ length: 3 }, () => w.event.body));
	});
});

describe('a receiver that keeps failing', () => {
	it('gets every attempt of the schedule; then the delivery fails, and operators get a dead letter', async () => {
		const w = await oneDelivery();
		w.script.push(...Array.from({ length: 20 }, () => answered(500)));
		await w.live(90 * 3_600_000);
		expect(await w.read()).toMatchObject({ status: 'failed', attempt_count: 14, due_at: null });
		expect(w.posts).toHaveLength(14);
		expect(w.dead).toEqual([{ ...w.message, exhausted: true }]);
	});

	it('gets nothing while its breaker is open: the delivery waits, and counts no attempt', async () => {
		const open_until = new Date(START + 61_000).toISOString();
		const failing_since = new Date(START).toISOString();
		const w = await oneDelivery({ health: { ...HEALTHY, failing_since, consecutive_unreachable: 5, open_until } });
		await attemptDelivery(w.message, w.deps);
		expect([w.posts.length, (await w.read()).attempt_count]).toEqual([0, 0]);
		const { next_attempt_at, status } = await w.read();
		const waitMs = Date.parse(next_attempt_at ?? '') - START;
		expect([status, waitMs >= 60_000, waitMs <= 72_000]).toEqual(['pending', true, true]);
		expect(w.sent).toMatchObject([{ queue: 'retries', delay_seconds: Math.ceil(waitMs / 1000) }]);
		w.clock.now_ms += 72_000;
		await attemptDelivery(w.message, w.deps);
		expect((await w.read()).status).toBe('succeeded');
	});

	it('gets only one POST when its breaker becomes half-open, even if ten deliveries are due', async () => {
		const open_until = new Date(START).toISOString();
		const w = await oneDelivery({
			health: { ...HEALTHY, failing_since: open_until, consecutive_unreachable: 5, open_until },
		});
		const messages = await Promise.all(Array.from({ length: 10 }, (_, n) => another(w, n)));
		w.script.push(answered(503));
		await Promise.all(messages.map((message) => attemptDelivery(message, w.deps)));
		expect([w.posts.length, w.sent.length]).toEqual([1, 10]);
	});

	it('opens the breaker with the first five deliveries that time out together', async () => {
		const w = await oneDelivery();
		const messages = await Promise.all(Array.from({ length: 12 }, (_, n) => another(w, n)));
		w.script.push(...messages.map(() => answered(504)));
		await Promise.all(messages.map((message) => attemptDelivery(message, w.deps)));
		const endpoint = await w.store.get('webhook_endpoint', { workspace_id: WORKSPACE, id: w.endpoint.id });
		const open_until = new Date(START + 13_000).toISOString();
		expect(endpoint?.health).toMatchObject({ consecutive_failures: 12, consecutive_unreachable: 5, open_until });
	});

	it('keeps the breaker open after a success whose POST began before the breaker opened; the next success closes the breaker', async () => {
		const w = await oneDelivery();
		const messages = await Promise.all(Array.from({ length: 6 }, (_, n) => another(w, n)));
		const health = async () =>
			(await w.store.get('webhook_endpoint', { workspace_id: WORKSPACE, id: w.endpoint.id }))?.health;
		w.script.push(...messages.slice(1).map(() => answered(504)));
		const slow = async (request: WebhookRequest) => {
			await Promise.all(messages.slice(1).map((message) => attemptDelivery(message, w.deps)));
			return w.deps.sender.send(request);
		};
		await attemptDelivery(messages[0] ?? w.message, { ...w.deps, sender: { send: slow } });
		expect([w.script, w.posts.length]).toEqual([[], 6]);
		expect((await health())?.open_until).toBe(new Date(START + 13_000).toISOString());
		w.clock.now_ms += 13_000;
		await attemptDelivery(w.message, w.deps);
		expect(await health()).toEqual(HEALTHY);
	});
});

describe('a delivery whose messages are lost or delayed in a long queue', () => {
	it('gets further messages from the sweep at growing intervals: ten in two hours, not sixty', async () => {
		const w = await oneDelivery();
		const sentMin: number[] = [];
		for (let minute = 0; minute < 120; minute += 1) {
			await sweep(w.deps);
			if (w.sent.splice(0).length > 0) sentMin.push(minute);
			w.clock.now_ms += 60_000;
		}
		expect(sentMin.slice(0, 5)).toEqual([2, 4, 8, 16, 31]);
		expect(sentMin).toHaveLength(10);
	});
});

describe('a sweep over a slow store', () => {
	it('ends before its time-out, in the middle of a page', async () => {
		const w = await oneDelivery();
		await Promise.all(Array.from({ length: 200 }, (_, n) => another(w, n)));
		w.clock.now_ms += 3_600_000;
		const began = w.clock.now_ms;
		const slow: Store = {
			...w.store,
			get: (record, key) => {
				w.clock.now_ms += 1000;
				return w.store.get(record, key);
			},
		};
		await sweep({ ...w.deps, store: slow });
		// A run of the sweep must end within 55 s. After 40 s, the sweep begins no further record, but finishes the records that
		// it has begun.
		expect(w.clock.now_ms - began).toBeLessThanOrEqual(55_000);
		expect(w.clock.now_ms - began).toBeGreaterThanOrEqual(40_000);
	});
});

describe('a process that stalls until its lease expires', () => {
	it('sends nothing if it had sent nothing before', async () => {
		const w = await oneDelivery();
		const commit: Store['commit'] = async (writes) => {
			w.clock.now_ms += 61_000;
			return await w.store.commit(writes);
		};
		await attemptDelivery(w.message, { ...w.deps, store: { ...w.store, commit } });
		expect(w.posts).toHaveLength(0);
		await w.live(300_000);
		expect([(await w.read()).status, w.posts.length]).toEqual(['succeeded', 1]);
	});
});

describe('a manual retry', () => {
	it('delivers again under the same event id, and the message of the older generation has no effect', async () => {
		const w = await oneDelivery();
		await attemptDelivery(w.message, w.deps);
		const retried = await retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps);
		expect(retried.outcome === 'retried' && retried.delivery).toMatchObject({ status: 'pending', generation: 2 });
		await attemptDelivery(w.message, w.deps);
		expect(w.posts).toHaveLength(1);
		await attemptDelivery({ ...w.message, generation: 2 }, w.deps);
		expect(w.posts.map(({ headers }) => headers['webhook-id'])).toEqual([w.event.id, w.event.id]);
	});
});
