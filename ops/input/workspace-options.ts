import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import { WorkspaceSettings } from '../../shared/contract/workspaces/workspace.ts';
import { DEFAULT_LIMITS, type LimitName, limitNames } from '../../shared/domain/access/limits.ts';
import { costsMoreToCall } from '../../shared/domain/workspaces/callable-number.ts';
import { PLAIN_CONSENT } from '../../shared/domain/workspaces/consent-text.ts';
import { languages } from '../../shared/domain/workspaces/language.ts';
import {
	type BusinessHours,
	ringOrders,
	ringStrategies,
	type Workspace,
} from '../../shared/domain/workspaces/workspace.ts';
import { collect, wholeNumber } from '../command.ts';
import { OperatorError } from '../operator-error.ts';
import { intervalsOf } from './business-hours.ts';

export type OptionValues = Readonly<Record<string, unknown>>;

const LIMITS = 'Limits (whole numbers):';
const one = (flags: string, help: string) => new Option(flags, help);
const many = (flags: string, help: string) => new Option(flags, `${help}; repeatable`).argParser(collect);
const limit = (name: LimitName) =>
	one(`--${name.replaceAll('_', '-')} <n>`, `(default: ${DEFAULT_LIMITS[name]})`)
		.argParser(wholeNumber)
		.helpGroup(LIMITS);

// The option for each field of a workspace. If an option may be given several times, its values replace the whole list.

const plain = {
	name: one('--name <text>', 'name of the workspace'),
	region: one('--region <code>', 'where the team is, such as US (ISO 3166-1)'),
	language: one('--language <code>', 'what the team reads (a new workspace: the language of its region)').choices(
		languages,
	),
	time_zone: one('--time-zone <zone>', 'of the team, such as Europe/Berlin (a new workspace: that of its region)'),
	ring_strategy: one('--ring-strategy <strategy>', 'how the team is rung').choices(ringStrategies),
	ring_order: one('--ring-order <order>', 'who is rung first').choices(ringOrders),
	consent_text: one('--consent-text <text>', 'what the visitor agrees to, in every language and case, or none'),
	origins: many('--origin <origin>', 'a site that may show the widget, such as https://shop.example'),
	allowed_regions: many('--allowed-region <code>', 'a region that is called (default: the workspace’s own)'),
	team: many('--team <member>', 'a member, "Ida Wells:+1202…", or a number alone, in the order of ringing'),
};
const prefixes = {
	allowed_prefixes: many('--allow-prefix <digits>', 'first digits of numbers we call anyway: +1605475, or none'),
	refused_prefixes: many('--refuse-prefix <digits>', 'first digits of numbers we do not call: +1212, or none'),
};
const consents = {
	consent_texts: many(
		'--consent <text>',
		'what a visitor agrees to in one language, for a call now or a callback: "de:lead:Ich …", "de:lead:none" (ours again), or none',
	),
};
const covers = {
	covers_call_back: many(
		'--covers-call-back <language>',
		'the workspace’s own text for a call in this language also allows one call back by the end of the next day: "de", or "de:no"',
	),
};
const links = {
	privacy_links: many(
		'--privacy-link <link>',
		'the page about privacy in one language: "de:https://shop.example/datenschutz", "de:none", or none',
	),
};
const look = {
	accent: one('--accent <colour>', 'the colour of the widget, such as "#1c3d8f", or none'),
	greeting: one('--greeting <text>', 'the sentence above the widget’s form, or none'),
};
const limits = Object.fromEntries(limitNames.map((name) => [name, limit(name)]));
const hours = {
	weekly: many('--hours <opening>', 'opening hours, such as "mon-fri 09:00-17:30", or always'),
	holidays: many('--holiday <date>', 'a date without opening hours, such as 2026-12-25, or none'),
};
const calls_enabled = one('--calls <state>', 'the kill switch').choices(['on', 'off']);
const paused_until = one('--paused-until <time>', 'closed until this time, such as 2026-12-24T17:00:00Z, or none');
const tells_missed_calls = one('--missed-calls <state>', 'tell the team about missed calls').choices(['on', 'off']);
const caller_number = one('--caller-number <number>', 'what phones show when we call, such as +13125550101, or none');
const team_email = one('--team-email <address>', 'where messages for the team go, or none');

const optionOf: Readonly<Record<string, Option>> = {
	...plain,
	...prefixes,
	...consents,
	...covers,
	...links,
	...look,
	calls_enabled,
	...hours,
	paused_until,
	team_email,
	tells_missed_calls,
	caller_number,
	...limits,
};

export function addSettings(command: CommandUnknownOpts): void {
	for (const option of Object.values(optionOf)) command.addOption(option);
}

/**
 * Reads the settings from the options and checks them with the schema. If a setting is invalid, throws an `OperatorError`
 * that names its option.
 */
