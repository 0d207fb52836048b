import { type CountUp, periodAt, utcDay } from '../access/rate-limit.ts';
import { type Call, winnerLeg } from './call.ts';
import type { Leg } from './leg.ts';

// The desk's figures are counted when calls end and leads change, in the same transactions. So reading the figures costs
// the same for ten calls and for 300,000. A tally is the counter of a workspace for six hours. A tally consists of several
// records, so that the calls of a busy shop do not conflict (ADR 0051).

/**
 * Calls and leads are counted in the quarter hour (UTC) in which they were created. In every time zone, each hour begins
 * with such a quarter hour.
 */
const QUARTER_MS = 15 * 60_000;
const BLOCK_SECONDS = 6 * 3600;
/**
 * The calls of a tally are spread over this many groups by their ids, and over the same number of groups by their pages.
 * Each combination has a record of its own, so calls that end at the same time rarely write the same record. All records
 * are read for a figure.
 */
const PLACES = 4;
/**
 * How long a tally is stored: longer than the longest range that the desk shows, together with the equally long period
 * before that range.
 */
export const KEPT_SECONDS = 65 * 24 * 3600;
/** Release 28086779 deleted tallies after 40 days. Every tally that is younger than this still exists. */
const ONCE_KEPT_MS = 39 * 24 * 3_600_000;
/** How long after its end a day closes. No conversation lasts as long, so a call that ends later had been stuck. */
const CLOSES_AFTER_MS = 6 * 3_600_000;
/** The record of a tally that counts leads that are created or changed before their day closes. */
const LEAD_PLACE = 'request';
/**
 * The record of a tally that may still change after the day has closed. This record counts calls that ended after their day
 * had closed, and leads that changed after that. Release 28086779 counted all leads here.
 */
const OPEN_PLACE = 'lead';
/** The store adds 1 to a field only below its limit. A tally has no limit, so its fields get the highest possible limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * The names of a tally's fields begin with a letter instead of a word, so that each record of a tally stays within 1 KiB.
 * Writing such a record in a transaction costs two write units.
 */
const letters = {
	calls: 'c',
	answered: 'a',
	missed: 'm',
	wait: 'w',
	leads: 'l',
	handled: 'h',
	reopened: 'r',
	rung: 'g',
	took: 't',
} as const;

/**
 * How a call or a lead counts for its page and its campaign. The call or lead counts once for the page and once for the
 * campaign, each time in a field that consists of a letter and the code of the page or campaign. A call counts as a
 * conversation, as missed, or as the rest. The letters are capitals, because a small letter and a code could be `pk`, `sk`
 * or `id`, which are keys of the table.
 */
const sourceLetters = {
	path: { conversations: 'P', missed: 'Q', rest: 'S', callbacks: 'I' },
	campaign: { conversations: 'U', missed: 'V', rest: 'X', callbacks: 'J' },
} as const;
/**
 * The codes (one character each) that the path of the page and the campaign have on the day of the call or lead. A code is
 * null if the call or lead has no path or no campaign.
 */
export type SourceCodes = { readonly [K in keyof typeof sourceLetters]: string | null };
type SourceFigure = keyof (typeof sourceLetters)['path'];
const NO_SOURCE: SourceCodes = { path: null, campaign: null };

type Subject = { readonly id: string; readonly workspace_id: string; readonly created_at: string };
export type CountedCall = Subject & Pick<Call, 'status' | 'failure_reason' | 'legs' | 'winner_leg_id'>;

type CountedLead = Subject & { readonly status: 'pending' | 'handled' | 'dismissed' };

export const tallyCounter = (workspaceId: string): string => `tally#${workspaceId}`;
/** The name at which to start reading the tallies, so that every tally that overlaps the range is read. */
export const tallyFrom = (fromMs: number): string => periodAt(BLOCK_SECONDS, fromMs).begins;

/** The first six hours that begin at or after this time. Figures that are kept for six hours begin there. */
export const firstBlockFrom = (fromMs: number): string => tallyFrom(fromMs + BLOCK_SECONDS * 1000 - 1);

