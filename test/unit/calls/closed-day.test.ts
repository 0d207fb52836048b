import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import {
	callTally,
	dayClosesAt,
	dayNumbers,
	hasAllSince,
	leadTally,
	memberNumbers,
	openPlaces,
	quarterAt,
	shopNumbers,
	sumUp,
	tallyCounter,
	tallyFrom,
} from '../../../shared/domain/calls/tally.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { type Store, StoreBusy, type Write } from '../../../shared/ports/store.ts';
import { readSources } from '../../../shared/use-cases/calls/read-sources.ts';
import { type ReadTallies, readTallies } from '../../../shared/use-cases/calls/read-tallies.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-20T00:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

/** Release 28086779 counts each lead in the tally that stays open, as today's code does for a lead of a closed day. */
const IN_OPEN_PLACE = Number.POSITIVE_INFINITY;

type At = { readonly at_ms: number; readonly n?: number; readonly took?: boolean };
const about = ({ at_ms, n = 0 }: At) => ({
	workspace_id: WORKSPACE,
	id: idOf(n),
	created_at: iso(at_ms),
	source_url: `https://shop.example/page-${n % 3}?utm_source=ads`,
});
function callOf(at: At): CallRecord {
	const { at_ms, n = 0, took = true } = at;
	const leg = {
		...newLeg('call', 'agent', `m${1 + (n % 3)}`, at_ms),
		dialed_at: iso(at_ms),
		accepted_at: iso(at_ms + 9000),
	};
	const end = took
		? { status: 'completed', failure_reason: null }
		: { status: 'failed', failure_reason: 'no_agent_answer' };
	return {
		...samples.call,
		...about(at),
		...(end as Pick<CallRecord, 'status'>),
		legs: [leg],
		winner_leg_id: took ? leg.id : null,
	};
}

const reader = (store: Store, nowMs: number) => ({ store, clock: { now: () => nowMs } });

/** Everything that the page Statistics shows from the tallies since `from`. */
async function figures(read: ReadTallies, store: Store) {
	const { tallies, from } = read;
	const fromMs = Date.parse(`${from}Z`);
	const summed = sumUp(tallies);
	const days = dayNumbers(summed, { from_ms: fromMs, to_ms: Infinity }, (atMs) => iso(atMs).slice(0, 10));
	const { since, path, campaign } = await readSources(WORKSPACE, read, store);
	return {
		numbers: shopNumbers(summed, fromMs, (at) => new Date(at).getUTCHours()),
		days: Object.fromEntries([...days].sort()),
		members: Object.fromEntries([...memberNumbers(tallies)].sort()),
		sources: { since, path, campaign },
		has_all: hasAllSince(tallies, fromMs, fromMs + 60 * DAY),
	};
}

/** The figures as a reader sees them, and the figures computed from each tally. */
async function seenAndTrue(store: Store, fromMs: number, nowMs: number) {
	const seen = await readTallies(WORKSPACE, fromMs, reader(store, nowMs));
	const from = tallyFrom(fromMs);
	const raw = await store.usedFrom(tallyCounter(WORKSPACE), from);
	return [await figures(seen, store), await figures({ tallies: raw, from }, store)] as const;
}

type Step =
	| { readonly does: 'wait'; readonly hours: number }
	| {
			readonly does: 'call';
			readonly hours_ago: number;
			readonly n: number;
			readonly took: boolean;
			readonly slow: boolean;
	  }
	| { readonly does: 'lead'; readonly n: number; readonly by_release: boolean }
	| { readonly does: 'handle'; readonly nth: number; readonly by_release: boolean }
	| {
			readonly does: 'look';
			readonly days: number;
			readonly skew_min: number;
			readonly fails: boolean;
			readonly twice: boolean;
	  };
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ does: fc.constant('wait' as const), hours: fc.constantFrom(0.25, 0.25, 1, 5, 7, 18, 40) }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			does: fc.constant('call' as const),
			// How many hours ago the call began. Most calls end soon, but some were stuck for days.
			hours_ago: fc.constantFrom(0, 0, 1, 7, 20, 31, 60),
			n: fc.nat(12),
			took: fc.boolean(),
			slow: fc.boolean(),
		}),
	},
	fc.record({ does: fc.constant('lead' as const), n: fc.nat(12), by_release: fc.boolean() }),
	{
		weight: 2,
		arbitrary: fc.record({ does: fc.constant('handle' as const), nth: fc.nat(5), by_release: fc.boolean() }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			does: fc.constant('look' as const),
			days: fc.constantFrom(0, 1, 3, 9),
			skew_min: fc.constantFrom(-20, 0, 20),
			fails: fc.boolean(),
			twice: fc.boolean(),
		}),
	},
);

/** The store of a reader whose process dies, or whose commit is refused, while it stores a closed day. */
const failing = (store: Store): Store => ({
	...store,
	commit: async () => {
		throw new StoreBusy('busy');
	},
});

