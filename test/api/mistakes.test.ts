import { describe, expect, it } from '@jest/globals';
import { formatApiKey } from '../../shared/domain/access/api-key.ts';
import { revokeApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';
import { bearer, freshPhone, newCustomer, newKey } from '../support/webhooks/customers.ts';

// Tests what the API says about mistakes that a developer makes in the first hour.
// The API refuses a typo in a server's request, because ignoring it would give a wrong result: `?stauts=failed` would return all
// calls. The routes of the widget ignore unknown parameters, because a page may be older or newer than the service.

const { stack, ops } = operatedStack();

const WINDOW = 'The requests of this address, this workspace or this number are spent for now; we do not say which.';
const UNLIKE = 'Unknown; use one of url, events, description, headers.';
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
type Send = NonNullable<Parameters<typeof call>[2]>;
const asServer = (path: string, send: Send = {}) =>
	call(stack.base_url, path, { ...send, headers: { ...bearer(stack.api_key), ...send.headers } });
const asVisitor = (path: string, send: Send = {}) =>
	call(stack.base_url, path, { ...send, headers: { origin: stack.allowed_origin, ...send.headers } });
/** The parameters and fields that a refusal names, each with the sentence about it. */
const places = (json: { readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] }) =>
	Object.fromEntries((json.errors ?? []).map(({ pointer, detail }) => [pointer, detail]));

describe('a query parameter that a server route does not know', () => {
	it.each([
		['/calls?stauts=failed', { '?stauts': 'Unknown; did you mean `status`?' }],
		['/callback-leads?Status=pending', { '?Status': 'Unknown; did you mean `status`?' }],
		['/webhook-deliveries?endpointId=x', { '?endpointId': 'Unknown; did you mean `endpoint_id`?' }],
		['/webhook-endpoints?limt=5', { '?limt': 'Unknown; did you mean `limit`?' }],
		['/webhook-endpoints?status=enabled', { '?status': 'Unknown; use one of limit.' }],
		[`/calls/${ID}?expand=legs`, { '?expand': 'Unknown; this request takes none.' }],
		[`/webhook-endpoints/${ID}?%20=1`, { '? ': 'Unknown; this request takes none.' }],
		[
			'/calls?limit=0&form=2026-11-01&before=2026-11-02',
			{
				'?limit': 'An integer from 1 to 100.',
				'?form': 'Unknown; did you mean `from`?',
				'?before': 'Unknown; use one of status, from, to, limit, cursor, reference.',
			},
		],
	])('is refused by name: GET %s', async (path, expected) => {
		const { status, json } = await asServer(path);
		expect([status, json.code, places(json)]).toEqual([400, 'invalid_parameter', expected]);
	});

	it('is refused on a route that changes something, which then changes nothing', async () => {
		const { status, json } = await asServer(`/webhook-endpoints?dry_run=true`, {
			body: { url: 'https://hooks.example.com/', events: ['call.failed'] },
		});
		expect([status, json.code, json.detail]).toEqual([
			400,
			'invalid_parameter',
			'dry_run: unknown; this request takes none.',
		]);
		const urls = (await asServer('/webhook-endpoints')).json.data.map(
			(endpoint: { readonly url: string }) => endpoint.url,
		);
		expect(urls).not.toContain('https://hooks.example.com/');
	});
});