/** The beginning of the quarter hour that contains this time. */
export const quarterAt = (atMs: number): number => Math.floor(atMs / QUARTER_MS) * QUARTER_MS;

function tally({ workspace_id, created_at }: Subject, place: string, fields: readonly string[]): CountUp {
	const { begins, epoch_s } = periodAt(BLOCK_SECONDS, Date.parse(created_at));
	return {
		op: 'count',
		counter: tallyCounter(workspace_id),
		place: `${begins}#${place}`,
		limits: Object.fromEntries(fields.map((field) => [field, NO_LIMIT])),
		expires_at_epoch_s: epoch_s + KEPT_SECONDS,
	};
}

/** When the day (UTC) of an instant closes. From that time on, calls and leads of the day are counted in `OPEN_PLACE`. */
export const dayClosesAt = (atMs: number): number => Date.parse(utcDay(atMs)) + 24 * 3_600_000 + CLOSES_AFTER_MS;
const hasClosed = ({ created_at }: Subject, nowMs: number): boolean => nowMs >= dayClosesAt(Date.parse(created_at));
/** The records of a day's tallies (UTC, `YYYY-MM-DD`) that may change after the day has closed. */
export const openPlaces = (day: string): readonly string[] =>
	['00', '06', '12', '18'].map((hour) => `${day}T${hour}:00#${OPEN_PLACE}`);
export const staysOpen = (place: string): boolean => place.endsWith(`#${OPEN_PLACE}`);

/** The number of the quarter hour within the six hours of the tally, from 0 on. */
const quarterIn = (createdAt: string): number =>
	Math.floor((Date.parse(createdAt) % (BLOCK_SECONDS * 1000)) / QUARTER_MS);

/** Tallies a call that ends at `nowMs`. Without `codes`, it is counted for no page and no campaign. */
export function callTally(call: CountedCall, nowMs: number, codes: SourceCodes = NO_SOURCE): CountUp {
	const quarter = quarterIn(call.created_at);
	const wait = waitOf(call);
	const taker = winnerLeg(call)?.member;
	const place = `call${call.id.charCodeAt(call.id.length - 1) % PLACES}${placeOf(codes)}`;
	return tally(call, hasClosed(call, nowMs) ? OPEN_PLACE : place, [
		letters.calls + quarter,
		...(call.status === 'completed' ? [letters.answered + quarter] : []),
		...(call.failure_reason === 'no_agent_answer' ? [letters.missed + quarter] : []),
		...(wait === null ? [] : [letters.wait + waitClass(wait)]),
		...call.legs.flatMap((leg) => (leg.member !== null && wasRung(leg) ? [letters.rung + numberOf(leg.member)] : [])),
		...(taker ? [letters.took + numberOf(taker)] : []),
		...sourceFields(codes, figureOf(call)),
	]);
}

/**
 * The part of a record's name that depends on the page of the call. So each record counts only some of the pages, and stays
 * below a KiB even if the tally counts fifty pages.
 */
const placeOf = ({ path }: SourceCodes): string => (path === null ? '' : `.${path.charCodeAt(0) % PLACES}`);

function figureOf({ status, failure_reason }: CountedCall): SourceFigure {
	if (status === 'completed') return 'conversations';
	return failure_reason === 'no_agent_answer' ? 'missed' : 'rest';
}

const sourceFields = ({ path, campaign }: SourceCodes, figure: SourceFigure): readonly string[] => [
	...(path === null ? [] : [sourceLetters.path[figure] + path]),
	...(campaign === null ? [] : [sourceLetters.campaign[figure] + campaign]),
];

/** Whether the phone was dialed, as far as this is known when the call ends. */
const wasRung = ({ dialed_at, throttled_until }: Leg): boolean => dialed_at !== null && throttled_until === null;
/**
 * The number in a member's id, which consists of a letter and a number. The figures of members are counted for whole periods
 * of six hours. If they were counted for quarter hours, a record would exceed a KiB.
 */