describe('days that have closed', () => {
	it('give the same figures as their tallies, for every order of calls, requests, readers and failures', () =>
		fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
				const store = memoryStore();
				let nowMs = START + 3 * DAY + 5.75 * HOUR;
				const leads: CallbackLead[] = [];
				/** Commits that have not arrived yet when the next steps happen. */
				let late: { readonly at_ms: number; readonly write: Write }[] = [];
				const arrive = async (untilMs: number) => {
					for (const { write } of late.filter(({ at_ms }) => at_ms <= untilMs)) await store.commit([write]);
					late = late.filter(({ at_ms }) => at_ms > untilMs);
				};
				for (const next of steps) {
					switch (next.does) {
						case 'wait':
							nowMs += next.hours * HOUR;
							await arrive(nowMs);
							break;
						case 'call': {
							const call = callOf({ ...next, at_ms: nowMs - next.hours_ago * HOUR });
							const write = callTally(call, nowMs, await sourceCodes(call, store));
							if (next.slow) late.push({ at_ms: nowMs + 30 * 60_000, write });
							else await store.commit([write]);
							break;
						}
						case 'lead': {
							const lead: CallbackLead = {
								...samples.callback_lead,
								...about({ at_ms: nowMs, n: next.n }),
								status: 'pending',
							};
							const tallyMs = next.by_release ? IN_OPEN_PLACE : nowMs;
							await store.commit(leadTally(lead, null, tallyMs, await sourceCodes(lead, store)));
							leads.push(lead);
							break;
						}
						case 'handle': {
							const at = leads.length === 0 ? -1 : next.nth % leads.length;
							const before = leads[at];
							if (before === undefined) break;
							const lead: CallbackLead = { ...before, status: before.status === 'handled' ? 'pending' : 'handled' };
							await store.commit(leadTally(lead, before, next.by_release ? IN_OPEN_PLACE : nowMs));
							leads[at] = lead;
							break;
						}
						case 'look': {
							const fromMs = quarterAt(nowMs - next.days * DAY);
							const readMs = nowMs + next.skew_min * 60_000;
							if (next.fails) await readTallies(WORKSPACE, fromMs, reader(failing(store), readMs));
							if (next.twice) {
								const both = [0, 1].map(() => readTallies(WORKSPACE, fromMs, reader(store, readMs)));
								await Promise.all(both);
							}
							const [seen, is] = await seenAndTrue(store, fromMs, readMs);
							expect(seen).toEqual(is);
						}
					}
				}
				await arrive(Infinity);
				const [seen, is] = await seenAndTrue(store, START, nowMs + 5 * DAY);
				expect(seen).toEqual(is);
			}),
			{ numRuns: 300 },
		));

	it('are each read as one record, without their tallies', async () => {
		const store = memoryStore();
		for (let day = 0; day < 20; day += 1) {
			const dayMs = START + day * DAY + HOUR;
			for (const n of [0, 1, 2, 3]) await store.commit([callTally(callOf({ at_ms: dayMs + n * 6 * HOUR, n }), dayMs)]);
		}
		const nowMs = START + 20 * DAY + 10 * HOUR;
		const asked: (readonly [string, string | undefined])[] = [];
		const watched: Store = {
			...store,
			usedFrom: async (counter, from, before) => {
				asked.push([from, before]);
				return store.usedFrom(counter, from, before);
			},
		};
		const first = await readTallies(WORKSPACE, START, reader(watched, nowMs));
		expect(asked.map(([from]) => from)).toEqual(['2026-12-10', '2026-11-20', '2026-11-27', '2026-12-04']);
		asked.length = 0;
		expect(await readTallies(WORKSPACE, START, reader(watched, nowMs))).toEqual(first);
		expect(asked).toEqual([['2026-12-10', undefined]]);
	});

	it('close six hours after their end; a call that ends later is counted in the tally that stays open', () => {
		const lastMinute = Date.parse('2026-11-20T23:59:00.000Z');
		const closes = Date.parse('2026-11-21T06:00:00.000Z');
		expect(dayClosesAt(lastMinute)).toBe(closes);
		const call = callOf({ at_ms: lastMinute });
		expect(callTally(call, closes - 1).place).toMatch(/^2026-11-20T18:00#call/);
		expect(callTally(call, closes).place).toBe('2026-11-20T18:00#lead');
		expect(callTally(call, closes).limits).toEqual(callTally(call, closes - 1).limits);
	});

	it('count a request that changes after they have closed in the tally that stays open', async () => {
		const at_ms = Date.parse('2026-11-20T09:10:00.000Z');
		const closesMs = Date.parse('2026-11-21T06:00:00.000Z');
		const asked: CallbackLead = { ...samples.callback_lead, ...about({ at_ms }), status: 'pending' };
		const handled: CallbackLead = { ...asked, status: 'handled' };
		const placesOf = (tallies: ReturnType<typeof leadTally>) => tallies.map(({ place }) => place);
		expect(placesOf(leadTally(asked, null, at_ms))).toEqual(['2026-11-20T06:00#request']);
		expect(placesOf(leadTally(handled, asked, closesMs - 1))).toEqual(['2026-11-20T06:00#request']);
		expect(placesOf(leadTally(handled, asked, closesMs))).toEqual(['2026-11-20T06:00#lead']);
		expect(openPlaces('2026-11-20')).toContain('2026-11-20T06:00#lead');
	});

	it('are stored even if they had no calls', async () => {
		const store = memoryStore();
		await readTallies(WORKSPACE, START, reader(store, START + 3 * DAY));
		const kept = await store.closedDays(WORKSPACE, '2026-11-20', '2026-11-30');
		expect(kept.map(({ day, blocks }) => [day, blocks])).toEqual([
			['2026-11-20', {}],
			['2026-11-21', {}],
		]);
	});
});
