import { expect, it } from '@jest/globals';
import { attemptsIn } from '../../../shared/domain/webhooks/delivery.ts';
import {
	LATEST_DELIVERIES,
	lastAttempts,
	lastAttemptsOfAll,
} from '../../../shared/use-cases/webhooks/last-attempts.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const { attempt } = samples.delivery_attempt;
const failed = (number: number) =>
	({ ...attempt, number, started_at: `2026-11-21T08:0${number}:00.000Z`, error: 'http_status' }) as const;
const succeeded = (number: number) => ({ ...failed(number), error: null });
const records = (...numbers: readonly number[]) => numbers.map((number) => ({ attempt: failed(number) }));

it.each([
	['none yet', null, [], []],
	['the newest alone', failed(1), [], [1]],
	['the newest and those before', failed(3), [1, 2], [1, 2, 3]],
	['one that ended after the delivery was read', failed(2), [1, 2], [1, 2]],
	['two that ended after it was read', failed(1), [1, 2], [1]],
] as const)('a delivery shows each attempt once: %s', (_, last_attempt, older, numbers) => {
	expect(attemptsIn({ last_attempt }, records(...older)).map(({ number }) => number)).toEqual(numbers);
});

it('an endpoint that failed seven times and then succeeded still shows its last failure', async () => {
	const store = memoryStore();
	const { workspace_id, endpoint_id, id: delivery_id } = samples.delivery;
	const older = Array.from({ length: 7 }, (_, nth) => nth + 1).map((number) =>
		put('delivery_attempt', { ...samples.delivery_attempt, delivery_id, number, attempt: failed(number) }),
	);
	const delivery = { ...samples.delivery, attempt_count: 8, last_attempt: succeeded(8) };
	await store.commit([put('delivery', delivery), ...older]);
	expect(await lastAttempts({ workspace_id, id: endpoint_id }, { store })).toEqual({
		read: 1,
		success: succeeded(8),
		failure: failed(7),
	});
});

it.each(['failed', 'held'] as const)(
	'an endpoint shows the last failure of an older delivery that is %s',
	async (status) => {
		const store = memoryStore();
		const { workspace_id, endpoint_id } = samples.delivery;
		const idOf = (nth: number) => `01K9ZZZZZZZZZZZZZZZZZZZ${String(nth).padStart(3, '0')}`;
		const newer = Array.from({ length: LATEST_DELIVERIES }, (_, nth) =>
			put('delivery', { ...samples.delivery, id: idOf(nth + 2), attempt_count: 1, last_attempt: succeeded(2) }),
		);
		const older = { ...samples.delivery, id: idOf(1), status, attempt_count: 1, last_attempt: failed(9) };
		// Another endpoint's failure is not shown.
		const other = { ...older, id: idOf(0), endpoint_id: 'other', last_attempt: { ...failed(9), number: 10 } };
		await store.commit([put('delivery', older), put('delivery', other), ...newer]);
		const endpoint = { workspace_id, id: endpoint_id };
		expect((await lastAttempts(endpoint, { store })).failure).toBeNull();
		expect((await lastAttemptsOfAll(endpoint, { store })).failure).toEqual(failed(9));
	},
);
