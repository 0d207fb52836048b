import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WORKER_BUDGET } from '../../../shared/adapters/aws/client/client.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { dueShard } from '../../../shared/adapters/dynamodb/table.ts';
import type { RecordName, Records } from '../../../shared/ports/registry.ts';
import type { CounterPlace, Guard, Put, Remove, Store, Write } from '../../../shared/ports/store.ts';
import { onDynamodbLocal } from '../../support/aws/dynamodb-local.ts';
import { type DynamoStandIn, startDynamo } from '../../support/aws/stand-ins.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples } from '../../support/sample-records.ts';

// The simulation relies on the store in memory. So each of its operations must give the same result as with the real store.

let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

/** Only a few keys, so that the operations affect each other. */
const workspace = fc.constantFrom('one', 'two');
const id = fc.integer({ min: 0, max: 2 }).map(idOf);
const version = fc.integer({ min: 1, max: 2 });
const epoch = fc.integer({ min: 100, max: 102 });
/** A time that differs for every id, so that the order of timers is defined. */
const timeOf = (of: string, minute: number): string => `2026-11-21T09:0${minute}:00.0${of.slice(-2)}Z`;
const origin = fc.constantFrom('https://a.example', 'https://b.example');
const minute = fc.integer({ min: 0, max: 2 });
const status = fc.constantFrom('pending' as const, 'succeeded' as const, 'failed' as const, 'held' as const);
const endpoint = fc.constantFrom(idOf(1), idOf(2));
const dueAt = (of: string): fc.Arbitrary<string | null> => fc.option(minute.map((n) => timeOf(of, n)));

const items: { readonly [N in RecordName]?: fc.Arbitrary<Records[N]> } = {
	call: id.chain((own) =>
		fc
			.record({ due_at: dueAt(own), version, workspace_id: workspace, visitor_name: fc.option(fc.string()) })
			.map((parts) => ({ ...samples.call, id: own, ...parts })),
	),
	delivery: id.chain((own) =>
		fc
			.record({ due_at: dueAt(own), version, workspace_id: workspace, status, endpoint_id: endpoint })
			.map((parts) => ({ ...samples.delivery, id: own, ...parts })),
	),
	event: fc
		.record({
			subject_id: id,
			kind: fc.constantFrom('call.requested' as const, 'call.failed' as const),
			workspace_id: workspace,
		})
		.map((parts) => ({ ...samples.event, ...parts, id: idOf(parts.kind.length) + parts.subject_id.slice(-1) })),
	webhook_endpoint: fc
		.record({ id, workspace_id: workspace, version })
		.map((parts) => ({ ...samples.webhook_endpoint, ...parts })),
	delivery_attempt: fc
		.record({ delivery_id: id, number: fc.integer({ min: 1, max: 3 }) })
		.map((parts) => ({ ...samples.delivery_attempt, ...parts })),
	allowed_origin: fc
		.record({ origin, workspace_id: workspace })
		.map((parts) => ({ ...samples.allowed_origin, ...parts })),
	closed_day: fc
		.record({ workspace_id: workspace, day: fc.constantFrom('2026-11-24', '2026-11-25', '2026-11-26') })
		.map((parts) => ({ ...samples.closed_day, ...parts })),
	idempotency: fc
		.record({ scope: fc.constantFrom('x', 'y'), expires_at_epoch_s: epoch })
		.map((parts) => ({ ...samples.idempotency, ...parts })),
	number_usage: fc
		.record({ number_hash: fc.constantFrom('x', 'y'), version, expires_at_epoch_s: fc.option(epoch) })
		.map((parts) => ({ ...samples.number_usage, ...parts })),
};
const guard: fc.Arbitrary<Guard> = fc.oneof(
	fc.constant({ if: 'absent' } as const),
	{ weight: 4, arbitrary: fc.constant({ if: 'always' } as const) },
	version.map((n) => ({ if: 'version', version: n }) as const),
	epoch.map((n) => ({ if: 'absent_or_expired', now_epoch_s: n }) as const),
);
const kinds = Object.keys(items) as RecordName[];
const put = fc
	.constantFrom(...kinds)
	.chain((record) =>
		fc
			.record({ item: items[record] as fc.Arbitrary<never>, guard })
			.map((parts) => ({ op: 'put', record, ...parts }) as Put),
	);
/** A removal needs only the key of an item. The key is part of the item. */
const remove = put.map(
	({ record, item, guard: only }) => ({ op: 'remove', record, key: item, guard: only }) as unknown as Remove,
);
const limits = fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 0, max: 3 }), { minKeys: 1 });
const place = fc.constantFrom('2026-11-25#0', '2026-11-25#1', '2026-11-26#0');
const count = fc
	.record(
		{ counter: fc.constantFrom('x', 'y'), place, limits, expires_at_epoch_s: epoch },
		{ requiredKeys: ['counter', 'limits', 'expires_at_epoch_s'] },
	)
	.map((parts) => ({ op: 'count', ...parts }) as const);

type Step = { readonly say: string; readonly run: (store: Store) => Promise<unknown> };
const say = (name: string, ...input: unknown[]): string => `${name} ${JSON.stringify(input)}`;
const bound = fc.option(id);
const write = fc.oneof<fc.Arbitrary<Write>[]>(put, put, remove, count);
/** Mostly one write, because in a longer transaction one write is usually refused, and then nothing changes. */
const writes = fc.oneof(
	{ weight: 4, arbitrary: fc.tuple(write) },
	{ weight: 1, arbitrary: fc.array(write, { maxLength: 4 }) },
);

