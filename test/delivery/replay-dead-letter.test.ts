import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Telephony } from '../../shared/ports/telephony.ts';
import { dialLeg } from '../../shared/use-cases/calls/dial-leg.ts';
import { type DeadLetterContent, judgeDeadLetter } from '../../shared/use-cases/dead-letters/judge-dead-letter.ts';
import { replayDeadLetter } from '../../shared/use-cases/dead-letters/replay-dead-letter.ts';
import { recoverDeliveries } from '../../shared/use-cases/webhooks/recover-deliveries.ts';
import { retryDelivery } from '../../shared/use-cases/webhooks/retry-delivery.ts';
import { sealedNumber } from '../support/calls/sealed-number.ts';
import { memoryLog } from '../support/memory-log.ts';
import { memoryStore } from '../support/memory-store.ts';
import { idOf, samples } from '../support/sample-records.ts';
import { deliveryDays, WORKSPACE } from '../support/webhooks/deliveries.ts';
import { put } from '../support/writes.ts';

const HOUR_MS = 3_600_000;

/** An exhausted delivery whose receiver works from now on. */
async function exhausted() {
	const w = deliveryDays(memoryStore(), [0]);
	const endpoint = await w.endpoint('hooks');
	w.answers.set('hooks.example', 500);
	const [event] = await w.happen();
	if (event === undefined) throw new Error('nothing happened');
	await w.live(10 * 60_000);
	const [pointer] = w.dead;
	if (pointer === undefined) throw new Error('nobody was pointed to it');
	w.answers.delete('hooks.example');
	w.posts.length = 0;
	const replay = async (letter: DeadLetterContent) => {
		const { verdict } = await judgeDeadLetter(letter, { store: w.store, now_ms: w.clock.now() });
		await replayDeadLetter(verdict, w.deps);
		return verdict;
	};
	return { w, endpoint, event, pointer, replay };
}

describe('an exhausted delivery', () => {
	it('starts over only once, however many messages, replays and recoveries arrive, in any order', async () => {
		const ways = ['read by the worker', 'replayed', 'retried', 'recovered', 'an hour later'] as const;
		await fc.assert(
			fc.asyncProperty(fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 8 }), async (chosen) => {
				const { w, endpoint, event, pointer, replay } = await exhausted();
				const { id } = await w.deliveryOf(event, endpoint);
				let retries = 0;
				for (const way of chosen) {
					if (way === 'read by the worker') await w.handle(pointer);
					if (way === 'replayed') await replay({ kind: 'delivery', message: pointer });
					if (way === 'an hour later') await w.live(HOUR_MS);
					if (way === 'recovered') {
						await recoverDeliveries(
							{
								workspace_id: WORKSPACE,
								endpoint_id: endpoint.id,
								since_ms: 0,
								until_ms: null,
								mode: 'failed',
								dry_run: false,
							},
							w.deps,
						);
					}
					if (way === 'retried') {
						// A person may retry even a succeeded delivery. This sends another POST.
						const again = await retryDelivery({ workspace_id: WORKSPACE, id }, w.deps);
						if (again.outcome === 'retried') retries += 1;
					}
				}
				await w.live(HOUR_MS);
				expect(w.posts.length).toBeLessThanOrEqual(Math.max(1, retries + 1));
				if (chosen.some((way) => way !== 'an hour later')) {
					expect((await w.deliveryOf(event, endpoint)).status).toBe('succeeded');
				}
				if (retries === 0) expect(w.posts.length).toBeLessThanOrEqual(1);
			}),
			{ numRuns: 60 },
		);
	});

	it('that failed again is started over only by its new dead letter', async () => {
		const { w, endpoint, event, pointer, replay } = await exhausted();
		w.answers.set('hooks.example', 500);
		await w.handle(pointer);
		await w.live(10 * 60_000);
		expect(w.dead).toMatchObject([{ generation: 1 }, { generation: 2 }]);
		await w.handle(pointer);
		expect(await replay({ kind: 'delivery', message: pointer })).toMatchObject({ because: 'replayed_already' });
		expect(await w.deliveryOf(event, endpoint)).toMatchObject({ status: 'failed', generation: 2 });
	});

	it.each(['succeeded', 'held', 'canceled'] as const)(
		'that is %s when its dead letter is replayed does not start over',
		async (status) => {
			const { w, endpoint, event, pointer } = await exhausted();
			const delivery = await w.deliveryOf(event, endpoint);
			const item = { ...delivery, version: delivery.version + 1, status };
			const guard = { if: 'version', version: delivery.version } as const;
			await w.store.commit([put('delivery', item, guard)]);
			await w.handle(pointer);
			expect(await w.deliveryOf(event, endpoint)).toMatchObject({ status, generation: 1 });
		},
	);

	it('is skipped by a replay while it is sent again, after it has succeeded, and once it no longer exists', async () => {
		const { w, endpoint, event, pointer, replay } = await exhausted();
		await replay({ kind: 'delivery', message: pointer });
		expect(await replay({ kind: 'delivery', message: pointer })).toMatchObject({ because: 'under_way' });
		await w.live(HOUR_MS);
		expect(await replay({ kind: 'delivery', message: pointer })).toMatchObject({ because: 'succeeded_meanwhile' });
		await w.handle(pointer);
		await w.live(HOUR_MS);
		expect(w.posts).toHaveLength(1);
		const unknown = { ...pointer, delivery_id: idOf(9) };
		expect(await replay({ kind: 'delivery', message: unknown })).toMatchObject({ because: 'expired' });
		w.clock.now_ms += 31 * 24 * HOUR_MS;
		expect(await replay({ kind: 'delivery', message: pointer })).toMatchObject({ because: 'expired' });
		expect((await w.deliveryOf(event, endpoint)).status).toBe('succeeded');
	});
});

