import { createHash } from 'node:crypto';
import { languages } from '../../domain/workspaces/language.ts';
import type { BusinessHours, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Fields } from '../request.ts';

// The sections of a workspace that a form shows and changes as a whole: as the fields of the form, and back.

export type SectionName = 'hours' | 'ringing' | 'site' | 'consent' | 'notices';
type Section = {
	/** The fields of the form as they are saved. */
	readonly saved: (workspace: Workspace) => Fields;
	/** The entered settings, for the schema that operators' commands use, too. */
	readonly entered: (fields: Fields) => object;
};

/** The lines of a text that are not empty, trimmed. */
const linesOf = (text = ''): readonly string[] => text.match(/\S(.*\S)?/g) ?? [];
const orNull = (text = ''): string | null => text.trim() || null;

export const sections: Readonly<Record<SectionName, Section>> = {
	hours: {
		saved: ({ business_hours: hours, time_zone }) => {
			return { when: hours === null ? 'always' : 'hours', time_zone, ...hoursFields(hours ?? USUAL) };
		},
		entered: (fields) => {
			const business_hours = fields['when'] === 'always' ? null : hoursIn(fields);
			return { business_hours, time_zone: fields['time_zone'] };
		},
	},
	ringing: {
		saved: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
		entered: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
	},
	site: {
		saved: (shop) => ({ name: shop.name, origins: shop.origins.join('\n'), language: shop.language }),
		entered: ({ name, origins, language }) => ({ name, origins: linesOf(origins), language }),
	},
	notices: {
		saved: ({ team_email, tells_missed_calls }) => {
			return { team_email: team_email ?? '', tells_missed_calls: tells_missed_calls ? 'yes' : '' };
		},
		entered: ({ team_email, tells_missed_calls }) => {
			return { team_email: orNull(team_email), tells_missed_calls: tells_missed_calls === 'yes' };
		},
	},
	consent: {
		saved: (workspace) => {
			const { language, consent_texts, privacy_links } = workspace;
			const { call = '', lead = '' } = consent_texts[language] ?? {};
			return { language, call, lead, privacy_links: privacy_links[language] ?? '' };
		},
		entered: ({ language: typed, call, lead, privacy_links }) => {
			const language = languages.find((each) => each === typed);
			// No text is saved for a language that the service does not have: the schema refuses it.
			if (language === undefined) return { language: typed ?? '' };
			return {
				consent_texts: { [language]: { call: orNull(call), lead: orNull(lead) } },
				privacy_links: { [language]: orNull(privacy_links) },
			};
		},
	},
};

/** The members and their order: forms about one of them are refused once another person has changed the team. */
const teamFields = ({ team }: Workspace): Fields =>
	Object.fromEntries(team.map(({ id, name = '', phone_masked }) => [id, `${name} ${phone_masked}`]));

/** Whether two things that a form can ask for are about the same section. */
export const isSameSection = (act: string, other = ''): boolean =>
	act === other || [act, other].every((each) => each.startsWith('member_'));

/** The section of a form as it is saved; undefined: the form is about none. */
export function savedFor({ act = '' }: Fields, workspace: Workspace): Fields | undefined {
	const [, section] = Object.entries(sections).find(([name]) => name === act) ?? [];
	return act.startsWith('member_') ? teamFields(workspace) : section?.saved(workspace);
}

/**
 * A fingerprint of a section, which its form contains. If another person changes the section while the form is open, its
 * fingerprint differs, and the form overwrites nothing. Changes of other sections do not matter.
 */
export function seenFor(fields: Fields, workspace: Workspace): string | undefined {
	const saved = savedFor(fields, workspace);
	return saved && createHash('sha256').update(JSON.stringify(saved)).digest('base64url').slice(0, 22);
}

/** Whether the section of a form is what the form has shown. */
export const isCurrent = (fields: Fields, workspace: Workspace): boolean =>
	seenFor(fields, workspace) === fields['seen'];

/** Monday first. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0] as const;
/** What a new shop probably wants, until it has hours. */
const USUAL: BusinessHours = {
	weekly: WEEKDAYS.slice(0, 5).map((weekday) => ({ weekday, from_minute: 9 * 60, to_minute: 17 * 60 })),
	holidays: [],
};

const clock = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);
/** Minutes since midnight; NaN if it is no time, which the schema of the settings refuses. */
const minuteOf = (text = ''): number => Date.parse(`1970-01-01T${text}Z`) / 60_000;

/** `from-1-0` and `to-1-0` are the first opening of Monday. */
function hoursFields({ weekly, holidays }: BusinessHours): Fields {
	const openings = weekly.flatMap(({ weekday, from_minute, to_minute }, place) => {
		const nth = `${weekday}-${weekly.slice(0, place).filter((each) => each.weekday === weekday).length}`;
		return [[`from-${nth}`, clock(from_minute)] as const, [`to-${nth}`, clock(to_minute)] as const];
	});
	return { ...Object.fromEntries(openings), holidays: holidays.join('\n') };
}

/** An end at or before its beginning is on the next day. An opening with one end only stays, so that it is refused. */
function hoursIn(fields: Fields): object {
	const weekly = Object.keys(fields).flatMap((name) => {
		const [, weekday, nth] = /^from-([0-6])-(\d{1,3})$/.exec(name) ?? [];
		const [from, to] = [fields[name], fields[`to-${weekday}-${nth}`]];
		if (weekday === undefined || (!from && !to)) return [];
		const [from_minute, end_minute] = [minuteOf(from), minuteOf(to)];
		const to_minute = end_minute > from_minute ? end_minute : end_minute + 24 * 60;
		return [{ weekday: Number(weekday), from_minute, to_minute }];
	});
	return { weekly, holidays: linesOf(fields['holidays']) };
}
