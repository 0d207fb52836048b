import { expect, it } from '@jest/globals';
import { newSession } from '../../../shared/domain/desk/session-cookie.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { type Delivery, deliveryStatuses } from '../../../shared/domain/webhooks/delivery.ts';
import { type EventKind, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { deliveriesPage } from '../../../shared/http/desk/deliveries/deliveries-page.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import type { Write } from '../../../shared/ports/store.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { subscribed, timings } from '../../support/webhooks/deliveries.ts';
import { put } from '../../support/writes.ts';

/** Many times as many deliveries as a page may read. More of them would only make the test slower. */
const DELIVERIES = 10_000;
const attempt = {
	number: 9,
	started_at: '2026-11-21T08:00:00.000Z',
	response_status: 503,
	error: 'http_status',
	hint: 'The endpoint answered 503.',
	timings,
	response_body: 'x'.repeat(4096),
} as const;

/** A shop with 20 endpoints and 10,000 deliveries. The store counts the items that its pages read. */
async function busyShop(statusOf: (n: number) => Delivery['status']) {
	const store = memoryStore();
	const { deps, now, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const endpoints = Array.from({ length: 20 }, (_, n) =>
		subscribed(`receiver-${n}`, now.ms, {
			workspace_id: workspace.id,
			url: `https://r${n}.example/${'p/'.repeat(900)}`,
		}),
	);
	const puts = endpoints.map((item): Write => put('webhook_endpoint', item));
	await store.commit(puts);
	for (let from = 0; from < DELIVERIES; from += 100) {
		const items = Array.from({ length: 100 }, (_, n): Write => {
			const atMs = now.ms - DELIVERIES + from + n;
			const endpoint_id = endpoints[(from + n) % 20]?.id ?? '';
			const status = statusOf(from + n);
			const id = derivedId(atMs, 'delivery', String(from + n));
			const item = { ...samples.delivery, id, workspace_id: workspace.id, endpoint_id, status, last_attempt: attempt };
			return put('delivery', item);
		});
		await store.commit(items);
	}
	const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address: 'dev@agency.example' }, now.ms);
	const person = { address: 'dev@agency.example', role: 'developer', sessions_from: '' } as const;
	const at = { workspace, person, session, secret: new Uint8Array(32) };
	return async function show(query: Readonly<Record<string, string>>) {
		let read = 0;
		const counted = {
			...store,
			list: async (...args: Parameters<typeof store.list>) => {
				const items = await store.list(...args);
				read += items.length;
				return items;
			},
		} as const;
		// `Object.assign` merges the two stores without a type error. The types of `list` depend on the kind of record, which the
		// wrapper cannot express.
		const { markup } = await deliveriesPage(viewOf(at, now.ms, query), {
			store: Object.assign({}, store, counted),
			clock: deps.clock,
		});
		return { size: markup.length, read, rows: markup.match(/<tr><th scope="row"/g)?.length ?? 0, markup };
	};
}

it.each([
	['have all failed', () => 'failed'],
	['have all succeeded', () => 'succeeded'],
	['are all tried again', () => 'pending'],
	['are of every state', (n) => deliveryStatuses[n % deliveryStatuses.length] ?? 'failed'],
] as readonly (readonly [string, (n: number) => Delivery['status']])[])(
	'pages of 10,000 deliveries that %s stay small and read little',
	async (_, statusOf) => {
		const show = await busyShop(statusOf);
		for (const query of [{}, { state: 'missed' }, { state: 'succeeded' }, { event: 'call.requested' }]) {
			const { size, read, rows } = await show(query);
			expect([query, size < 40_000, read <= 1200, rows <= 20]).toEqual([query, true, true, true]);
		}
	},
);

it('a page that finds no match in the records that it reads says so, and links to the next page', async () => {
	const show = await busyShop(() => 'pending');
	const { markup } = await show({ state: 'succeeded' });
	expect(markup).toContain('None among those read so far.');
	expect(markup).toMatch(/href="deliveries\?state=succeeded&amp;before=\w{26}"/);
});

