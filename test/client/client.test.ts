import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { build } from 'esbuild';
import { callBackClient } from '../../packages/client/client.ts';
import { ApiError, NoAnswerError } from '../../packages/client/errors.ts';
import type { ClientOptions } from '../../packages/client/transport.ts';
import { routes } from '../../shared/contract/routes.ts';
import { clientMethods, operationTable } from '../../tools/generate/client-methods.ts';
import { type Asked, type Behaviour, type Scripted, says, startScripted } from '../support/scripted-server.ts';

// A server that gives the responses that each test sets, over real connections.

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const CANARY = 'cbk_live_canary_0123456789';

const seen: (Asked & { readonly at: number })[] = [];
/** The next responses. When none is left, the response is an empty success. */
let replies: Behaviour[] = [];
let server: Scripted;
let base_url: string;

beforeAll(async () => {
	server = await startScripted((response, asked) => {
		seen.push({ ...asked, at: performance.now() });
		(replies.shift() ?? answer(200, { data: {}, has_more: false, next_cursor: null }))(response, asked);
	});
	base_url = `${server.url}/v1`;
});
afterAll(() => server.stop());
beforeEach(() => {
	seen.length = 0;
	replies = [];
});

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
	says(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
const refuse = (status: number, code: string, headers = {}) =>
	answer(status, { code, status, detail: 'Because.', request_id: 'r-1' }, headers);
const hangUp: Behaviour = (response) => void response.destroy();
const never: Behaviour = () => {};

const client = (options: Partial<ClientOptions> = {}) => callBackClient({ base_url, api_key: CANARY, ...options });

it.each([' ', '\ufeff', '"', '\r\n'])('the client accepts a base_url pasted with %j around it', async (around) => {
	replies = [refuse(404, 'not_found')];
	const pasted = client({ base_url: `${around}${base_url}${around}` });
	await expect(pasted.calls.get(ID)).rejects.toThrow(/^Because\.$/);
});

describe('a base_url without /v1', () => {
	const misplaced = () => client({ base_url: base_url.replace('/v1', '') }).calls.get(ID);
	const page = says(200, '<h1>Shop</h1>', { 'content-type': 'text/html' });

	it.each([
		['nothing is found', refuse(404, 'not_found'), 'Because.'],
		['another program answers', page, 'HTTP 200'],
	])('is named in the error when %s', async (_, reply, message) => {
		replies = [reply];
		const where = base_url.replace('/v1', '');
		await expect(misplaced()).rejects.toThrow(`${message} (base_url is ${where}, which does not end in /v1)`);
	});

	it('is not named in the error when the API itself refuses a request; neither is a correct base_url when a resource is missing', async () => {
		replies = [refuse(403, 'insufficient_permission'), refuse(404, 'not_found')];
		await expect(misplaced()).rejects.toThrow(/^Because\.$/);
		await expect(client().calls.get(ID)).rejects.toThrow(/^Because\.$/);
	});
});
const failure = (promise: Promise<unknown>): Promise<Error> =>
	promise.then(
		() => new Error('it did not fail'),
		(error) => error,
	);
const keys = () => seen.map(({ headers }) => headers['idempotency-key']);

describe('the client', () => {
	it('has the methods that the route table asks for (node tools/generate/client-methods.ts rewrites them)', () => {
		const source = (file: string) => readFileSync(join(import.meta.dirname, '../../packages/client', file), 'utf8');
		expect(source('operation-table.ts')).toBe(operationTable());
		expect(source('methods.ts')).toBe(clientMethods());
	});

	it('has a method for every route of the server API, and no other methods', async () => {
		for (const group of Object.values(client())) {
			for (const [name, method] of Object.entries(group)) {
				if (name !== 'all') await (method as (id: string) => Promise<unknown>)(ID);
			}
		}
		const asked = seen.map(({ line }) => line.split('?')[0] ?? '');
		const offered = routes
			.filter(({ surface }) => surface === 'server')
			.map(({ method, path }) => `${method} /v1${path.replace('{id}', ID)}`);
		expect(asked.sort()).toEqual(offered.sort());
	});

	it('sends an Idempotency-Key to exactly the routes that accept one', async () => {
		const { calls, callbackLeads, webhookEndpoints, webhookDeliveries } = client();
		await calls.cancel(ID);
		await callbackLeads.update(ID, { status: 'handled' });
		await webhookEndpoints.create({ url: 'https://hooks.example.com', events: ['call.failed'] });
		await webhookEndpoints.change(ID, { status: 'disabled' });
		await webhookEndpoints.rotateSecret(ID);
		await webhookDeliveries.retry(ID);
		const made = keys();
		expect(made.every((key) => /^[0-9a-f-]{36}$/.test(String(key)))).toBe(true);
		expect(new Set(made).size).toBe(routes.filter((route) => route.surface === 'server' && route.idempotent).length);
		seen.length = 0;
		await webhookEndpoints.test(ID);
		await webhookEndpoints.recover(ID, { since: '2026-01-01' });
		await webhookEndpoints.delete(ID);
		await calls.get(ID);
		expect(keys()).toEqual([undefined, undefined, undefined, undefined]);
	});

	it('recovers an endpoint part by part to the end, and adds up the results', async () => {
		const part = (matched: number, next_cursor: string | null) =>
			answer(202, { data: { dry_run: false, matched, queued: matched - 1, next_cursor } });
		replies = [part(5, 'a'), part(3, 'b'), part(1, null)];
		const { webhookEndpoints } = client();
		const whole = await webhookEndpoints.recover(ID, { since: '2026-01-01' });
		expect(whole).toEqual({ dry_run: false, matched: 9, queued: 6, next_cursor: null });
		const since = { since: '2026-01-01' };
		const sent = [since, { ...since, cursor: 'a' }, { ...since, cursor: 'b' }];
		expect(seen.map(({ body }) => JSON.parse(body))).toEqual(sent);
	});

	it('writes filters as the API reads them', async () => {
		const from = new Date('2026-11-01T00:00:00.000Z');
		await client().calls.list({ status: ['failed', 'canceled'], from, to: '2026-12-01', limit: 5 });
		await client().webhookDeliveries.list({ status: 'failed', endpoint_id: ID, event: 'call.completed' });
		expect(seen.map(({ line }) => decodeURIComponent(line))).toEqual([
			'GET /v1/calls?status=failed,canceled&from=2026-11-01T00:00:00.000Z&to=2026-12-01&limit=5',
			`GET /v1/webhook-deliveries?status=failed&endpoint_id=${ID}&event=call.completed`,
		]);
	});

	it('lets no id change the path, and sends nothing without an id', async () => {
		await client().calls.get('../webhook-endpoints?x=1#');
		expect(seen[0]?.line).toBe('GET /v1/calls/..%2Fwebhook-endpoints%3Fx%3D1%23');
		expect(await failure(client().webhookEndpoints.delete(''))).toMatchObject({ message: 'an id is needed' });
		expect(await failure(client().calls.cancel(''))).toMatchObject({ message: 'an id is needed' });
		expect(seen).toHaveLength(1);
	});

	it('asks for every list without the parameters that are null or undefined, such as the cursor after the last page', async () => {
		const nothing: object = {
			cursor: null,
			status: undefined,
			from: null,
			to: undefined,
			limit: null,
			reference: null,
		};
		const { calls, callbackLeads, webhookDeliveries } = client();
		replies = Array.from({ length: 4 }, () => answer(200, { data: [], has_more: false, next_cursor: null }));
		for (const { list } of [calls, callbackLeads, webhookDeliveries]) await list(nothing);
		for await (const _ of calls.all(nothing)) expect(_).toBeUndefined();
		expect(seen.map(({ line }) => line.replace(/.*v1/, ''))).toEqual([
			'/calls',
			'/callback-leads',
			'/webhook-deliveries',
			'/calls',
		]);
	});

	it('walks all pages, each only when it is needed', async () => {
		const page = (ids: string[], next_cursor: string | null) =>
			answer(200, { data: ids.map((id) => ({ id })), has_more: next_cursor !== null, next_cursor });
		replies = [page(['e', 'd'], 'c1'), page([], 'c2'), page(['c'], null)];
		const ids: string[] = [];
		for await (const { id } of client().calls.all({ status: 'failed' })) {
			if (id === 'e') expect(seen).toHaveLength(1);
			ids.push(id);
		}
		expect(ids).toEqual(['e', 'd', 'c']);
		expect(seen.map(({ line }) => line)).toEqual([
			'GET /v1/calls?limit=100&status=failed',
			'GET /v1/calls?limit=100&status=failed&cursor=c1',
			'GET /v1/calls?limit=100&status=failed&cursor=c2',
		]);
	});

	it('is one small module that uses no packages and contains no code of the service', async () => {
		const { metafile } = await build({
			bundle: true,
			write: false,
			metafile: true,
			format: 'esm',
			platform: 'neutral',
			entryPoints: ['packages/client/client.ts'],
		});
		expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('packages/client/'))).toEqual([]);
	});
});

