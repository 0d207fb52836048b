import { describe, expect, it } from '@jest/globals';
import { routes } from '../../shared/contract/routes.ts';
import type { Call } from '../../shared/domain/calls/call.ts';
import { IDEMPOTENCY_SECONDS, idempotencyScope } from '../../shared/domain/kernel/idempotency.ts';
import { tableContents } from '../support/aws/table-contents.ts';
import { filesBelow, leaks, secret } from '../support/calls/traces.ts';
import { spreadOf } from '../support/spread-of.ts';
import { type ApiResponse, call, eventually, inOneWindow, visitorBody } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';
import { bearer, type Customer, freshPhone, freshTalker, newCustomer } from '../support/webhooks/customers.ts';
import { always, put } from '../support/writes.ts';

// What an Idempotency-Key guarantees, for every operation that accepts one.

type Idempotent = Extract<(typeof routes)[number], { idempotent: true }>['operation'];
/** A request that has not been sent yet. `id`: the id in its path. */
type Request = {
	readonly who: Customer;
	readonly path: string;
	readonly id: string | null;
	readonly body?: object | undefined;
};
type Case = {
	readonly success: number;
	/**
	 * Creates a resource, and a request for it that has not been sent yet. If the operation works only once for each resource,
	 * the new resource is one for which it still works.
	 */
	readonly fresh: (who: Customer) => Promise<Request>;
	/** Returns a body that differs from the request's body, or `undefined` for a request without a body. */
	readonly other: (request: Request) => object | undefined;
	/** Changes the resource, so that it no longer looks as in the first response. */
	readonly moveOn: (request: Request, first: ApiResponse) => Promise<unknown>;
	/** The status that a repeated request would get if the API had not stored the first response. */
	readonly status_after: number;
	/** How often the operation was executed. */
	readonly times: (request: Request) => Promise<number>;
	/**
	 * `request`: a request that is refused. `instead`: a body that is then accepted with the same key; null if a new body cannot
	 * help.
	 */
	readonly refused: (who: Customer) => Promise<{ readonly request: Request; readonly instead: object | null }>;
};

const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const EVERYTHING = { from_id: null, before_id: null, limit: 100 };

const { stack, ops } = operatedStack();

const customer = () => newCustomer(ops);
const route = (operation: string) => {
	const found = routes.find((candidate) => candidate.operation === operation);
	if (found === undefined) throw new Error(`no route ${operation}`);
	return found;
};

async function send(operation: string, { who, path, body }: Request, key: string | null, changed?: object) {
	const { surface, method } = route(operation);
	const caller = surface === 'widget' ? { origin: who.allowed_origin } : bearer(who.api_key);
	const headers = { ...caller, ...(key !== null && { 'idempotency-key': key }) };
	const sent = changed ?? body;
	return await call(stack.base_url, path, { method, headers, ...(sent && { body: sent }) });
}
const replayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');
const recordOf = (operation: string, { who, id }: Request, key: string) =>
	ops.store.get('idempotency', {
		scope: idempotencyScope({ workspace_id: who.workspace_id, operation, resource_id: id, key }),
	});

async function visitorRequest(who: Customer, path: string, phone = freshPhone()): Promise<Request> {
	return { who, path, id: null, body: visitorBody(who, { phone, name: 'Zoë "O\'Hara" 😀' }) };
}
async function newCall(who: Customer): Promise<string> {
	const made = await send('request-call', await visitorRequest(who, '/widget/call-requests', freshTalker()), null);
	return made.json.data.id;
}
async function newLead(who: Customer): Promise<string> {
	const made = await send('create-callback-lead', await visitorRequest(who, '/widget/callback-leads'), null);
	return made.json.data.id;
}
const endpointBody = (url = 'https://hooks.example.com/') => ({ url, events: ['callback.requested'] });
async function newEndpoint(who: Customer, url?: string): Promise<string> {
	const request = { who, path: '/webhook-endpoints', id: null, body: endpointBody(url) };
	return (await send('create-webhook-endpoint', request, null)).json.data.id;
}
const endpointOf = ({ who: { workspace_id }, id }: Request) =>
	ops.store.get('webhook_endpoint', { workspace_id, id: id ?? '' });
