import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localCertificates } from '../../local/certificates.ts';
import type { Stack } from '../../local/stack.ts';
import type { Template } from '../../local/template.ts';
import type { OpsDeps } from '../../ops/connect.ts';
import { type ProblemCode, problems } from '../../shared/contract/kernel/problem.ts';
import { writeCursor } from '../../shared/domain/kernel/cursor.ts';
import { lowestIdAt } from '../../shared/domain/kernel/id.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { pass, refuse, startWire, type Wire } from '../support/aws/faulty-wire.ts';
import { type ApiResponse, call, eventually, inOneWindow, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import {
	bearer,
	type Customer,
	freshPhone,
	freshTalker,
	newCustomer,
	newCustomerWith,
	newKey,
	operatorOf,
} from '../support/webhooks/customers.ts';
import { tlsReceiver } from '../support/webhooks/receiver.ts';

// Causes every error of the error table on the running stack. The statuses are written here a second time, so that the table in
// the code (shared/contract/kernel/problem.ts) cannot change unnoticed.

const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
/** A text that many requests contain and that no response may contain. */
const CANARY = 'Canary-7f3a';

let stack: Stack;
let ops: OpsDeps;
let ada: Customer;
let directory: string;
/** The proxy between one function (update-callback-lead) and its table. */
let wire: Wire;
let receiver: Awaited<ReturnType<typeof tlsReceiver>>;

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-refusals-'));
	const { key_pem, cert_pem, ca_file } = await localCertificates(directory);
	// This receiver reads the request and never responds.
	receiver = await tlsReceiver({ key: key_pem, cert: cert_pem }, () => undefined);
	wire = await startWire(async (request) => await pass(tableUrl(), request));
	const options = { allow_webhook_hosts: [`localhost:${receiver.port}`], trust: ca_file };
	stack = await testStack(options, { alter: throughTheWire });
	ops = await operatorOf(stack);
	ada = await newCustomer(ops);
});
afterAll(async () => {
	await stack.stop();
	await Promise.all([wire.stop(), receiver.stop()]);
	rmSync(directory, { recursive: true, force: true });
});

const tableUrl = (): string =>
	JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8')).AWS_ENDPOINT_URL_DYNAMODB;

function throughTheWire(template: Template): Template {
	const copy: Template = JSON.parse(JSON.stringify(template));
	for (const { Metadata, Properties = {} } of Object.values(copy.Resources)) {
		if (Metadata?.['function'] !== 'update-callback-lead') continue;
		const { Variables } = Properties['Environment'] as { readonly Variables: Record<string, string> };
		Variables['AWS_ENDPOINT_URL_DYNAMODB'] = wire.endpoint;
	}
	return copy;
}

type Headers = Record<string, string>;
type Send = NonNullable<Parameters<typeof call>[2]>;
/** A request from ada's server. */
const ask = (path: string, send: Send = {}) =>
	call(stack.base_url, path, { ...send, headers: { ...bearer(ada.api_key), ...send.headers } });
/** A request from a visitor's page. */
const fromPage = (path: string, send: Send, who: Customer = ada) =>
	call(stack.base_url, path, { ...send, headers: { origin: who.allowed_origin, ...send.headers } });
const visit = (changes: object = {}, who: Customer = ada, path = '/widget/call-requests') =>
	fromPage(path, { body: visitorBody(who, { phone: freshPhone(), name: CANARY, ...changes }) }, who);
const visitRaw = (raw: string | Uint8Array, type = 'application/json') =>
	fromPage('/widget/call-requests', { raw, headers: { 'content-type': type } });
