import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { routes } from '../../shared/contract/routes.ts';
import { callStatuses } from '../../shared/domain/calls/call.ts';
import { derivedId, idTimePrefix, lowestIdAt } from '../../shared/domain/kernel/id.ts';
import { leadStatuses } from '../../shared/domain/leads/callback-lead.ts';
import { deliveryStatuses } from '../../shared/domain/webhooks/delivery.ts';
import { eventKinds, makeEvent } from '../../shared/domain/webhooks/event.ts';
import type { Put } from '../../shared/ports/store.ts';
import { frontDesk } from '../support/front-desk.ts';
import { samples } from '../support/sample-records.ts';
import { type ApiResponse, call } from '../support/stack/api.ts';
import { operatedStack } from '../support/stack/suite-stack.ts';
import { bearer, type Customer, freshPhone, newCustomer } from '../support/webhooks/customers.ts';

// What every list guarantees. The tests write items with chosen times and statuses into the table, and read the lists over HTTP.

type Listed = Extract<(typeof routes)[number]['operation'], `list-${string}`>;
type Item = { readonly id: string; readonly created_at: string; readonly status?: string; readonly event?: string };
type Made = { readonly workspace_id: string; readonly at_ms: number; readonly n: number; readonly status: string };
type List = {
	readonly path: string;
	/** The name of the filter that accepts several values, and these values. */
	readonly filter: 'status' | 'event';
	readonly statuses: readonly string[];
	/** The items of this list never change. */
	readonly isFixed?: true;
	/** Makes the `n`th item of a workspace. */
	readonly put: (made: Made) => Put;
};
const always = { if: 'always' } as const;
function common({ workspace_id, at_ms, n }: Made) {
	return { id: derivedId(at_ms, workspace_id, String(n)), workspace_id, created_at: new Date(at_ms).toISOString() };
}
function member<const T extends string>(all: readonly T[], text: string): T {
	const found = all.find((one) => one === text);
	if (found === undefined) throw new Error(`no such value: ${text}`);
	return found;
}
const endpointId = (n: number) => derivedId(0, 'endpoint', String(n % 3));
const eventId = (n: number) => derivedId(0, 'event', String(n % 4));
const kindOf = (n: number) => member(eventKinds, eventKinds[n % eventKinds.length] ?? '');

const paged: { readonly [O in Exclude<Listed, 'list-webhook-endpoints'>]: List } = {
	'list-calls': {
		path: '/calls',
		filter: 'status',
		statuses: callStatuses,
		put: (made) => {
			const status = member(callStatuses, made.status);
			const item = { ...samples.call, ...common(made), legs: [], due_at: null, status };
			return { op: 'put', record: 'call', item, guard: always };
		},
	},
	'list-callback-leads': {
		path: '/callback-leads',
		filter: 'status',
		statuses: leadStatuses,
		put: (made) => {
			const item = { ...samples.callback_lead, ...common(made), status: member(leadStatuses, made.status) };
			return { op: 'put', record: 'callback_lead', item, guard: always };
		},
	},
	'list-webhook-deliveries': {
		path: '/webhook-deliveries',
		filter: 'status',
		statuses: deliveryStatuses,
		put: (made) => {
			const status = member(deliveryStatuses, made.status);
			const about = { endpoint_id: endpointId(made.n), event_id: eventId(made.n), event: kindOf(made.n) };
			const item = { ...samples.delivery, ...common(made), ...about, status, next_attempt_at: null, due_at: null };
			return { op: 'put', record: 'delivery', item, guard: always };
		},
	},
	'list-events': {
		path: '/events',
		filter: 'event',
		statuses: eventKinds,
		isFixed: true,
		put: (made) => {
			const { id, workspace_id, created_at } = common(made);
			const kind = member(eventKinds, made.status);
			const data = { id: made.n, workspace_id };
			const item = makeEvent({ id, workspace_id, subject_id: id, kind, sequence: 1, created_at, data });
			return { op: 'put', record: 'event', item, guard: always };
		},
	},
};
const lists = Object.entries(paged);

const { stack, ops } = operatedStack();

