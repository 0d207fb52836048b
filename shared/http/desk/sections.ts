import { createHash } from 'node:crypto';
import { originTyped, urlTyped } from '../../domain/access/origin.ts';
import { knownLanguage, type Language, languages } from '../../domain/workspaces/language.ts';
import { DEFAULT_ACCENT, lookOf } from '../../domain/workspaces/look.ts';
import type { BusinessHours, Workspace } from '../../domain/workspaces/workspace.ts';
import { readDate, shortDate } from '../../presentation/short-date.ts';
import type { Fields } from '../edge/request.ts';

// The sections of a workspace that a form shows and changes as a whole: as the fields of the form, and back.

export type SectionName = 'hours' | 'ringing' | 'site' | 'look' | 'consent' | 'notices';
type Section = {
	/** The fields of the form as they are saved. `language`: of a section that has one for each. */
	readonly saved: (workspace: Workspace, language?: Language) => Fields;
	/**
	 * The entered settings, for the schema that operators' commands use, too: in its form where it is clear what is meant, and
	 * otherwise as they were typed.
	 */
	readonly entered: (fields: Fields, workspace: Workspace) => object;
};

/** The entries of a typed list, each once: on lines of their own, or with commas between them. */
const entriesOf = (text = '', read = (entry: string) => entry): readonly string[] => {
	const entries = text.split(/[\r\n,;]+/).map((entry) => entry.trim());
	return [...new Set(entries.filter((entry) => entry !== '').map(read))];
};
const orNull = (text = ''): string | null => text.trim() || null;

/** The sites of a workspace that a form leaves out. */
export const sitesRemoved = ({ origins }: Fields, workspace: Workspace): readonly string[] =>
	workspace.origins.filter((each) => !entriesOf(origins, originTyped).includes(each));

export const sections: Readonly<Record<SectionName, Section>> = {
	hours: {
		saved: ({ business_hours: hours, time_zone, language }) => {
			return { when: hours === null ? 'always' : 'hours', time_zone, ...hoursFields(hours ?? USUAL, language) };
		},
		entered: (fields, { language }) => {
			const business_hours = fields['when'] === 'always' ? null : hoursIn(fields, language);
			return { business_hours, time_zone: fields['time_zone'] };
		},
	},
	ringing: {
		saved: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
		entered: ({ ring_strategy, ring_order }) => ({ ring_strategy, ring_order }),
	},
	site: {
		saved: (shop) => ({ name: shop.name, origins: shop.origins.join('\n'), language: shop.language }),
		entered: ({ name, origins, language }) => ({ name, origins: entriesOf(origins, originTyped), language }),
	},
	look: {
		saved: (workspace) => {
			const { accent, greeting } = lookOf(workspace);
			return { accent: accent ?? DEFAULT_ACCENT, greeting: greeting ?? '' };
		},
		// A field for a colour is never empty: ours is the one that means none.
		entered: ({ accent, greeting }) => {
			return { look: { accent: accent === DEFAULT_ACCENT ? null : accent, greeting: orNull(greeting) } };
		},
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
		saved: ({ consent_texts, privacy_links, ...workspace }, language = workspace.language) => {
			const { call = '', lead = '' } = consent_texts[language] ?? {};
			// A text that was changed has lost its id.
			const covers = workspace.call_back_texts?.some((id) => id.startsWith(`${language}-call-`)) ? 'yes' : '';
			return { language, call, covers, lead, privacy_links: privacy_links[language] ?? '' };
		},
		entered: ({ language: typed, call, covers, lead, privacy_links }) => {
			const language = languages.find((each) => each === typed);
			const link = orNull(privacy_links);
			// No text is saved for a language that the service does not have: the schema refuses it.
			if (language === undefined) return { language: typed ?? '' };
			return {
				consent_texts: { [language]: { call: orNull(call), lead: orNull(lead) } },
				covers_call_back: { [language]: covers === 'yes' && orNull(call) !== null },
				privacy_links: { [language]: link && (urlTyped(link)?.href ?? link) },
			};
		},
	},
};

/** The members and their order: forms about one of them are refused once another person has changed the team. */
const teamFields = ({ team }: Workspace): Fields =>
	Object.fromEntries(team.map(({ id, name = '', phone_masked }) => [id, `${name} ${phone_masked}`]));

/** Whether two things that a form can ask for are about the same section. */
export const isSameSection = (action: string, other = ''): boolean =>
	action === other || [action, other].every((each) => each.startsWith('member_'));

/** The section of a form as it is saved; undefined: the form is about none. */
export function savedFor({ action = '', language = '' }: Fields, workspace: Workspace): Fields | undefined {
	// An undo overwrites nothing, so it may follow a change by another person.
	if (action === 'member_put_back') return undefined;
	const [, section] = Object.entries(sections).find(([name]) => name === action) ?? [];
	return action.startsWith('member_') ? teamFields(workspace) : section?.saved(workspace, knownLanguage(language));
}

/**
 * A fingerprint of a section, which its form contains. If another person changes the section while the form is open, its
 * fingerprint differs, and the form overwrites nothing. Changes of other sections do not matter.
 */
export function seenFor(fields: Fields, workspace: Workspace): string | undefined {
	const saved = savedFor(fields, workspace);
	return saved && createHash('sha256').update(JSON.stringify(saved)).digest('base64url').slice(0, 22);
}

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
function hoursFields({ weekly, holidays }: BusinessHours, language: Language): Fields {
	const openings = weekly.flatMap(({ weekday, from_minute, to_minute }, place) => {
		const nth = `${weekday}-${weekly.slice(0, place).filter((each) => each.weekday === weekday).length}`;
		return [[`from-${nth}`, clock(from_minute)] as const, [`to-${nth}`, clock(to_minute)] as const];
	});
	return { ...Object.fromEntries(openings), holidays: holidays.map((date) => shortDate(date, language)).join('\n') };
}

/** The openings of a form that are not empty, by the end of their fields' names: `1-0` is the first one of Monday. */
export const openingsIn = (fields: Fields): readonly string[] =>
	Object.keys(fields).flatMap((name) => {
		const [, opening] = /^from-([0-6]-\d{1,3})$/.exec(name) ?? [];
		return opening !== undefined && (fields[name] || fields[`to-${opening}`]) ? [opening] : [];
	});

/** An end at or before its beginning is on the next day. An opening with one end only stays, so that it is refused. */
function hoursIn(fields: Fields, language: Language): object {
	const weekly = openingsIn(fields).map((opening) => {
		const from_minute = minuteOf(fields[`from-${opening}`]);
		const endMinute = minuteOf(fields[`to-${opening}`]);
		const to_minute = endMinute > from_minute ? endMinute : endMinute + 24 * 60;
		return { weekday: Number(opening[0]), from_minute, to_minute };
	});
	// The calendar adds one date to those that are typed.
	const typed = `${fields['holidays'] ?? ''}\n${fields['holiday'] ?? ''}`;
	return { weekly, holidays: entriesOf(typed, (date) => readDate(date, language)).toSorted() };
}