/** A visitor tries to cancel their own call while both people talk. Returns the response. */
async function cancelWhileTalking(): Promise<ApiResponse> {
	const { json, headers } = await visit({ phone: freshTalker() });
	const own = (path: string, send: Send = {}) => fromPage(`/widget/call-requests/${json.data.id}/${path}`, send);
	const status = async () => (await own('status')).json.data;
	await eventually('they talk', async () => ((await status()).status === 'connected' ? true : null));
	const late = await own('cancel', { body: { cancel_secret: headers.get('cancel-secret') } });
	expect(await status()).toMatchObject({ status: 'connected', connected_for_ms: expect.any(Number) });
	return late;
}
const newLead = async (): Promise<string> => (await visit({}, ada, '/widget/callback-leads')).json.data.id;
const patch = (id: string, body: object = { status: 'handled' }, headers: Headers = {}) =>
	ask(`/callback-leads/${id}`, { method: 'PATCH', body, headers });
const subscribe = (body: object) =>
	ask('/webhook-endpoints', { body: { url: 'https://hooks.example.com/', events: ['call.failed'], ...body } });

const recover = (body: object) => ask(`/webhook-endpoints/${UNKNOWN_ID}/recover`, { body });
const customerWith = (changes: Partial<Workspace>) => newCustomerWith(ops, changes);

type Row = {
	readonly when: string;
	readonly ask: () => Promise<ApiResponse>;
	readonly status: number;
	/** The fields that the response has in addition to those of every problem. */
	readonly extra?: object;
	/** The expected locations of the errors. */
	readonly at?: readonly string[];
	readonly headers?: Readonly<Record<string, unknown>>;
};
const row = (when: string, status: number, request: Row['ask'], more: Partial<Row> = {}): Row => {
	return { when, status, ask: request, ...more };
};

/** A query parameter that is invalid. The refusal has to name it. */
const parameter = (query: string, name = query.split('=')[0]): Row =>
	row(`?${query}`, 400, () => ask(`/webhook-deliveries?${query}`), { at: [`?${name}`] });
/** A visitor's request with one invalid field. The refusal has to name the field. */
const field = (status: number, changes: object, pointer: string): Row =>
	row(JSON.stringify(changes).slice(0, 60), status, () => visit(changes), { at: [pointer] });
const SECONDS = expect.stringMatching(/^[1-9]\d*$/);
const TOO_LATE = { headers: { 'retry-after': SECONDS } };
const stopped = (when: string, reason: string, who: () => Promise<Customer>): Row =>
	row(when, 503, async () => visit({}, await who()), { ...TOO_LATE, extra: { reason } });