const ask = ({ api_key }: Customer, path: string, query: Record<string, string | number> | string = {}) => {
	const named = typeof query === 'string' ? [] : Object.entries(query).map(([name, value]) => [name, `${value}`]);
	const search = typeof query === 'string' ? query : new URLSearchParams(Object.fromEntries(named));
	return call(stack.base_url, `${path}?${search}`, { headers: bearer(api_key) });
};
async function page(who: Customer, path: string, query: Record<string, string | number> = {}) {
	const answer = await ask(who, path, query);
	expect([answer.status, answer.json.errors]).toEqual([200, undefined]);
	expect(Object.keys(answer.json)).toEqual(['data', 'has_more', 'next_cursor']);
	expect(answer.json.next_cursor === null).toBe(!answer.json.has_more);
	return answer.json as { data: Item[]; has_more: boolean; next_cursor: string | null };
}
/** Reads all pages, one after another. `between` runs after each page. */
async function walk(
	who: Customer,
	path: string,
	query: Record<string, string | number> = {},
	between: (pages: number) => Promise<unknown> = async () => undefined,
): Promise<Item[]> {
	const items: Item[] = [];
	let cursor: string | null = null;
	for (let pages = 1; pages < 200; pages += 1) {
		const next = await page(who, path, { ...query, ...(cursor !== null && { cursor }) });
		items.push(...next.data);
		if (next.next_cursor === null) return items;
		cursor = next.next_cursor;
		await between(pages);
	}
	throw new Error('the list has no end');
}
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
function expectRefused({ status, json }: ApiResponse, code: string): void {
	expect([status, json.code]).toEqual([400, code]);
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
/** Noon (UTC) ten days ago. The day must be recent, because events expire. */
const NOON = Math.floor(Date.now() / DAY) * DAY - 9.5 * DAY;
const dayAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/**
 * Creates items in one workspace, newest first. They are a minute apart, but every fifth item has the same millisecond as the
 * previous item.
 */
async function stocked(list: List, count: number, statuses = list.statuses) {
	const who = await newCustomer(ops);
	const made = Array.from({ length: count }, (_, n): Made => {
		const status = statuses[n % statuses.length] ?? '';
		return { workspace_id: who.workspace_id, at_ms: NOON - (n - (n % 5 === 4 ? 1 : 0)) * MINUTE, n, status };
	});
	await keep(made.map(list.put));
	const items = made.map((one) => ({ ...common(one), status: one.status, n: one.n }));
	return { who, items: items.sort((a, b) => (a.id < b.id ? 1 : -1)) };
}
async function keep(puts: readonly Put[]): Promise<void> {
	for (let from = 0; from < puts.length; from += 100) {
		expect(await ops.store.commit(puts.slice(from, from + 100))).toEqual({ committed: true });
	}
}

it('the test has a case for every list of the route table', () => {
	const named = routes.map(({ operation }): string => operation).filter((operation) => operation.startsWith('list-'));
	expect([...Object.keys(paged), 'list-webhook-endpoints'].sort()).toEqual(named.sort());
	const dataIsList = routes.filter(({ method, path }) => method === 'GET' && /^\/[a-z-]+$/.test(path));
	expect(dataIsList.map(({ operation }): string => operation).sort()).toEqual(named.sort());
});

describe.each(lists)('%s', (operation, list) => {
	const { path, filter, statuses } = list;
	const COUNT = 33;
	let who: Customer;
	let items: Awaited<ReturnType<typeof stocked>>['items'];
	beforeAll(async () => {
		({ who, items } = await stocked(list, COUNT));
	});
	const expected = (accept: (item: (typeof items)[number]) => boolean) => ids(items.filter(accept));

	it('returns the newest first, 25 by default, and says whether there is more', async () => {
		const first = await page(who, path);
		expect(ids(first.data)).toEqual(ids(items).slice(0, 25));
		expect(first.has_more).toBe(true);
		const rest = await page(who, path, { cursor: first.next_cursor ?? '' });
		expect([ids(rest.data), rest.has_more]).toEqual([ids(items).slice(25), false]);
		for (const limit of [COUNT, 100]) {
			const { data, has_more } = await page(who, path, { limit });
			expect([ids(data), has_more]).toEqual([ids(items), false]);
		}
		expect((await page(who, path, { limit: COUNT - 1 })).has_more).toBe(true);
		const nobody = await newCustomer(ops);
		expect(await page(nobody, path)).toEqual({ data: [], has_more: false, next_cursor: null });
	});

	it('shows each item once over pages of any size, even as the size changes', async () => {
		for (const limit of [1, 4, 11, 32]) expect(ids(await walk(who, path, { limit }))).toEqual(ids(items));
		const first = await page(who, path, { limit: 3 });
		const rest = await page(who, path, { limit: 50, cursor: first.next_cursor ?? '' });
		expect(ids([...first.data, ...rest.data])).toEqual(ids(items));
	});

	it('reads a time whose plus sign was not encoded, and other spellings of the same time', async () => {
		const before = expected(({ created_at }) => Date.parse(created_at) < NOON);
		const day = dayAt(NOON);
		for (const to of [`${day}T13:00:00%2B01:00`, `${day}T13:00:00+01:00`, `${day}+13:00:00+0100`]) {
			const { json } = await ask(who, path, `limit=100&to=${to}`);
			expect([to, ids(json.data)]).toEqual([to, before]);
		}
		expectRefused(await ask(who, path, `from=${day}T12:00:00`), 'invalid_parameter');
	});

	it('filters by one value or several, repeated or not, and across pages', async () => {
		const sets = [...statuses.map((one) => [one]), statuses.slice(0, 2), statuses.slice(-2).reverse(), [...statuses]];
		for (const set of [...sets, [statuses[0] ?? '', statuses[0] ?? '']]) {
			const found = await walk(who, path, { [filter]: set.join(','), limit: 6 });
			expect([set, ids(found)]).toEqual([set, expected(({ status }) => set.includes(status))]);
			for (const item of found) expect(set).toContain(item[filter]);
		}
		const [one = '', two = ''] = statuses;
		const repeated = await ask(who, path, `${filter}=${one}&${filter}=${two}&limit=100`);
		expect(ids(repeated.json.data)).toEqual(expected(({ status }) => status === one || status === two));
		const from = new Date(NOON - 9 * MINUTE).toISOString();
		const both = ids(await walk(who, path, { [filter]: one, from, limit: 1 }));
		expect(both).toEqual(expected(({ status, created_at }) => status === one && created_at >= from));
		expect(both.length).toBeGreaterThan(0);
	});

	it('accepts a cursor only from the same workspace, list and filters', async () => {
		const [one = '', two = ''] = statuses;
		const filters = { from: dayAt(NOON - 9 * DAY), to: dayAt(NOON + 5 * DAY) };
		const filtered = { ...filters, [filter]: one };
		const { next_cursor } = await page(who, path, { ...filtered, limit: 1 });
		const cursor = next_cursor ?? '';
		expect((await ask(who, path, { ...filtered, cursor })).status).toBe(200);
		const strange = [
			filters,
			{ ...filters, [filter]: two },
			{ ...filters, [filter]: `${one},${two}` },
			{ ...filtered, from: dayAt(NOON - 8 * DAY) },
			{ ...filtered, to: dayAt(NOON + 4 * DAY) },
		];
		for (const query of strange) expectRefused(await ask(who, path, { ...query, cursor }), 'invalid_cursor');
		expectRefused(await ask(await newCustomer(ops), path, { ...filters, cursor }), 'invalid_cursor');
		const plain = (await page(who, path, { limit: 1 })).next_cursor ?? '';
		for (const [other, { path: elsewhere }] of lists.filter(([name]) => name !== operation)) {
			expect([other, (await ask(who, elsewhere, { cursor: plain })).json.code]).toEqual([other, 'invalid_cursor']);
		}
	});

	it('refuses a changed cursor, or lists only items of this workspace', async () => {
		const cursor = (await page(who, path, { limit: 2 })).next_cursor ?? '';
		const text = Buffer.from(cursor, 'base64url').toString('latin1');
		const spelled = (changed: string): string => Buffer.from(changed, 'latin1').toString('base64url');
		// At least one character of the cursor stays, because an empty cursor counts as no cursor.
		const cut = fc.integer({ min: 1, max: text.length - 1 }).map((length) => spelled(text.slice(0, length)));
		const junk = fc.string({ maxLength: 60 }).map((tail) => spelled(text.slice(0, 16) + tail));
		const other = fc.constantFrom(
			`${cursor}A`,
			`${cursor} `,
			cursor.toLowerCase(),
			items[0]?.id ?? '',
			'é',
			`${cursor}=`,
		);
		await fc.assert(
			fc.asyncProperty(fc.oneof(cut, junk, other), async (forged) => {
				expectRefused(await ask(who, path, { cursor: forged }), 'invalid_cursor');
			}),
			{ numRuns: 40 },
		);
		// A cursor contains the id of the last item. If this id belongs to another workspace, the cursor only marks a point in
		// time, and the list still shows only items of the caller's workspace.
		const elsewhere = await page(who, path, {
			cursor: spelled(text.slice(0, 16) + lowestIdAt(NOON + 365 * 86_400_000)),
		});
		expect(ids(elsewhere.data).filter((id) => !ids(items).includes(id))).toEqual([]);
		expectRefused(await ask(who, path, { cursor: 'A'.repeat(1001) }), 'invalid_parameter');
	});

	it('shows every item that existed from the first page to the last exactly once, while others are added, changed or removed', async () => {
		const step = fc.record({
			added: fc.integer({ min: 0, max: 3 }),
			changed: fc.array(fc.nat(11), { maxLength: 4 }),
			removed: fc.option(fc.nat(11), { nil: null }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 4 }),
				fc.integer({ min: 1, max: 12 }),
				fc.array(step, { minLength: 1, maxLength: 5 }),
				async (limit, count, steps) => {
					const [status = '', changedTo = ''] = statuses;
					const { who: busy, items: first } = await stocked(list, count, [status]);
					const { workspace_id } = busy;
					const touched = new Set<string>();
					let n = 1000;
					const meanwhile = async (pages: number) => {
						const { added, changed, removed } = steps[pages % steps.length] ?? { added: 0, changed: [], removed: null };
						const at_ms = NOON + n * MINUTE;
						const news = Array.from({ length: added }, () => ({ workspace_id, at_ms, n: n++, status }));
						const old = changed.flatMap((i) => first[i] ?? []).filter(({ id }) => !touched.has(id));
						for (const { id } of old) touched.add(id);
						const again = [...new Set(old)].map((item) => {
							const next = list.isFixed ? status : changedTo;
							return { workspace_id, at_ms: Date.parse(item.created_at), n: item.n, status: next };
						});
						await keep([...news, ...again].map(list.put));
						const gone = removed === null ? undefined : first[removed];
						if (gone === undefined || touched.has(gone.id)) return;
						touched.add(gone.id);
						const put = list.put({ workspace_id, at_ms: Date.parse(gone.created_at), n: gone.n, status });
						await ops.store.commit([{ op: 'remove', record: put.record, key: put.item, guard: always } as never]);
					};
					const shown = ids(await walk(busy, path, { [filter]: status, limit }, meanwhile));
					expect(new Set(shown).size).toBe(shown.length);
					const throughout = ids(first).filter((id) => !touched.has(id));
					expect(shown.filter((id) => throughout.includes(id))).toEqual(throughout);
				},
			),
			{ numRuns: 8 },
		);
	});
});

