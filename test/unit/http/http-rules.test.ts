import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { Empty, Nothing } from '../../../shared/contract/kernel/common.ts';
import { methodsOfRoute, type Route } from '../../../shared/contract/route.ts';
import { methodsOf } from '../../../shared/contract/route-match.ts';
import { routes } from '../../../shared/contract/routes.ts';
import { formatApiKey, hashApiKey } from '../../../shared/domain/access/api-key.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { forClients, handle } from '../../../shared/http/edge/handle.ts';
import { etagOf, matchesEtag } from '../../../shared/http/edge/response.ts';
import {
	changeWebhookEndpoint,
	type EndpointChange,
} from '../../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { apiEvent } from '../../support/api-event.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

// Tests the rules of HTTP that hold for every route (RFC 9110): HEAD, bodies and their headers, conditional changes.

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const clock = { now: () => NOW };
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
const API_KEY = formatApiKey(idOf(1), new Uint8Array(32).fill(7));

const textRoute = {
	operation: 'echo',
	method: 'POST',
	path: '/echo',
	summary: 'Echo a text',
	surface: 'server',
	permission: 'webhooks:write',
	idempotent: false,
	success: 200,
	params: Nothing,
	query: Nothing,
	body: z.object({ text: z._default(z.string(), 'nothing') }),
	response: z.nullable(z.object({ text: z.string() })),
	refusals: [],
} as const satisfies Route;
type TextRoute = Omit<typeof textRoute, 'body'> & { readonly body: z.ZodMiniType };

type Sent = { readonly method?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

/** Sends one request to a route that responds with `text`, or with an empty body if the route's success status is 204. */
async function ask(route: Partial<Route>, sent: Sent = {}) {
	const store = memoryStore();
	const key = { ...samples.api_key, id: idOf(1), permissions: ['webhooks:write'], secret_hash: hashApiKey(API_KEY) };
	const item = key as typeof samples.api_key;
	await store.commit([put('api_key', item)]);
	const given = { ...textRoute, ...route } as unknown as TextRoute;
	const handler = handle(forClients, given, {
		deps: () => ({ store, clock, log }),
		run: async () => ({ body: given.success === (204 as number) ? null : { text: 'said' } }),
	});
	const event = apiEvent({
		path: '/v1/echo',
		method: sent.method ?? given.method,
		headers: { authorization: `Bearer ${API_KEY}`, ...sent.headers },
		body: sent.body,
	});
	const { statusCode, headers, body } = await handler(event, {});
	return { status: statusCode, headers, body, code: body && statusCode > 299 ? JSON.parse(body).code : null };
}
const JSON_TYPE = { 'content-type': 'application/json' };

describe('HEAD', () => {
	it('answers with the status and headers of GET, and without a body', async () => {
		const get = await ask({ method: 'GET' });
		const head = await ask({ method: 'GET' }, { method: 'HEAD' });
		expect(get.body).toBe('{"text":"said"}');
		expect(head).toEqual({ ...get, body: undefined });
	});

	it('has no body for a refusal either', async () => {
		const refused = await ask({ method: 'GET' }, { method: 'HEAD', headers: { authorization: 'none' } });
		expect([refused.status, refused.body]).toEqual([401, undefined]);
		expect(refused.headers).toMatchObject({ 'x-request-id': 'request-1', 'content-type': 'application/problem+json' });
	});

	it('is allowed for the same routes as GET', () => {
		for (const route of routes) {
			const allowed = methodsOf(`/v1${route.path}`);
			expect([route.path, allowed.includes('HEAD')]).toEqual([route.path, allowed.includes('GET')]);
			const reads = route.method === 'GET' ? ['GET', 'HEAD'] : [route.method];
			expect(methodsOfRoute(route)).toEqual('form' in route && route.form ? [...reads, 'POST'] : reads);
		}
	});
});

describe('a response of 204', () => {
	it('has neither a body nor a content type', async () => {
		const { status, headers, body } = await ask({ method: 'DELETE', success: 204, response: Empty });
		expect([status, body]).toEqual([204, undefined]);
		expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': 'request-1' });
		expect(headers).not.toHaveProperty('content-type');
	});
});

describe('a body', () => {
	it.each([
		['nothing under a JSON content type', { headers: JSON_TYPE }, 'invalid_json'],
		['blanks under a JSON content type', { body: ' ', headers: JSON_TYPE }, 'invalid_json'],
		['gzip', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, 'unsupported_media_type'],
		[
			'two encodings',
			{ body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'identity, br' } },
			'unsupported_media_type',
		],
		['identity', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'Identity' } }, null],
		['nothing, under no content type', {}, null],
	])('of %s is accepted, or refused with its code', async (_, sent, code) => {
		expect((await ask({}, sent)).code).toBe(code);
	});

	it('may be empty with a JSON content type if the route reads no body: many clients always send this type', async () => {
		expect((await ask({ body: Nothing }, { headers: JSON_TYPE })).status).toBe(200);
		expect((await ask({ method: 'DELETE' }, { headers: JSON_TYPE })).status).toBe(200);
	});
});

