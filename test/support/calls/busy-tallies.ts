import type { CountUp } from '../../../shared/domain/access/rate-limit.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import { sourceOf } from '../../../shared/domain/calls/source.ts';
import { codeSource, namesCounter } from '../../../shared/domain/calls/source-names.ts';
import { callTally, leadTally, tallyCounter } from '../../../shared/domain/calls/tally.ts';
import type { Raised } from '../memory-store.ts';
import { samples } from '../sample-records.ts';

const DAY_MS = 24 * 3_600_000;
const SOURCES = 50;

/**
 * The tallies of several days up to `nowMs`, with the same number of calls on each day. The calls come from twenty members, fifty
 * pages and fifty campaigns; every tenth call also has a callback request, and the team handles half of these at once, and the
 * others two days later. Only the calls of one day are created one by one, because all days have the same calls.
 */
export function busyTallies(
	workspace_id: string,
	nowMs: number,
	about: { readonly days: number; readonly calls_a_day: number },
): readonly Raised[] {
	const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
	const { places, names } = oneDay(workspace_id, today, about.calls_a_day);
	const expires_at_epoch_s = Math.floor(nowMs / 1000) + 65 * 24 * 3600;
	const days = Array.from({ length: about.days }, (_, nth) => {
		return new Date(today - nth * DAY_MS).toISOString().slice(0, 10);
	});
	return days.flatMap((day) => {
		const moved = [...places].map(([place, used]) => {
			return { counter: tallyCounter(workspace_id), place: day + place.slice(10), used, expires_at_epoch_s };
		});
		const past = moved.filter(({ place }) => Date.parse(`${place.slice(0, 16)}Z`) <= nowMs);
		return [...past, { counter: namesCounter(workspace_id, day), used: names, expires_at_epoch_s }];
	});
}

function oneDay(workspace_id: string, fromMs: number, calls: number) {
	const places = new Map<string, Record<string, number>>();
	const names: Record<string, number> = {};
	const raise = ({ place = '', limits }: CountUp): void => {
		const used = places.get(place) ?? {};
		for (const field of Object.keys(limits)) used[field] = (used[field] ?? 0) + 1;
		places.set(place, used);
	};
	for (let n = 0; n < calls; n += 1) {
		const atMs = fromMs + Math.floor((n * DAY_MS) / calls);
		const created_at = new Date(atMs).toISOString();
		const { codes, names: fresh } = codeSource(sourceOf(sourceUrl(n)), { workspace_id, created_at }, names);
		for (const field of Object.keys(fresh?.limits ?? {})) names[field] = 1;
		raise(callTally({ ...endedCall(n, atMs), workspace_id }, atMs, codes));
		if (n % 10 !== 3) continue;
		const lead = { ...samples.callback_lead, workspace_id, created_at, status: 'pending' } as const;
		for (const tally of leadTally(lead, null, atMs, codes)) raise(tally);
		const handledMs = n % 20 === 3 ? atMs : atMs + 2 * DAY_MS;
		for (const tally of leadTally({ ...lead, status: 'handled' }, lead, handledMs)) raise(tally);
	}
	return { places, names };
}

/** Some pages and campaigns are frequent, and others are rare. */
function sourceUrl(n: number): string {
	const often = (of: number): number => Math.floor(SOURCES ** (((of * 7919) % 10_007) / 10_007)) - 1;
	return `https://shop.example/page-${often(n)}?utm_source=ads&utm_campaign=${often(n * 3)}`;
}

/** Of ten calls, members take seven, two end in another way, and one is missed. */
export function endedCall(n: number, atMs: number): CallRecord {
	const at = (seconds: number): string => new Date(atMs + seconds * 1000).toISOString();
	const isTaken = n % 10 < 7;
	const accepted_at = isTaken ? at(3 + ((n * 7) % 90)) : null;
	const leg = { ...newLeg('call', 'agent', `m${1 + (n % 20)}`, atMs), dialed_at: at(0), accepted_at };
	const failure_reason = n % 10 === 8 ? 'no_agent_answer' : 'visitor_busy';
	const end = isTaken
		? ({ status: 'completed', failure_reason: null, winner_leg_id: leg.id } as const)
		: ({ status: 'failed', failure_reason, winner_leg_id: null } as const);
	return { ...samples.call, ...end, id: String(n), created_at: at(0), legs: [leg] };
}