it('deliveries can be filtered by endpoint, kind and event, each alone or together', async () => {
	const list = paged['list-webhook-deliveries'];
	const { who, items } = await stocked(list, 48);
	const filters = [
		[{ endpoint_id: endpointId(1) }, (n: number) => n % 3 === 1],
		[{ event_id: eventId(2) }, (n: number) => n % 4 === 2],
		[{ event: kindOf(5) }, (n: number) => n % 6 === 5],
		[{ endpoint_id: endpointId(2), event: kindOf(5) }, (n: number) => n % 6 === 5],
		[{ endpoint_id: endpointId(2), event_id: eventId(3) }, (n: number) => n % 12 === 11],
		[{ endpoint_id: endpointId(0), event: kindOf(5) }, () => false],
		[{ endpoint_id: endpointId(0), status: 'held,failed' }, (n: number) => n % 3 === 0 && (n % 5 === 2 || n % 5 === 3)],
	] as const;
	for (const [query, accept] of filters) {
		const found = await walk(who, list.path, { ...query, limit: 3 });
		expect([query, ids(found)]).toEqual([query, ids(items.filter(({ n }) => accept(n)))]);
	}
	const { next_cursor } = await page(who, list.path, { endpoint_id: endpointId(1), limit: 1 });
	const moved = { endpoint_id: endpointId(2), cursor: next_cursor ?? '' };
	expectRefused(await ask(who, list.path, moved), 'invalid_cursor');
});