const settled = (id: string) =>
	eventually(`delivery ${id} succeeded`, async () => {
		const delivery = await ops.store.get('delivery', { id });
		return delivery?.status === 'succeeded' ? delivery : null;
	});
const terminal = (id: string): Promise<Call> =>
	eventually(`call ${id} ended`, async () => {
		const found = await ops.store.get('call', { id });
		return found?.completed_at ? found : null;
	});
const withBody = (request: Request, changes: object) => ({ ...request, body: { ...request.body, ...changes } });

const cases: { readonly [O in Idempotent]: Case } = {
	'request-call': {
		success: 202,
		fresh: (who) => visitorRequest(who, '/widget/call-requests'),
		other: ({ body }) => ({ ...body, name: 'Grace' }),
		moveOn: (_request, { json }) => terminal(json.data.id),
		status_after: 202,
		times: async ({ who }) => (await ops.store.list('call', who.workspace_id, EVERYTHING)).length,
		refused: async (who) => {
			const request = await visitorRequest(who, '/widget/call-requests');
			return { request: withBody(request, { consent: false }), instead: request.body ?? null };
		},
	},
	'create-callback-lead': {
		success: 201,
		fresh: (who) => visitorRequest(who, '/widget/callback-leads'),
		other: ({ body }) => ({ ...body, phone: freshPhone() }),
		moveOn: ({ who }, { json: { data } }) =>
			send('update-callback-lead', { ...leadChange(who, data.id), body: { status: 'dismissed' } }, null),
		status_after: 201,
		times: async ({ who }) => (await ops.store.list('callback_lead', who.workspace_id, EVERYTHING)).length,
		refused: async (who) => {
			const request = await visitorRequest(who, '/widget/callback-leads');
			return { request: withBody(request, { page_url: 'https://elsewhere.example/' }), instead: request.body ?? null };
		},
	},
	'cancel-call': {
		success: 200,
		fresh: async (who) => cancelation(who, await newCall(who)),
		other: () => undefined,
		moveOn: async ({ id }) => {
			await terminal(id ?? '');
			await ops.store.commit([{ op: 'remove', record: 'call', key: { id: id ?? '' }, guard: { if: 'always' } }]);
		},
		status_after: 404,
		times: async ({ id }) => {
			const ends = ['call.failed', 'call.completed'] as const;
			const events = await Promise.all(ends.map((kind) => ops.store.get('event', { subject_id: id ?? '', kind })));
			return events.filter((event) => event !== null).length;
		},
		refused: async (who) => {
			const request = cancelation(who, await newCall(who));
			await send('cancel-call', request, null);
			return { request, instead: null };
		},
	},
	'update-callback-lead': {
		success: 200,
		fresh: async (who) => leadChange(who, await newLead(who)),
		other: () => ({ status: 'dismissed' }),
		moveOn: (request) => send('update-callback-lead', request, null, { status: 'pending' }),
		status_after: 200,
		times: async ({ id }) => ((await ops.store.get('callback_lead', { id: id ?? '' }))?.version ?? 0) - 1,
		refused: async (who) => {
			const request = leadChange(who, await newLead(who));
			return { request: withBody(request, { status: 'lost' }), instead: request.body ?? null };
		},
	},
	'create-webhook-endpoint': {
		success: 201,
		fresh: async (who) => ({ who, path: '/webhook-endpoints', id: null, body: endpointBody() }),
		other: () => endpointBody('https://other.example.com/'),
		moveOn: async ({ who }, { json: { data } }) => {
			const path = `/webhook-endpoints/${data.id}`;
			expect((await send('delete-webhook-endpoint', { who, path, id: data.id }, null)).status).toBe(204);
		},
		status_after: 201,
		times: async ({ who }) => (await ops.store.endpointsOf(who.workspace_id)).length,
		refused: async (who) => {
			const request = { who, path: '/webhook-endpoints', id: null, body: endpointBody('https://10.0.0.1/') };
			return { request, instead: endpointBody() };
		},
	},
	'change-webhook-endpoint': {
		success: 200,
		fresh: async (who) => endpointChange(who, await newEndpoint(who)),
		other: () => ({ description: 'something else' }),
		moveOn: (request) => send('change-webhook-endpoint', request, null, { description: null, status: 'disabled' }),
		status_after: 200,
		times: async (request) => ((await endpointOf(request))?.version ?? 0) - 1,
		refused: async (who) => {
			const request = endpointChange(who, await newEndpoint(who));
			return { request: withBody(request, { url: 'http://plain.example.com/' }), instead: request.body ?? null };
		},
	},
	'rotate-webhook-secret': {
		success: 200,
		fresh: async (who) => rotation(who, await newEndpoint(who)),
		other: () => ({ overlap_seconds: 1 }),
		moveOn: (request) => send('rotate-webhook-secret', request, null),
		status_after: 200,
		times: async (request) => ((await endpointOf(request))?.version ?? 0) - 1,
		refused: async (who) => {
			const request = rotation(who, await newEndpoint(who));
			return { request: withBody(request, { overlap_seconds: -1 }), instead: request.body ?? null };
		},
	},
	'retry-webhook-delivery': {
		success: 202,
		fresh: async (who) => {
			const endpoint = await newEndpoint(who, stack.inbox_url);
			await newLead(who);
			const deliveries = await ops.store.list('delivery', who.workspace_id, EVERYTHING);
			const id = deliveries.find(({ endpoint_id }) => endpoint_id === endpoint)?.id ?? '';
			return retry(who, (await settled(id)).id);
		},
		other: () => undefined,
		moveOn: ({ id }) => settled(id ?? ''),
		status_after: 202,
		times: async ({ id }) => ((await ops.store.get('delivery', { id: id ?? '' }))?.generation ?? 0) - 1,
		refused: async (who) => ({ request: retry(who, UNKNOWN_ID), instead: null }),
	},
};

