import { timestampOf } from '../kernel/timestamp.ts';
import { ringableMembers, type TeamRules } from './silenced-members.ts';
import { isOn, type Workspace } from './workspace.ts';

type Hours = Pick<Workspace, 'business_hours' | 'time_zone'>;
export type OpenState = { readonly open: true } | { readonly open: false; readonly next_open_at: string | null };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** An opening further away than this is not announced. */
const HORIZON_DAYS = 370;

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the zone's wall clock is ahead of UTC at that moment. */
function offset_ms(time_zone: string, epoch_ms: number): number {
	const format =
		formats.get(time_zone) ?? new Intl.DateTimeFormat('en', { timeZone: time_zone, timeZoneName: 'longOffset' });
	formats.set(time_zone, format);
	const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(format.format(epoch_ms)) ?? [];
	return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * The instant at which the zone's clock shows this wall time (given as if it were UTC). If a clock change repeats the time,
 * its first occurrence counts; if a clock change skips it, it moves later by the length of the change (RFC 5545 section
 * 3.3.5).
 */
function instantOf(time_zone: string, wall_ms: number): number {
	const before = offset_ms(time_zone, wall_ms - DAY_MS);
	const after = offset_ms(time_zone, wall_ms + DAY_MS);
	const first = wall_ms - Math.max(before, after);
	const second = wall_ms - Math.min(before, after);
	return offset_ms(time_zone, first) === wall_ms - first ? first : second;
}

/** The instant at which a local date (`YYYY-MM-DD`) begins in the zone. */
export function startOfDate(time_zone: string, date: string): number {
	return instantOf(time_zone, Date.parse(`${date}T00:00:00.000Z`));
}

function tomorrow(time_zone: string, now_ms: number): string {
	return new Date(now_ms + offset_ms(time_zone, now_ms) + DAY_MS).toISOString().slice(0, 10);
}

export function endOfToday(time_zone: string, now_ms: number): number {
	return startOfDate(time_zone, tomorrow(time_zone, now_ms));
}

export const endOfTomorrow = (time_zone: string, now_ms: number): number =>
	endOfToday(time_zone, endOfToday(time_zone, now_ms));

/** The opening times that begin on one local date (midnight, given as if it were UTC), as instants. */
function openingsOf(
	{ time_zone, business_hours: hours }: Hours,
	date_ms: number,
): readonly { readonly from_ms: number; readonly to_ms: number }[] {
	const date = new Date(date_ms);
	if (hours === null || hours.holidays.includes(date.toISOString().slice(0, 10))) return [];
	return hours.weekly
		.filter(({ weekday }) => weekday === date.getUTCDay())
		.map(({ from_minute, to_minute }) => ({
			from_ms: instantOf(time_zone, date_ms + from_minute * MINUTE_MS),
			to_ms: instantOf(time_zone, date_ms + to_minute * MINUTE_MS),
		}));
}

/**
 * Whether the team takes calls now, and if not, when it next opens (null: not within about a year). Hours that pass
 * midnight belong to the day on which they begin, also for holidays. Null hours: always open.
 */
export function openState(hours: Hours, now_ms: number): OpenState {
	if (hours.business_hours === null) return { open: true };
	const wall_ms = now_ms + offset_ms(hours.time_zone, now_ms);
	const today_ms = wall_ms - (wall_ms % DAY_MS);
	// Yesterday's hours may last until now.
	for (let day = -1; day < HORIZON_DAYS; day += 1) {
		const openings = openingsOf(hours, today_ms + day * DAY_MS);
		if (openings.some(({ from_ms, to_ms }) => from_ms <= now_ms && now_ms < to_ms)) return { open: true };
		const next_ms = Math.min(
			...openings.map(({ from_ms, to_ms }) => (from_ms > now_ms && to_ms > from_ms ? from_ms : Infinity)),
		);
		if (next_ms !== Infinity) return { open: false, next_open_at: timestampOf(next_ms) };
	}
	return { open: false, next_open_at: null };
}

/**
 * When the team closes, if it is open now. Hours that follow each other without a gap count as one. Null: closed now, or
 * open for a week or more.
 */
export function closesAt(hours: Hours, now_ms: number): string | null {
	if (hours.business_hours === null || !openState(hours, now_ms).open) return null;
	const wall_ms = now_ms + offset_ms(hours.time_zone, now_ms);
	const today_ms = wall_ms - (wall_ms % DAY_MS);
	let until_ms = now_ms;
	for (let day = -1; day < 8; day += 1) {
		for (const { from_ms, to_ms } of openingsOf(hours, today_ms + day * DAY_MS).toSorted(
			(a, b) => a.from_ms - b.from_ms,
		)) {
			if (from_ms <= until_ms && to_ms > until_ms) until_ms = to_ms;
		}
	}
	return until_ms - now_ms < 7 * DAY_MS ? new Date(until_ms).toISOString() : null;
}

type Team = Hours & TeamRules & Pick<Workspace, 'team' | 'silenced' | 'paused_until'>;

/** As `openState`, but the team also takes no calls while it pauses, or while every member whose phone may ring is off. */
export function teamState(workspace: Team, now_ms: number): OpenState {
	const { paused_until } = workspace;
	const team = ringableMembers(workspace);
	// Stored pauses have all forms of an ISO 8601 date-time, such as one without milliseconds.
	const pause_ends_ms = paused_until === null ? now_ms : Date.parse(paused_until);
	if (pause_ends_ms > now_ms) {
		const then = teamState({ ...workspace, paused_until: null }, pause_ends_ms);
		return then.open ? { open: false, next_open_at: timestampOf(pause_ends_ms) } : then;
	}
	if (team.length === 0 || team.some((member) => isOn(member, now_ms))) return openState(workspace, now_ms);
	const back_ms = Math.min(...team.map(({ off_until }) => Date.parse(off_until ?? '')));
	const then = openState(workspace, back_ms);
	return then.open ? { open: false, next_open_at: timestampOf(back_ms) } : then;
}