const table: { readonly [C in ProblemCode]: readonly Row[] } = {
	invalid_json: [
		row('half an object', 400, () => visitRaw('{"a":')),
		row('no UTF-8', 400, () => visitRaw(new Uint8Array([123, 34, 0xff, 34, 125]))),
		row('half an object, to the server API', 400, () => ask('/webhook-endpoints', { raw: '{' })),
		row('nothing, under a JSON content type', 400, () => visitRaw('')),
	],
	unsupported_media_type: [
		row('text', 415, () => visitRaw('{}', 'text/plain')),
		row('a form', 415, () => visitRaw('a=b', 'application/x-www-form-urlencoded')),
		row('a relative of JSON', 415, () => visitRaw('{}', 'application/merge-patch+json')),
		row('gzip', 415, () => patch(UNKNOWN_ID, {}, { 'content-encoding': 'gzip' }), {
			headers: { 'accept-encoding': 'identity' },
		}),
	],
	payload_too_large: [
		row('16 KiB and a byte', 413, () => visitRaw(JSON.stringify('x'.repeat(16_383)))),
		row('fewer characters, but more bytes', 413, () => visitRaw(JSON.stringify('é'.repeat(8_192)))),
	],
	invalid_parameter: [
		...['0', '101', '-1', '1.5', '1e1', '0x10', '01', ' 5', '', 'all', '5,6'].map((n) => parameter(`limit=${n}`)),
		...['', 'yesterday', '2026-02-30', '2026-11-21T10:00:00', '2026-13-01T00:00:00Z', `${CANARY}`, '1'.repeat(41)].map(
			(at) => parameter(`from=${at}`),
		),
		parameter('to=2026-11-21T25:00:00Z'),
		parameter('from=2026-11-21&to=2026-11-20'),
		parameter('from=2026-11-21&to=2026-11-21'),
		...['', 'unknown', 'failed,', 'failed;held', CANARY].map((status) => parameter(`status=${status}`)),
		parameter('event=call.started'),
		row('?order=up', 400, () => ask('/events?order=up'), { at: ['?order'] }),
		row('?event of events', 400, () => ask('/events?event=call.failed,call.started'), { at: ['?event'] }),
		row('?status of events', 400, () => ask('/events?status=failed'), { at: ['?status'] }),
		parameter('endpoint_id=1'),
		parameter(`event_id=${CANARY}`),
		row('endpoints?limit=0', 400, () => ask('/webhook-endpoints?limit=0'), { at: ['?limit'] }),
		row('an empty range', 400, () => recover({ since: '2026-11-21', until: '2026-11-21' }), { at: ['/until'] }),
		row('?status of another list', 400, () => ask('/calls?status=pending'), { at: ['?status'] }),
		row(
			'no workspace_key',
			400,
			() => call(stack.base_url, '/widget/config', { headers: { origin: ada.allowed_origin } }),
			{ at: ['?workspace_key'] },
		),
	],
	invalid_cursor: [
		row('made up', 400, () => ask('/calls?cursor=abc')),
		row('of the other order', 400, () => ask(`/events?order=asc&cursor=${cursorBefore('desc')}`)),
	],
	cursor_expired: (['desc', 'asc'] as const).map((order) =>
		row(`older than the events, ${order}`, 410, () => ask(`/events?order=${order}&cursor=${cursorBefore(order)}`)),
	),
	validation_failed: [
		field(422, { page_url: 'javascript:alert(1)' }, '/page_url'),
		field(422, { name: 'x'.repeat(101) }, '/name'),
		field(422, { consent: 'yes' }, '/consent'),
		field(422, { workspace_key: 7 }, '/workspace_key'),
		field(422, { phone: null }, '/phone'),
		row('an array', 422, () => visitRaw('[]')),
		row('no body', 422, () => ask('/webhook-endpoints', { method: 'POST' }), { at: ['/url', '/events'] }),
		row('twice the same kind', 422, () => subscribe({ events: ['call.failed', 'call.failed'] }), { at: ['/events'] }),
		row('a wildcard', 422, () => subscribe({ events: ['call.failed', '*'] }), { at: ['/events/1'] }),
		row('no kinds', 422, () => subscribe({ events: [] }), { at: ['/events'] }),
		row('two wrong places', 422, () => subscribe({ url: 1, events: [CANARY] }), { at: ['/url', '/events/0'] }),
		row('an unknown status', 422, async () => patch(await newLead(), { status: CANARY }), { at: ['/status'] }),
		row('no time', 422, () => recover({ since: CANARY }), { at: ['/since'] }),
	],
	consent_required: [field(422, { consent: false }, '/consent')],
	phone_invalid: ['', '2025550101', '+1202555010', '+1 202 555 0101 x3'].map((phone) =>
		field(422, { phone }, '/phone'),
	),
	country_not_allowed: [field(422, { phone: '+18765550123' }, '/phone')],
	phone_not_callable: [field(422, { phone: '+19005550123' }, '/phone')],
	page_url_mismatch: [field(422, { page_url: 'https://elsewhere.example/' }, '/page_url')],
	unauthenticated: [
		row('no API key', 401, () => call(stack.base_url, '/calls'), { headers: { 'www-authenticate': 'Bearer' } }),
	],
	insufficient_permission: [
		row(
			'a key without it',
			403,
			async () => ask('/calls', { headers: bearer((await newKey(ops, ada.workspace_id, ['calls:write'])).secret) }),
			{ extra: { required_permission: 'calls:read' } },
		),
	],
	invalid_workspace_key: [row('nobody has it', 403, () => visit({ workspace_key: `wk_${CANARY}` }))],
	origin_not_allowed: ['https://evil.example', 'null', 'http://localhost', ''].map((origin) =>
		row(`Origin: ${origin}`, 403, () => visit({}, { ...ada, allowed_origin: origin }), { headers: { vary: 'Origin' } }),
	),
	invalid_signature: [
		row('not signed', 403, () => ask(`/telephony/${UNKNOWN_ID}/${UNKNOWN_ID}/status`, { body: {} })),
		row('not signed', 403, () => ask(`/telephony/${UNKNOWN_ID}/${UNKNOWN_ID}/instructions`, { body: {} })),
	],
	not_found: [
		row('an unknown path', 404, () => ask('/call')),
		row('the root', 404, () => ask('/')),
		row('a path too long', 404, () => ask(`/calls/${UNKNOWN_ID}/cancel/now`)),
		row('an unknown id', 404, () => ask(`/calls/${UNKNOWN_ID}`)),
	],
	method_not_allowed: [
		...(
			[
				['DELETE', '/calls', 'GET, HEAD'],
				['GET', `/calls/${UNKNOWN_ID}/cancel`, 'POST'],
				['PUT', `/callback-leads/${UNKNOWN_ID}`, 'GET, HEAD, PATCH'],
				['PATCH', '/webhook-endpoints', 'GET, HEAD, POST'],
				['PUT', `/webhook-endpoints/${UNKNOWN_ID}`, 'DELETE, GET, HEAD, PATCH'],
				['GET', '/widget/call-requests', 'OPTIONS, POST'],
				['OPTIONS', '/calls', 'GET, HEAD'],
			] as const
		).map(([method, path, allow]) =>
			row(`${method} ${path}`, 405, () => ask(path, { method }), { headers: { allow } }),
		),
	],
	call_already_terminal: [
		row(
			'canceled before',
			409,
			async () => {
				const { id } = (await visit({ phone: freshTalker() })).json.data;
				await ask(`/calls/${id}/cancel`, { method: 'POST' });
				return ask(`/calls/${id}/cancel`, { method: 'POST' });
			},
			// On a busy machine, the people may talk before the first cancel arrives. The cancel then completes the call.
			{ extra: { call_status: expect.stringMatching(/^(canceled|completed)$/) } },
		),
	],
	call_already_connected: [row('they talk', 409, cancelWhileTalking)],
	precondition_failed: ['callback-leads', 'webhook-endpoints'].map((path) =>
		row(`one of ${path} that somebody else has changed`, 412, async () => {
			const id = path === 'callback-leads' ? await newLead() : (await subscribe({})).json.data.id;
			const seen = (await ask(`/${path}/${id}`)).headers.get('etag') ?? '';
			const edit = (body: object) => ask(`/${path}/${id}`, { method: 'PATCH', body, headers: { 'if-match': seen } });
			const leadBodies = [{ status: 'handled' }, { status: 'dismissed' }];
			const bodies = path === 'callback-leads' ? leadBodies : [{ description: '1' }, { description: '2' }];
			// Two people edit at the same time. Only one of them may succeed.
			expect((await Promise.all(bodies.map(edit))).map(({ status }) => status).sort()).toEqual([200, 412]);
			if (path === 'webhook-endpoints') {
				const remove = (tag: string) => ask(`/${path}/${id}`, { method: 'DELETE', headers: { 'if-match': tag } });
				const refused = await remove(seen);
				const { headers } = await ask(`/${path}/${id}`);
				expect((await remove(headers.get('etag') ?? '')).status).toBe(204);
				return refused;
			}
			return edit(bodies[0] ?? {});
		}),
	),
	delivery_in_progress: [row('the receiver has it and has not answered', 409, retryInFlight)],
	endpoint_deleted: [row('as it says', 409, () => retryAfter({ method: 'DELETE' }))],
	endpoint_disabled: [row('as it says', 409, () => retryAfter({ method: 'PATCH', body: { status: 'disabled' } }))],
	idempotency_key_invalid: ['', 'x'.repeat(256), 'é', 'a\tb'].map((key) =>
		row(JSON.stringify(key).slice(0, 20), 400, () => patch(UNKNOWN_ID, {}, { 'idempotency-key': key })),
	),
	idempotency_key_reused: [
		row('with another body', 422, async () => {
			const id = await newLead();
			await patch(id, { status: 'handled' }, { 'idempotency-key': CANARY });
			return patch(id, { status: 'dismissed' }, { 'idempotency-key': CANARY });
		}),
	],
	idempotency_conflict: [
		row("a twin won, and its record's time is over", 409, twinWithoutRecord, { headers: { 'retry-after': '1' } }),
	],
	outside_business_hours: [
		row(
			'closed but for one hour in the week',
			409,
			async () => {
				const weekday = (new Date(Date.now() + 3 * 86_400_000).getUTCDay() % 7) as 0;
				const weekly = [{ weekday, from_minute: 540, to_minute: 600 }];
				return visit({}, await customerWith({ time_zone: 'UTC', business_hours: { weekly, holidays: [] } }));
			},
			{ extra: { next_open_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT09:00:00\.000Z$/) } },
		),
		row(
			'closed for good',
			409,
			async () => visit({}, await customerWith({ time_zone: 'UTC', business_hours: { weekly: [], holidays: [] } })),
			{ extra: { next_open_at: null } },
		),
	],
	rate_limited: [
		...(['requests_per_workspace_per_window', 'requests_per_address_per_window'] as const).flatMap((limit) =>
			['/widget/call-requests', '/widget/callback-leads'].map((path) =>
				row(
					`${limit} of ${path}`,
					429,
					async () => {
						const answers = await inOneWindow(async () => {
							const small = await newCustomer(ops, { [limit]: 1 });
							return Promise.all(Array.from({ length: 8 }, () => visit({}, small, path)));
						});
						const refused = answers.filter(({ status }) => status === 429);
						expect(refused).toHaveLength(7);
						return refused[0] as ApiResponse;
					},
					TOO_LATE,
				),
			),
		),
		row('a number that is being called', 429, ofNumberInACall, TOO_LATE),
		row('a number that asked not to be called', 429, () => ofSuppressedNumber('/widget/call-requests'), TOO_LATE),
		row('the same, as a lead', 429, () => ofSuppressedNumber('/widget/callback-leads'), TOO_LATE),
		row('more requests of a key than it may ask a minute', 429, ofSpentKey, {
			headers: { 'retry-after': SECONDS, 'ratelimit-limit': '0', 'ratelimit-remaining': '0' },
		}),
	],
	calls_unavailable: [
		stopped('the kill switch', 'switched_off', () => customerWith({ calls_enabled: false })),
		stopped('nobody to ring', 'no_team', () => customerWith({ team: [] })),
		stopped('the daily cap', 'daily_limit', () => newCustomer(ops, { calls_per_day: 0 })),
	],
	service_busy: [
		row(
			'the table takes nothing now',
			503,
			async () => {
				const id = await newLead();
				wire.failAll(refuse('ProvisionedThroughputExceededException'));
				const send = { method: 'PATCH', body: { status: 'handled' }, headers: bearer(ada.api_key) };
				return call(stack.base_url, `/callback-leads/${id}`, send).finally(wire.mend);
			},
			TOO_LATE,
		),
	],
	webhook_url_not_allowed: [
		'http://hooks.example.com/',
		'https://127.0.0.1/',
		'https://localhost/',
		'https://[::1]/',
		'https://10.0.0.8/',
		'https://user:pass@hooks.example.com/',
		'https://hooks.example.com:22/',
		'not a url',
	].map((url) => row(url, 422, () => subscribe({ url }), { at: ['/url'] })),
	limit_reached: [
		row('20 endpoints, also in a race', 409, async () => {
			const full = await newCustomer(ops);
			const body = { url: 'https://hooks.example.com/', events: ['call.failed'] };
			const send = { body, headers: bearer(full.api_key) };
			const one = () => call(stack.base_url, '/webhook-endpoints', send);
			const answers = await Promise.all(Array.from({ length: 24 }, one));
			expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
			return one();
		}),
	],
	internal_error: [
		row('AWS denies what a role should allow', 500, async () => {
			const id = await newLead();
			wire.fail(refuse('AccessDeniedException', 400, { message: `arn:aws:dynamodb:::table/${CANARY}` }));
			return patch(id);
		}),
	],
};