const numberOf = (member: string): string => member.slice(1);

/**
 * The count for a lead that is created, or whose status changes, at `nowMs`. Empty if the change affects no figure. `codes`
 * are given only for a lead that is created.
 */
export function leadTally(
	lead: CountedLead,
	before: CountedLead | null,
	nowMs: number,
	codes: SourceCodes = NO_SOURCE,
): readonly CountUp[] {
	const was = before?.status === 'handled';
	const is = lead.status === 'handled';
	const handling = was === is ? [] : [is ? letters.handled : letters.reopened];
	const fields = [...(before === null ? [letters.leads] : []), ...handling];
	if (fields.length === 0) return [];
	const quarters = fields.map((letter) => letter + quarterIn(lead.created_at));
	const place = hasClosed(lead, nowMs) ? OPEN_PLACE : LEAD_PLACE;
	return [tally(lead, place, [...quarters, ...sourceFields(codes, 'callbacks')])];
}

/** The seconds until a member took the call, that is, answered and pressed 1. Null if no member took the call. */
export function waitOf(call: Omit<CountedCall, 'id' | 'workspace_id'>): number | null {
	const takenAt = winnerLeg(call)?.accepted_at ?? null;
	return takenAt === null ? null : Math.round((Date.parse(takenAt) - Date.parse(call.created_at)) / 1000);
}

/**
 * Waits are counted in classes: up to 30 s by the second, up to two minutes by 5 s, and above two minutes by 30 s. Every
 * wait of more than ten minutes counts as ten minutes.
 */
function waitClass(seconds: number): number {
	const step = classWidth(seconds);
	return Math.min(600, Math.max(0, Math.round(seconds / step) * step));
}

function classWidth(seconds: number): number {
	if (seconds <= 30) return 1;
	return seconds <= 120 ? 5 : 30;
}

export type ShopNumbers = {
	readonly calls: number;
	readonly answered: number;
	/** Calls for which the team was rung but no member took the call. */
	readonly missed: number;
	readonly leads: number;
	readonly handled: number;
	/**
	 * The median time until a member took the call, in seconds. This median is an estimate, because waiting times are
	 * counted in classes and only for whole periods of six hours. Null if no member took a call.
	 */
	readonly median_wait_seconds: number | null;
	/** The number of calls for each local hour (0 to 23) in which they were requested. */
	readonly by_hour: readonly number[];
};

/** A field of a tally with its count. */
export type Counted = readonly [field: string, count: number];
/** The counts of a tally: the fields of its record, or the text of a closed day with `field=count` pairs. */
type Counts = readonly Counted[] | string;
/** Records of tallies. The name of a record (`place`) begins with the time at which its six hours begin. */
export type Tallies = readonly { readonly place: string; readonly counts: Counts }[];
/** When the six hours of a tally begin, ISO 8601. */
export const beginOf = (place: string): string => `${place.slice(0, 16)}Z`;

/**
 * Calls `add` for each count whose field begins with one of the letters that `figures` has: with the figure of this letter, the
 * rest of the field, and the count. The largest shops have 130,000 counts in two months. So this function makes no list of
 * them, and skips what is not asked for.
 */
function addUp<F>(
	counts: Counts,
	figures: ReadonlyMap<string, F>,
	add: (figure: F, of: string, count: number) => void,
): void {
	if (typeof counts !== 'string') {
		for (const [field, count] of counts) {
			const figure = figures.get(field.charAt(0));
			if (figure !== undefined) add(figure, field.slice(1), count);
		}
		return;
	}
	for (let at = 0; at < counts.length; ) {
		const space = counts.indexOf(' ', at);
		const end = space === -1 ? counts.length : space;
		const figure = figures.get(counts.charAt(at));
		if (figure !== undefined) {
			const middle = counts.indexOf('=', at);
			add(figure, counts.slice(at + 1, middle), Number(counts.slice(middle + 1, end)));
		}
		at = end + 1;
	}
}

