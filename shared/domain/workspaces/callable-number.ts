import type { PhoneNumber, PhoneType } from '../kernel/phone-number.ts';

/**
 * North American exchanges that share their call revenue with those who attract calls ("traffic pumping", access
 * stimulation: 47 CFR 61.3(bbb)). They host free conferences and chat lines, where no visitor can be reached. The list is
 * incomplete; a workspace can refuse further prefixes and allow any of these.
 */
const TRAFFIC_PUMPING: readonly string[] = [
	'218339',
	'218844',
	'218862',
	'530881',
	'559726',
	'605313',
	'605468',
	'605475',
	'605477',
	'605562',
	'641715',
	'712432',
	'712451',
	'712770',
	'712775',
	'712832',
].map((exchange) => `+1${exchange}`);

/** Exchange 976 is premium in every North American area code; the numbering plans do not show that. */
const PREMIUM_EXCHANGE = /^\+1\d{3}976/;
/** The length of `+1`, an area code and the exchange. */
const PREMIUM_CHARACTERS = 8;
const NORTH_AMERICA = '1';

/** A workspace's settings for the numbers it calls. Prefixes are the beginnings of E.164 numbers. */
export type CallingRules = {
	readonly allowed_regions: readonly string[];
	readonly allowed_prefixes: readonly string[];
	readonly refused_prefixes: readonly string[];
};

/**
 * Whether a public route may call this number. Only ordinary lines qualify: premium, shared-cost and satellite numbers cost
 * many times as much, and no visitor waits at other types. Regions count, not calling codes: +1 876 is Jamaica, not the
 * United States.
 */
export function refusalToCall(
	phone: PhoneNumber,
	rules: CallingRules,
): 'phone_not_callable' | 'country_not_allowed' | null {
	if (phone.type !== 'mobile' && phone.type !== 'fixed') return 'phone_not_callable';
	if (!rules.allowed_regions.includes(phone.region)) return 'country_not_allowed';
	return hasRefusedPrefix(beginningsOf(phone.e164), rules) ? 'phone_not_callable' : null;
}

/** What the rules need to know of a number. Hashes of its beginnings answer that too, so a stored number stays sealed. */
export type Beginnings = {
	readonly begins: (prefix: string) => boolean;
	/** Whether its exchange is premium, which no plan shows. */
	readonly is_premium_exchange: boolean;
};
export const beginningsOf = (e164: string): Beginnings => ({
	begins: (prefix) => e164.startsWith(prefix),
	is_premium_exchange: PREMIUM_EXCHANGE.test(e164),
});

const COSTLY: readonly PhoneType[] = ['premium', 'shared_cost', 'satellite'];

/** Whether calling this number back costs more than a usual call: then no phone should show it. */
export const costsMoreToCall = ({ type, e164 }: PhoneNumber): boolean =>
	COSTLY.includes(type) || beginningsOf(e164).is_premium_exchange;

/**
 * Whether a team member's phone may be rung: the rules for visitors, and the workspace's own region is always allowed. A thief
 * with a session of the desk could otherwise enter a premium number as a member, and ask for calls.
 */
export const mayBeRung = (phone: PhoneNumber, rules: CallingRules & { readonly region: string }): boolean =>
	isMembersLine(phone, rules) && !hasRefusedPrefix(beginningsOf(phone.e164), rules);

/** The part of `mayBeRung` that region and type decide. */
export const isMembersLine = (
	{ region, type }: Pick<PhoneNumber, 'region' | 'type'>,
	rules: Pick<CallingRules, 'allowed_regions'> & { readonly region: string },
): boolean => (type === 'mobile' || type === 'fixed') && [...rules.allowed_regions, rules.region].includes(region);

/** The longest prefix decides. Of equal ones: the workspace's own over ours, a refusal over an allowance. */
export function hasRefusedPrefix(
	{ begins, is_premium_exchange }: Beginnings,
	{ allowed_prefixes, refused_prefixes }: Pick<CallingRules, 'allowed_prefixes' | 'refused_prefixes'>,
): boolean {
	const longest = (prefixes: readonly string[]): number =>
		Math.max(0, ...prefixes.filter(begins).map(({ length }) => length));
	const ours = is_premium_exchange ? PREMIUM_CHARACTERS : longest(TRAFFIC_PUMPING);
	const longestRefused = longest(refused_prefixes);
	const longestAllowed = longest(allowed_prefixes);
	return Math.max(longestRefused, ours) > longestAllowed || (longestRefused > 0 && longestRefused === longestAllowed);
}

/**
 * A regular expression for the beginnings of refused numbers, after the calling code; empty if there are none. It also
 * matches numbers that a workspace allows in spite of a refused prefix.
 */
export function refusedBeginnings(callingCode: string, { refused_prefixes }: Pick<CallingRules, 'refused_prefixes'>) {
	const code = `+${callingCode}`;
	if (refused_prefixes.some((prefix) => code.startsWith(prefix))) return '\\d';
	const prefixes = [...TRAFFIC_PUMPING, ...refused_prefixes].filter((prefix) => prefix.startsWith(code));
	const premium = callingCode === NORTH_AMERICA ? ['\\d{3}976'] : [];
	return [...premium, ...prefixes.map((prefix) => prefix.slice(code.length))].join('|');
}
