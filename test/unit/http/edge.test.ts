import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { IdParams, Nothing } from '../../../shared/contract/kernel/common.ts';
import { openApiDocument } from '../../../shared/contract/openapi.ts';
import type { Route } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { type ApiKey, formatApiKey, hashApiKey } from '../../../shared/domain/access/api-key.ts';
import { ID_PATTERN } from '../../../shared/domain/kernel/id.ts';
import {
	forClients,
	forPollers,
	forVisitors,
	handle,
	handleChange,
	handleForAnyone,
	handleForPeople,
} from '../../../shared/http/edge/handle.ts';
import type { LogFields } from '../../../shared/ports/log-redaction.ts';
import { change, type ForRequest } from '../../../shared/use-cases/kernel/unit-of-work.ts';
import { apiEvent } from '../../support/api-event.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

// Tests authentication and limits at the edge of HTTP, in one process. test/api checks every route of the running stack.

const SHOP = 'https://shop.example';
const route = {
	operation: 'count-up',
	method: 'POST',
	path: '/counters/{id}',
	summary: 'Count one up',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: true,
	success: 200,
	params: IdParams,
	query: Nothing,
	body: z.looseObject({}),
	response: z.object({ count: z.number() }),
	refusals: [],
} as const satisfies Route;

type Line = LogFields & { readonly fact: string };
type Asked = {
	readonly key?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly id?: string;
	readonly body?: unknown;
};
function event({ key, headers = {}, id = idOf(7), body = {} }: Asked) {
	const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
	return apiEvent({
		path: `/v1/counters/${id}`,
		headers: { 'content-type': 'application/json', ...authorization, ...headers },
		id,
		body: JSON.stringify(body),
	});
}

/** A counter behind a route of each surface. Each request increases it, and each response contains its value. */
async function counter(given: Route = route, from = 0) {
	const store = memoryStore();
	const clock = { now_ms: Date.parse('2026-11-21T12:00:00.000Z'), now: () => clock.now_ms };
	const lines: Line[] = [];
	const write = (fact: string, fields: LogFields) => lines.push({ fact, ...fields });
	let count = from;
	const { workspace, workspace_key, allowed_origin, call } = samples;
	await store.commit([
		put('workspace', workspace),
		put('workspace_key', workspace_key),
		put('allowed_origin', allowed_origin),
		put('allowed_origin', { origin: 'https://other.example', workspace_id: 'o' }),
		put('call', call),
	]);
	const deps = () => ({ store, clock, log: { info: write, warn: write, error: write } });
	type Result = { readonly outcome: 'counted'; readonly count: number };
	const respond = ({ count: counted }: Result) => ({ body: { count: counted, internal: 'of nobody’s business' } });
	const run = async (_: unknown, { keepResponse }: ForRequest<Result>): Promise<Result> => {
		if (count === 100) throw new Error('sql: table counters of 10.0.0.7 is full');
		return change<null, Result>(
			{
				read: async () => null,
				decide: () => ({
					result: { outcome: 'counted', count: count + 1 },
					afterwards: async () => {
						count += 1;
					},
				}),
			},
			store,
			keepResponse,
		);
	};
	const edges = {
		client: handleChange(forClients, given as typeof route, { deps, respond, run }),
		visitor: handleChange(forVisitors, given as typeof route, { deps, respond, run }),
		poller: handle(forPollers, given as typeof route, { deps, run: async () => respond(await run(null, {})) }),
	};
	return {
		clock,
		store,
		lines,
		counted: () => count,
		/** Creates an API key and its stored record. */
		async keyed(changes: Partial<ApiKey> = {}): Promise<string> {
			const id = ulidIds.next();
			const key = formatApiKey(id, randomBytes(32));
			const item = { ...samples.api_key, id, permissions: ['webhooks:write'] as const, secret_hash: hashApiKey(key) };
			await store.commit([put('api_key', { ...item, ...changes })]);
			return key;
		},
		async ask(asked: Asked, edge: keyof typeof edges = 'client') {
			const { statusCode, headers, body = '' } = await edges[edge](event(asked), {});
			const read = JSON.parse(body);
			return { status: statusCode, headers, body, said: statusCode < 300 ? read.count : read.code };
		},
	};
}
const once = (key: string) => ({ 'idempotency-key': key });