export type SourceCounts = { readonly [F in SourceFigure]: number };
/** The counts of each code, for paths and for campaigns. */
export type CountsByCode = { readonly [K in keyof SourceCodes]: ReadonlyMap<string, SourceCounts> };

/** Adds up the tallies of one day, separately for each code of a page or campaign. */
export function sourceCounts(tallies: Tallies): CountsByCode {
	type Sums = Map<string, Record<SourceFigure, number>>;
	const sums: { readonly [K in keyof SourceCodes]: Sums } = { path: new Map(), campaign: new Map() };
	for (const { counts } of tallies) {
		addUp(counts, sourceFigures, ({ kind, figure }, code, count) => {
			const { [kind]: ofKind } = sums;
			const sum = ofKind.get(code) ?? { conversations: 0, missed: 0, rest: 0, callbacks: 0 };
			sum[figure] += count;
			ofKind.set(code, sum);
		});
	}
	return sums;
}
const sourceFigures = new Map(
	(['path', 'campaign'] as const).flatMap((kind) =>
		(['conversations', 'missed', 'rest', 'callbacks'] as const).map((figure) => {
			return [String(sourceLetters[kind][figure]), { kind, figure }] as const;
		}),
	),
);

/** Whether a tally has calls or leads that were counted by page. */
export function hasPages(counts: Counts): boolean {
	let has = false;
	addUp(counts, sourceFigures, ({ kind }) => {
		has ||= kind === 'path';
	});
	return has;
}

/** Whether a tally has calls or leads that were counted by page or by campaign. */
export function hasSources(counts: Counts): boolean {
	let has = false;
	addUp(counts, sourceFigures, () => {
		has = true;
	});
	return has;
}

/** How many calls and leads a tally counts. */
export function countedIn(counts: Counts): number {
	let sum = 0;
	addUp(counts, subjects, (_figure, _quarter, count) => {
		sum += count;
	});
	return sum;
}
const subjects = new Map([
	[letters.calls, 'calls'],
	[letters.leads, 'leads'],
] as const);

export type MemberNumbers = { readonly rung: number; readonly took: number };

/** Adds up the figures of each member over all of these tallies. The keys are the members' ids. */
export function memberNumbers(tallies: Tallies): ReadonlyMap<string, MemberNumbers> {
	const sums = new Map<string, { rung: number; took: number }>();
	for (const { counts } of tallies) {
		addUp(counts, memberFigures, (figure, number, count) => {
			const member = `m${number}`;
			const sum = sums.get(member) ?? { rung: 0, took: 0 };
			sum[figure] += count;
			sums.set(member, sum);
		});
	}
	return sums;
}
const memberFigures: ReadonlyMap<string, keyof MemberNumbers> = new Map([
	[letters.rung, 'rung'],
	[letters.took, 'took'],
]);

const quarterFigures = ['calls', 'answered', 'missed', 'leads', 'handled', 'reopened'] as const;
type Quarter = Record<(typeof quarterFigures)[number], number>;
const timeFigures = new Map(([...quarterFigures, 'wait'] as const).map((name) => [String(letters[name]), name]));
const noneIn = (): Quarter => ({ calls: 0, answered: 0, missed: 0, leads: 0, handled: 0, reopened: 0 });

/** Tallies, added up by time, from which the figures of any range are taken. */
export type Summed = {
	/** The figures of each quarter hour, by its beginning in epoch milliseconds. */
	readonly quarters: ReadonlyMap<number, Readonly<Quarter>>;
	/**
	 * How many calls were taken, for each period of six hours and each class of the visitor's wait. The period's key is its
	 * beginning in epoch milliseconds.
	 */
	readonly waits: ReadonlyMap<number, ReadonlyMap<number, number>>;
};

