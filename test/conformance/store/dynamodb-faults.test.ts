import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Budget } from '../../../shared/adapters/aws/client/client.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Records } from '../../../shared/ports/registry.ts';
import type { Guard, Store, Write } from '../../../shared/ports/store.ts';
import { StoreBusy } from '../../../shared/ports/store.ts';
import { type Fault, loseAnswer, loseRequest, refuse, startWire, type Wire } from '../../support/aws/faulty-wire.ts';
import { type DynamoStandIn, startDynamo } from '../../support/aws/stand-ins.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { eventually } from '../../support/stack/api.ts';

let dynamo: DynamoStandIn;
let wire: Wire;
let store: Store;
let connect: (budget: Budget) => Store;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());
beforeEach(async () => {
	wire = await startWire(dynamo.endpoint);
	const env = { ...(await dynamo.newTable()), AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint };
	connect = (budget) => dynamoStore(env, { budget });
	store = connect({ tries: 3, try_ms: 1000, total_ms: 60_000 });
});
afterEach(() => wire.stop());

const call = (n: number, changes: Partial<Records['call']> = {}): Records['call'] => ({
	...samples.call,
	id: idOf(n),
	...changes,
});
const put = (item: Records['call'], guard: Guard = { if: 'absent' }): Write => ({
	op: 'put',
	record: 'call',
	item,
	guard,
});
const remove = (n: number): Write => ({
	op: 'remove',
	record: 'call',
	key: { id: idOf(n) },
	guard: { if: 'version', version: 1 },
});
const count = (limit: number): Write => ({
	op: 'count',
	counter: 'c',
	limits: { n: limit },
	expires_at_epoch_s: 2_000_000_000,
});
const hang: Fault = () => new Promise(() => {});
const statusOf = async (n: number) => (await store.get('call', { id: idOf(n) }))?.status ?? null;
const operations = () => wire.seen.map(({ operation }) => operation);

describe('if the response to a write is lost,', () => {
	it.each<[string, Write[]]>([
		['a lone put that must be first', [put(call(2))]],
		['a lone put of a next version', [put(call(1, { version: 2, status: 'ringing' }), { if: 'version', version: 1 })]],
		['a lone removal', [remove(1)]],
		['a lone count', [count(1)]],
		['several writes', [put(call(2)), count(1), remove(1)]],
	])('the write has happened once, and is reported as a success: %s', async (_name, writes) => {
		await store.commit([put(call(1))]);
		wire.fail(loseAnswer);
		expect(await store.commit(writes)).toEqual({ committed: true });
		expect((await store.commit(writes)).committed).toBe(false);
	});

	it('the write is not reported as a success if another writer was faster', async () => {
		await store.commit([put(call(1))]);
		const faster: Fault = async () => {
			await store.commit([put(call(1, { version: 2, status: 'failed' }), { if: 'version', version: 1 })]);
			return 'reset';
		};
		wire.fail(faster);
		const outcome = await store.commit([put(call(1, { version: 2, status: 'failed' }), { if: 'version', version: 1 })]);
		expect(outcome).toEqual({ committed: false, refused: [0] });
	});
});

describe('the next version of one record', () => {
	const next = put(call(1, { version: 2, status: 'ringing' }), { if: 'version', version: 1 });

	it('is a plain put, and every other commit is a transaction', async () => {
		await store.commit([put(call(1))]);
		await store.commit([next]);
		await store.commit([remove(1)]);
		await store.commit([put(call(2)), put(call(3))]);
		await store.commit([put(call(2, { version: 2 }), { if: 'version', version: 1 }), count(1)]);
		await store.commit([put(call(3), { if: 'always' })]);
		const [first, second, ...others] = operations();
		expect([first, second]).toEqual(['TransactWriteItems', 'PutItem']);
		expect(new Set(others)).toEqual(new Set(['TransactWriteItems']));
	});

	it('is read without the id of its write, and so is every later version', async () => {
		await store.commit([put(call(1))]);
		await store.commit([next]);
		expect(await store.get('call', { id: idOf(1) })).toEqual(next.op === 'put' && next.item);
		await store.commit([put(call(1, { version: 3 }), { if: 'version', version: 2 }), count(1)]);
		expect(await store.get('call', { id: idOf(1) })).toEqual(call(1, { version: 3 }));
	});

	it('is not reported as a success after an equal write of another process, although the response was lost', async () => {
		await store.commit([put(call(1))]);
		// The other process has the same record, reads the same version, and decides the same.
		wire.fail(async () => {
			await connect({ tries: 3, try_ms: 1000, total_ms: 60_000 }).commit([next]);
			return 'reset';
		});
		expect(await store.commit([next])).toEqual({ committed: false, refused: [0] });
	});

	it('is retried after a conflict with a transaction', async () => {
		await store.commit([put(call(1))]);
		wire.fail(refuse('TransactionConflictException'));
		expect(await store.commit([next])).toEqual({ committed: true });
	});

	it('throws on every other refusal', async () => {
		wire.fail(refuse('ValidationException'));
		await expect(store.commit([next])).rejects.toThrow('dynamodb: PutItem failed with ValidationException');
	});
});