it('a filter that matches few items returns short pages with a cursor, and finds all matches in the end', async () => {
	const list = paged['list-callback-leads'];
	const { who, items } = await stocked(list, 1100, ['pending']);
	const [oldest] = items.slice(-1);
	if (oldest === undefined) throw new Error('no items');
	const { workspace_id } = who;
	await keep([list.put({ workspace_id, at_ms: Date.parse(oldest.created_at), n: oldest.n, status: 'handled' })]);
	const first = await page(who, list.path, { status: 'handled', limit: 100 });
	expect([first.data, first.has_more]).toEqual([[], true]);
	expect(ids(await walk(who, list.path, { status: 'handled', limit: 100 }))).toEqual([oldest.id]);
});

it('an id contains the created_at of its resource, so that time ranges are exact to the millisecond', async () => {
	const who = await newCustomer(ops);
	const endpoint = { url: 'https://hooks.example.com/', events: ['call.requested', 'callback.requested'] };
	const send = { body: endpoint, headers: bearer(who.api_key) };
	expect((await call(stack.base_url, '/webhook-endpoints', send)).status).toBe(201);
	const workspace = await ops.store.get('workspace', { id: who.workspace_id });
	if (workspace === null) throw new Error('the workspace is gone');
	// The use cases run at `NOON`, ten days ago. If they made an id from the current time instead, the check below would fail.
	const desk = frontDesk(ops.store, NOON);
	expect(await desk.captureLead(workspace, freshPhone())).toHaveProperty('lead');
	expect(await desk.requestCall(workspace, freshPhone())).toHaveProperty('call');
	for (const [operation, { path }] of lists) {
		const from = new Date(NOON).toISOString();
		const { data } = await page(who, path, { from, to: new Date(NOON + 1).toISOString() });
		const both = ['list-webhook-deliveries', 'list-events'].includes(operation);
		expect([operation, data.length]).toEqual([operation, both ? 2 : 1]);
		for (const { created_at } of data) expect(created_at).toBe(from);
		// The range ends a minute after `NOON`. Otherwise, it would include today, when the stack ends this overdue call and
		// thereby creates another event.
		const later = { from: new Date(NOON + 1).toISOString(), to: new Date(NOON + 60_000).toISOString() };
		expect((await page(who, path, later)).data).toEqual([]);
	}
	const kept = await ops.store.list('delivery', who.workspace_id, { from_id: null, before_id: null, limit: 10 });
	expect(kept.map(({ event_id }) => event_id.slice(0, 10))).toEqual([idTimePrefix(NOON), idTimePrefix(NOON)]);
});