describe('a retry', () => {
	it('uses the same Idempotency-Key after lost connections and temporary refusals', async () => {
		replies = [hangUp, refuse(503, 'service_busy', { 'retry-after': '0' }), refuse(409, 'idempotency_conflict')];
		await client().calls.cancel(ID);
		expect(seen).toHaveLength(4);
		expect(new Set(keys()).size).toBe(1);
		await client().calls.cancel(ID, { idempotency_key: 'mine' });
		await client().calls.cancel(ID);
		expect(keys()[4]).toBe('mine');
		expect(keys()[5]).not.toBe(keys()[0]);
	});

	it('never comes earlier than Retry-After, and is not made if Retry-After is too far away', async () => {
		replies = [refuse(429, 'rate_limited', { 'retry-after': '1' })];
		await client().calls.list();
		expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
		replies = [refuse(429, 'rate_limited', { 'retry-after': '31' })];
		const error = await failure(client().calls.list());
		expect(error).toMatchObject({ code: 'rate_limited', retry_after_seconds: 31 });
		expect(seen).toHaveLength(3);
	});

	it('is made three times at most by default', async () => {
		replies = Array.from({ length: 10 }, () => hangUp);
		expect(await failure(client().calls.list())).toMatchObject({ code: 'connection_failed' });
		expect(seen).toHaveLength(4);
		expect(await failure(client({ max_retries: 0 }).calls.list())).toBeInstanceOf(NoAnswerError);
		expect(seen).toHaveLength(5);
	});

	it('of a POST without a key is made only if the POST was not processed', async () => {
		for (const unclear of [hangUp, answer(503, {}), answer(504, {})]) {
			replies = [unclear];
			await failure(client().webhookEndpoints.test(ID));
		}
		expect(seen).toHaveLength(3);
		replies = [refuse(429, 'rate_limited'), refuse(503, 'service_busy', { 'retry-after': '0' })];
		await client().webhookEndpoints.test(ID);
		expect(seen).toHaveLength(6);
	});

	it('is not made when the API has given a final answer', async () => {
		const decisions = [
			refuse(409, 'call_already_terminal'),
			refuse(422, 'validation_failed'),
			refuse(404, 'not_found'),
		];
		for (const decision of [...decisions, refuse(401, 'unauthenticated'), refuse(500, 'internal_error')]) {
			replies = [decision];
			expect(await failure(client().calls.cancel(ID))).toBeInstanceOf(ApiError);
		}
		expect(seen).toHaveLength(5);
	});

	it('of a deletion whose response was lost succeeds if it finds nothing to delete', async () => {
		replies = [hangUp, refuse(404, 'not_found')];
		await expect(client().webhookEndpoints.delete(ID)).resolves.toBeNull();
		replies = [refuse(404, 'not_found')];
		expect(await failure(client().webhookEndpoints.delete(ID))).toMatchObject({ code: 'not_found' });
	});

	it('is not made once the signal is aborted, whether during a request or a wait', async () => {
		const reason = new Error('no longer wanted');
		const controller = new AbortController();
		replies = [() => controller.abort(reason)];
		expect(await failure(client({ max_retries: 0 }).calls.list({}, { signal: controller.signal }))).toBe(reason);
		expect(await failure(client().calls.list({}, { signal: controller.signal }))).toBe(reason);
		expect(seen).toHaveLength(1);
		const later = new AbortController();
		replies = [
			(...given) => {
				refuse(429, 'rate_limited', { 'retry-after': '29' })(...given);
				setTimeout(() => later.abort(reason), 100);
			},
		];
		expect(await failure(client().calls.list({}, { signal: later.signal }))).toBe(reason);
		expect(seen).toHaveLength(2);
	});

	it('follows a try that timed out', async () => {
		replies = [never, never];
		const error = await failure(client({ timeout_ms: 400, max_retries: 1 }).calls.list());
		expect(error).toMatchObject({ name: 'NoAnswerError', code: 'timeout' });
		expect(seen).toHaveLength(2);
	});
});