describe('a function that has no answer before its time ends', () => {
	/**
	 * Two handlers that never respond: one for programs (API) and one for people (pages). The platform leaves each of them 10 ms to
	 * answer.
	 */
	const context = { getRemainingTimeInMillis: () => 260 };
	const never = () => new Promise<never>(() => undefined);
	const { log, lines } = memoryLog();
	const ofProgram = handleForAnyone('get-openapi', { log }, never);
	const ofPeople = handleForPeople(
		{ ...route, surface: 'team', operation: 'sign-in' },
		{ deps: () => ({ log, public_base_url: SHOP }), run: never },
	);

	it.each([
		['POST', 'It is not known whether this was done.'],
		['PATCH', 'It is not known whether this was done.'],
		['GET', 'Please try again.'],
	])('answers 503 itself, and says whether the change may have been made: %s', async (method, says) => {
		const answer = await ofProgram(apiEvent({ path: '/v1/x', method }), context);
		expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
		const problem = JSON.parse(answer.body ?? '');
		expect(problem).toMatchObject({ code: 'service_busy', detail: expect.stringContaining(says) });
		expect(lines.at(-1)).toMatchObject({ fact: 'response', status: 503, code: 'service_busy' });
	});

	it('answers a browser with a page', async () => {
		const answer = await ofPeople(apiEvent({ path: '/v1/x', method: 'GET' }), context);
		expect(answer.statusCode).toBe(503);
		expect(answer.body).toContain('it may have been done');
	});

	it('limits its calls to AWS to the time that is left', async () => {
		const begun: (number | undefined)[] = [];
		const time_limit = { begins: (leftMs?: number) => void begun.push(leftMs), left_ms: () => 0 };
		const handler = handleForAnyone('get-openapi', { log, time_limit }, async () => ({ statusCode: 204, headers: {} }));
		for (const each of [context, {}]) await handler(apiEvent({ path: '/v1/x', method: 'GET' }), each);
		expect(begun).toEqual([260, undefined]);
	});
});

