import { timestampOf } from '../kernel/timestamp.ts';
import { ringableMembers, type TeamRules } from './silenced-members.ts';
import { isOn, type Workspace } from './workspace.ts';

type Hours = Pick<Workspace, 'business_hours' | 'time_zone'>;
export type OpenState = { readonly open: true } | { readonly open: false; readonly next_open_at: string | null };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * How many days ahead the next opening is looked for. If the team does not open within this time, its next opening counts as
 * unknown.
 */
const HORIZON_DAYS = 370;

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the local time of the zone is ahead of UTC at that moment. */
function offsetMs(timeZone: string, epochMs: number): number {
	const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
	formats.set(timeZone, format);
	const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(format.format(epochMs)) ?? [];
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * The instant of a local time in the zone. `wallMs` is that local time as if it were UTC. If a clock change repeats this
 * time, the first occurrence counts. If a clock change skips this time, the result is later by the length of the change
 * (RFC 5545 section 3.3.5).
 */
function instantOf(timeZone: string, wallMs: number): number {
	const before = offsetMs(timeZone, wallMs - DAY_MS);
	const after = offsetMs(timeZone, wallMs + DAY_MS);
	const first = wallMs - Math.max(before, after);
	const second = wallMs - Math.min(before, after);
	return offsetMs(timeZone, first) === wallMs - first ? first : second;
}

/** When a local date (`YYYY-MM-DD`) begins in the zone. */
export function startOfDate(timeZone: string, date: string): number {
	return instantOf(timeZone, Date.parse(`${date}T00:00:00.000Z`));
}

/** The local date (`YYYY-MM-DD`) in the zone at an instant. */
export function dateAt(timeZone: string, epochMs: number): string {
	return new Date(epochMs + offsetMs(timeZone, epochMs)).toISOString().slice(0, 10);
}

const STEP_MS = 6 * 60 * MINUTE_MS;

/**
 * Returns a function that converts instants to the wall clock of a zone, as if the wall clock were UTC. Reading the zone's
 * rules is slow. So the rules are read only for the beginning of every six hours. If the clock changes within the six hours,
 * the rules are read for each instant.
 */
export function wallClock(timeZone: string): (epochMs: number) => number {
	const offsets = new Map<number, number>();
	const offsetAt = (epochMs: number): number => {
		const known = offsets.get(epochMs) ?? offsetMs(timeZone, epochMs);
		offsets.set(epochMs, known);
		return known;
	};
	return (epochMs) => {
		const fromMs = Math.floor(epochMs / STEP_MS) * STEP_MS;
		const offset = offsetAt(fromMs);
		return epochMs + (offset === offsetAt(fromMs + STEP_MS) ? offset : offsetMs(timeZone, epochMs));
	};
}

/** The date that is `days` after `date`. `days` may be negative. */
export const plusDays = (date: string, days: number): string =>
	new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

export function endOfToday(timeZone: string, nowMs: number): number {
	return startOfDate(timeZone, plusDays(dateAt(timeZone, nowMs), 1));
}

export const endOfTomorrow = (timeZone: string, nowMs: number): number =>
	endOfToday(timeZone, endOfToday(timeZone, nowMs));

/** The beginning of the date before the date of `nowMs`. */
export const startOfYesterday = (timeZone: string, nowMs: number): number =>
	startOfDate(timeZone, plusDays(dateAt(timeZone, nowMs), -1));

/**
 * The periods in which the team is open and which begin on one local date. `dateMs` is the midnight of that date as if it
 * were UTC.
 */
function openingsOf(
	{ time_zone, business_hours: hours }: Hours,
	dateMs: number,
): readonly { readonly from_ms: number; readonly to_ms: number }[] {
	const date = new Date(dateMs);
	if (hours === null || hours.holidays.includes(date.toISOString().slice(0, 10))) return [];
	return hours.weekly
		.filter(({ weekday }) => weekday === date.getUTCDay())
		.map(({ from_minute, to_minute }) => ({
			from_ms: instantOf(time_zone, dateMs + from_minute * MINUTE_MS),
			to_ms: instantOf(time_zone, dateMs + to_minute * MINUTE_MS),
		}));
}

/**
 * Whether the team is open at `nowMs`, and if not, when it next opens (null if that is not within about a year). Hours that
 * go past midnight belong to the day on which they begin, even if one of the two days is a holiday. If `business_hours` is
 * null, the team is always open.
 */
export function openState(hours: Hours, nowMs: number): OpenState {
	if (hours.business_hours === null) return { open: true };
	const wallMs = nowMs + offsetMs(hours.time_zone, nowMs);
	const todayMs = wallMs - (wallMs % DAY_MS);
	// Start with yesterday, because its hours may go past midnight.
	for (let day = -1; day < HORIZON_DAYS; day += 1) {
		const openings = openingsOf(hours, todayMs + day * DAY_MS);
		if (openings.some(({ from_ms, to_ms }) => from_ms <= nowMs && nowMs < to_ms)) return { open: true };
		const nextMs = Math.min(
			...openings.map(({ from_ms, to_ms }) => (from_ms > nowMs && to_ms > from_ms ? from_ms : Infinity)),
		);
		if (nextMs !== Infinity) return { open: false, next_open_at: timestampOf(nextMs) };
	}
	return { open: false, next_open_at: null };
}

/**
 * When the team closes, if it is open now. Hours that follow each other without a gap count as one period. Null if the team
 * is closed now, or will stay open for a week or more.
 */
export function closesAt(hours: Hours, nowMs: number): string | null {
	if (hours.business_hours === null || !openState(hours, nowMs).open) return null;
	const wallMs = nowMs + offsetMs(hours.time_zone, nowMs);
	const todayMs = wallMs - (wallMs % DAY_MS);
	let untilMs = nowMs;
	for (let day = -1; day < 8; day += 1) {
		for (const { from_ms, to_ms } of openingsOf(hours, todayMs + day * DAY_MS).toSorted(
			(a, b) => a.from_ms - b.from_ms,
		)) {
			if (from_ms <= untilMs && to_ms > untilMs) untilMs = to_ms;
		}
	}
	return untilMs - nowMs < 7 * DAY_MS ? new Date(untilMs).toISOString() : null;
}

type Team = Hours & TeamRules & Pick<Workspace, 'team' | 'silenced' | 'paused_until'>;

/**
 * Like `openState`, but the team also takes no calls during a pause, or while every member whose phone may ring is switched
 * off.
 */
export function teamState(workspace: Team, nowMs: number): OpenState {
	const { paused_until } = workspace;
	const team = ringableMembers(workspace);
	// The time may be stored in any form of an ISO 8601 date-time, for example without milliseconds.
	const pauseEndsMs = paused_until === null ? nowMs : Date.parse(paused_until);
	if (pauseEndsMs > nowMs) {
		const then = teamState({ ...workspace, paused_until: null }, pauseEndsMs);
		return then.open ? { open: false, next_open_at: timestampOf(pauseEndsMs) } : then;
	}
	if (team.length === 0 || team.some((member) => isOn(member, nowMs))) return openState(workspace, nowMs);
	const backMs = Math.min(...team.map(({ off_until }) => Date.parse(off_until ?? '')));
	const then = openState(workspace, backMs);
	return then.open ? { open: false, next_open_at: timestampOf(backMs) } : then;
}
