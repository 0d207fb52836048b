import { describe, expect, it } from '@jest/globals';
import type { SendResult } from '../../shared/domain/webhooks/attempt-outcome.ts';
import { sweep } from '../../shared/use-cases/retention/sweep.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { answered, type OneDelivery, oneDelivery, START, WORKSPACE } from '../support/webhooks/deliveries.ts';

// Tests claims: what a worker does with messages that arrive during another attempt, after an attempt, or before the delivery is
// due.

const attempt = (w: OneDelivery) => attemptDelivery(w.message, w.deps);
/** What an attempt needs, with a sender that runs `happen` while its request is in progress. */
const meanwhile = (w: OneDelivery, happen: () => Promise<void>, result: SendResult) => ({
	...w.deps,
	sender: {
		async send(request: Parameters<OneDelivery['deps']['sender']['send']>[0]) {
			w.posts.push({ ...request, event_id: w.event.id, at_ms: w.clock.now_ms });
			await happen();
			return result;
		},
	},
});

describe('a delivery with an attempt in flight', () => {
	it('is not attempted by another process until the lease expires, however many messages name it', async () => {
		const w = await oneDelivery();
		const others = async () => {
			w.clock.now_ms += 59_999;
			await attempt(w);
			await sweep(w.deps);
		};
		await attemptDelivery(w.message, meanwhile(w, others, answered(200)));
		expect([w.posts.length, await w.read()]).toMatchObject([1, { status: 'succeeded', attempt_count: 1 }]);
	});

	it('that is retried during the attempt is sent again, even if the first process reports success late', async () => {
		const w = await oneDelivery();
		const others = async () => {
			w.clock.now_ms += 61_000;
			await attempt(w);
			await retryDelivery({ workspace_id: WORKSPACE, id: w.id }, w.deps);
		};
		await attemptDelivery(w.message, meanwhile(w, others, answered(200)));
		expect(await w.read()).toMatchObject({ status: 'pending', generation: 2, attempt_count: 1 });
		await attemptDelivery({ ...w.message, generation: 2 }, w.deps);
		expect([w.posts.length, (await w.read()).status]).toEqual([3, 'succeeded']);
	});

	it('stays ended if another attempt has got a 410 in the meantime, which disabled the endpoint', async () => {
		const w = await oneDelivery();
		const others = async () => {
			w.clock.now_ms += 61_000;
			w.script.push(answered(410));
			await attempt(w);
		};
		await attemptDelivery(w.message, meanwhile(w, others, answered(200)));
		expect(await w.read()).toMatchObject({ status: 'failed', attempt_count: 1 });
	});
});

describe('each attempt', () => {
	it('has a new signature with its own time, over the same bytes', async () => {
		const w = await oneDelivery();
		w.script.push(answered(500), answered(500));
		await w.live(10 * 60_000);
		const stamps = w.posts.map(({ headers }) => Number(headers['webhook-timestamp']));
		expect(stamps).toHaveLength(3);
		const { last_attempt } = await w.read();
		expect(stamps.at(-1)).toBe(Date.parse(last_attempt?.started_at ?? '') / 1000);
		expect(new Set(stamps).size).toBe(3);
		expect(new Set(w.posts.map(({ headers }) => headers['service-signature'])).size).toBe(3);
		expect(new Set(w.posts.map(({ body }) => body)).size).toBe(1);
	});

	it('is signed with every live secret, newest first', async () => {
		const until = new Date(START + 3_600_000).toISOString();
		const secrets = [
			{ sealed: 'whsec_BBBB', expires_at: null },
			{ sealed: 'whsec_AAAA', expires_at: until },
		];
		const overlap = await oneDelivery({ secrets });
		const alone = await oneDelivery({ secrets: secrets.slice(0, 1) });
		await attempt(overlap);
		await attempt(alone);
		const signatures = ({ posts }: OneDelivery) => posts[0]?.headers['service-signature']?.split(',').slice(1) ?? [];
		expect(signatures(overlap)).toHaveLength(2);
		expect(signatures(overlap)[0]).toBe(signatures(alone)[0]);
	});
});

describe('the next attempt', () => {
	it('is queued with its delay, up to 15 minutes; the sweep handles longer delays', async () => {
		const w = await oneDelivery();
		w.deps = { ...w.deps, schedule_seconds: [0, 900, 901] };
		w.script.push(answered(500), answered(500));
		await attempt(w);
		expect(w.sent).toMatchObject([{ queue: 'retries', delay_seconds: 900 }]);
		w.clock.now_ms += 900_000;
		w.sent.length = 0;
		await attempt(w);
		expect(w.sent).toEqual([]);
		expect((await w.read()).due_at).toBe(new Date(w.clock.now_ms + 901_000).toISOString());
	});
});
