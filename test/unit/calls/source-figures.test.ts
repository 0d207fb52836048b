import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { table } from '../../../shared/adapters/dynamodb/table.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { dayOf, MOST_NAMES, namesCounter } from '../../../shared/domain/calls/source-names.ts';
import type { SourceNumbers } from '../../../shared/domain/calls/source-numbers.ts';
import {
	callTally,
	leadTally,
	shopNumbers,
	sumUp,
	tallyCounter,
	tallyFrom,
} from '../../../shared/domain/calls/tally.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { readSources } from '../../../shared/use-cases/calls/read-sources.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { countedSources } from '../../support/counted.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

const ENDS = {
	completed: { status: 'completed', failure_reason: null },
	missed: { status: 'failed', failure_reason: 'no_agent_answer' },
	busy: { status: 'failed', failure_reason: 'visitor_busy' },
	canceled: { status: 'canceled', failure_reason: 'canceled' },
} as const;
type Asked = {
	readonly n?: number;
	readonly page?: string;
	readonly at_ms?: number;
	readonly end?: keyof typeof ENDS;
};
const placeOf = (page: string) => ({ workspace_id: WORKSPACE, source_url: `https://shop.example${page}` });

function callOf({ n = 0, page = '/', at_ms = NOON, end = 'completed' }: Asked): CallRecord {
	return { ...samples.call, ...placeOf(page), ...ENDS[end], id: idOf(n), created_at: iso(at_ms), legs: [] };
}
const leadOf = ({ n = 0, page = '/', at_ms = NOON }: Asked): CallbackLead => ({
	...{ ...samples.callback_lead, ...placeOf(page) },
	...{ status: 'pending', id: idOf(n), created_at: iso(at_ms) },
});

/** Tallies the end of a call, as the functions do. */
async function ends(call: CallRecord, store: Store): Promise<void> {
	await store.commit([callTally(call, Date.parse(call.created_at), await sourceCodes(call, store))]);
}
async function asks(lead: CallbackLead, store: Store): Promise<void> {
	await store.commit(leadTally(lead, null, Date.parse(lead.created_at), await sourceCodes(lead, store)));
}
async function sourcesSince(fromMs: number, store: Store) {
	const from = tallyFrom(fromMs);
	const tallies = await store.usedFrom(tallyCounter(WORKSPACE), from);
	return readSources(WORKSPACE, { from, tallies }, store);
}
const byName = (rows: readonly SourceNumbers[]) => Object.fromEntries(rows.map((row) => [`${row.name}`, row]));
const sumOf = (rows: readonly SourceNumbers[]): number => rows.reduce((sum, { requests }) => sum + requests, 0);