describe('a field of the body that a server route does not know', () => {
	const url = 'https://hooks.example.com/';
	it.each([
		['/webhook-endpoints', 'POST', { url, evnts: [] }, { '/evnts': 'Unknown; did you mean `events`?' }],
		[
			'/webhook-endpoints',
			'POST',
			{ url, events: ['call.failed'], a: 1, secret: 'x' },
			{ '/a': UNLIKE, '/secret': UNLIKE },
		],
		[
			`/webhook-endpoints/${ID}`,
			'PATCH',
			{ 'stat/us': 'disabled' },
			{ '/stat~1us': 'Unknown; did you mean `status`?' },
		],
		[
			`/webhook-endpoints/${ID}/recover`,
			'POST',
			{ since: '2026-11-01', dryRun: true },
			{ '/dryRun': 'Unknown; did you mean `dry_run`?' },
		],
		[
			`/webhook-endpoints/${ID}/rotate-secret`,
			'POST',
			{ overlap: 0 },
			{ '/overlap': 'Unknown; use one of overlap_seconds.' },
		],
		[
			`/webhook-endpoints/${ID}/test`,
			'POST',
			{ events: 'call.failed' },
			{ '/events': 'Unknown; did you mean `event`?' },
		],
		[`/callback-leads/${ID}`, 'PATCH', { status: 'handled', note: '' }, { '/note': 'Unknown; use one of status.' }],
		[`/calls/${ID}/cancel`, 'POST', { reason: 'late' }, { '/reason': 'Unknown; this request takes none.' }],
		[`/webhook-deliveries/${ID}/retry`, 'POST', { force: true }, { '/force': 'Unknown; this request takes none.' }],
	])('is refused by name: %s %s %j', async (path, method, body, expected) => {
		const { status, json } = await asServer(path, { method, body });
		expect([status, json.code]).toEqual([422, 'validation_failed']);
		expect(places(json)).toMatchObject(expected);
	});

	it('is refused by name even if it is called __proto__', async () => {
		const headers = { 'content-type': 'application/json' };
		const { status, json } = await asServer(`/calls/${ID}/cancel`, { raw: '{"__proto__":{}}', headers });
		expect([status, places(json)]).toEqual([422, { '/__proto__': 'Unknown; this request takes none.' }]);
	});

	it('is refused by name, up to 20 in one response', async () => {
		const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`member_${n}`, n]));
		const { status, json } = await asServer(`/webhook-endpoints/${ID}`, { method: 'PATCH', body });
		expect([status, json.errors.length]).toEqual([422, 20]);
	});
});

describe('a parameter or a field of a page’s request that the widget routes do not know', () => {
	it.each(['/widget/call-requests', '/widget/callback-leads'])('is ignored by %s', async (path) => {
		const body = visitorBody(stack, { phone: freshPhone(), evnts: [], theme: 'dark' });
		expect((await asVisitor(`${path}?v=1&utm_source=x`, { body })).status).toBeLessThan(300);
	});

	it('is ignored by /widget/config and by the status of a call', async () => {
		const { status } = await asVisitor(`/widget/config?workspace_key=${stack.workspace_key}&vv=2`);
		const body = visitorBody(stack, { phone: freshPhone() });
		const { id } = (await asVisitor('/widget/call-requests', { body })).json.data;
		const polled = await asVisitor(`/widget/call-requests/${id}/status?_=1700000000`);
		expect([status, polled.status]).toEqual([200, 200]);
	});
});

it.each(['/calls', '/callback-leads', '/webhook-deliveries', '/webhook-endpoints'])(
	'an empty cursor of %s gives the first page',
	async (path) => {
		const ids = async (query: string): Promise<readonly string[]> =>
			(await asServer(`${path}?${query}`)).json.data.map(({ id }: { readonly id: string }) => id);
		// The list may still grow between the two requests, because deliveries of calls of other tests are added. So the test
		// tries again.
		await eventually('both give the same page', async () => {
			const empty = await ids('cursor=&limit=2');
			const none = await ids('limit=2');
			return empty.join() === none.join() ? true : null;
		});
	},
);

describe('a 401 response', () => {
	const none = 'No live API key is this one: it was revoked, or belongs to another deployment.';
	const notWhole =
		'This is not a whole API key (`cbk_live_<id>_<random>`): it is cut off, mistyped or of another service.';
	const notBearer = 'The `Authorization` header is not `Bearer <API_KEY>`.';
	const detailOf = async (authorization: string | null): Promise<string> => {
		const headers = authorization === null ? {} : { authorization };
		const { status, json, headers: answered } = await call(stack.base_url, '/calls', { headers });
		expect([status, json.code, answered.get('www-authenticate')]).toEqual([401, 'unauthenticated', 'Bearer']);
		return json.detail;
	};

	it.each<readonly [string, () => string | null, string]>([
		['no header', () => null, 'The `Authorization` header is missing: send `Authorization: Bearer <API_KEY>`.'],
		['a key without its scheme', () => stack.api_key, notBearer],
		['another scheme', () => `Basic ${btoa(`${stack.api_key}:`)}`, notBearer],
		['two keys', () => `Bearer ${stack.api_key} ${stack.api_key}`, notBearer],
		['the scheme alone', () => 'Bearer', notBearer],
		['a key that is cut off', () => `Bearer ${stack.api_key.slice(0, -1)}`, notWhole],
		[
			'a key with a typo',
			() => `Bearer ${stack.api_key.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'))}`,
			notWhole,
		],
		['a key in quotes', () => `Bearer "${stack.api_key}"`, notWhole],
		['a placeholder', () => 'Bearer <API_KEY>', notWhole],
		[
			'the key of the widget',
			() => `Bearer ${stack.workspace_key}`,
			"This is a widget's public workspace key; servers send a secret API key (`cbk_live_…`).",
		],
		['a whole key that never existed', () => `Bearer ${formatApiKey(ID, new Uint8Array(32))}`, none],
	])('says what is wrong with the header: %s', async (_, authorization, expected) => {
		expect(await detailOf(authorization())).toBe(expected);
	});

	it('is the same for a revoked key, for a wrong secret with a live id and for a key that never existed', async () => {
		const { workspace_id } = await newCustomer(ops);
		const { key, secret } = await newKey(ops, workspace_id, ['calls:read']);
		const guessed = formatApiKey(key.id, new Uint8Array(32));
		expect(await detailOf(`Bearer ${guessed}`)).toBe(none);
		await revokeApiKey(key, ops);
		expect(await detailOf(`Bearer ${secret}`)).toBe(none);
	});
});