function cancelation(who: Customer, id: string): Request {
	return { who, path: `/calls/${id}/cancel`, id };
}
function leadChange(who: Customer, id: string): Request {
	return { who, path: `/callback-leads/${id}`, id, body: { status: 'handled' } };
}
function endpointChange(who: Customer, id: string): Request {
	return { who, path: `/webhook-endpoints/${id}`, id, body: { description: 'new' } };
}
function rotation(who: Customer, id: string): Request {
	return { who, path: `/webhook-endpoints/${id}/rotate-secret`, id, body: {} };
}
function retry(who: Customer, id: string): Request {
	return { who, path: `/webhook-deliveries/${id}/retry`, id };
}

const operations = Object.entries(cases);
const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');

it('the test has a case for every operation that the route table marks as idempotent', () => {
	const marked = routes.filter(({ idempotent }) => idempotent).map(({ operation }): string => operation);
	expect(Object.keys(cases).sort()).toEqual(marked.sort());
});

describe.each(operations)('%s', (operation, { success, fresh, other, moveOn, times, refused }) => {
	it('repeats the first response byte for byte, even after the resource has changed', async () => {
		const request = await fresh(await customer());
		const first = await send(operation, request, 'key');
		expect([first.status, first.json.code, replayed(first)]).toEqual([success, undefined, null]);
		await moveOn(request, first);
		const done = await times(request);
		const again = await send(operation, request, 'key');
		expect([again.status, again.text, replayed(again)]).toEqual([success, first.text, 'true']);
		const own = new Set(['date', 'x-request-id', 'idempotency-replayed', 'ratelimit-remaining', 'ratelimit-reset']);
		const headers = ({ headers }: ApiResponse) => [...headers].filter(([name]) => !own.has(name));
		expect(headers(again)).toEqual(headers(first));
		expect(await times(request)).toBe(done);
	});

	it('makes one change for a dozen concurrent requests, which all get the same response', async () => {
		const request = await fresh(await customer());
		const before = await times(request);
		// Each function has two instances on the local stack. More requests at once would only wait for an instance.
		const answers = await Promise.all(Array.from({ length: 12 }, () => send(operation, request, 'twins')));
		const accepted = answers.filter(({ status }) => status === success);
		const others = answers.filter(({ status }) => status !== success);
		expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
		expect(accepted.filter((answer) => replayed(answer) === null)).toHaveLength(1);
		for (const { status, json, headers } of others) {
			expect([status, json.code, headers.get('retry-after')]).toEqual([409, 'idempotency_conflict', '1']);
		}
		expect(await times(request)).toBe(before + 1);
	});

	it('refuses a different body under the same key, even in a race, and does nothing that the refused body asks for', async () => {
		const request = await fresh(await customer());
		const changed = other(request);
		const bodies = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? (request.body ?? {}) : changed));
		const answers = await Promise.all(bodies.map((body) => send(operation, { ...request, body }, 'key')));
		const first = answers.filter((answer) => answer.status === success && replayed(answer) === null);
		expect(first).toHaveLength(1);
		const winner = answers.indexOf(first[0] as ApiResponse) % 2;
		for (const [i, answer] of answers.entries()) {
			const same = i % 2 === winner;
			const { status, json } = answer;
			if (status === 409) expect(json.code).toBe('idempotency_conflict');
			else expect([status, same ? null : json.code]).toEqual(same ? [success, null] : [422, 'idempotency_key_reused']);
		}
		expect(await times(request)).toBe(1);
	});

	it('limits a key to its workspace and its resource', async () => {
		const [ada, grace] = await Promise.all([customer(), customer()]);
		const requests = await Promise.all([fresh(ada), fresh(grace)]);
		if (requests[0].id !== null) requests.push(await fresh(ada));
		for (const request of requests) {
			const { status, headers } = await send(operation, request, 'one key');
			expect([status, headers.get('idempotency-replayed')]).toEqual([success, null]);
		}
	});

	it('does not store refusals', async () => {
		const { request, instead } = await refused(await customer());
		const answer = await send(operation, request, 'key');
		expect(answer.status).toBeGreaterThanOrEqual(400);
		expect(await recordOf(operation, request, 'key')).toBeNull();
		const again = await send(operation, request, 'key');
		expect([again.status, again.json.code, replayed(again)]).toEqual([answer.status, answer.json.code, null]);
		if (instead === null) return;
		const { status, headers } = await send(operation, request, 'key', instead);
		expect([status, headers.get('idempotency-replayed')]).toEqual([success, null]);
	});
});