describe('an error', () => {
	it('has the code, the location and the request id of a refusal', async () => {
		const errors = [{ pointer: '/url', code: 'invalid_value', detail: 'Give a URL.' }];
		const problem = { code: 'validation_failed', status: 422, detail: 'No.', request_id: 'r-9', errors };
		replies = [answer(422, problem)];
		const error = await failure(client().webhookEndpoints.change(ID, { url: '' }));
		expect(error).toMatchObject({
			name: 'ApiError',
			status: 422,
			code: 'validation_failed',
			request_id: 'r-9',
			problem,
		});
		expect(error.message).toBe('No.');
	});

	it('has a type even if something between the client and the API has answered', async () => {
		const page = says(403, '<h1>Blocked</h1>', { 'content-type': 'text/html' });
		const redirect = says(302, '', { location: `${base_url}/calls` });
		const wrong = says(200, '<h1>Welcome to the hotel</h1>');
		for (const reply of [page, redirect, wrong]) {
			replies = [reply];
			expect(await failure(client().calls.list())).toMatchObject({ name: 'ApiError', code: 'unknown', problem: {} });
		}
		expect(seen).toHaveLength(3);
	});

	it('contains no API key, and neither does the client itself; nothing is logged', async () => {
		const written = [jest.spyOn(process.stdout, 'write'), jest.spyOn(process.stderr, 'write')];
		replies = [refuse(401, 'unauthenticated'), hangUp];
		const subject = client({ max_retries: 0 });
		const shown = [
			await failure(subject.calls.list()),
			await failure(subject.calls.list()),
			await failure((async () => client({ api_key: `${CANARY}\nX: y` }))()),
			await failure((async () => client({ api_key: '' }))()),
			subject,
		];
		const text = shown.map((value) => inspect(value, { depth: 20, showHidden: true }) + JSON.stringify(value)).join();
		const said = written.flatMap((spy) => spy.mock.calls.map(([chunk]) => String(chunk))).join();
		for (const spy of written) spy.mockRestore();
		expect(text).toContain('api_key is empty or holds a space or line break');
		expect(text).not.toContain('canary');
		expect(said).toBe('');
		expect(seen[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
	});
});

describe('in a framework that stores fetches or marks errors', () => {
	const given = (impl: (init: RequestInit | undefined) => Promise<Response>) =>
		client({ max_retries: 1, fetch: async (_url, init) => impl(init) });
	const answered = async () => Response.json({ data: {}, has_more: false, next_cursor: null });

	it('each request asks not to be stored, even one that changes something', async () => {
		const caches: unknown[] = [];
		const plain = given(async (init) => {
			caches.push(init?.cache);
			return answered();
		});
		await plain.calls.list();
		await plain.calls.get(ID);
		await plain.calls.cancel(ID);
		expect(caches).toEqual(['no-store', 'no-store', 'no-store']);
	});

	it.each([
		['Next’s own', Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' })],
		['a redirect of Next', Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/x;307;' })],
		[
			'an error of a class with a digest',
			new (class extends Error {
				readonly digest = 'BAILOUT_TO_CLIENT_SIDE_RENDERING';
			})(),
		],
		['a plain object with an empty digest', { digest: '' }],
	])('a signal that the framework throws is passed on unchanged after one try: %s', async (_, thrown) => {
		let tries = 0;
		const failing = given(async () => {
			tries += 1;
			throw thrown;
		});
		await expect(failing.calls.list()).rejects.toBe(thrown);
		expect(tries).toBe(1);
	});

	it.each([
		['an error of the network', new TypeError('fetch failed')],
		['a text', 'fetch failed'],
		['nothing', undefined],
		['an error whose cause has a digest', new Error('x', { cause: { digest: 'y' } })],
	])('%s is reported as a missing answer, as in other frameworks', async (_, thrown) => {
		const failing = given(async () => {
			throw thrown;
		});
		await expect(failing.calls.list()).rejects.toMatchObject({ name: 'NoAnswerError', code: 'connection_failed' });
	});

	it('the client leaves out the `cache` option of fetch if the runtime refuses it, as Cloudflare’s may', async () => {
		const OwnRequest = globalThis.Request;
		globalThis.Request = class extends OwnRequest {
			constructor(input: string | URL | Request, init?: RequestInit) {
				if (init?.cache !== undefined)
					throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
				super(input, init);
			}
		};
		try {
			const { outputFiles } = await build({
				entryPoints: ['packages/client/transport.ts'],
				bundle: true,
				format: 'esm',
				write: false,
			});
			const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
			const { transport } = await import(`data:text/javascript;base64,${text}`);
			const inits: RequestInit[] = [];
			const fetch = async (_url: string, init: RequestInit) => {
				inits.push(init);
				return answered();
			};
			await transport({ base_url, api_key: CANARY, fetch })({ method: 'GET', path: '/calls' });
			expect(inits.map((init) => 'cache' in init)).toEqual([false]);
		} finally {
			globalThis.Request = OwnRequest;
		}
	});
});