/** A cursor of the events list that was issued 31 days ago. */
function cursorBefore(order: string): string {
	const { workspace_id } = ada;
	return writeCursor(lowestIdAt(Date.now() - 31 * 86_400_000), {
		workspace_id,
		operation: 'list-events',
		filters: { order },
	});
}

async function ofSpentKey(): Promise<ApiResponse> {
	const { api_key } = await newCustomer(ops, { api_requests_per_key_per_minute: 0 });
	return ask('/calls', { headers: bearer(api_key) });
}

async function ofNumberInACall(): Promise<ApiResponse> {
	const phone = freshTalker();
	expect((await visit({ phone })).status).toBe(202);
	return visit({ phone });
}

async function ofSuppressedNumber(path: string): Promise<ApiResponse> {
	const e164 = freshPhone();
	await suppressNumber({ workspace_id: ada.workspace_id, e164 }, true, ops);
	return visit({ phone: e164 }, ada, path);
}

/** Retries a delivery while its attempt is in progress: the receiver has the request, but does not respond. */
async function retryInFlight(): Promise<ApiResponse> {
	const made = await subscribe({ url: `https://localhost:${receiver.port}/held`, events: ['callback.requested'] });
	expect(made.status).toBe(201);
	const before = receiver.requests.length;
	await newLead();
	await eventually('the receiver has it', async () => (receiver.requests.length > before ? true : null));
	const { json } = await ask(`/webhook-deliveries?status=pending&endpoint_id=${made.json.data.id}`);
	return ask(`/webhook-deliveries/${json.data[0].id}/retry`, { method: 'POST' });
}