describe('a 403 response to a page', () => {
	const missing =
		'The `Origin` header is missing. Browsers set it on a page; any other client has to send an allowed origin.';
	const opaque = 'The `Origin` is `null`: the page is a file or in a sandboxed frame. Open it at an allowed origin.';
	const other = 'This site may not use this workspace.';
	it.each([
		[undefined, missing],
		['null', opaque],
		['https://evil.example', other],
		[`https://${'x'.repeat(3000)}.example`, other],
	])('says what is wrong with the page’s Origin: %.30s', async (origin, expected) => {
		const headers = origin === undefined ? {} : { origin };
		const config = await call(stack.base_url, `/widget/config?workspace_key=${stack.workspace_key}`, { headers });
		const request = await call(stack.base_url, '/widget/call-requests', { headers, body: visitorBody(stack) });
		const poll = await call(stack.base_url, `/widget/call-requests/${ID}/status`, { headers });
		const answers = [config, request, poll].map(({ status, json }) => [status, json.code, json.detail]);
		expect(answers).toEqual(Array(3).fill([403, 'origin_not_allowed', expected]));
	});

	it.each<readonly [string, () => string, string]>([
		['an unknown key', () => 'wk_unknown', 'No workspace has this `workspace_key`.'],
		[
			'a secret API key',
			() => stack.api_key,
			'This is a secret API key, which must not stand in a page: revoke it, and use the public key of the workspace (`wk_…`).',
		],
	])('says what is wrong with the workspace key: %s', async (_, workspaceKey, expected) => {
		const { status, json } = await asVisitor(`/widget/config?workspace_key=${workspaceKey()}`);
		expect([status, json.code, json.detail]).toEqual([403, 'invalid_workspace_key', expected]);
	});
});

describe('a 429 response', () => {
	it('names the limit of the API key if that is used up', async () => {
		const { api_key } = await newCustomer(ops, { api_requests_per_key_per_minute: 0 });
		const { status, json } = await call(stack.base_url, '/calls', { headers: bearer(api_key) });
		const detail = 'At most 0 requests a minute for this API key.';
		expect([status, json.code, json.detail]).toEqual([429, 'rate_limited', detail]);
	});

	it('names the limit of the slow operation if that is used up', async () => {
		const { api_key } = await newCustomer(ops, { slow_requests_per_minute: 0 });
		const path = `/webhook-endpoints/${ID}/test`;
		const { json } = await call(stack.base_url, path, { method: 'POST', headers: bearer(api_key) });
		expect(json.detail).toBe('At most 0 requests a minute for this operation test-webhook-endpoint.');
	});

	it.each([
		['leads_per_day', 'This workspace has had its callback requests of the day (UTC).'],
		// The text does not say which of these limits is reached, because that would reveal what the service knows about the number.
		['requests_per_address_per_window', WINDOW],
		['requests_per_workspace_per_window', WINDOW],
		['platform_leads_per_number_per_day', WINDOW],
	] as const)('tells a page no more than it may know about the limit: %s', async (limit, expected) => {
		const small = await newCustomer(ops, { [limit]: 0 });
		const body = visitorBody(small, { phone: freshPhone() });
		const headers = { origin: small.allowed_origin };
		const { status, json } = await call(stack.base_url, '/widget/callback-leads', { headers, body });
		expect([status, json.code, json.detail]).toEqual([429, 'rate_limited', expected]);
	});
});
