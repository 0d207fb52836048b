// Settings with the most extreme values that a form or a command accepts.

/**
 * For each country: language, region, time zone, and a mobile number without its last digit. The team's numbers begin with this
 * number.
 */
export const COUNTRIES = [
	['de', 'DE', 'Europe/Berlin', '+491512345678'],
	['ar', 'EG', 'Africa/Cairo', '+20100123456'],
	['tr', 'TR', 'Europe/Istanbul', '+90501234567'],
	['en', 'GB', 'Europe/London', '+44740012345'],
	['es', 'MX', 'America/Mexico_City', '+52551234567'],
	['fr', 'FR', 'Europe/Paris', '+3361234567'],
	['it', 'IT', 'Europe/Rome', '+39312345678'],
	['nl', 'NL', 'Europe/Amsterdam', '+3161234567'],
	['pt', 'BR', 'America/Sao_Paulo', '+551196123456'],
	['pl', 'PL', 'Europe/Warsaw', '+4851234567'],
] as const;
/** The forms of the desk that change settings. */
export const SETTINGS = ['hours', 'ringing', 'site', 'look', 'consent', 'notices'];
const REGIONS =
	'US CA MX BR AR CL CO PE GB IE FR DE AT CH NL BE LU DK SE NO FI IS PL CZ SK HU RO BG GR TR CY MT IT ' +
	'ES PT UA RU KZ GE AM AZ IL EG MA DZ TN ZA NG KE IN PK BD LK CN JP KR TW HK SG MY TH VN ID PH AU NZ';

export type Country = (typeof COUNTRIES)[number];

/**
 * The flags with which an operator creates a shop in a country, with texts in its language. `nth`: the number of the shop; every
 * second one is paused.
 */
export function settingsOf(
	[language, region, time_zone, number]: Country,
	origin: string,
	nth: number,
): readonly string[] {
	const texts = ['call', 'lead'].flatMap((purpose) => [
		'--consent',
		`${language}:${purpose}:${purpose} „${language}“ ✓`,
	]);
	const paused = `2026-12-24T17:00:00${nth === 0 ? '' : '.123456'}Z`;
	return [
		...['--region', region, '--time-zone', time_zone, '--language', language, '--ring-strategy', 'round_robin'],
		...['Âge', 'İlk', 'Ørn'].flatMap((member, n) => ['--team', `${member}:${number}${n + 1}`]),
		...['mon-thu 09:00-12:00', 'mon-thu 13:00-18:30', 'fri 22:00-02:00'].flatMap((hours) => ['--hours', hours]),
		...['2026-12-24', '2027-01-01', '2027-05-09'].flatMap((day) => ['--holiday', day]),
		...texts,
		...['--covers-call-back', language, '--privacy-link', `${language}:${origin}/privacy?a=1&b=2`],
		...['--accent', '#0a6c4d', '--greeting', '“Hi” & <hello>', '--team-email', `team@${language}.example`],
		...(nth % 2 === 0 ? ['--missed-calls', 'off', '--paused-until', paused] : []),
	];
}

const times = <T>(count: number, each: (n: number) => readonly T[]): readonly T[] =>
	Array.from({ length: count }, (_, n) => each(n)).flat();
const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** The flags of a shop in which every setting is as long as possible, and every limit is 0. */
export const widestSettings = (pausedUntil: string): readonly string[] => [
	...['--region', 'US', '--time-zone', 'Pacific/Auckland', '--language', 'en', '--calls', 'off'],
	...times(19, (n) => ['--origin', `https://site-${n}.${'long-'.repeat(10)}example:${8000 + n}`]),
	...times(20, (n) => ['--team', `${'M'.repeat(58)}${twoDigits(n)}:+131255501${twoDigits(n)}`]),
	...REGIONS.split(' ').flatMap((each) => ['--allowed-region', each]),
	...times(200, (n) => ['--allow-prefix', `+1605${1000 + n}`, '--refuse-prefix', `+1606${1000 + n}`]),
	...times(14, (n) => ['--hours', `mon-sun ${twoDigits(n)}:00-${twoDigits(n)}:59`]),
	...times(400, (n) => ['--holiday', new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10)]),
	...['en', 'ar'].flatMap((language) => ['--consent', `${language}:call:${'ü'.repeat(2000)}`]),
	...['--privacy-link', `en:https://widest.example/${'p'.repeat(2000)}`, '--greeting', 'g'.repeat(120)],
	...['--accent', '#FFFFFF', '--team-email', `${'t'.repeat(60)}@widest.example`, '--caller-number', '+13125550199'],
	...['--requests-per-address-per-window', '--calls-per-day', '--leads-per-day'].flatMap((limit) => [limit, '0']),
	...['--paused-until', pausedUntil, '--ring-order', 'visitor_first'],
];
