import { beforeEach, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { DEFAULT_LIMITS, type WorkspaceLimits } from '../../../shared/domain/access/limits.ts';
import { permissions } from '../../../shared/domain/access/permission.ts';
import { apiCount, isFull, tightestAllowance } from '../../../shared/domain/access/rate-limit.ts';
import { clientGate } from '../../../shared/http/edge/admit-client.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples, WORKSPACE } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

const list = { operation: 'list-calls', permission: 'calls:read' } as const;
const test = { operation: 'test-webhook-endpoint', permission: 'webhooks:write', slow: true } as const;

const now = { ms: 0 };
let store: Store;
/** The requests to the store so far, in order. */
let asked: string[];
let deps: { readonly store: Store; readonly clock: { now(): number }; readonly ids: typeof ulidIds };

beforeEach(async () => {
	now.ms = Date.parse('2026-11-21T12:34:20.000Z');
	const memory = memoryStore();
	asked = [];
	store = {
		...memory,
		get: (record, key) => {
			asked.push(`get ${record}`);
			return memory.get(record, key);
		},
		count: (write) => {
			asked.push('count');
			return memory.count(write);
		},
	};
	deps = { store, clock: { now: () => now.ms }, ids: ulidIds };
	await limit({});
});

/** Sets these limits of the workspace. Its other limits have their default values. */
async function limit(limits: Partial<WorkspaceLimits>): Promise<void> {
	await store.commit([put('workspace', { ...samples.workspace, limits }, always)]);
}
async function newKey(): Promise<string> {
	const made = await createApiKey({ workspace_id: WORKSPACE, name: 'test', permissions }, deps);
	if ('refused' in made) throw new Error(made.refused);
	return made.secret;
}
const bearer = (key: string): string => `Bearer ${key}`;

type Answer = Awaited<ReturnType<ReturnType<typeof clientGate>>>;
const codeOf = (answer: Answer): string => ('problem' in answer ? answer.problem.code : 'admitted');
const headersOf = (answer: Answer) => ('problem' in answer ? answer.problem.headers : answer.headers);

describe('a key of the server API', () => {
	it('gets its remaining limit and the reset time in every response', async () => {
		const admit = clientGate(list, deps);
		const key = bearer(await newKey());
		const headersWith = (remaining: number, reset: number) => ({
			'ratelimit-limit': '600',
			'ratelimit-remaining': String(remaining),
			'ratelimit-reset': String(reset),
		});
		expect(headersOf(await admit(key))).toEqual(headersWith(599, 40));
		now.ms += 10_000;
		expect(headersOf(await admit(key))).toEqual(headersWith(598, 30));
		now.ms += 30_000;
		expect(headersOf(await admit(key))).toEqual(headersWith(599, 60));
	});

	it('is refused beyond its limit until the minute ends, with Retry-After, while other keys of the workspace are accepted', async () => {
		await limit({ api_requests_per_key_per_minute: 2 });
		const admit = clientGate(list, deps);
		const one = bearer(await newKey());
		const other = bearer(await newKey());
		const codes = [await admit(one), await admit(one), await admit(one), await admit(other)].map(codeOf);
		expect(codes).toEqual(['admitted', 'admitted', 'rate_limited', 'admitted']);
		expect(await admit(one)).toMatchObject({
			problem: {
				code: 'rate_limited',
				detail: 'At most 2 requests a minute for this API key.',
				headers: { 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '40', 'retry-after': '40' },
				reason: 'API key',
			},
		});
		now.ms += 39_999;
		expect(codeOf(await admit(one))).toBe('rate_limited');
		now.ms += 1;
		expect(codeOf(await admit(one))).toBe('admitted');
	});

	it('may test endpoints ten times a minute, and its other requests are accepted even after that', async () => {
		const admitTest = clientGate(test, deps);
		const admitList = clientGate(list, deps);
		const key = bearer(await newKey());
		const codes: string[] = [];
		for (let n = 0; n < 12; n += 1) codes.push(codeOf(await admitTest(key)));
		expect(codes).toEqual([...Array(10).fill('admitted'), 'rate_limited', 'rate_limited']);
		expect(headersOf(await admitList(key))).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '589' });
	});

	it('has the same limit over any number of processes', async () => {
		await limit({ api_requests_per_key_per_minute: 7 });
		const key = bearer(await newKey());
		const gates = Array.from({ length: 20 }, () => clientGate(list, deps));
		const answers = await Promise.all(gates.map((admit) => admit(key)));
		expect(answers.filter((answer) => codeOf(answer) === 'admitted')).toHaveLength(7);
	});
});

