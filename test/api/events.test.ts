import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { localCertificates } from '../../local/certificates.ts';
import type { Stack } from '../../local/stack.ts';
import type { OpsDeps } from '../../ops/connect.ts';
import { feedEnd, SETTLING_SECONDS } from '../../shared/domain/webhooks/event-feed.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { frontDesk } from '../support/front-desk.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';
import { bearer, type Customer, freshPhone, newCustomer, operatorOf } from '../support/webhooks/customers.ts';
import { tlsReceiver } from '../support/webhooks/receiver.ts';

// Tests GET /events on a running stack. lists.test.ts tests what every list promises, and permissions.test.ts tests who may read
// what.

let stack: Stack;
let ops: OpsDeps;
let directory: string;
let receiver: Awaited<ReturnType<typeof tlsReceiver>>;

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-events-'));
	const { key_pem, cert_pem, ca_file } = await localCertificates(directory);
	receiver = await tlsReceiver({ key: key_pem, cert: cert_pem }, (socket) => {
		socket.write('HTTP/1.1 204 No Content\r\n\r\n');
	});
	stack = await testStack({ allow_webhook_hosts: [`localhost:${receiver.port}`], trust: ca_file });
	ops = await operatorOf(stack);
});
afterAll(async () => {
	await stack.stop();
	await receiver.stop();
	rmSync(directory, { recursive: true, force: true });
});

const ask = ({ api_key }: Customer, path: string) => call(stack.base_url, path, { headers: bearer(api_key) });

/**
 * Creates a workspace with an endpoint, then a call and a lead of a visitor. Also returns the bodies of their events, as the
 * receiver got them.
 */
async function busyShop() {
	const who = await newCustomer(ops);
	const events = ['call.requested', 'call.ringing', 'call.failed', 'callback.requested'];
	const body = { url: `https://localhost:${receiver.port}/${who.workspace_id}`, events };
	const made = await call(stack.base_url, '/webhook-endpoints', { body, headers: bearer(who.api_key) });
	expect(made.status).toBe(201);
	const visit = async (path: string, more: object) => {
		const send = { body: visitorBody(who, { phone: freshPhone(), ...more }), headers: { origin: who.allowed_origin } };
		return (await call(stack.base_url, path, send)).json.data.id as string;
	};
	const reference = 'order 4711 · „Größe“ 🧦 </script>';
	const call_id = await visit('/widget/call-requests', {});
	const lead_id = await visit('/widget/callback-leads', { reference });
	const posted = await eventually('the call has ended and all is delivered', async () => {
		const bodies = receiver.requests
			.filter(({ head }) => head.includes(who.workspace_id))
			.map(({ body: text }) => text);
		const isOver = bodies.some((text) => text.includes('call.failed')) && bodies.some((text) => text.includes(lead_id));
		return isOver ? bodies : null;
	});
	return { who, posted: [...new Set(posted)], call_id, lead_id };
}

it('each event is byte for byte the body that was posted, both in the list of events and as a single event', async () => {
	const { who, posted } = await busyShop();
	const idOf = (text: string): string => JSON.parse(text).id;
	const newestFirst = posted.toSorted((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
	const listed = await ask(who, '/events?limit=100');
	expect(listed.text).toBe(`{"data":[${newestFirst.join(',')}],"has_more":false,"next_cursor":null}`);
	for (const text of posted) expect((await ask(who, `/events/${idOf(text)}`)).text).toBe(`{"data":${text}}`);
});

it('a delivery shows the body and the headers that arrived, without the signature', async () => {
	const { who } = await busyShop();
	const { data } = (await ask(who, '/webhook-deliveries?event=call.failed')).json;
	const { request, attempts } = (await ask(who, `/webhook-deliveries/${data[0].id}`)).json.data;
	const arrived = receiver.requests.find(({ head }) => head.includes(data[0].id));
	const headers = Object.fromEntries(
		(arrived?.head ?? '')
			.split('\r\n')
			.slice(1)
			.map((line) => line.split(': ', 2)),
	);
	expect(request.body).toBe(arrived?.body);
	expect(headers).toMatchObject(request.headers);
	const hidden = Object.keys(headers).filter((name) => !(name in request.headers));
	expect(hidden.filter((name) => /^(service|webhook)-/.test(name)).sort()).toEqual([
		'service-signature',
		'webhook-signature',
		'webhook-timestamp',
	]);
	expect(attempts).toHaveLength(1);
	expect(request.headers['service-attempt']).toBe('1');
});

it('the list of events, read as a feed, leaves out events younger than half a minute, and continues from its cursor', async () => {
	const who = await newCustomer(ops);
	const workspace = await ops.store.get('workspace', { id: who.workspace_id });
	if (workspace === null) throw new Error('the workspace is gone');
	const ageMs = (seconds: number) => frontDesk(ops.store, Date.now() - seconds * 1000);
	for (const seconds of [3000, 2000, 1000]) await ageMs(seconds).captureLead(workspace, freshPhone());
	const first = (await ask(who, '/events?order=asc&limit=2')).json;
	expect([first.data.length, first.has_more]).toEqual([2, true]);
	await ageMs(1).captureLead(workspace, freshPhone());
	const second = (await ask(who, `/events?order=asc&cursor=${first.next_cursor}`)).json;
	expect([second.data.length, second.has_more]).toEqual([1, false]);
	const all = (await ask(who, '/events')).json.data;
	expect([...first.data, ...second.data]).toEqual(all.slice(1).reverse());
	// There is no further event that is old enough for the feed, but the cursor moves on.
	const third = (await ask(who, `/events?order=asc&cursor=${second.next_cursor}`)).json;
	expect([third.data, third.has_more]).toEqual([[], false]);
	expect(third.next_cursor).not.toBe(first.next_cursor);
	const closed = (await ask(who, `/events?order=asc&to=${new Date(Date.now() - 1_500_000).toISOString()}`)).json;
	expect([closed.data.length, closed.has_more, closed.next_cursor]).toEqual([2, false, null]);
	expect(all[0].id >= feedEnd(Date.now())).toBe(true);
	expect(SETTLING_SECONDS).toBe(30);
});

it('when a person is erased, the event of the person’s callback lead has the time of the erasure, and no reference', async () => {
	const who = await newCustomer(ops);
	const workspace = await ops.store.get('workspace', { id: who.workspace_id });
	if (workspace === null) throw new Error('the workspace is gone');
	const phone = freshPhone();
	const send = { body: visitorBody(who, { phone, reference: 'order-4711' }), headers: { origin: who.allowed_origin } };
	await call(stack.base_url, '/widget/callback-leads', send);
	const before = (await ask(who, '/events')).json.data[0];
	expect(before.data.reference).toBe('order-4711');
	await erasePerson({ workspace_id: workspace.id, e164: phone, keep_consent: false }, ops);
	const after = (await ask(who, `/events/${before.id}`)).json.data;
	const { reference: _erased, ...data } = before.data;
	expect(after).toEqual({ ...before, data: { ...data, erased_at: expect.stringMatching(/^\d{4}-.*Z$/) } });
});
