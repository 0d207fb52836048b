import type { OpenInterval } from '../../shared/domain/workspaces/workspace.ts';
import { OperatorError } from '../operator-error.ts';

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const OPENING = /^([a-z]{3})(?:-([a-z]{3}))? (\d{1,2})(?::(\d{2}))?-(\d{1,2})(?::(\d{2}))?$/;

/** Reads opening hours: `mon-fri 09:00-17:30`, `sat 10-14`, `fri 22:00-02:00` (which ends on Saturday), `sun 00:00-24:00`. */
export function intervalsOf(opening: string): readonly OpenInterval[] {
	const [, first = '', last = first, ...clock] = OPENING.exec(opening.trim().toLowerCase()) ?? [];
	const from = DAYS.indexOf(first);
	const to = DAYS.indexOf(last);
	const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = clock.map((digits = '0') => Number(digits));
	const from_minute = h1 * 60 + m1;
	const endMinute = h2 * 60 + m2;
	if (from < 0 || to < 0 || m1 > 59 || m2 > 59 || from_minute >= 1440 || endMinute > 1440) {
		throw new OperatorError(`--hours takes openings such as "mon-fri 09:00-17:30", not "${opening}"`);
	}
	const to_minute = endMinute > from_minute ? endMinute : endMinute + 1440;
	const days = (to - from + 7) % 7;
	return WEEKDAYS.filter((weekday) => (weekday - from + 7) % 7 <= days).map((weekday) => {
		return { weekday, from_minute, to_minute };
	});
}
