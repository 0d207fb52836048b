import { beforeAll, describe, expect, it } from '@jest/globals';
import { methodsOfRoute, type Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { API_KEY_SECRET_BYTES, formatApiKey } from '../../shared/domain/access/api-key.ts';
import { type Permission, permissions } from '../../shared/domain/access/permission.ts';
import { revokeApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { exampleBody } from '../support/openapi-document.ts';
import { type ApiResponse, call, eventually, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';
import { bearer, type Customer, freshPhone, freshTalker, newCustomer, newKey } from '../support/webhooks/customers.ts';

// Tests every route with every permission scope, from two workspaces, with every kind of id. This file states the rules of
// access a second time. A route that disagrees with these rules, or for which there is no rule, fails.

const kinds = ['call', 'callback_lead', 'webhook_endpoint', 'webhook_delivery', 'event'] as const;
type Kind = (typeof kinds)[number];
type Resources = { readonly [K in Kind]: string };
/** `own`: the records that the customer's requests use. `kept`: records that no request may change. */
type Party = Customer & { readonly own: Resources; readonly kept: Resources };

/** The resources of the server API by the first part of their paths, and the names of their permissions. */
const resources: Readonly<Record<string, { readonly kind: Kind; readonly area: 'calls' | 'webhooks' }>> = {
	calls: { kind: 'call', area: 'calls' },
	'callback-leads': { kind: 'callback_lead', area: 'calls' },
	'webhook-endpoints': { kind: 'webhook_endpoint', area: 'webhooks' },
	'webhook-deliveries': { kind: 'webhook_delivery', area: 'webhooks' },
	events: { kind: 'event', area: 'webhooks' },
};
/**
 * The first parts of the paths that no API key opens, each with its surface. Depending on the surface, a request needs a
 * workspace key, a call's id, a signature, the token of a link, or nothing.
 */
const elsewhere: Readonly<Record<string, Route['surface']>> = {
	widget: 'widget',
	telephony: 'provider',
	'callback-links': 'team',
	desk: 'desk',
	'openapi.json': 'public',
};
const partOf = ({ path }: Route): string => path.split('/')[1] ?? '';

type Row = {
	readonly permission: Permission;
	/** The kind of resource whose id is in the path. */
	readonly id: Kind | null;
	readonly body?: object;
	/** Present if a request uses up its resource. Creates a new resource for the next request, and returns its id. */
	readonly again?: (who: Party) => Promise<string>;
};
type ServerOperation = Extract<(typeof routes)[number], { surface: 'server' }>['operation'];
/** Operations for which the example body in the API document does not work, or which use up their resource. */
const special: Readonly<Partial<Record<ServerOperation, Pick<Row, 'body' | 'again'>>>> = {
	'cancel-call': { again: requestCall },
	'delete-webhook-endpoint': { again: subscribe },
	'retry-webhook-delivery': { again: settledDelivery },
	'recover-webhook-endpoint': { body: { since: '2026-01-01', dry_run: true } },
};

/** The expected row of a server route: a GET reads, every other method writes. */
function rowOf(route: Route & { readonly operation: ServerOperation }): Row {
	const resource = resources[partOf(route)];
	if (resource === undefined) throw new Error(`${route.operation}: which resource is /${partOf(route)}?`);
	const body = exampleBody(route.operation);
	return {
		permission: `${resource.area}:${route.method === 'GET' ? 'read' : 'write'}`,
		id: route.path.includes('{id}') ? resource.kind : null,
		...(body !== undefined && { body }),
		...special[route.operation],
	};
}

const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const scopes: readonly (readonly Permission[])[] = [[], ...permissions.map((one) => [one]), permissions];

// One instance of each function is enough, because no test here needs concurrent requests. A second instance takes long to start.
const { stack, ops } = operatedStack({}, { answerers: 1 });
let ada: Party;
let grace: Party;
const keys = new Map<string, string>();

beforeAll(async () => {
	[ada, grace] = await Promise.all([newParty(), newParty()]);
});

async function newParty(): Promise<Party> {
	const customer = await newCustomer(ops);
	const [own, kept] = await Promise.all([resourcesOf(customer), resourcesOf(customer)]);
	for (const scope of scopes) {
		keys.set(scope + customer.workspace_id, (await newKey(ops, customer.workspace_id, scope)).secret);
	}
	return { ...customer, own, kept };
}

const keyOf = ({ workspace_id }: Customer, scope: readonly Permission[]) => keys.get(scope + workspace_id) ?? '';

/** Creates one record of each kind, in the way that customers and visitors do. */
async function resourcesOf(customer: Customer): Promise<Resources> {
	const webhook_endpoint = await subscribe(customer);
	const callback_lead = (await visit('/widget/callback-leads', customer)).json.data.id;
	const webhook_delivery = await eventually('the delivery succeeded', async () => {
		const path = `/webhook-deliveries?status=succeeded&endpoint_id=${webhook_endpoint}`;
		const { json } = await call(stack.base_url, path, { headers: bearer(customer.api_key) });
		return json.data[0]?.id ?? null;
	});
	const { event_id: event = '' } = (await ops.store.get('delivery', { id: webhook_delivery })) ?? {};
	return { call: await requestCall(customer), callback_lead, webhook_endpoint, webhook_delivery, event };
}

async function visit(path: string, customer: Customer, phone = freshPhone()): Promise<ApiResponse> {
	const send = { body: visitorBody(customer, { phone }), headers: { origin: customer.allowed_origin } };
	const answer = await call(stack.base_url, path, send);
	expect([answer.status, answer.text]).toEqual([path.endsWith('leads') ? 201 : 202, expect.anything()]);
	return answer;
}

async function requestCall(customer: Customer): Promise<string> {
	return (await visit('/widget/call-requests', customer, freshTalker())).json.data.id;
}

async function subscribe({ api_key }: Customer): Promise<string> {
	const body = { url: stack.inbox_url, events: ['callback.requested'] };
	const made = await call(stack.base_url, '/webhook-endpoints', { body, headers: bearer(api_key) });
	expect(made.status).toBe(201);
	return made.json.data.id;
}

async function settledDelivery({ own }: Party): Promise<string> {
	return await eventually('no attempt is in flight', async () => {
		const delivery = await ops.store.get('delivery', { id: own.webhook_delivery });
		return delivery?.status === 'succeeded' ? delivery.id : null;
	});
}

const pathTo = (route: Route, id: string) => route.path.replaceAll(/\{\w+\}/g, encodeURIComponent(id));
function ask(route: Route, id: string, headers: Record<string, string>, body?: object): Promise<ApiResponse> {
	const send = { method: route.method, headers, ...(body && { body }) };
	return call(stack.base_url, pathTo(route, id), send);
}

/**
 * The parts of a response that must be the same for an unknown id and for an id of another workspace. A difference would reveal
 * that the id exists.
 */
function comparable({ status, json, headers }: ApiResponse) {
	// The remaining limit decreases with each request, whatever the id.
	const own = new Set(['date', 'x-request-id', 'content-length', 'ratelimit-remaining', 'ratelimit-reset']);
	return {
		status,
		body: { ...json, request_id: null, instance: null },
		headers: Object.fromEntries([...headers].filter(([name]) => !own.has(name))),
	};
}

/** Checks that all requests left the `kept` records of both customers unchanged. */
async function expectUntouched(): Promise<void> {
	for (const { kept, workspace_id } of [ada, grace]) {
		const { webhook_endpoint: id } = kept;
		expect(await ops.store.get('webhook_endpoint', { workspace_id, id })).toMatchObject({ version: 1 });
		expect(await ops.store.get('callback_lead', { id: kept.callback_lead })).toMatchObject({ version: 1 });
		expect(await ops.store.get('delivery', { id: kept.webhook_delivery })).toMatchObject({ generation: 1 });
		const { status } = (await ops.store.get('call', { id: kept.call })) ?? {};
		expect(['requested', 'ringing', 'connected', 'failed']).toContain(status);
	}
}

const serverRoutes = routes.flatMap((route) => (route.surface === 'server' ? [{ route, row: rowOf(route) }] : []));

it('each route has the surface and the permission that this test expects', () => {
	const named = routes.map(({ operation, surface, permission }) => ({ operation, surface, permission }));
	const ruled = routes.map((route) => {
		const surface = elsewhere[partOf(route)] ?? 'server';
		const own = serverRoutes.find((row) => row.route.operation === route.operation);
		return { operation: route.operation, surface, permission: surface === 'server' ? own?.row.permission : null };
	});
	expect(named).toEqual(ruled);
});

describe.each(serverRoutes.map((both) => [both.route.operation, both] as const))('%s', (_operation, both) => {
	const { route, row } = both;
	const opens = (scope: readonly Permission[]) => scope.includes(row.permission);

	/** Ids with which the caller must reach no resource of this kind, each with a description. */
	function wrongIds(who: Party, other: Party): readonly (readonly [what: string, id: string])[] {
		if (row.id === null) return [];
		const mine = who.own[row.id];
		return [
			['unknown', UNKNOWN_ID],
			["another workspace's", other.kept[row.id]],
			...kinds.filter((kind) => kind !== row.id).map((kind) => [`of a ${kind}`, who.own[kind]] as const),
			['malformed', 'not-an-id'],
			['in lower case', mine.toLowerCase()],
			['cut', mine.slice(0, -1)],
			['one longer', `${mine}0`],
			['with a space', `${mine} `],
			['longer than a key of the table', mine.repeat(120)],
			// The id has no slash. The gateway decodes a path before it chooses the route, so a slash would lead to another route.
			['of other characters', '\u0000é..'],
		];
	}
	const parties = () => [[ada, grace] as const, [grace, ada] as const];

	it(`answers 403 without ${row.permission}, the same for every id`, async () => {
		const denied = parties().flatMap(([who, other]) => {
			const own = row.id === null ? '' : who.kept[row.id];
			const wrong = wrongIds(who, other).map(([, id]) => id);
			// Keys without the required permission ask for an id of their own workspace and for one of the other workspace. One of
			// these keys also tries every kind of wrong id. The answer must always be the same, because the service checks the
			// permission first.
			const asked = scopes
				.filter((scope) => !opens(scope))
				.flatMap((scope, position) =>
					[own, ...(position === 0 && who === ada ? wrong : wrong.slice(1, 2))].map((id) => ({ scope, id })),
				);
			return asked.map(({ scope, id }) => ask(route, id, bearer(keyOf(who, scope)), row.body));
		});
		const answers = await Promise.all(denied);
		expect(answers.length).toBeGreaterThanOrEqual(2 * permissions.length);
		expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
		const [{ status, json }] = answers as [ApiResponse];
		const expected = { code: 'insufficient_permission', required_permission: row.permission };
		expect([status, json]).toEqual([403, expect.objectContaining(expected)]);
		await expectUntouched();
	});

	it(`works on the customer’s own resources with ${row.permission}`, async () => {
		for (const [who, other] of parties()) {
			for (const scope of scopes.filter(opens)) {
				const own = row.id === null ? '' : who.own[row.id];
				const id = row.again ? await row.again(who) : own;
				const { status, json, text } = await ask(route, id, bearer(keyOf(who, scope)), row.body);
				expect([status, status === route.success ? null : json]).toEqual([route.success, null]);
				for (const foreign of [other.workspace_id, ...Object.values(other.own), ...Object.values(other.kept)]) {
					expect(text).not.toContain(foreign);
				}
				if (row.id === null && route.method === 'GET') expect(json.data.length).toBeGreaterThan(0);
			}
		}
	});

	if (row.id !== null) {
		it('changes nothing for a malformed id or an id of another workspace, and answers as for an unknown id', async () => {
			for (const [who, other] of parties()) {
				for (const [position, scope] of scopes.filter(opens).entries()) {
					// The key that has only the required permission tries every wrong id. A key with more permissions tries only
					// two, because more permissions do not open more ids.
					const ids = wrongIds(who, other).slice(0, position === 0 ? undefined : 2);
					const asked = ids.map(async ([what, id]) => {
						return [what, comparable(await ask(route, id, bearer(keyOf(who, scope)), row.body))] as const;
					});
					const [[, unknown], ...others] = (await Promise.all(asked)) as [[string, ReturnType<typeof comparable>]];
					expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
					for (const [what, answer] of others as (readonly [string, object])[]) {
						expect([what, answer]).toEqual([what, unknown]);
					}
				}
			}
			await expectUntouched();
		});
	}
});

it('a filter by ids of another workspace finds nothing, as a filter by unknown ids does', async () => {
	const { event_id } = (await ops.store.get('delivery', { id: grace.kept.webhook_delivery })) ?? {};
	const { webhook_endpoint } = grace.kept;
	const filters = [`endpoint_id=${webhook_endpoint}`, `endpoint_id=${UNKNOWN_ID}`, `event_id=${event_id}`];
	for (const filter of filters) {
		const headers = bearer(ada.api_key);
		const { status, json } = await call(stack.base_url, `/webhook-deliveries?${filter}`, { headers });
		expect([status, json]).toEqual([200, { data: [], has_more: false, next_cursor: null }]);
	}
});

/** Invalid keys with the form and the checksum of a valid key. The responses to them must be identical. */
const WHOLE_KEYS: readonly string[] = ['a revoked key', 'an unknown key', "another secret under the key's id"];

describe('an invalid API key', () => {
	const random = (n: number) => new Uint8Array(API_KEY_SECRET_BYTES).fill(n);
	let bad: readonly (readonly [what: string, headers: Record<string, string>])[];
	let watched: string;

	beforeAll(async () => {
		const { key, secret } = await newKey(ops, ada.workspace_id, permissions);
		const gone = await newKey(ops, ada.workspace_id, permissions);
		await revokeApiKey(gone.key, ops);
		watched = key.id;
		const end = secret.endsWith('A') ? 'B' : 'A';
		bad = [
			['no header', {}],
			['an empty header', { authorization: '' }],
			['no key', { authorization: 'Bearer' }],
			['junk', bearer('x')],
			['another scheme', { authorization: `Basic ${secret}` }],
			['no scheme', { authorization: secret }],
			['the key elsewhere', { 'x-api-key': secret }],
			['a revoked key', bearer(gone.secret)],
			['an unknown key', bearer(formatApiKey(UNKNOWN_ID, random(7)))],
			["another secret under the key's id", bearer(formatApiKey(key.id, random(7)))],
			['a bad checksum', bearer(secret.slice(0, -1) + end)],
			['a changed secret', bearer(secret.replace(/_.{43}(.{4})$/, `_${'A'.repeat(43)}$1`))],
			['a cut key', bearer(secret.slice(0, -1))],
			['a longer key', bearer(`${secret}A`)],
			['two keys', { authorization: `Bearer ${secret}, Bearer ${secret}` }],
			['a workspace key', bearer(ada.workspace_key)],
			['an allowed page', { origin: ada.allowed_origin }],
		];
	});

	it.each(serverRoutes.map((both) => [both.route.operation, both] as const))(
		'gives no access to %s, for every kind of invalid key',
		async (_operation, { route, row }) => {
			const id = row.id === null ? '' : ada.kept[row.id];
			const answers = await Promise.all(bad.map(([, headers]) => ask(route, id, headers, row.body)));
			const [first, ...others] = answers.map(comparable);
			expect(first).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
			expect(first?.headers['www-authenticate']).toBe('Bearer');
			// Only the text may differ. It describes the form of the Authorization header, which the sender already knows.
			const but = (answer: (typeof others)[number] | undefined) => ({
				...answer,
				body: { ...answer?.body, detail: '' },
			});
			for (const [i, other] of others.entries())
				expect([bad[i + 1]?.[0], but(other)]).toEqual([bad[i + 1]?.[0], but(first)]);
			const whole = answers.filter((_, i) => WHOLE_KEYS.includes(bad[i]?.[0] ?? '')).map(comparable);
			expect(whole).toEqual(Array(WHOLE_KEYS.length).fill(whole[0]));
		},
	);

	it('does not count as a use of the key that it resembles; a genuine request does', async () => {
		expect(await ops.store.get('api_key_use', { id: watched })).toBeNull();
		const { key, secret } = await newKey(ops, ada.workspace_id, ['calls:read']);
		const headers = { authorization: `bearer   ${secret}` };
		expect((await call(stack.base_url, '/calls', { headers })).status).toBe(200);
		expect(await ops.store.get('api_key_use', { id: key.id })).toEqual({
			id: key.id,
			last_used_at: expect.any(String),
		});
		expect(await ops.store.get('api_key', { id: key.id })).toEqual(key);
	});
});

const otherSurface = (surface: Route['surface']) => routes.filter((route) => route.surface === surface);
const NOBODY = 'https://nobody.example';

describe('widget routes accept pages that the workspace allows, never an API key:', () => {
	const origins = () => [ada.allowed_origin, grace.allowed_origin, NOBODY, 'null', null];
	const withOrigin = (origin: string | null, more: object = {}) => ({ ...(origin !== null && { origin }), ...more });
	const access = ({ headers }: ApiResponse) => [...headers.keys()].filter((name) => name.startsWith('access-control'));

	async function outcome(route: Route, workspace_key: string, origin: string | null, key: object = {}) {
		const body = visitorBody(ada, { workspace_key, phone: freshPhone(), page_url: `${origin}/` });
		const query = route.method === 'GET' ? `?workspace_key=${workspace_key}` : '';
		const headers = withOrigin(origin, key);
		const send = { method: route.method, headers, ...(route.method === 'POST' && { body }) };
		const answer = await call(stack.base_url, `${route.path}${query}`, send);
		if (answer.json.code === 'origin_not_allowed') expect(access(answer)).toEqual([]);
		expect(answer.headers.get('vary')).toBe('Origin');
		return [answer.status, answer.json.code ?? 'ok'];
	}

	it.each(otherSurface('widget').filter(({ path }) => !path.includes('{')))('$operation', async (route) => {
		const refused = [403, 'origin_not_allowed'];
		const done = [route.success, 'ok'];
		for (const who of [ada, grace]) {
			for (const origin of origins()) {
				const expected = origin === who.allowed_origin ? done : refused;
				expect([origin, await outcome(route, who.workspace_key, origin)]).toEqual([origin, expected]);
				expect(await outcome(route, who.workspace_key, origin, bearer(who.api_key))).toEqual(expected);
				const present = origin !== null && origin !== 'null';
				const unknown = present ? [403, 'invalid_workspace_key'] : refused;
				expect([origin, await outcome(route, 'wk_nobody', origin)]).toEqual([origin, unknown]);
			}
		}
	});

	it('the response to an allowed page allows exactly that page’s origin, and never credentials', async () => {
		for (const { allowed_origin, workspace_key } of [ada, grace]) {
			const headers = { origin: allowed_origin };
			const answer = await call(stack.base_url, `/widget/config?workspace_key=${workspace_key}`, { headers });
			expect(Object.fromEntries([...answer.headers].filter(([name]) => /^(access|vary)/.test(name)))).toEqual({
				'access-control-allow-origin': allowed_origin,
				'access-control-expose-headers': 'retry-after, idempotency-replayed, x-request-id, cancel-secret',
				vary: 'Origin',
			});
		}
	});

	it('a preflight is answered on every route for an origin that any workspace allows, and for no other', async () => {
		for (const { path } of otherSurface('widget')) {
			const preflight = (origin: string) =>
				call(stack.base_url, path.replace('{id}', UNKNOWN_ID), { method: 'OPTIONS', headers: { origin } });
			const allowed = await preflight(grace.allowed_origin);
			expect([path, allowed.status, allowed.text]).toEqual([path, 204, '']);
			expect(Object.fromEntries([...allowed.headers].filter(([name]) => /^(access|vary)/.test(name)))).toEqual({
				'access-control-allow-origin': grace.allowed_origin,
				'access-control-allow-methods': 'GET, POST, OPTIONS',
				'access-control-allow-headers': 'content-type, idempotency-key',
				'access-control-max-age': '7200',
				vary: 'Origin',
			});
			for (const origin of [NOBODY, 'null', `${grace.allowed_origin}/`, grace.allowed_origin.toUpperCase(), '*']) {
				const refused = await preflight(origin);
				expect([origin, refused.status, access(refused)]).toEqual([origin, 403, []]);
			}
		}
	});

	it('a preflight allows the headers that tools add to a page’s requests, within bounds and without a wildcard', async () => {
		const preflight = async (requested: string) => {
			const headers = { origin: grace.allowed_origin, 'access-control-request-headers': requested };
			const answer = await call(stack.base_url, '/widget/config', { method: 'OPTIONS', headers });
			expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([204, null]);
			return answer.headers.get('access-control-allow-headers')?.split(', ').slice(2);
		};
		const many = Array.from({ length: 100 }, (_, at) => `x-${at}`);
		for (const [requested, added] of [
			['content-type,idempotency-key', []],
			['traceparent', ['traceparent']],
			['baggage,content-type, sentry-trace ,X-CSRF-Token', ['baggage', 'sentry-trace', 'x-csrf-token']],
			['x-datadog-trace-id,newrelic,b3,uber-trace-id', ['x-datadog-trace-id', 'newrelic', 'b3', 'uber-trace-id']],
			['*', []],
			['a*,x y,x:y,é,"q",,x(', ['a*']],
			[`${'y'.repeat(64)},${'y'.repeat(65)}`, ['y'.repeat(64)]],
			[many.join(), many.slice(0, 48)],
		] as const) {
			expect([requested, await preflight(requested)]).toEqual([requested, added]);
		}
	});

	it('get-call-request-status answers only pages of the call’s own workspace', async () => {
		const [route] = otherSurface('widget').filter(({ path }) => path.includes('{'));
		if (route === undefined) throw new Error('the table has no such route');
		for (const who of [ada, grace]) {
			const other = who === ada ? grace : ada;
			const ids = [UNKNOWN_ID, other.own.call, ...kinds.slice(1).map((kind) => who.own[kind]), 'x', 'x'.repeat(3000)];
			for (const origin of origins()) {
				const answers = await Promise.all(ids.map((id) => ask(route, id, withOrigin(origin, bearer(who.api_key)))));
				const mine = await ask(route, who.own.call, withOrigin(origin));
				const own = mine.status === 200;
				expect(own).toBe(origin === who.allowed_origin);
				const theirs = origin === other.allowed_origin ? answers.splice(1, 1) : [];
				for (const { status } of theirs) expect(status).toBe(200);
				const alike = own ? answers : [mine, ...answers];
				expect(new Set(alike.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
				const allowed = origin === ada.allowed_origin || origin === grace.allowed_origin;
				expect(alike[0]?.json.code).toBe(allowed ? 'not_found' : 'origin_not_allowed');
				expect(alike[0]?.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
			}
		}
	});
});

it.each(otherSurface('provider'))('$operation accepts a request by its signature alone', async (route) => {
	const headers: Record<string, string>[] = [{}, bearer(ada.api_key), { origin: ada.allowed_origin }];
	const legs = (await ops.store.get('call', { id: ada.kept.call }))?.legs ?? [];
	for (const id of [ada.kept.call, UNKNOWN_ID, ...legs.map((leg) => leg.id)]) {
		for (const header of headers) {
			const signature = { 'simulator-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` };
			for (const signed of [header, { ...header, ...signature }]) {
				const { status, json } = await ask(route, id, signed, { state: 'ended' });
				expect([status, json.code]).toEqual([403, 'invalid_signature']);
			}
		}
	}
});

it.each(otherSurface('team'))('$operation accepts a request by the token of its link alone', async (route) => {
	const madeUp = ['', '.', `.${'A'.repeat(43)}`].map((rest) => `${ada.kept.callback_lead}${rest}`);
	for (const token of [...madeUp, UNKNOWN_ID, ada.kept.call]) {
		for (const headers of [{}, bearer(ada.api_key), { origin: 'null', ...bearer(grace.api_key) }]) {
			const form = route.method === 'POST' ? { body: new URLSearchParams({ phone: '0 +1********01' }) } : {};
			const url = `${stack.base_url}${pathTo(route, token)}`;
			const answer = await fetch(url, { method: route.method, headers, ...form });
			expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('link_not_valid')]);
		}
	}
});

it.each(otherSurface('desk').flatMap((route) => methodsOfRoute(route).map((method) => ({ ...route, method }))))(
	'$operation ($method) shows and changes nothing without a session or a link',
	async ({ method, path }) => {
		const origin = new URL(stack.base_url).origin;
		for (const headers of [{}, bearer(ada.api_key), { cookie: `__Host-desk=${'A'.repeat(43)}` }]) {
			const fields = { action: 'paused', for: 'day', address: 'x@shop.example', workspace: ada.workspace_id };
			const form = method === 'POST' ? { body: new URLSearchParams(fields) } : {};
			const url = `${stack.base_url}${path.replace('{page}', 'today').replace('{token}', 'made-up')}`;
			const answer = await fetch(url, { method, headers: { origin, ...headers }, ...form });
			const expected = path.includes('{page}') ? [401, 'signed_out'] : [404, 'link_not_valid'];
			const [, code] = /<meta name="problem" content="(\w+)">/.exec(await answer.text()) ?? [];
			if (path !== '/desk/sign-in')
				expect([answer.status, code]).toEqual(method === 'HEAD' ? [expected[0], undefined] : expected);
			// The response sets a cookie that recognises the requesting browser. The cookie gives no access (ADR 58).
			const cookie = answer.headers.get('set-cookie');
			if (path === '/desk/sign-in' && method === 'POST') expect(cookie).toMatch(/^__Host-desk-ask=/);
			else expect(cookie).toBeNull();
		}
	},
);

it.each(otherSurface('public'))('$operation accepts requests from anyone', async (route) => {
	const { status, json } = await ask(route, '', {});
	expect([status, json.openapi]).toEqual([200, '3.1.0']);
});