describe('a dial message', () => {
	const at = (seconds: number) => ({ now: () => Date.parse(samples.call.created_at) + seconds * 1000 });
	async function forgotten() {
		const store = memoryStore();
		const [leg] = samples.call.legs;
		if (leg === undefined) throw new Error('no leg');
		const item = {
			...samples.call,
			legs: [
				{
					...leg,
					provider_id: null,
					dialed_at: null,
					ended_at: null,
					heard_at: null,
					cause: null,
					rank: 'created' as const,
					role: 'agent' as const,
					member: 'm1',
				},
			],
		};
		await store.commit([
			put('call', item),
			sealedNumber(`team#${item.workspace_id}#m1`, 'x'),
			put('workspace', samples.workspace),
		]);
		const rung: string[] = [];
		const dial: Telephony['dial'] = async ({ leg_id }) => {
			rung.push(leg_id);
			return { dial: 'accepted', provider_id: 'CA1' };
		};
		const queues = { send: async () => ({ sent: 1, failed: 0 }) };
		const ids = { next: () => idOf(7), random: (bytes: number) => new Uint8Array(bytes) };
		const rest = {
			opener: { openNumber: async () => '+12025550101' },
			telephony: { dial } as Telephony,
			ids,
			speed: 1,
			log: memoryLog().log,
		};
		const message = { call_id: item.id, leg_id: leg.id };
		const come = (seconds: number) => dialLeg(message, { ...rest, store, queues, clock: at(seconds) });
		return { store, rung, come, message };
	}

	it('rings a phone once, if the call may still be set up', async () => {
		const { rung, come } = await forgotten();
		await come(10);
		await come(11);
		expect(rung).toHaveLength(1);
	});

	it.each([120, 600, 86_400])('that arrives after %i s rings no phone', async (seconds) => {
		const { rung, come } = await forgotten();
		await come(seconds);
		expect(rung).toEqual([]);
	});

	it('from the dead-letter queue is dropped, or becomes a hang-up if the leg still has to be hung up', async () => {
		const { store, message } = await forgotten();
		const letter: DeadLetterContent = { kind: 'leg', message };
		const judge = async () => (await judgeDeadLetter(letter, { store, now_ms: at(5).now() })).verdict;
		expect(await judge()).toEqual({ verdict: 'drop', because: 'stale_dial' });
		const call = await store.get('call', { id: message.call_id });
		if (call === null) throw new Error('no call');
		const legs = call.legs.map((leg) => ({ ...leg, rank: 'ringing' as const, hangup_requested_at: call.created_at }));
		const guard = { if: 'version', version: 1 } as const;
		await store.commit([put('call', { ...call, version: 2, legs }, guard)]);
		expect(await judge()).toEqual({ verdict: 'hang_up', message });
	});
});
