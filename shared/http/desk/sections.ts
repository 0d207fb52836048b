import { createHash } from 'node:crypto';
import { languageOf } from '../../domain/workspaces/language.ts';
import type { BusinessHours, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Fields } from '../request.ts';

// The sections of a workspace that a form shows and changes as a whole: as the fields of the form, and back.

export type SectionName = 'hours' | 'ringing' | 'site' | 'consent' | 'notices';
type Section = {
	/** The fields of the form as they are saved. */
	readonly saved: (workspace: Workspace) => Fields;
	/** The entered settings, for the schema that operators' commands use, too. */
	readonly entered: (fields: Fields, workspace: Workspace) => object;
};

const linesOf = (text = ''): readonly string[] =>
	text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
const orNull = (text = ''): string | null => text.trim() || null;

export const sections: Readonly<Record<SectionName, Section>> = {
	hours: {
		saved: ({ business_hours }) => ({
			when: business_hours === null ? 'always' : 'hours',
			...hoursFields(business_hours ?? USUAL),
		}),
		entered: (fields) => ({ business_hours: fields['when'] === 'always' ? null : openingHours(fields) }),
	},
	ringing: {
		saved: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
		entered: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
	},
	site: {
		saved: (workspace) => ({
			name: workspace.name,
			origins: workspace.origins.join('\n'),
			language: languageOf(workspace),
		}),
		entered: ({ name, origins, language }) => ({ name, origins: linesOf(origins), language }),
	},
	consent: {
		saved: (workspace) => {
			const language = languageOf(workspace);
			const { consent_texts, privacy_links } = workspace;
			return { call: '', lead: '', ...consent_texts?.[language], privacy_link: privacy_links?.[language] ?? '' };
		},
		entered: ({ call, lead, privacy_link }, workspace) => ({
			consent_texts: { [languageOf(workspace)]: { call: orNull(call), lead: orNull(lead) } },
			privacy_links: { [languageOf(workspace)]: orNull(privacy_link) },
		}),
	},
	notices: {
		saved: ({ team_email, tells_missed_calls = true }) => ({
			team_email: team_email ?? '',
			tells_missed_calls: tells_missed_calls ? 'yes' : '',
		}),
		entered: ({ team_email, tells_missed_calls }) => ({
			team_email: orNull(team_email),
			tells_missed_calls: tells_missed_calls === 'yes',
		}),
	},
};

/** The order of a team, which the forms about its members refer to. */
const teamFields = ({ team }: Workspace): Fields =>
	Object.fromEntries(team.map(({ name = '', phone_masked }, place) => [`${place}`, `${name} ${phone_masked}`]));

/**
 * A fingerprint of a section, which its form contains. If another person changes the section while the form is open, its
 * fingerprint differs, and the form overwrites nothing. Changes of other sections do not matter.
 */
export function seenOf(section: SectionName | 'team', workspace: Workspace): string {
	const fields = section === 'team' ? teamFields(workspace) : sections[section].saved(workspace);
	return createHash('sha256').update(JSON.stringify(fields)).digest('base64url').slice(0, 22);
}

/** Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** What a new shop probably wants, until it has hours; only the shop knows its time zone. */
const USUAL: BusinessHours = {
	time_zone: '',
	weekly: WEEKDAYS.slice(0, 5).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
	holidays: [],
};

const clock = (minute: number): string =>
	`${String(Math.floor((minute % 1440) / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Minutes since midnight; NaN if it is no time, which the schema of the settings refuses. */
function minuteOf(text = ''): number {
	const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
	return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes);
}

/** `from-1-0` and `to-1-0` are the first opening of Monday. */
function hoursFields({ time_zone, weekly, holidays }: BusinessHours): Fields {
	const openings = WEEKDAYS.flatMap((weekday) =>
		weekly
			.filter((each) => each.weekday === weekday)
			.flatMap(({ from_minute, to_minute }, nth) => [
				[`from-${weekday}-${nth}`, clock(from_minute)],
				[`to-${weekday}-${nth}`, clock(to_minute)],
			]),
	);
	return { ...Object.fromEntries(openings), time_zone, holidays: holidays.join('\n') };
}

/** An end at or before its beginning is on the next day. An opening with one end only stays, so that it is refused. */
export function openingHours(fields: Fields): object {
	const weekly = Object.keys(fields).flatMap((name) => {
		const [, weekday, nth] = /^from-([0-6])-(\d{1,3})$/.exec(name) ?? [];
		if (weekday === undefined || nth === undefined) return [];
		const [from, to] = [fields[name], fields[`to-${weekday}-${nth}`]];
		if (!from && !to) return [];
		const [from_minute, end_minute] = [minuteOf(from), minuteOf(to)];
		const to_minute = end_minute > from_minute ? end_minute : end_minute + 24 * 60;
		return [{ weekday: Number(weekday), from_minute, to_minute }];
	});
	return { time_zone: fields['time_zone'], weekly, holidays: linesOf(fields['holidays']) };
}