describe('a deprecated operation', () => {
	const deprecated = { since: '2026-12-01', sunset: '2027-12-01', successor: '/v2/counters' };
	const HEADERS = {
		deprecation: '@1796083200',
		sunset: 'Wed, 01 Dec 2027 00:00:00 GMT',
		link: '</v2/counters>; rel="successor-version"',
	};

	it('answers with Deprecation, Sunset and its successor, also when it refuses or fails', async () => {
		const { ask, keyed } = await counter({ ...route, deprecated }, 99);
		const key = await keyed();
		for (const said of [100, 'internal_error']) expect(await ask({ key })).toMatchObject({ said, headers: HEADERS });
		expect(await ask({})).toMatchObject({ said: 'unauthenticated', headers: HEADERS });
	});

	it('is marked in the OpenAPI document, and no other operation is', () => {
		const table = routes.map((row) => (row.operation === 'list-calls' ? { ...row, deprecated } : row));
		const document = JSON.parse(JSON.stringify(openApiDocument(table)));
		const { get } = document.paths['/calls'];
		expect(get).toMatchObject({ deprecated: true, 'x-sunset': '2027-12-01', 'x-successor': '/v2/counters' });
		expect(Object.keys(get.responses[200].headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
		delete document.paths['/calls'];
		expect(JSON.stringify(document.paths)).not.toMatch(/deprecat/i);
	});
});

describe('an API key', () => {
	it('has its last use recorded once an hour, in a separate record', async () => {
		const { ask, keyed, clock, store } = await counter();
		const key = await keyed();
		const id = key.slice('cbk_live_'.length, 'cbk_live_'.length + 26);
		const before = await store.get('api_key', { id });
		const usedAt = async () => (await store.get('api_key_use', { id }))?.last_used_at;
		expect(await usedAt()).toBeUndefined();
		for (const [minutes, noted] of [
			[0, '2026-11-21T12:00:00.000Z'],
			[59, '2026-11-21T12:00:00.000Z'],
			[60, '2026-11-21T13:00:00.000Z'],
			[119, '2026-11-21T13:00:00.000Z'],
			[240, '2026-11-21T16:00:00.000Z'],
		] as const) {
			clock.now_ms = Date.parse('2026-11-21T12:00:00.000Z') + minutes * 60_000;
			expect((await ask({ key })).status).toBe(200);
			expect([minutes, await usedAt()]).toEqual([minutes, noted]);
		}
		expect(await store.get('api_key', { id })).toEqual(before);
	});

	it('gives access to no route without a permission', async () => {
		const { ask, keyed, counted } = await counter({ ...route, permission: null });
		expect((await ask({ key: await keyed() })).said).toBe('insufficient_permission');
		expect(counted()).toBe(0);
	});
});

it('every response tells browsers to stay on https and forbids content sniffing', async () => {
	const { ask, keyed } = await counter(route, 99);
	const key = await keyed();
	const answers = [await ask({ key }), await ask({}), await ask({ key }), await ask({ key, id: '?' })];
	expect(answers.map(({ status }) => status)).toEqual([200, 401, 500, 404]);
	for (const { headers } of answers) {
		expect(headers).toMatchObject({
			'strict-transport-security': 'max-age=31536000',
			'x-content-type-options': 'nosniff',
		});
	}
});

describe('the log', () => {
	const responses = (lines: readonly Line[]) => lines.filter(({ fact }) => fact === 'response');
	const { workspace_id } = samples.api_key;
	const api_key_id = expect.stringMatching(ID_PATTERN);

	it.each([
		['a response', {}, { status: 200, workspace_id, api_key_id }],
		['a stranger', { key: 'none' }, { status: 401, code: 'unauthenticated' }],
		['a refused body', { body: 'text' }, { status: 422, code: 'validation_failed', workspace_id, api_key_id }],
		['a failure', { from: 100 }, { status: 500, code: 'internal_error', workspace_id, api_key_id }],
	])('has one line for %s, with status, duration, problem code, workspace and API key', async (_, given, line) => {
		const { from, ...asked }: { from?: number; key?: string; body?: string } = given;
		const { ask, keyed, lines } = await counter(route, from);
		await ask({ key: await keyed(), ...asked });
		const [one, ...more] = responses(lines);
		expect(more).toEqual([]);
		const { fact, duration_ms, ...rest } = one ?? { fact: 'none' };
		expect(rest).toEqual({ request_id: 'request-1', operation: 'count-up', ...line });
		expect(duration_ms).toBeGreaterThanOrEqual(0);
	});

	it('has one line for a stored response that is repeated', async () => {
		const { ask, keyed, lines } = await counter();
		const key = await keyed();
		await ask({ key, headers: once('a') });
		await ask({ key, headers: once('a') });
		expect(responses(lines).map(({ status }) => status)).toEqual([200, 200]);
	});
});

describe('a response', () => {
	it('contains only what its schema declares', async () => {
		const { ask, keyed } = await counter();
		expect((await ask({ key: await keyed() })).body).toBe('{"count":1}');
	});

	it('to an error shows no internal detail', async () => {
		const { ask, keyed } = await counter(route, 100);
		const { status, said, body } = await ask({ key: await keyed() });
		expect([status, said]).toEqual([500, 'internal_error']);
		expect(body).not.toMatch(/sql|10\.0\.0\.7|at /);
	});
});

describe('a page', () => {
	const { workspace_key } = samples.workspace_key;
	const from = (origin: string) => ({ headers: { origin }, body: { workspace_key } });

	it('may read the response even if the service fails', async () => {
		const { ask } = await counter(route, 100);
		const { status, headers } = await ask(from(SHOP), 'visitor');
		expect([status, headers['access-control-allow-origin']]).toEqual([500, SHOP]);
	});
});