/** Sends `change` to an endpoint, and then retries a delivery of this endpoint. */
async function retryAfter(change: Send): Promise<ApiResponse> {
	const { id } = (await subscribe({ events: ['callback.requested'] })).json.data;
	await newLead();
	await ask(`/webhook-endpoints/${id}`, change);
	const [made] = (await ask(`/webhook-deliveries?endpoint_id=${id}`)).json.data;
	return ask(`/webhook-deliveries/${made.id}/retry`, { method: 'POST' });
}

/**
 * Sends a request twice, as if the second one arrived while the response to the first one was being stored. No client can hit
 * this moment, so the proxy hides the stored response from the second request. The table then refuses the transaction of the
 * second request.
 */
async function twinWithoutRecord(): Promise<ApiResponse> {
	const id = await newLead();
	const send = () => patch(id, { status: 'handled' }, { 'idempotency-key': 'twins' });
	expect((await send()).status).toBe(200);
	wire.failAll(async ({ operation, body }, forward) => {
		return operation === 'GetItem' && body.includes('IDEMPOTENCY#') ? { status: 200, body: '{}' } : forward();
	});
	return send().finally(wire.mend);
}

const MEMBERS = ['code', 'detail', 'instance', 'request_id', 'status', 'title', 'type'];
/** Text that no response may contain: names of AWS resources and of our code, secrets, and text from the request. */
const INTERNAL =
	/dynamo|sqs|kms|lambda|arn:|amazon|exception|accessdenied|conditional|\bnode:|node_modules|\.ts\b|\.js\b|\bat .*:\d+:\d|undefined|\[object|CALL#|LEAD#|whsec_|cbk_live_|wk_|Canary/i;
/** Ids are random, so they may contain KMS or SQS by chance. */
const RANDOM = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

function expectProblem(answer: ApiResponse, code: string, { status, extra = {}, at, headers = {} }: Row): void {
	expect([answer.status, answer.json.code, answer.json]).toEqual([status, code, expect.anything()]);
	const { errors, ...problem } = answer.json;
	expect(Object.keys(problem).sort()).toEqual([...MEMBERS, ...Object.keys(extra)].sort());
	expect(problem).toMatchObject({
		type: `${stack.console_url}/docs/problems#${code}`,
		title: expect.stringMatching(/^[A-Z].{3,80}$/),
		status,
		detail: expect.stringMatching(/^.{5,300}$/),
		instance: expect.stringMatching(/^\/v1\//),
		request_id: answer.headers.get('x-request-id'),
		...extra,
	});
	expect(problem.request_id).toMatch(/^.{10,}$/);
	const known = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers };
	expect(Object.fromEntries(answer.headers)).toMatchObject(known);
	expect(answer.text.replaceAll(RANDOM, '')).not.toMatch(INTERNAL);
	expectErrors(errors, at);
	expectCors(answer, code);
}

function expectErrors(errors: readonly Record<string, unknown>[] | undefined, at: Row['at']): void {
	if (at !== undefined) expect(errors?.map(({ pointer }) => pointer)).toEqual(at);
	for (const error of errors ?? []) {
		expect(Object.keys(error).sort()).toEqual(['code', 'detail', 'pointer']);
		expect(error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), detail: expect.stringMatching(/^.{3,}$/) });
	}
}