describe('an ETag', () => {
	it('differs for any two different answers, and matches in any list that contains it', () => {
		const tags = fc.array(fc.string().map(etagOf));
		fc.assert(
			fc.property(fc.string(), fc.string(), tags, tags, (body, other, before, after) => {
				expect(etagOf(body) === etagOf(other)).toBe(body === other);
				expect(matchesEtag([...before, etagOf(body), ...after].join(', '), body)).toBe(true);
				const without = [...before, ...after].filter((tag) => tag !== etagOf(body));
				expect(matchesEtag(without.join(','), body)).toBe(false);
			}),
		);
	});

	it('is matched by * and by itself, but not by its weak form or by itself without quotes', () => {
		const tag = etagOf('{}');
		const matched = ['*', tag, `W/${tag}`, tag.slice(1, -1), ''].map((header) => matchesEtag(header, '{}'));
		expect(matched).toEqual([true, true, false, false, false]);
	});

	it('is in the answers of conditional routes, and in no other', async () => {
		expect((await ask({ method: 'GET', conditional: true })).headers['etag']).toBe(etagOf('{"text":"said"}'));
		expect((await ask({ method: 'GET' })).headers).not.toHaveProperty('etag');
	});
});

describe('a change of an endpoint', () => {
	async function changed(change: EndpointChange, before: Partial<WebhookEndpoint> = {}) {
		const store = memoryStore();
		const item = { ...samples.webhook_endpoint, ...before };
		await store.commit([put('webhook_endpoint', item)]);
		const sender = { check: async (url: string) => ({ allowed: true as const, url }) };
		const vault = { sealSecret: async (secret: string) => `sealed ${secret}` };
		const key = { workspace_id: WORKSPACE, id: item.id };
		const outcome = await changeWebhookEndpoint(key, change, { store, clock, sender, vault });
		const stored = await store.get('webhook_endpoint', key);
		const written = stored?.version !== item.version;
		return { outcome, moved: stored?.updated_at !== item.updated_at, written };
	}
	const { url, description, events, status } = samples.webhook_endpoint;

	it.each<[string, EndpointChange]>([
		['nothing', {}],
		['each field as it is', { url, description, events, status }],
		['enabled, again', { status: 'enabled' }],
	])('to its current values writes nothing and leaves updated_at unchanged: %s', async (_, change) => {
		expect(await changed(change)).toMatchObject({ moved: false, written: false, outcome: { endpoint: { url } } });
	});

	it.each<[string, EndpointChange]>([
		['another description', { description: 'CRM' }],
		['other events', { events: ['call.failed'] }],
		['disabled', { status: 'disabled' }],
	])('to other values is written: %s', async (_, change) => {
		expect(await changed(change)).toMatchObject({ moved: true, written: true });
	});
});
