import type { BusinessHours } from '../../../domain/workspaces/workspace.ts';
import { clockText, weekdayName } from '../kit/times.ts';
import type { View } from '../kit/view.ts';
import { WEEKDAYS } from './hours-section.ts';

/**
 * The openings of a week on one line: `Mon–Fri 9 AM–5 PM · Sat 10 AM–2 PM`. Days that follow each other and have the same
 * openings are one span.
 */
export function weekSummary({ weekly }: BusinessHours, view: Pick<View, 'language' | 'region'>): string {
	const timesOn = (day: number): string =>
		weekly
			.filter(({ weekday }) => weekday === day)
			.map(({ from_minute, to_minute }) => `${clockText(from_minute, view)}–${clockText(to_minute, view)}`)
			.join(', ');
	const days = WEEKDAYS.map((day) => ({ times: timesOn(day), name: weekdayName(day, view.language, 'short') }));
	const spans = days.flatMap(({ times, name }, nth) => {
		if (times === '' || times === days[nth - 1]?.times) return [];
		const next = days.findIndex((each, at) => at > nth && each.times !== times);
		const last = days.at(Math.max(next, 0) - 1)?.name ?? name;
		return [`${last === name ? name : `${name}–${last}`} ${times}`];
	});
	return spans.join(' · ');
}
