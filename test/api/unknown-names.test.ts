import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { call, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import { bearer, freshPhone } from '../support/webhooks/customers.ts';

// A typo in a request of a server must not pass for a request without it: `?stauts=failed` would return all calls. Pages
// may be older or newer than the service, so the routes of the widget ignore what they do not know.

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const UNLIKE = 'Unknown; use one of url, events, description, headers.';
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
type Send = NonNullable<Parameters<typeof call>[2]>;
const asServer = (path: string, send: Send = {}) =>
	call(stack.base_url, path, { ...send, headers: { ...bearer(stack.api_key), ...send.headers } });
const asVisitor = (path: string, send: Send = {}) =>
	call(stack.base_url, path, { ...send, headers: { origin: stack.allowed_origin, ...send.headers } });
/** The named places of a refusal, each with what was expected there. */
const places = (json: { readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] }) =>
	Object.fromEntries((json.errors ?? []).map(({ pointer, detail }) => [pointer, detail]));

describe('a query parameter that a server route does not know is refused by name', () => {
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
	])('GET %s', async (path, expected) => {
		const { status, json } = await asServer(path);
		expect([status, json.code, places(json)]).toEqual([400, 'invalid_parameter', expected]);
	});

	it('on a route that changes something, too, which then changes nothing', async () => {
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

describe('a member that a server route does not know is refused by name', () => {
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
	])('%s %s %j', async (path, method, body, expected) => {
		const { status, json } = await asServer(path, { method, body });
		expect([status, json.code]).toEqual([422, 'validation_failed']);
		expect(places(json)).toMatchObject(expected);
	});

	it('even if it is called __proto__', async () => {
		const headers = { 'content-type': 'application/json' };
		const { status, json } = await asServer(`/calls/${ID}/cancel`, { raw: '{"__proto__":{}}', headers });
		expect([status, places(json)]).toEqual([422, { '/__proto__': 'Unknown; this request takes none.' }]);
	});

	it('up to 20 of them', async () => {
		const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`member_${n}`, n]));
		const { status, json } = await asServer(`/webhook-endpoints/${ID}`, { method: 'PATCH', body });
		expect([status, json.errors.length]).toEqual([422, 20]);
	});
});

describe('what pages send is ignored where the widget does not know it', () => {
	it.each(['/widget/call-requests', '/widget/callback-leads'])('%s', async (path) => {
		const body = visitorBody(stack, { phone: freshPhone(), evnts: [], theme: 'dark' });
		expect((await asVisitor(`${path}?v=1&utm_source=x`, { body })).status).toBeLessThan(300);
	});

	it('/widget/config and the status of a call', async () => {
		const { status } = await asVisitor(`/widget/config?workspace_key=${stack.workspace_key}&vv=2`);
		const body = visitorBody(stack, { phone: freshPhone() });
		const { id } = (await asVisitor('/widget/call-requests', { body })).json.data;
		const polled = await asVisitor(`/widget/call-requests/${id}/status?_=1700000000`);
		expect([status, polled.status]).toEqual([200, 200]);
	});
});

it.each(['/calls', '/callback-leads', '/webhook-deliveries', '/webhook-endpoints'])(
	'an empty cursor of %s is as none',
	async (path) => {
		const ids = async (query: string): Promise<readonly string[]> =>
			(await asServer(`${path}?${query}`)).json.data.map(({ id }: { readonly id: string }) => id);
		expect(await ids('cursor=&limit=2')).toEqual(await ids('limit=2'));
	},
);
