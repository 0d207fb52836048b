import * as z from 'zod/mini';
import { limitNames } from '../../domain/access/limits.ts';
import { isStorableOrigin } from '../../domain/access/origin.ts';
import { E164 } from '../../domain/kernel/phone-number.ts';
import { isDate, parseInstant } from '../../domain/kernel/time-range.ts';
import { timestampOf } from '../../domain/kernel/timestamp.ts';
import { visibleLine } from '../../domain/kernel/visible-line.ts';
import { consentCases } from '../../domain/workspaces/consent-text.ts';
import { isEmailAddress } from '../../domain/workspaces/email-address.ts';
import { languages } from '../../domain/workspaces/language.ts';
import { ACCENT_PATTERN, MOST_GREETING_CHARACTERS } from '../../domain/workspaces/look.ts';
import { parsePrivacyLink } from '../../domain/workspaces/privacy-link.ts';
import { timeZoneName } from '../../domain/workspaces/time-zone.ts';
import {
	MOST_MEMBERS,
	MOST_NAME_CHARACTERS,
	readMember,
	ringOrders,
	ringStrategies,
} from '../../domain/workspaces/workspace.ts';

// The settings of a workspace that operators can change. Error messages use the words of the command line.

/** The highest value of a limit. This value is more than any realistic number of requests in a window or a day. */
const MOST = 1_000_000_000;
const MOST_ORIGINS = 20;
const DAY_MINUTES = 24 * 60;

const text = (most: number) =>
	z
		.string()
		.check(z.trim(), z.minLength(1, 'takes a text'), z.maxLength(most, `takes a text of at most ${most} characters`));
/** A text to which visitors agree. It must contain visible characters. */
const consentText = text(2000).check(z.refine((shown) => visibleLine(shown) !== '', 'takes a text that can be seen'));
const region = z.string().check(z.regex(/^[A-Z]{2}$/, 'takes a region such as US (ISO 3166-1)'));
const prefixes = z
	.array(z.string().check(z.regex(/^\+[1-9]\d{0,13}$/, 'takes the beginning of numbers such as +1605475, or none')))
	.check(z.maxLength(200, 'takes at most 200 prefixes'));
const member = z
	.string()
	.check(
		z.refine(
			(text) => (readMember(text).name ?? '').length <= MOST_NAME_CHARACTERS,
			`takes names of at most ${MOST_NAME_CHARACTERS} characters, as in "Ida Wells:+13125550101"`,
		),
	);
const lookSettings = z.partial(
	z.object({
		accent: z.nullable(
			z.string().check(z.toLowerCase(), z.regex(ACCENT_PATTERN, 'takes a colour such as #1c3d8f, or none')),
		),
		greeting: z.nullable(z.pipe(z.string().check(z.overwrite(visibleLine)), text(MOST_GREETING_CHARACTERS))),
	}),
);
const limit = z.int('takes a whole number').check(z.gte(0, 'is at least 0'), z.lte(MOST, `is at most ${MOST}`));

/** A time zone is stored under its current name. */
const timeZone = z.string().check(
	z.overwrite((text) => timeZoneName(text) ?? text),
	z.refine((text) => timeZoneName(text) !== null, 'takes a time zone such as Europe/Berlin'),
);

/**
 * A time with an offset. The time is stored in the format of our responses. A date alone is refused, because it does not
 * say in which zone the day begins.
 */
const moment = z.string().check(
	z.overwrite((text) => (text.includes(':') && storedForm(text)) || text),
	z.refine((text) => storedForm(text) === text, 'takes a time such as 2026-12-24T17:00:00Z, or none'),
);
function storedForm(text: string): string | null {
	const epochMs = parseInstant(text);
	return epochMs === null ? null : timestampOf(epochMs);
}

const OpenInterval = z
	.object({
		weekday: z.literal([0, 1, 2, 3, 4, 5, 6]),
		from_minute: z.int().check(z.gte(0), z.lt(DAY_MINUTES)),
		/** A value above 1440 is a time of the next day. */
		to_minute: z.int().check(z.gt(0), z.lte(2 * DAY_MINUTES)),
	})
	.check(
		z.refine(({ from_minute, to_minute }) => {
			return to_minute > from_minute && to_minute - from_minute <= DAY_MINUTES;
		}, 'must end after it begins'),
	);

export const BusinessHours = z.object({
	weekly: z.array(OpenInterval).check(z.minLength(1, 'takes at least one opening'), z.maxLength(100)),
	// Zod's `iso.date` is not used, because it would add zod's times and durations to the bundle.
	holidays: z
		.array(z.string().check(z.refine(isDate, 'takes a date such as 2026-12-25')))
		.check(z.maxLength(400, 'takes at most 400 dates')),
});

export const WorkspaceSettings = z.partial(
	z.object({
		name: z.pipe(z.string().check(z.overwrite(visibleLine)), text(100)),
		region,
		time_zone: timeZone,
		language: z.enum(languages, `is one of ${languages.join(', ')}`),
		calls_enabled: z.boolean(),
		origins: z
			.array(
				z
					.string()
					.check(z.refine(isStorableOrigin, 'takes an exact origin such as https://shop.example, without a path')),
			)
			.check(z.maxLength(MOST_ORIGINS, `takes at most ${MOST_ORIGINS} origins`)),
		allowed_regions: z.array(region).check(z.maxLength(300, 'takes at most 300 regions')),
		allowed_prefixes: prefixes,
		refused_prefixes: prefixes,
		/**
		 * `<name>:<number>`, or a number alone, in international format. Numbers are stored encrypted; names and masked
		 * numbers stay readable.
		 */
		team: z.array(member).check(z.maxLength(MOST_MEMBERS, `takes at most ${MOST_MEMBERS} numbers`)),
		team_email: z.nullable(z.string().check(z.refine(isEmailAddress, 'takes an e-mail address, or none'))),
		tells_missed_calls: z.boolean(),
		caller_number: z.nullable(
			z.string().check(z.regex(E164, 'takes a number in international format such as +13125550101, or none')),
		),
		ring_strategy: z.enum(ringStrategies, `is one of ${ringStrategies.join(', ')}`),
		ring_order: z.enum(ringOrders, `is one of ${ringOrders.join(', ')}`),
		limits: z.partialRecord(z.enum(limitNames), limit),
		business_hours: z.nullable(BusinessHours),
		/** The team is closed until this time, also during its opening hours. Null if the team has not paused. */
		paused_until: z.nullable(moment),
		consent_text: consentText,
		/**
		 * Each value replaces one text, and null restores the default of that text. If the whole object is null, all
		 * defaults are restored.
		 */
		consent_texts: z.nullable(
			z.partialRecord(z.enum(languages), z.partialRecord(z.enum(consentCases), z.nullable(consentText))),
		),
		/**
		 * For each language: whether the workspace's own text for a call also allows a call back. This setting is valid
		 * until the text changes.
		 */
		covers_call_back: z.partialRecord(z.enum(languages), z.boolean()),
		/** The look of the widget. A value that is absent is not changed, and null restores our default. */
		look: lookSettings,
		/**
		 * Each value replaces the link of one language, and null removes the link. If the whole object is null, all links
		 * are removed.
		 */
		privacy_links: z.nullable(
			z.partialRecord(
				z.enum(languages),
				z.nullable(
					z.string().check(
						z.overwrite((text) => parsePrivacyLink(text) ?? text),
						z.refine((text) => parsePrivacyLink(text) !== null, 'takes https addresses of at most 2048 characters'),
					),
				),
			),
		),
	}),
);
export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;