it('a page that looked for retries only among the newest deliveries says so, and leads to all that wait', async () => {
	const show = await busyShop((n) => (n < 10 ? 'pending' : 'succeeded'));
	const { markup } = await show({ event: 'call.requested' });
	expect(markup).toContain('Retries are looked for only among the newest 100.');
	expect(markup).toContain('<a href="deliveries?event=call.requested&amp;state=pending">Waiting</a>');
	expect((await show({ state: 'succeeded' })).markup).not.toContain('Retries are looked for');
});

it('a delivery shows what was sent, without the signature, and the events of the same call in their order', async () => {
	const store = memoryStore();
	const { now, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const subject_id = derivedId(now.ms, 'call');
	const events = (['call.requested', 'call.ringing', 'call.failed'] as const).map((kind, n) => {
		const facts = { id: derivedId(now.ms, kind), workspace_id: workspace.id, subject_id, kind, sequence: n + 1 };
		return makeEvent({ ...facts, created_at: new Date(now.ms).toISOString(), data: { id: subject_id, about: '<b>' } });
	});
	const id = derivedId(now.ms, 'delivery');
	const about = { id, workspace_id: workspace.id, subject_id, event: 'call.failed', attempt_count: 3 } as const;
	await store.commit([
		...events.toReversed().map((item) => put('event', item)),
		put('delivery', { ...samples.delivery, ...about }),
	]);
	const owner = { workspace_id: workspace.id, address: 'dev@agency.example' };
	const session = newSession(new Uint8Array(32), owner, now.ms);
	const person = { address: 'dev@agency.example', role: 'developer', sessions_from: '' } as const;
	const at = { workspace, person, session, secret: new Uint8Array(32) };
	const { markup } = await deliveriesPage(viewOf(at, now.ms, { id }), { store, clock: { now: () => now.ms } });
	expect(markup).toContain('service-attempt: 3');
	expect(markup).toMatch(/<time[^>]*>\w{3}, \w{3} \d+, \d+:\d\d:\d\d AM<\/time>/);
	expect(markup).toContain('    &quot;about&quot;: &quot;&lt;b&gt;&quot;\n');
	expect(markup).not.toContain('signature:');
	const kinds = [...markup.matchAll(/<\/strong> <code dir="ltr">([a-z.]+)<\/code><\/p>/g)].map(([, kind]) => kind);
	expect(kinds).toEqual(['call.requested', 'call.ringing', 'call.failed']);
});

it('a delivery of a lead shows the event of this lead, and none of a call', async () => {
	const store = memoryStore();
	const { now, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const event = (kind: EventKind, subject_id: string) => {
		const facts = { id: derivedId(now.ms, kind), workspace_id: workspace.id, subject_id, kind, sequence: 1 };
		return makeEvent({ ...facts, created_at: new Date(now.ms).toISOString(), data: { id: subject_id } });
	};
	const subject_id = derivedId(now.ms, 'lead');
	const id = derivedId(now.ms, 'delivery');
	const about = { id, workspace_id: workspace.id, subject_id, event: 'callback.requested' } as const;
	await store.commit([
		put('event', event('callback.requested', subject_id)),
		put('event', event('call.requested', derivedId(now.ms, 'call'))),
		put('delivery', { ...samples.delivery, ...about }),
	]);
	const owner = { workspace_id: workspace.id, address: 'dev@agency.example' };
	const session = newSession(new Uint8Array(32), owner, now.ms);
	const person = { address: 'dev@agency.example', role: 'developer', sessions_from: '' } as const;
	const at = { workspace, person, session, secret: new Uint8Array(32) };
	const { markup } = await deliveriesPage(viewOf(at, now.ms, { id }), { store, clock: { now: () => now.ms } });
	const kinds = [...markup.matchAll(/<\/strong> <code dir="ltr">([a-z.]+)<\/code><\/p>/g)].map(([, kind]) => kind);
	expect(kinds).toEqual(['callback.requested']);
	expect(markup).toContain(`&quot;id&quot;: &quot;${subject_id}&quot;`);
});
