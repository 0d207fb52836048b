import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import {
	callTally,
	leadTally,
	memberNumbers,
	quarterAt,
	shopNumbers,
	sumUp,
	tallyCounter,
	tallyFrom,
} from '../../../shared/domain/calls/tally.ts';
import { idTimePrefix } from '../../../shared/domain/kernel/id.ts';
import { type CallbackLead, leadStatuses } from '../../../shared/domain/leads/callback-lead.ts';
import { hourOfDay } from '../../../shared/http/desk/kit/times.ts';
import type { Store, Write } from '../../../shared/ports/store.ts';
import { counted, countedMembers, medianWait } from '../../support/counted.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples, WORKSPACE } from '../../support/sample-records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The clocks in Berlin go back at this time. */
const BERLIN_CHANGES = Date.parse('2026-10-25T01:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const write = (store: Store, ...writes: Write[]) => store.commit(writes);

const ENDS = {
	completed: { status: 'completed', failure_reason: null },
	missed: { status: 'failed', failure_reason: 'no_agent_answer' },
	busy: { status: 'failed', failure_reason: 'visitor_busy' },
	canceled: { status: 'canceled', failure_reason: 'canceled' },
} as const;
type Ended = {
	readonly at_ms: number;
	readonly n: number;
	readonly wait: number | null;
	readonly end: keyof typeof ENDS;
};
/**
 * A call with legs to four members, of whom one was not dialled and one was throttled. `wait`: after how many seconds the first
 * member took the call. Null if no member took it.
 */
function callOf({ at_ms, n, wait, end }: Ended): CallRecord {
	const [sample] = samples.call.legs;
	if (sample === undefined) throw new Error('the sample has no leg');
	const leg = { ...sample, role: 'agent' as const, member: `m${(n % 3) + 1}`, dialed_at: iso(at_ms) };
	const others = [
		{ ...leg, id: 'second', member: 'm12' },
		{ ...leg, id: 'third', member: 'm4', dialed_at: null },
		{ ...leg, id: 'fourth', member: 'm5', throttled_until: iso(at_ms) },
	];
	return {
		...samples.call,
		id: idTimePrefix(at_ms) + String(n).padStart(16, '0'),
		created_at: iso(at_ms),
		...ENDS[end],
		winner_leg_id: wait === null ? null : leg.id,
		legs: [{ ...leg, accepted_at: wait === null ? null : iso(at_ms + wait * 1000) }, ...others],
	};
}

async function figures(store: Store, fromMs: number, timeZone: string) {
	const tallies = await store.usedFrom(tallyCounter(WORKSPACE), tallyFrom(fromMs));
	return shopNumbers(sumUp(tallies), fromMs, hourOfDay(timeZone));
}

const ZONES = ['UTC', 'Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/New_York'];
const moment = fc.integer({ min: BERLIN_CHANGES - 48 * HOUR, max: BERLIN_CHANGES + 48 * HOUR });

describe('the tallies', () => {
	it('equal a count of the calls and leads since any quarter hour, in every zone and across a clock change', () =>
		fc.assert(
			fc.asyncProperty(
				fc.array(
					fc.record({
						at_ms: moment,
						n: fc.nat(50),
						wait: fc.option(fc.integer({ min: 0, max: 30 })),
						end: fc.constantFrom('completed' as const, 'missed' as const, 'busy' as const, 'canceled' as const),
					}),
					{ maxLength: 60 },
				),
				fc.array(fc.record({ at_ms: moment, moves: fc.array(fc.constantFrom(...leadStatuses), { maxLength: 4 }) })),
				moment.map(quarterAt),
				fc.constantFrom(...ZONES),
				async (ends, asked, fromMs, timeZone) => {
					const store = memoryStore();
					const calls = ends.map(callOf);
					for (const call of calls) await write(store, callTally(call, Date.parse(call.created_at)));
					const leads: CallbackLead[] = [];
					for (const { at_ms, moves } of asked) {
						let lead: CallbackLead = { ...samples.callback_lead, status: 'pending', created_at: iso(at_ms) };
						await write(store, ...leadTally(lead, null, at_ms));
						for (const status of moves) {
							const before = lead;
							lead = { ...lead, status };
							await write(store, ...leadTally(lead, before, at_ms));
						}
						leads.push(lead);
					}
					const since = <T extends { readonly created_at: string }>(all: readonly T[]) =>
						all.filter(({ created_at }) => Date.parse(created_at) >= fromMs);
					const { median_wait_seconds, ...exact } = await figures(store, fromMs, timeZone);
					expect(exact).toEqual(counted(since(calls), since(leads), hourOfDay(timeZone)));
					// The tallies keep waits and the figures of members in blocks of six hours, so the test compares whole blocks.
					const blockMs = Date.parse(`${tallyFrom(fromMs)}Z`);
					const whole = calls.filter(({ created_at }) => Date.parse(created_at) >= blockMs);
					expect(median_wait_seconds).toBe(medianWait(whole));
					const all = await store.usedFrom(tallyCounter(WORKSPACE), tallyFrom(fromMs));
					expect(Object.fromEntries(memberNumbers(all))).toEqual(countedMembers(whole));
				},
			),
		));

	it('estimate a long wait to within 5 s, and a very long wait to within 30 s', async () => {
		const store = memoryStore();
		const end = 'completed';
		const medianOf = async (wait: number) => {
			await write(store, callTally(callOf({ at_ms: BERLIN_CHANGES, n: 0, wait, end }), BERLIN_CHANGES));
			return (await figures(store, BERLIN_CHANGES, 'UTC')).median_wait_seconds;
		};
		expect(await medianOf(62)).toBe(60);
		const later = memoryStore();
		await write(later, callTally(callOf({ at_ms: BERLIN_CHANGES, n: 0, wait: 143, end }), BERLIN_CHANGES));
		expect((await figures(later, BERLIN_CHANGES, 'UTC')).median_wait_seconds).toBe(150);
	});

	it('of a shop without calls say that there are none', async () => {
		expect(await figures(memoryStore(), 0, 'UTC')).toMatchObject({ calls: 0, handled: 0, median_wait_seconds: null });
	});

	it('have at most 1 KiB each, so that a write in a transaction costs two write units, with 2,500 calls in six hours by twenty members', async () => {
		const store = memoryStore();
		for (let nth = 0; nth < 2500; nth += 1) {
			const at_ms = BERLIN_CHANGES + 5 * HOUR + Math.floor((nth / 2500) * 6 * HOUR);
			const end = (['completed', 'missed', 'completed', 'completed'] as const)[nth % 4] ?? 'completed';
			const call = callOf({ at_ms, n: nth, wait: nth % 130, end });
			const [leg] = call.legs;
			if (leg === undefined) throw new Error('no leg');
			const legs = Array.from({ length: 20 }, (_, nr) => ({ ...leg, id: `leg${nr}`, member: `m${nr + 1}` }));
			await write(store, callTally({ ...call, legs, winner_leg_id: `leg${nth % 20}` }, at_ms));
		}
		const tallies = await store.usedFrom(tallyCounter(WORKSPACE), '');
		const sizes = tallies.map(({ place, counts }) => {
			const fields = counts.map(([name, count]) => name.length + 1 + Math.ceil(`${count}`.length / 2));
			const key = `pkCOUNTER#${tallyCounter(WORKSPACE)}sk${place}expires_at_epoch_s`.length + 6;
			return fields.reduce((sum, bytes) => sum + bytes, key);
		});
		expect(sizes.length).toBe(4);
		expect(Math.max(...sizes)).toBeLessThanOrEqual(1024);
	});

	it('are spread over a few records, so that calls that end together rarely conflict', () => {
		const at = (n: number) =>
			callTally(callOf({ at_ms: BERLIN_CHANGES, n, wait: 9, end: 'completed' }), BERLIN_CHANGES).place;
		expect(new Set([0, 1, 2, 3, 4, 5, 6, 7].map(at)).size).toBe(4);
	});
});