// The code that these tests check is the same for all operations, so four operations are enough.
describe.each(spreadOf(operations, 4))('%s', (operation, { success, fresh, moveOn, status_after, times }) => {
	it('accepts keys of 1 to 255 printable characters, and distinguishes upper and lower case', async () => {
		const request = await fresh(await customer());
		for (const key of ['', 'x'.repeat(256), 'é', 'a\tb', '\u0080']) {
			const { status, json } = await send(operation, request, key);
			expect([key, status, json.code]).toEqual([key, 400, 'idempotency_key_invalid']);
		}
		expect(await times(request)).toBe(0);
		const long = PRINTABLE.trim().repeat(3).slice(0, 255);
		expect((await send(operation, request, long)).status).toBe(success);
		expect(replayed(await send(operation, request, long))).toBe('true');
		expect(replayed(await send(operation, request, long.toLowerCase()))).toBeNull();
	});

	it('remembers a response for 24 hours; an older record that is still in the table counts as absent', async () => {
		const request = await fresh(await customer());
		const first = await send(operation, request, 'key');
		const record = await recordOf(operation, request, 'key');
		if (record === null) throw new Error('nothing was kept');
		const leftSeconds = record.expires_at_epoch_s - Date.now() / 1000;
		expect(leftSeconds).toBeLessThanOrEqual(IDEMPOTENCY_SECONDS);
		expect(leftSeconds).toBeGreaterThan(IDEMPOTENCY_SECONDS - 600);
		await moveOn(request, first);
		const now = Math.floor(Date.now() / 1000);
		const expire = async (expires_at_epoch_s: number) => {
			const item = { ...record, expires_at_epoch_s };
			await ops.store.commit([put('idempotency', item, always)]);
		};
		await expire(now + 60);
		expect(replayed(await send(operation, request, 'key'))).toBe('true');
		await expire(now);
		const later = await send(operation, request, 'key');
		expect([later.status, replayed(later)]).toEqual([status_after, null]);
		expect(later.text).not.toBe(first.text);
		if (status_after < 400) expect((await send(operation, request, 'key')).text).toBe(later.text);
	});
});