/** Adds up tallies by time. */
export function sumUp(tallies: Tallies): Summed {
	const quarters = new Map<number, Quarter>();
	const waits = new Map<number, Map<number, number>>();
	for (const { place, counts } of tallies) {
		const blockMs = Date.parse(beginOf(place));
		const ofBlock = waits.get(blockMs) ?? new Map<number, number>();
		waits.set(blockMs, ofBlock);
		addUp(counts, timeFigures, (figure, of, count) => {
			const number = Number(of);
			if (figure === 'wait') {
				ofBlock.set(number, (ofBlock.get(number) ?? 0) + count);
				return;
			}
			const atMs = blockMs + number * QUARTER_MS;
			const quarter = quarters.get(atMs) ?? noneIn();
			quarter[figure] += count;
			quarters.set(atMs, quarter);
		});
	}
	return { quarters, waits };
}

/**
 * The calls of a day. A call that is neither answered nor missed ended in another way, for example before a member could
 * answer.
 */
export type DayNumbers = { readonly calls: number; readonly answered: number; readonly missed: number };

/** The calls of each day in a range. `dayOf`: the local day of an instant, as a date or a number. */
export function dayNumbers<D>(
	{ quarters }: Summed,
	{ from_ms, to_ms }: TallyRange,
	dayOf: (atMs: number) => D,
): ReadonlyMap<D, DayNumbers> {
	const days = new Map<D, DayNumbers>();
	for (const [atMs, { calls, answered, missed }] of quarters) {
		if (atMs < from_ms || atMs >= to_ms) continue;
		const day = dayOf(atMs);
		const sum = days.get(day) ?? { calls: 0, answered: 0, missed: 0 };
		days.set(day, { calls: sum.calls + calls, answered: sum.answered + answered, missed: sum.missed + missed });
	}
	return days;
}

/** A range in epoch milliseconds. The range ends before `to_ms`. */
export type TallyRange = { readonly from_ms: number; readonly to_ms: number };

/**
 * Whether the tallies that were read from `fromMs` on are complete. An earlier release kept tallies for a shorter time. If
 * the range is longer than that time, its first tallies may have been deleted. So the tallies then count as complete only if
 * there is a tally of the range's first four days. (A single day may have neither calls nor leads, and therefore no tally.)
 */
export function hasAllSince(tallies: Tallies, fromMs: number, nowMs: number): boolean {
	const isKept = nowMs - fromMs <= ONCE_KEPT_MS;
	return isKept || tallies.some(({ place }) => Date.parse(beginOf(place)) < fromMs + 4 * 24 * 3_600_000);
}

/**
 * The figures from `fromMs` until before `toMs`. `fromMs` must be the beginning of a quarter hour. `hourOf` returns the
 * local hour of an instant.
 */
export function shopNumbers(
	{ quarters, waits }: Summed,
	fromMs: number,
	hourOf: (atMs: number) => number,
	toMs = Number.POSITIVE_INFINITY,
): ShopNumbers {
	const by_hour = Array.from({ length: 24 }, () => 0);
	const sum = noneIn();
	for (const [atMs, quarter] of quarters) {
		if (atMs < fromMs || atMs >= toMs) continue;
		for (const name of quarterFigures) sum[name] += quarter[name];
		const hour = hourOf(atMs);
		by_hour[hour] = (by_hour[hour] ?? 0) + quarter.calls;
	}
	const { reopened, handled, ...counts } = sum;
	const inRange = new Map<number, number>();
	for (const [blockMs, ofBlock] of waits) {
		if (blockMs >= toMs || blockMs + BLOCK_SECONDS * 1000 <= fromMs) continue;
		for (const [wait, count] of ofBlock) inRange.set(wait, (inRange.get(wait) ?? 0) + count);
	}
	return { ...counts, handled: handled - reopened, median_wait_seconds: medianOf(inRange), by_hour };
}

/** The lower median of values, each of which occurs `count` times. */
function medianOf(counts: ReadonlyMap<number, number>): number | null {
	const sorted = [...counts].sort(([a], [b]) => a - b);
	const total = sorted.reduce((sum, [, count]) => sum + count, 0);
	let rest = Math.floor((total - 1) / 2);
	for (const [value, count] of sorted) {
		if (rest < count) return value;
		rest -= count;
	}
	return null;
}