export function settingsFromOptions(values: OptionValues, before: Workspace | null): WorkspaceSettings {
	const settings = {
		...pick(values, plain),
		...pick(values, { consent_text: plain.consent_text }, (text) => (text === 'none' ? PLAIN_CONSENT : text)),
		...pick(values, consents, consentTexts),
		...pick(values, covers, (value) => coveredLanguages(textsOf(value) ?? [])),
		...pick(values, links, privacyLinks),
		...pick(values, prefixes, orNone),
		...pick(values, { calls_enabled, tells_missed_calls }, (state) => state === 'on'),
		...pick(values, { paused_until, team_email }, (value) => (value === 'none' ? null : value)),
		...pick(values, { caller_number }, callerNumber),
		...lookSettings(values),
		limits: pick(values, limits),
		...businessHours(values, before?.business_hours ?? null),
	};
	const outcome = WorkspaceSettings.safeParse(settings);
	if (outcome.success) return outcome.data;
	const [issue] = outcome.error.issues;
	const field = issue?.path.findLast((step) => typeof step === 'string' && Object.hasOwn(optionOf, step));
	throw new OperatorError(`${optionOf[String(field)]?.long ?? 'a setting'} ${issue?.message ?? 'is not valid'}`);
}

/** The colour and the greeting of the widget, as far as the options set them. */
function lookSettings(values: OptionValues): { readonly look?: Record<string, unknown> } {
	const parts = pick(values, look, (value) => (value === 'none' ? null : value));
	return Object.keys(parts).length === 0 ? {} : { look: parts };
}

function pick(
	values: OptionValues,
	by: Readonly<Record<string, Option>>,
	readValue: (value: unknown) => unknown = (value) => value,
): Record<string, unknown> {
	const options: Record<string, unknown> = {};
	for (const [field, option] of Object.entries(by)) {
		const value = values[option.attributeName()];
		if (value !== undefined) options[field] = readValue(value);
	}
	return options;
}

const CONSENT = /^(?<language>[a-z]+):(?<purpose>call|lead):(?<text>.+)$/s;

/**
 * The texts from `--consent`, by language and purpose. With the value `none`, the text of that language and purpose is
 * removed. If `none` is the only value of the option, all texts are removed.
 */
function consentTexts(value: unknown): unknown {
	if (isOnly(value, 'none')) return null;
	const texts: Record<string, Record<string, string | null>> = {};
	for (const entry of textsOf(value) ?? []) {
		const { language, purpose, text } = CONSENT.exec(entry)?.groups ?? {};
		if (language === undefined || purpose === undefined || text === undefined) {
			throw new OperatorError('--consent takes <language>:<call or lead>:<text>, such as "de:lead:Ich …", or none');
		}
		texts[language] = { ...texts[language], [purpose]: text.trim() === 'none' ? null : text };
	}
	return texts;
}

/**
 * For each language, whether the consent text in this language also allows a call back. The option's value is `de` if the
 * German text allows a call back, and `de:no` if not.
 */
const coveredLanguages = (entries: readonly string[]): Record<string, boolean> =>
	Object.fromEntries(entries.map((entry) => [coveredLanguage(entry.replace(/:no$/, '')), !entry.endsWith(':no')]));

/** Checks the language here, because zod's schema for an object with any keys ignores some keys, such as `__proto__`. */
function coveredLanguage(language: string): string {
	if (languages.some((known) => known === language)) return language;
	throw new OperatorError(`--covers-call-back takes one of ${languages.join(', ')}, or one of them with ":no"`);
}

/**
 * Reads a caller number. Also accepts a number that no numbering plan contains, because a provider may already offer such a
 * number.
 */
function callerNumber(value: unknown): unknown {
	if (value === 'none') return null;
	const phone = phoneNumbers.parse(String(value));
	if (!('refused' in phone) && costsMoreToCall(phone))
		throw new OperatorError('--caller-number takes a number that costs no more than a usual call');
	return value;
}

const LINK = /^(?<language>[a-z]{2}):(?<link>.+)$/s;

/**
 * The links from `--privacy-link`, by language. With the value `none`, the link of that language is removed. If `none` is the
 * only value of the option, all links are removed.
 */
function privacyLinks(value: unknown): unknown {
	if (isOnly(value, 'none')) return null;
	const links = (textsOf(value) ?? []).map((entry) => {
		const { language, link } = LINK.exec(entry)?.groups ?? {};
		if (language === undefined || link === undefined) {
			throw new OperatorError('--privacy-link takes <language>:<https address>, <language>:none, or none');
		}
		return [language, link.trim() === 'none' ? null : link.trim()] as const;
	});
	return Object.fromEntries(links);
}

/** The list of an option's values. If `none` is the only value, the list is empty. */
const orNone = (value: unknown): unknown => (isOnly(value, 'none') ? [] : value);
const isOnly = (value: unknown, word: string): boolean =>
	Array.isArray(value) && value.length === 1 && value[0] === word;
const textsOf = (value: unknown): readonly string[] | undefined =>
	Array.isArray(value) ? value.map(String) : undefined;

type Hours = { readonly business_hours?: BusinessHours | null };

/** The opening hours that the options set. If only holidays are given, the existing weekly hours stay. */
function businessHours(values: OptionValues, before: BusinessHours | null): Hours {
	const { weekly: openings, holidays: dates } = pick(values, hours);
	if (isOnly(openings, 'always')) {
		if (dates !== undefined) throw new OperatorError('--holiday cannot be given with --hours always');
		return { business_hours: null };
	}
	if (openings === undefined && dates === undefined) return {};
	const weekly = textsOf(openings)?.flatMap(intervalsOf) ?? before?.weekly;
	if (weekly === undefined) throw new OperatorError('--holiday needs --hours: the workspace is always open');
	const holidays = isOnly(dates, 'none') ? [] : [...new Set(textsOf(dates) ?? before?.holidays ?? [])].sort();
	return { business_hours: { weekly, holidays } };
}