describe('among 700 newer items that need no work', () => {
	/** Creates items, of which item 0 is the newest. The test looks for the last three. */
	const hidden = async (operation: keyof typeof paged, usual: string, rare: string) => {
		const who = await newCustomer(ops);
		const made = Array.from({ length: 703 }, (_, n): Made => {
			return { workspace_id: who.workspace_id, at_ms: NOON - n * MINUTE, n, status: n < 700 ? usual : rare };
		});
		return { who, made, puts: made.map(paged[operation].put), rare: made.slice(700).map((one) => common(one).id) };
	};

	it.each(['failed', 'held', 'canceled'])('one request finds the deliveries that are %s', async (status) => {
		const { who, puts, rare } = await hidden('list-webhook-deliveries', 'succeeded', status);
		await keep(puts);
		const found = await page(who, '/webhook-deliveries', { status });
		expect([ids(found.data), found.has_more]).toEqual([rare, false]);
		const both = await page(who, '/webhook-deliveries', { status: 'failed,held,canceled', limit: 2 });
		expect([ids(both.data), both.has_more]).toEqual([rare.slice(0, 2), true]);
	});

	it('one request finds the leads that are pending', async () => {
		const { who, puts, rare } = await hidden('list-callback-leads', 'handled', 'pending');
		await keep(puts);
		const found = await page(who, '/callback-leads', { status: 'pending' });
		expect([ids(found.data), found.has_more]).toEqual([rare, false]);
	});

	it("one request finds a quiet endpoint's deliveries, of any status", async () => {
		const { who, puts, rare } = await hidden('list-webhook-deliveries', 'succeeded', 'succeeded');
		const busy = endpointId(1);
		const quiet = endpointId(2);
		await keep(
			puts.map((put, n) => {
				if (put.record !== 'delivery') throw new Error('not a delivery');
				return { ...put, item: { ...put.item, endpoint_id: n < 700 ? busy : quiet } };
			}),
		);
		const found = await page(who, '/webhook-deliveries', { endpoint_id: quiet });
		expect([ids(found.data), found.has_more]).toEqual([rare, false]);
		expect((await page(who, '/webhook-deliveries', { endpoint_id: quiet, status: 'succeeded' })).data).toHaveLength(3);
		const other = await newCustomer(ops);
		expect((await page(other, '/webhook-deliveries', { endpoint_id: quiet })).data).toEqual([]);
	});
});

it('the list of webhook endpoints is one page, newest first', async () => {
	const who = await newCustomer(ops);
	const made: string[] = [];
	for (let n = 0; n < 3; n += 1) {
		const body = { url: `https://hooks-${n}.example.com/`, events: ['call.failed'] };
		const send = { body, headers: bearer(who.api_key) };
		made.unshift((await call(stack.base_url, '/webhook-endpoints', send)).json.data.id);
	}
	const { json } = await ask(who, '/webhook-endpoints', { limit: 1 });
	expect({ ...json, data: ids(json.data) }).toEqual({
		data: made.sort().reverse(),
		has_more: false,
		next_cursor: null,
	});
});