it('a changed limit applies at once', async () => {
	const admit = clientGate(list, deps);
	const key = bearer(await newKey());
	await admit(key);
	await limit({ api_requests_per_key_per_minute: 2 });
	expect(headersOf(await admit(key))).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' });
});

describe('a client', () => {
	it('cannot use up the limit of another client’s key: a request with the id of that key and a made-up secret is not counted', async () => {
		const admit = clientGate(list, deps);
		const key = await newKey();
		await admit(bearer(key));
		asked.length = 0;
		const forged = `${key.slice(0, 40)}${key[40] === 'A' ? 'B' : 'A'}${key.slice(41)}`;
		for (let n = 0; n < 5; n += 1) expect(codeOf(await admit(bearer(forged)))).toBe('unauthenticated');
		expect(asked).not.toContain('count');
	});
});

it('the response names the limit with the fewest requests left, and its values match the counter', () => {
	const limits = (key: number, slow: number) => ({
		...DEFAULT_LIMITS,
		api_requests_per_key_per_minute: key,
		slow_requests_per_minute: slow,
	});
	const nat = fc.nat(50);
	fc.assert(
		fc.property(nat, nat, nat, nat, (key, slow, b, c) => {
			const use = { workspace_id: 'W', api_key_id: 'K', slow_operation: 'test', limits: limits(key, slow) };
			const allowance = tightestAllowance(apiCount(use, 0), { 'key K': b, test: c });
			const left = [key - b, slow - c].map((each) => Math.max(0, each));
			expect(allowance.remaining).toBe(Math.min(...left));
			expect([key, slow]).toContain(allowance.limit);
		}),
	);
});

describe('the limit that a response names', () => {
	const use = { workspace_id: 'w', api_key_id: 'k', limits: DEFAULT_LIMITS };
	const tightest = (limits: Readonly<Record<string, number>>, used: Readonly<Record<string, number>>) => {
		const count = apiCount({ ...use, slow_operation: 'slow' }, now.ms);
		return tightestAllowance({ ...count, count: { ...count.count, limits } }, used);
	};

	it('is the one with the fewest requests left, or the smallest limit if several have equally few left', () => {
		expect(tightest({ slow: 10, 'key k': 5 }, { slow: 9, 'key k': 1 })).toEqual({
			name: 'operation slow',
			limit: 10,
			remaining: 1,
		});
		for (const limits of [
			{ slow: 10, 'key k': 5 },
			{ 'key k': 5, slow: 10 },
		]) {
			expect(tightest(limits, { slow: 6, 'key k': 1 })).toEqual({ name: 'API key', limit: 5, remaining: 4 });
		}
	});
});

it('a counter with several limits is full as soon as one of them is reached', () => {
	const { count } = apiCount(
		{ workspace_id: WORKSPACE, api_key_id: 'k', slow_operation: 'slow', limits: DEFAULT_LIMITS },
		0,
	);
	const { slow_requests_per_minute: most } = DEFAULT_LIMITS;
	expect([isFull(count, { slow: most }), isFull(count, { slow: most - 1 })]).toEqual([true, false]);
});

it('the slow operations of one workspace do not use up the limit of another workspace', () => {
	const counterOf = (workspace_id: string) =>
		apiCount({ workspace_id, api_key_id: 'k', slow_operation: 'slow', limits: DEFAULT_LIMITS }, 0).count.counter;
	expect(counterOf('another')).not.toBe(counterOf(WORKSPACE));
});