it('a repeated request gets the first response if its body is the same JSON value in other bytes', async () => {
	const who = await customer();
	const ask = (raw: string) => {
		const headers = { ...bearer(who.api_key), 'content-type': 'application/json', 'idempotency-key': 'key' };
		return call(stack.base_url, '/webhook-endpoints', { method: 'POST', headers, raw });
	};
	const first = await ask('{"url":"https://hooks.example.com/","events":["call.failed"],"description":"Zoë"}');
	const again = await ask(
		'{"description": "Zo\\u00eb", "events": ["call.failed"],\n"url": "https://hooks.example.com/"}\r\n',
	);
	expect([first.status, again.status, replayed(again), again.text]).toEqual([201, 201, 'true', first.text]);
});

it('a repeated request gets the first response even if a limit has been reached since the first request', async () => {
	const who = await newCustomer(ops, { requests_per_workspace_per_window: 1 });
	const request = await visitorRequest(who, '/widget/callback-leads');
	const sendEach = async () => {
		const answers = [];
		for (const key of ['one', 'two', 'one']) answers.push(await send('create-callback-lead', request, key));
		return answers.map((answer) => [answer.status, replayed(answer)]);
	};
	expect((await inOneWindow(sendEach)).slice(-2)).toEqual([
		[429, null],
		[201, 'true'],
	]);
});

it('one key can be used for every operation of a workspace, once for each', async () => {
	const who = await customer();
	for (const [operation, { fresh, success }] of operations) {
		const answer = await send(operation, await fresh(who), 'one key');
		expect([operation, answer.status, replayed(answer)]).toEqual([operation, success, null]);
	}
});

it.each(routes.filter(({ idempotent, surface }) => !idempotent && surface === 'server'))(
	'$operation is not idempotent, so it ignores a key',
	async ({ operation, method, path }) => {
		const who = await customer();
		const url = path.replace('{id}', UNKNOWN_ID);
		const body = operation === 'recover-webhook-endpoint' ? { body: { since: '2026-01-01' } } : {};
		for (const key of ['key', 'key', 'x'.repeat(256)]) {
			const headers = { ...bearer(who.api_key), 'idempotency-key': key };
			const answer = await call(stack.base_url, url, { method, headers, ...body });
			expect([answer.status, replayed(answer)]).toEqual([path.includes('{') ? 404 : 200, null]);
		}
	},
);

describe('a signing secret', () => {
	it('appears only in the responses to its creation and rotation, and in their replays, and is never stored in clear', async () => {
		const who = await customer();
		const create = await cases['create-webhook-endpoint'].fresh(who);
		const first = await send('create-webhook-endpoint', create, 'key');
		const rotate = rotation(who, first.json.data.id);
		const second = await send('rotate-webhook-secret', rotate, 'key');
		const secrets = [first, second].map(({ json }) => json.data.secret);
		expect(new Set(secrets).size).toBe(2);
		for (const text of secrets) expect(text).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
		expect((await send('create-webhook-endpoint', create, 'key')).json.data.secret).toBe(secrets[0]);
		expect((await send('rotate-webhook-secret', rotate, 'key')).json.data.secret).toBe(secrets[1]);

		const { json } = await send('change-webhook-endpoint', endpointChange(who, first.json.data.id), 'key');
		expect(Object.keys(json.data)).not.toContain('secret');
		for (const path of ['/webhook-endpoints', `/webhook-endpoints/${first.json.data.id}`]) {
			const { text } = await call(stack.base_url, path, { headers: bearer(who.api_key) });
			expect(text).not.toMatch(/whsec_|sealed|secret/);
		}
		const canaries = secrets.map((text: string) => secret('a signing secret', text.slice('whsec_'.length)));
		const table = await tableContents(stack.state_dir);
		expect(table).toContain(first.json.data.id);
		expect(leaks({ ...filesBelow(stack.state_dir, 'state'), table }, canaries)).toEqual([]);
	});

	it.each([
		['\u0000secret\u0000', 'secret'],
		['\u2028 😀', '😀'],
		...['$&', "$'", '\\u0000secret\\u0000', '"secret":"'].map((text) => [text, text]),
	])('is restored only in its own field of a replay, even if the description is %j', async (description, shown) => {
		const request = { who: await customer(), path: '/webhook-endpoints', id: null };
		const body = { ...endpointBody(), description };
		const first = await send('create-webhook-endpoint', { ...request, body }, 'key');
		const again = await send('create-webhook-endpoint', { ...request, body }, 'key');
		expect([first.status, first.json.data.description]).toEqual([201, shown]);
		expect(again.text).toBe(first.text);
	});
});