/** A page whose origin is allowed may read the reason for a refusal. */
function expectCors(answer: ApiResponse, code: string): void {
	const allowed = answer.headers.get('access-control-allow-origin');
	const readable = answer.json.instance.startsWith('/v1/widget/') && code !== 'method_not_allowed';
	if (readable) expect(answer.headers.get('vary')).toBe('Origin');
	const refused = code === 'origin_not_allowed';
	expect(allowed).toEqual(readable && !refused ? expect.stringMatching(/^https:\/\/shop-\d+\.example$/) : null);
}

it('the test has a row for every error code of the contract', () => {
	expect(Object.keys(table).sort()).toEqual(Object.keys(problems).sort());
	expect(Object.entries(table).filter(([, rows]) => rows.length === 0)).toEqual([]);
});

describe.each(Object.entries(table))('%s', (code, rows) => {
	it.each(rows)('is the code of a refusal with status $status: $when', async (refusal) => {
		expectProblem(await refusal.ask(), code, refusal);
	});
});

it('a stranger gets the same response for a number that is in a call, that is suppressed, or that has reached its limit', async () => {
	const small = await newCustomer(ops, { requests_per_workspace_per_window: 0 });
	const spent = await visit({}, small);
	const names = ({ headers }: ApiResponse) => [...headers.keys()].sort();
	const comparable = ({ json: { request_id: _id, ...problem } }: ApiResponse) => problem;
	for (const answer of [await ofNumberInACall(), await ofSuppressedNumber('/widget/call-requests')]) {
		expect(comparable(answer)).toEqual(comparable(spent));
		expect(names(answer)).toEqual(names(spent));
		expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(600);
	}
});

it('the API accepts input that is just within the limits', async () => {
	const spaces = ' '.repeat(16 * 1024 - JSON.stringify(visitorBody(ada, { phone: '+12025550119' })).length);
	const full = JSON.stringify(visitorBody(ada, { phone: '+12025550119' })) + spaces;
	expect(Buffer.byteLength(full)).toBe(16 * 1024);
	expect((await visitRaw(full, 'Application/JSON; charset=utf-8')).status).toBe(202);
	expect((await visit({ name: 'é'.repeat(100), phone: '+1 (202) 555-01.18' })).status).toBe(202);
	expect((await ask('/calls?limit=100&cursor=')).status).toBe(200);
	expect((await ask('/calls?limit=1')).json.data).toHaveLength(1);
});
