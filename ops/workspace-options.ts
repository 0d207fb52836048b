import { WorkspaceSettings } from '../shared/contract/workspaces/workspace.ts';
import {
	type BusinessHours,
	limitNames,
	type OpenInterval,
	type Workspace,
} from '../shared/domain/workspaces/workspace.ts';
import { OperatorError, type OptionValues, optionalCount, optionalText, string, texts } from './command.ts';

const many = { type: 'string', multiple: true } as const;

/** Option -> field, for what goes over as it is. */
const plain = { name: 'name', region: 'region', 'consent-text': 'consent_text' } as const;
const chosen = { 'ring-strategy': 'ring_strategy', 'ring-order': 'ring_order' } as const;
const lists = { origin: 'origins', 'allowed-region': 'allowed_regions', team: 'team' } as const;
const prefixes = { 'allow-prefix': 'allowed_prefixes', 'refuse-prefix': 'refused_prefixes' } as const;
/** `--calls-per-day` for `calls_per_day`. */
const limits = Object.fromEntries(limitNames.map((name) => [name.replaceAll('_', '-'), name]));
const hours = { hours: 'weekly', 'time-zone': 'time_zone', holiday: 'holidays' } as const;
const fields = { ...plain, ...chosen, ...lists, ...prefixes, ...limits, ...hours, 'team-email': 'team_email' } as const;

const names = (of: object): string[] => Object.keys(of);

export const settingOptions = {
	...Object.fromEntries([...names(plain), ...names(chosen), ...names(limits)].map((name) => [name, string])),
	...Object.fromEntries([...names(lists), ...names(prefixes), 'hours', 'holiday'].map((name) => [name, many])),
	calls: string,
	'time-zone': string,
	'team-email': string,
};

export const SETTINGS_HELP = `[--name N] [--region US] [--calls on|off] [--origin https://shop.example …] [--allowed-region US …]
      [--allow-prefix +1605475 … | none] [--refuse-prefix +1212 … | none]
      [--team +1202… …] [--ring-strategy simultaneous|sequential|round_robin] [--ring-order agent_first|visitor_first]
      [--hours "mon-fri 09:00-17:30" … | --hours always] [--time-zone Europe/Berlin] [--holiday 2026-12-25 … | --holiday none]
      ${names(limits)
				.map((name) => `[--${name} N]`)
				.join(' ')}
      [--consent-text …] [--team-email ADDRESS|none]
      (an option that may be repeated replaces the whole list)`;

/** What the options set, held to the schema; an `OperatorError` names the option that is wrong. */
export function settingsOf(options: OptionValues, before: Workspace | null): WorkspaceSettings {
	const given = {
		...pick(options, { ...plain, ...chosen }, optionalText),
		...pick(options, lists, optionalTexts),
		...pick(options, prefixes, listOrNone),
		...onOff(options),
		...email(options),
		limits: pick(options, limits, optionalCount),
		...businessHours(options, before?.business_hours ?? null),
	};
	const parsed = WorkspaceSettings.safeParse(given);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const field = issue?.path.findLast((step) => typeof step === 'string');
	const option = Object.entries(fields).find(([, name]) => name === field)?.[0] ?? String(field);
	throw new OperatorError(`--${option} ${issue?.message ?? 'is not valid'}`);
}

function pick<T>(
	options: OptionValues,
	by: Readonly<Record<string, string>>,
	read: (options: OptionValues, name: string) => T | undefined,
): Record<string, T> {
	const found: Record<string, T> = {};
	for (const [option, field] of Object.entries(by)) {
		const value = read(options, option);
		if (value !== undefined) found[field] = value;
	}
	return found;
}

function optionalTexts(options: OptionValues, name: string): readonly string[] | undefined {
	return options[name] === undefined ? undefined : texts(options, name);
}

/** `none` empties the list. */
function listOrNone(options: OptionValues, name: string): readonly string[] | undefined {
	const given = optionalTexts(options, name);
	return given?.length === 1 && given[0] === 'none' ? [] : given;
}

/** The kill switch. */
function onOff(options: OptionValues): { readonly calls_enabled?: boolean } {
	const calls = optionalText(options, 'calls');
	if (calls === undefined) return {};
	if (calls !== 'on' && calls !== 'off') throw new OperatorError('--calls is one of on, off');
	return { calls_enabled: calls === 'on' };
}

function email(options: OptionValues): { readonly team_email?: string | null } {
	const given = optionalText(options, 'team-email');
	return given === undefined ? {} : { team_email: given === 'none' ? null : given };
}

type Hours = { readonly business_hours?: BusinessHours | null };

/** New hours, or the earlier ones with another zone or other holidays. */
function businessHours(options: OptionValues, before: BusinessHours | null): Hours {
	const openings = optionalTexts(options, 'hours');
	const zone = optionalText(options, 'time-zone');
	const dates = optionalTexts(options, 'holiday');
	if (openings?.length === 1 && openings[0] === 'always') {
		if (zone !== undefined || dates !== undefined) {
			throw new OperatorError('--hours always has no time zone and no holidays');
		}
		return { business_hours: null };
	}
	if (openings === undefined && zone === undefined && dates === undefined) return {};
	const weekly = openings?.flatMap(intervalsOf) ?? before?.weekly;
	if (weekly === undefined) throw new OperatorError('--time-zone and --holiday need --hours: it is always open');
	const time_zone = zone ?? before?.time_zone;
	if (time_zone === undefined) throw new OperatorError('--hours needs a --time-zone such as Europe/Berlin');
	const none = dates?.length === 1 && dates[0] === 'none';
	const holidays = none ? [] : [...new Set(dates ?? before?.holidays ?? [])].sort();
	return { business_hours: { time_zone, weekly, holidays } };
}

const DAYS: readonly string[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const OPENING = /^([a-z]{3})(?:-([a-z]{3}))? (\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/** `mon-fri 09:00-17:30`, `sat 10:00-14:00`, `fri 22:00-02:00` (into Saturday), `sun 00:00-24:00`. */
function intervalsOf(opening: string): readonly OpenInterval[] {
	const [, first = '', last = first, ...clock] = OPENING.exec(opening.toLowerCase()) ?? [];
	const [from, to] = [DAYS.indexOf(first), DAYS.indexOf(last)];
	const [h1 = 0, m1 = 0, h2 = 0, m2 = 0] = clock.map(Number);
	const from_minute = h1 * 60 + m1;
	const end_minute = h2 * 60 + m2;
	if (from < 0 || to < 0 || m1 > 59 || m2 > 59 || from_minute >= 1440 || end_minute > 1440) {
		throw new OperatorError(`--hours takes openings such as "mon-fri 09:00-17:30", not "${opening}"`);
	}
	const to_minute = end_minute > from_minute ? end_minute : end_minute + 1440;
	const days = (to - from + 7) % 7;
	return WEEKDAYS.filter((weekday) => (weekday - from + 7) % 7 <= days).map((weekday) => {
		return { weekday, from_minute, to_minute };
	});
}