/** The first try reaches DynamoDB only when `arrive` is called. The client has given up on it before. */
function lateFirstTry(): { readonly arrive: () => Promise<unknown> } {
	let arrive: () => Promise<unknown> = async () => {};
	wire.fail(async (_request, forward) => {
		arrive = forward;
		return 'reset';
	});
	return { arrive: () => arrive() };
}

describe('a try that arrives after its retry has succeeded', () => {
	it('does not put an earlier version in place of a later one', async () => {
		await store.commit([put(call(1))]);
		const late = lateFirstTry();
		await store.commit([put(call(1, { version: 2, status: 'ringing' }), { if: 'version', version: 1 })]);
		await store.commit([put(call(1, { version: 3, status: 'failed' }), { if: 'version', version: 2 })]);
		await late.arrive();
		expect(await statusOf(1)).toBe('failed');
	});

	it.each<Guard>([{ if: 'absent' }, { if: 'always' }, { if: 'absent_or_expired', now_epoch_s: 0 }])(
		'does not bring a removed record back: %j',
		async (guard) => {
			const late = lateFirstTry();
			await store.commit([put(call(1), guard)]);
			await store.commit([remove(1)]);
			await late.arrive();
			expect(await statusOf(1)).toBeNull();
		},
	);
});

it('a commit whose response is lost and whose time is over is not sent again, and its outcome is reported as unknown', async () => {
	let triesLeft = 1;
	wire.failAll(loseAnswer);
	const outcome = store.commit([put(call(1))], () => triesLeft-- > 0 || operations().length === 0);
	await expect(outcome).rejects.toThrow(StoreBusy);
	wire.mend();
	expect(operations().filter((one) => one === 'TransactWriteItems')).toHaveLength(1);
	expect(await statusOf(1)).toBe('requested');
});

describe('a function that was frozen with open connections', () => {
	/** Opens connections and leaves them idle. The server then closes all of them, and the frozen process does not notice. */
	async function sleepWithIdleConnections(count: number, dead: Fault = loseRequest): Promise<void> {
		const gate = Promise.withResolvers<void>();
		wire.fail(...Array.from({ length: count }, (): Fault => (_, forward) => gate.promise.then(forward)));
		const reads: Promise<unknown>[] = [];
		// Queries are used, because reads of single items that begin together share one request.
		for (let n = 0; n < count; n += 1) reads.push(store.endpointsOf(WORKSPACE));
		await eventually('all connections are open', async () => (wire.opened() === count ? true : null));
		gate.resolve();
		await Promise.all(reads);
		wire.failAll(async (request, forward) => (request.connection <= count ? dead(request, forward) : forward()));
		wire.seen.length = 0;
	}

	it('tries one of its lost connections, and not all of them in turn', async () => {
		await sleepWithIdleConnections(5);
		expect(await statusOf(1)).toBeNull();
		expect(wire.seen.map(({ connection }) => connection > 5)).toEqual([false, true]);
	});

	it('commits once, whether or not the lost connection delivered the first try', async () => {
		await sleepWithIdleConnections(5);
		expect(await store.commit([put(call(1)), count(1)])).toEqual({ committed: true });
		expect(await store.commit([put(call(1)), count(1)])).toEqual({ committed: false, refused: [0, 1] });
	});
});

describe('a transient error', () => {
	const conflict = refuse('TransactionCanceledException', 400, {
		CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
	});
	it.each<[string, Fault]>([
		['throttling', refuse('ProvisionedThroughputExceededException')],
		['too many requests', refuse('ThrottlingException')],
		['a conflict of transactions', conflict],
		['a transaction in progress', refuse('TransactionInProgressException')],
		['a server error', refuse('InternalServerError', 500)],
		['an answer that is no JSON', async () => ({ status: 503, body: '<html>' })],
		['a reset connection', loseRequest],
		['silence', hang],
	])('is retried: %s', async (_name, fault) => {
		wire.fail(fault, fault);
		expect(await store.commit([put(call(1)), count(1)])).toEqual({ committed: true });
		expect(operations()).toEqual(['TransactWriteItems', 'TransactWriteItems', 'TransactWriteItems']);
		expect(await statusOf(1)).toBe('requested');
	});

	it.each<[string, Budget, number]>([
		['its tries', { tries: 3, try_ms: 100, total_ms: 60_000 }, 3],
		// Each try except the last takes the full 100 ms, on a fast and on a slow machine.
		['its time', { tries: 1000, try_ms: 100, total_ms: 250 }, 4],
	])('that persists throws StoreBusy at the end of %s', async (_name, budget, most) => {
		wire.fail(...Array.from({ length: 1000 }, () => hang));
		await expect(connect(budget).commit([put(call(1))])).rejects.toBeInstanceOf(StoreBusy);
		expect(operations().length).toBeLessThanOrEqual(most);
	});

	it('that leaves a request without a response closes the connection', async () => {
		wire.fail(hang, hang);
		await store.commit([put(call(1))]);
		await eventually('one connection', async () => ((await wire.connections()) === 1 ? true : null));
	});

	it('is reported as a refused commit at once if a condition failed as well', async () => {
		wire.fail(
			refuse('TransactionCanceledException', 400, {
				CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }],
			}),
		);
		expect(await store.commit([put(call(1)), put(call(2))])).toEqual({ committed: false, refused: [0] });
	});

	it('is distinguished from a bug of ours, for which the store throws an error with AWS’s code and no stored value', async () => {
		wire.fail(refuse('AccessDeniedException'));
		await expect(store.get('call', { id: idOf(1) })).rejects.toThrow(
			'dynamodb: GetItem failed with AccessDeniedException',
		);
		expect(operations()).toHaveLength(1);
	});
});