const commits = writes.map((given): Step => ({ say: say('commit', given), run: (store) => store.commit(given) }));
const gets = put.map(
	({ record, item }): Step => ({ say: say('get', record, item), run: (store) => store.get(record, item as never) }),
);
const lists = fc
	.record({
		record: fc.constantFrom<'call' | 'delivery' | 'event'>('call', 'delivery', 'event'),
		of: workspace,
		range: fc.record(
			{
				from_id: bound,
				before_id: bound,
				limit: fc.integer({ min: 1, max: 3 }),
				oldest_first: fc.constant(true as const),
				part: fc.oneof(
					fc.constantFrom('failed' as const, 'held' as const, 'pending' as const).map((of) => ({ status: of })),
					endpoint.map((endpoint_id) => ({ endpoint_id })),
				),
			},
			{ requiredKeys: ['from_id', 'before_id', 'limit'] },
		),
	})
	.map(
		({ record, of, range }): Step => ({
			say: say('list', record, of, range),
			run: (store) => store.list(record, of, range),
		}),
	);
const fieldsOfLists = fc
	.record({ of: workspace, from_id: bound, before_id: bound, limit: fc.integer({ min: 1, max: 3 }) })
	.map(
		({ of, ...range }): Step => ({
			say: say('listFields', of, range),
			run: async (store) => (await store.listFields('event', of, range, ['kind'])).map(({ id, kind }) => [id, kind]),
		}),
	);
const timers = fc.record({ of: id, at: minute, limit: fc.integer({ min: 1, max: 2 }) }).map(
	({ of, at, limit }): Step => ({
		say: say('due', of, at, limit),
		run: (store) => store.due(dueShard(of), timeOf(of, at), limit, null),
	}),
);
const byPlace = (places: readonly CounterPlace[]) => places.toSorted((a, b) => (a.place < b.place ? -1 : 1));
const partitions = fc.oneof(
	workspace.map((of): Step => ({ say: say('endpointsOf', of), run: (store) => store.endpointsOf(of) })),
	id.map((of): Step => ({ say: say('attemptsOf', of), run: (store) => store.attemptsOf(of) })),
	fc.constant('aGFzaA').map((of): Step => ({ say: say('consentsOf', of), run: (store) => store.consentsOf(of) })),
	fc.constant('ida@shop.example').map((of): Step => ({ say: say('desksOf', of), run: (store) => store.desksOf(of) })),
	fc.tuple(fc.constantFrom('x', 'y'), place, fc.option(place, { nil: undefined })).map(
		([of, from, before]): Step => ({
			say: say('usedFrom', of, from, before),
			run: (store) => store.usedFrom(of, from, before),
		}),
	),
	fc.tuple(fc.constantFrom('x', 'y'), place).map(
		([of, at]): Step => ({
			say: say('usedAt', of, at),
			run: async (store) => byPlace(await store.usedAt(of, [at, '2026-11-25#0'])),
		}),
	),
	fc
		.tuple(workspace, fc.constantFrom('2026-11-24', '2026-11-25'), fc.constantFrom('2026-11-25', '2026-11-26'))
		.map((asked): Step => ({ say: say('closedDays', ...asked), run: (store) => store.closedDays(...asked) })),
	origin.map((of): Step => ({ say: say('anyWorkspaceAllows', of), run: (store) => store.anyWorkspaceAllows(of) })),
);
const step = fc
	.oneof(
		{ weight: 5, arbitrary: commits },
		gets,
		{ weight: 2, arbitrary: lists },
		fieldsOfLists,
		{ weight: 2, arbitrary: timers },
		partitions,
	)
	.map((made) => ({ ...made, [fc.toStringMethod]: () => made.say }));

/** The response, or the fact that the operation threw an error. The two stores may throw different errors. */
const answerOf = async ({ run }: Step, store: Store): Promise<unknown> => run(store).then(inOrder, () => 'threw');

/** Sorts the fields of counters, because a store returns them in any order. */
function inOrder(answer: unknown): unknown {
	if (!Array.isArray(answer) || !answer.every((each) => 'place' in each && 'counts' in each)) return answer;
	return answer.map(({ place, counts }) => ({ place, counts: [...counts].sort() }));
}

/**
 * On DynamoDB Local, keeps only the times of timers, because it returns timers with the same time in another order than the store
 * in memory does. Both orders are right: DynamoDB guarantees none.
 */
function withoutTies(answer: unknown): unknown {
	const isDue = (one: unknown): one is { readonly due_at: string } =>
		typeof one === 'object' && one !== null && 'record' in one && 'due_at' in one;
	return onDynamodbLocal && Array.isArray(answer) && answer.every(isDue) ? answer.map(({ due_at }) => due_at) : answer;
}

it('the store gives the same results in memory as on DynamoDB, for every sequence of operations', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
			const env = await dynamo.newTable();
			const memory = memoryStore();
			const real = dynamoStore(env, { budget: WORKER_BUDGET });
			for (const next of steps) {
				const expected = await answerOf(next, memory);
				const found = await answerOf(next, real);
				// If a transaction names an item twice and a condition also fails, DynamoDB Local reports the condition. DynamoDB
				// and the store in memory throw an error.
				if (onDynamodbLocal && expected === 'threw') continue;
				expect({ [next.say]: withoutTies(expected) }).toEqual({ [next.say]: withoutTies(found) });
			}
		}),
		{ numRuns: 100 },
	);
});
