import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
	type FunctionOptions,
	type InvokeResult,
	type LocalFunction,
	localFunction,
	slots,
} from '../../local/lambda/functions.ts';
import type { Stack } from '../../local/stack.ts';
import type { OpsDeps } from '../../ops/connect.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import { bearer, type Customer, freshTalker, newCustomer, operatorOf } from '../support/webhooks/customers.ts';

// Functions of the API can use up the account's executions. Live calls have reserved executions.

/** The account's unreserved executions. */
const UNRESERVED = 4;
const account = slots(UNRESERVED);
let stack: Stack;
let ops: OpsDeps;
let customer: Customer;

beforeAll(async () => {
	stack = await testStack({}, { parameters: { CallConcurrency: '2' }, account });
	ops = await operatorOf(stack);
	customer = await newCustomer(ops);
});
afterAll(() => stack.stop());

it('a call is dialled, answered and hung up while list requests use up all unreserved executions', async () => {
	const { base_url } = stack;
	const body = visitorBody(customer, { phone: freshTalker() });
	const asked = await call(base_url, '/widget/call-requests', { body, headers: { origin: customer.allowed_origin } });
	expect(asked.status).toBe(202);
	for (let n = 0; n < UNRESERVED; n += 1) await account.take();

	const answered: number[] = [];
	const lists = Array.from({ length: 20 }, async () => {
		answered.push((await call(base_url, '/calls', { headers: bearer(customer.api_key) })).status);
	});
	const { id } = asked.json.data;
	const status = async () => (await ops.store.get('call', { id }))?.status;
	await eventually('both talk', async () => ((await status()) === 'connected' ? true : null));
	expect(answered).toEqual([]);

	for (let n = 0; n < UNRESERVED; n += 1) account.free();
	await Promise.all(lists);
	expect(answered).toEqual(lists.map(() => 200));
});

/** Runs what a test does with a function whose requests answer with the number of their thread, and of those at work in it. */
async function withCounting<T>(
	limits: Partial<FunctionOptions>,
	use: (counting: LocalFunction) => Promise<T>,
): Promise<T> {
	const source = `let now = 0; exports.handler = async () => {
		now += 1; await new Promise((done) => setImmediate(done)); const seen = now; now -= 1;
		return { seen, thread: require('node:worker_threads').threadId }; };`;
	const directory = mkdtempSync(join(tmpdir(), 'function-'));
	writeFileSync(join(directory, 'index.js'), source);
	const resource = { id: 'Counting', properties: { Handler: 'index.handler', Timeout: 10 }, metadata: {} };
	const place = { resource, directory, environment: {}, log_directory: directory };
	const counting = localFunction({ ...place, concurrency: 4, shared: slots(4), ...limits });
	try {
		return await use(counting);
	} finally {
		await counting.stop();
		rmSync(directory, { recursive: true });
	}
}
const answerOf = (invoked: InvokeResult): unknown => (invoked.invoked === 'ok' ? invoked.result : invoked.invoked);

it('a function never runs more instances at once than it has reserved, even if the account has free ones', async () => {
	const properties = { Handler: 'index.handler', Timeout: 10, ReservedConcurrentExecutions: '1' };
	const reserved = { resource: { id: 'Reserved', properties, metadata: {} }, shared: slots(0) };
	const answers = await withCounting(reserved, (counting) =>
		Promise.all([1, 2, 3].map(async () => answerOf(await counting.invoke({})))),
	);
	expect(answers).toEqual([1, 2, 3].map(() => answers[0]));
	expect(answers[0]).toMatchObject({ seen: 1 });
});

it('an instance that nothing needs ends after a while, and the next request starts another', async () => {
	await withCounting({ idle_ms: 1 }, async (counting) => {
		const first = answerOf(await counting.invoke({}));
		const another = await eventually('another instance', async () => {
			const next = answerOf(await counting.invoke({}));
			return isDeepStrictEqual(next, first) ? null : next;
		});
		expect(another).toMatchObject({ seen: 1 });
	});
});

it('a request that comes while the only instance ends does not wait for it', async () => {
	await withCounting({ idle_ms: 1, concurrency: 1 }, async (counting) => {
		const pause = (n: number) => new Promise((resolve) => setTimeout(resolve, n % 4));
		for (let n = 0; n < 40; n += 1) {
			expect(answerOf(await counting.invoke({}))).toMatchObject({ seen: 1 });
			await pause(n);
		}
	});
});

it('an instance that is needed stays', async () => {
	await withCounting({ idle_ms: 600_000 }, async (counting) => {
		const first = answerOf(await counting.invoke({}));
		expect(answerOf(await counting.invoke({}))).toEqual(first);
	});
});