describe('reads that begin in the same turn of the event loop', () => {
	it('share one request, whatever their kinds, and each gets its own item', async () => {
		await store.commit([put(call(1)), put(call(2, { status: 'completed' })), count(5)]);
		wire.seen.length = 0;
		const read = Promise.all([statusOf(1), statusOf(2), statusOf(1), statusOf(3), store.used('c')]);
		expect(await read).toEqual(['requested', 'completed', 'requested', null, { n: 1 }]);
		expect(operations()).toEqual(['BatchGetItem']);
	});

	it('are a plain GetItem if there is only one read', async () => {
		await statusOf(1);
		expect(operations()).toEqual(['GetItem']);
	});

	it('are not remembered: a later read sees a later write', async () => {
		await store.commit([put(call(1))]);
		expect(await Promise.all([statusOf(1), statusOf(2)])).toEqual(['requested', null]);
		await store.commit([put(call(1, { version: 2, status: 'failed' }), { if: 'version', version: 1 })]);
		expect(await Promise.all([statusOf(1), statusOf(2)])).toEqual(['failed', null]);
	});

	it('all throw StoreBusy if the table returns none of them', async () => {
		wire.failAll(async ({ body }) => {
			const UnprocessedKeys = JSON.parse(body).RequestItems;
			return { status: 200, body: JSON.stringify({ Responses: {}, UnprocessedKeys }) };
		});
		const outcomes = await Promise.allSettled([statusOf(1), statusOf(2)]);
		expect(outcomes).toEqual([1, 2].map(() => ({ status: 'rejected', reason: expect.any(StoreBusy) })));
	});
});

describe('a list', () => {
	const untouched: Fault = (_request, forward) => forward();
	const list = (limit: number) => store.list('call', WORKSPACE, { from_id: null, before_id: null, limit });

	it('reads again what a throttled table left out, even if it left out everything at first', async () => {
		await store.commit([1, 2].map((n) => put(call(n))));
		const none: Fault = async ({ body }) => {
			const { RequestItems } = JSON.parse(body);
			const [table = ''] = Object.keys(RequestItems);
			return { status: 200, body: JSON.stringify({ Responses: { [table]: [] }, UnprocessedKeys: RequestItems }) };
		};
		wire.fail(untouched, none);
		expect((await list(2)).map(({ id }) => id)).toEqual([2, 1].map(idOf));
	});

	it('requests unprocessed keys again, and keeps the order', async () => {
		await store.commit([1, 2, 3].map((n) => put(call(n))));
		const half: Fault = async ({ body }, forward) => {
			const [[table, { Keys }]] = Object.entries(JSON.parse(body).RequestItems) as [[string, { Keys: object[] }]];
			const answer = JSON.parse((await forward()).body);
			answer.Responses[table] = answer.Responses[table].filter(
				(item: Record<string, object>) => JSON.stringify(item['pk']) !== JSON.stringify((Keys[0] as typeof item)['pk']),
			);
			answer.UnprocessedKeys = { [table]: { Keys: Keys.slice(0, 1), ConsistentRead: true } };
			return { status: 200, body: JSON.stringify(answer) };
		};
		wire.fail(untouched, half);
		expect((await list(3)).map(({ id }) => id)).toEqual([3, 2, 1].map(idOf));
		expect(operations().filter((operation) => operation === 'BatchGetItem')).toHaveLength(2);
	});

	/** Deletes the call after the index has listed it, and before the service reads it. */
	const vanishing = (n: number): Fault => {
		return async (_request, forward) => {
			const answer = await forward();
			await store.commit([remove(n)]);
			return answer;
		};
	};

	it('shows the next record in place of a record that was deleted after the index was read', async () => {
		await store.commit([1, 2, 3].map((n) => put(call(n))));
		wire.fail(vanishing(3));
		expect((await list(2)).map(({ id }) => id)).toEqual([2, 1].map(idOf));
	});

	it('shows the next record in place of a deleted record in reverse order, too, and no record twice', async () => {
		await store.commit([1, 2, 3].map((n) => put(call(n))));
		wire.fail(vanishing(1));
		const range = { from_id: idOf(1), before_id: idOf(4), limit: 2, oldest_first: true } as const;
		expect((await store.list('call', WORKSPACE, range)).map(({ id }) => id)).toEqual([2, 3].map(idOf));
	});
});