describe('the figures by page and by campaign', () => {
	it('equal a count of the calls and leads, over days, even if many end at once', () => {
		const asked = fc.record({
			page: fc.constantFrom(
				'/',
				'/pricing',
				'/orders/123',
				'/orders/456',
				'/цены',
				'/?utm_source=a',
				'/b?utm_campaign=c',
			),
			at_ms: fc.integer({ min: NOON - 72 * HOUR, max: NOON }),
			end: fc.constantFrom('completed' as const, 'missed' as const, 'busy' as const, 'canceled' as const),
		});
		const property = async (calls: readonly Asked[], leads: readonly Asked[]): Promise<void> => {
			const store = memoryStore();
			const ended = calls.map((each, n) => callOf({ ...each, n }));
			const created = leads.map((each, n) => leadOf({ ...each, n }));
			await Promise.all([...ended.map((call) => ends(call, store)), ...created.map((lead) => asks(lead, store))]);
			const sources = await sourcesSince(NOON - 72 * HOUR, store);
			for (const kind of ['path', 'campaign'] as const)
				expect(byName(sources[kind])).toEqual(countedSources(kind, ended, created));
		};
		const many = fc.array(asked, { maxLength: 40 });
		return fc.assert(fc.asyncProperty(many, many, property), { numRuns: 100 });
	});

	it('are sorted by the number of conversations, and then by the number of requests, the largest first', async () => {
		const store = memoryStore();
		const pages = ['/missed', '/missed', '/missed', '/talk', '/callback'];
		for (const [n, page] of pages.entries())
			if (page === '/callback') await asks(leadOf({ page }), store);
			else await ends(callOf({ n, page, end: page === '/talk' ? 'completed' : 'missed' }), store);
		expect((await sourcesSince(NOON, store)).path).toEqual([
			{ name: '/talk', requests: 1, conversations: 1, missed: 0, callbacks: 0 },
			{ name: '/missed', requests: 3, conversations: 0, missed: 3, callbacks: 0 },
			{ name: '/callback', requests: 0, conversations: 0, missed: 0, callbacks: 1 },
		]);
	});

	it('name 50 pages and 50 campaigns a day, count the rest as “Other”, and start again at zero on the next day', async () => {
		const store = memoryStore();
		const visit = (n: number, at_ms: number) =>
			ends(callOf({ n, page: `/page-${n % 60}?utm_source=s${n % 60}`, at_ms }), store);
		for (let n = 0; n < 120; n += 1) await visit(n, NOON);
		const today = await sourcesSince(NOON, store);
		for (const kind of ['path', 'campaign'] as const) {
			expect(today[kind].map(({ requests }) => requests)).toEqual([...Array.from({ length: 50 }, () => 2), 20]);
			expect(today[kind].at(-1)?.name).toBeNull();
		}
		for (let n = 50; n < 60; n += 1) await visit(n, NOON + 24 * HOUR);
		const { path } = await sourcesSince(NOON, store);
		expect(byName(path)['/page-59']?.requests).toBe(1);
		expect([path.length, sumOf(path)]).toEqual([61, 130]);
	});

	it('never give two pages the same code when calls of 60 new pages end at once', async () => {
		const store = memoryStore();
		await Promise.all(Array.from({ length: 60 }, (_, n) => ends(callOf({ n, page: `/page-${n}` }), store)));
		const { path } = await sourcesSince(NOON, store);
		expect(path.map(({ requests }) => requests)).toEqual([...Array.from({ length: 50 }, () => 1), 10]);
		expect(new Set(path.map(({ name }) => name)).size).toBe(51);
	});

	it('stay limited in size when someone calls from thousands of pages', async () => {
		const store = memoryStore();
		for (let n = 0; n < 3000; n += 1)
			await ends(callOf({ n, page: `/x${n.toString(26)}-a?utm_campaign=y${n.toString(26)}-b` }), store);
		const names = await store.used(namesCounter(WORKSPACE, dayOf(iso(NOON))));
		expect(Object.keys(names)).toHaveLength(4 * MOST_NAMES);
		const tallies = await store.usedFrom(tallyCounter(WORKSPACE), '');
		expect(tallies.length).toBeLessThanOrEqual(16);
		expect(sumOf((await sourcesSince(NOON, store)).path)).toBe(3000);
	});

	it('are stored in no field that has the name of a key of the table', async () => {
		const store = memoryStore();
		for (let n = 0; n < 200; n += 1) {
			const page = `/page-${n % 60}?utm_source=s${n % 60}`;
			await ends(callOf({ n, page, end: (['completed', 'missed', 'busy'] as const)[n % 3] ?? 'busy' }), store);
			await asks(leadOf({ n, page }), store);
		}
		const names = await store.used(namesCounter(WORKSPACE, dayOf(iso(NOON))));
		const tallies = await store.usedFrom(tallyCounter(WORKSPACE), '');
		const fields = new Set([...Object.keys(names), ...tallies.flatMap(({ counts }) => counts.map(([field]) => field))]);
		const indexes = Object.values(table.indexes).flatMap((index) => [index.partition_key, index.sort_key]);
		const keys = [table.partition_key, table.sort_key, table.ttl_attribute, ...indexes];
		expect(keys.filter((key) => fields.has(key))).toEqual([]);
		expect(fields.size).toBeGreaterThan(300);
	});

	it('begin after the last calls that functions of the previous release tallied without pages', async () => {
		const store = memoryStore();
		const since = async () => (await sourcesSince(NOON - 30 * HOUR, store)).since;
		await ends(callOf({ at_ms: NOON }), store);
		expect(await since()).toBe('2026-11-20T06:00Z');
		await store.commit([callTally(callOf({ at_ms: NOON - 8 * HOUR, n: 2 }), NOON)]);
		expect(await since()).toBe('2026-11-21T12:00Z');
	});

	it('do not change the other figures, which are the same without pages and campaigns', async () => {
		const named = memoryStore();
		const unnamed = memoryStore();
		for (let n = 0; n < 40; n += 1) {
			const call = callOf({ n, page: `/p${n % 7}?utm_source=s`, end: n % 3 === 0 ? 'missed' : 'completed' });
			await ends(call, named);
			await unnamed.commit([callTally(call, NOON)]);
		}
		const figures = async (store: Store) =>
			shopNumbers(sumUp(await store.usedFrom(tallyCounter(WORKSPACE), '')), NOON, (at) => new Date(at).getUTCHours());
		expect(await figures(named)).toEqual(await figures(unnamed));
	});
});

/** Numbers from 0 to `below` - 1. Low numbers occur far more often, like visits to a shop's most popular pages. */
const skewed = (n: number, below: number): number => Math.floor(below ** (((n * 7919) % 10_007) / 10_007)) - 1;

it('the figures cost less than one more write unit a call, with 10,000 calls a day from 50 pages and 50 campaigns', async () => {
	const bytesOf = (place: string, used: Readonly<Record<string, number>>): number =>
		Object.entries(used).reduce(
			(sum, [name, count]) => sum + name.length + 1 + Math.ceil(`${count}`.length / 2),
			`pkCOUNTER#${tallyCounter(WORKSPACE)}sk${place}expires_at_epoch_s`.length + 6,
		);
	/** The write units for the tallies of six hours. An item in a transaction costs two units for each KiB. */
	const unitsOf = async (isNamed: boolean): Promise<number> => {
		const items = new Map<string, Record<string, number>>();
		const store = memoryStore();
		let units = 0;
		for (let n = 0; n < 2500; n += 1) {
			const at_ms = NOON + Math.floor((n / 2500) * 6 * HOUR);
			const [leg] = samples.call.legs;
			if (leg === undefined) throw new Error('the sample has no leg');
			const accepted_at = iso(at_ms + ((n * 31) % 90) * 1000);
			const legs = [{ ...leg, role: 'agent' as const, member: `m${1 + (n % 8)}`, dialed_at: iso(at_ms), accepted_at }];
			const page = `/page-${skewed(n, 50)}?utm_source=s&utm_campaign=${skewed(n * 3, 50)}`;
			const end = (['completed', 'missed', 'completed', 'busy'] as const)[n % 4] ?? 'completed';
			const call = { ...callOf({ n, page, at_ms, end }), legs, winner_leg_id: end === 'completed' ? leg.id : null };
			const { place = '', limits } = callTally(call, NOON, isNamed ? await sourceCodes(call, store) : undefined);
			const item = items.get(place) ?? {};
			for (const field of Object.keys(limits)) item[field] = (item[field] ?? 0) + 1;
			items.set(place, item);
			units += 2 * Math.ceil(bytesOf(place, item) / 1024);
		}
		return units;
	};
	const more = (await unitsOf(true)) - (await unitsOf(false));
	// Write units for the names of one day. Each name is a plain update of a counter, which costs one unit for each KiB.
	const NAMES = 100 * 5;
	expect((more + NAMES) / 2500).toBeLessThan(1);
});
