import type { PhoneNumber, PhoneType } from '../kernel/phone-number.ts';

/**
 * North American exchanges that share the revenue from calls with businesses that attract many calls ("traffic pumping",
 * access stimulation: 47 CFR 61.3(bbb)). Such exchanges are used for free conferences and chat lines, where no visitor can
 * be reached. The list is incomplete. A workspace can refuse further prefixes, and can allow any prefix in the list.
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

/** In every North American area code, exchange 976 is premium. The numbering plans do not show this. */
const PREMIUM_EXCHANGE = /^\+1\d{3}976/;
/** The length of `+1`, an area code and the exchange. */
const PREMIUM_CHARACTERS = 8;
const NORTH_AMERICA = '1';

/** Which numbers a workspace calls. Prefixes are the beginnings of E.164 numbers. */
export type CallingRules = {
	readonly allowed_regions: readonly string[];
	readonly allowed_prefixes: readonly string[];
	readonly refused_prefixes: readonly string[];
};

/**
 * Why a public route may not call this number. Only ordinary lines may be called: premium, shared-cost and satellite numbers
 * cost many times as much, and no visitor answers at a free-phone, pager or voicemail number. The region decides, and not
 * the calling code: +1 876 is Jamaica, not the United States.
 */
export function refusalToCall(
	phone: PhoneNumber,
	rules: CallingRules,
): 'phone_not_callable' | 'country_not_allowed' | null {
	if (phone.type !== 'mobile' && phone.type !== 'fixed') return 'phone_not_callable';
	if (!rules.allowed_regions.includes(phone.region)) return 'country_not_allowed';
	return hasRefusedPrefix(beginningsOf(phone.e164), rules) ? 'phone_not_callable' : null;
}

/**
 * What the rules need to know about a number. Both fields can be computed from hashes of the number's beginnings, so that a
 * stored number can stay encrypted.
 */
export type Beginnings = {
	readonly begins: (prefix: string) => boolean;
	/** Whether the number's exchange is premium. Numbering plans do not show this. */
	readonly is_premium_exchange: boolean;
};
export const beginningsOf = (e164: string): Beginnings => ({
	begins: (prefix) => e164.startsWith(prefix),
	is_premium_exchange: PREMIUM_EXCHANGE.test(e164),
});

const COSTLY: readonly PhoneType[] = ['premium', 'shared_cost', 'satellite'];

/** Whether it costs more than usual to call this number back. Such a number must not be shown as the caller. */
export const costsMoreToCall = ({ type, e164 }: PhoneNumber): boolean =>
	COSTLY.includes(type) || beginningsOf(e164).is_premium_exchange;

/**
 * Whether a team member's phone may be rung. The rules are the same as for visitors' numbers, but the workspace's own
 * region is always allowed. Without these rules, a thief with a stolen session of the desk could enter a premium number as
 * a member and request calls.
 */
export const mayBeRung = (phone: PhoneNumber, rules: CallingRules & { readonly region: string }): boolean =>
	isMembersLine(phone, rules) && !hasRefusedPrefix(beginningsOf(phone.e164), rules);

/** The part of `mayBeRung` that depends only on region and type. */
export const isMembersLine = (
	{ region, type }: Pick<PhoneNumber, 'region' | 'type'>,
	rules: Pick<CallingRules, 'allowed_regions'> & { readonly region: string },
): boolean => (type === 'mobile' || type === 'fixed') && [...rules.allowed_regions, rules.region].includes(region);

/**
 * Whether the rules refuse a number because of its beginning. The longest matching prefix decides. If two matching prefixes
 * are equally long, the workspace's prefix counts more than our own, and the workspace's refusal counts more than its
 * allowance.
 */
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
 * A regular expression that matches, after the calling code, the beginnings of refused numbers. Empty if no beginning is
 * refused. The expression also matches numbers that a workspace allows although a shorter prefix refuses them.
 */
export function refusedBeginnings(callingCode: string, { refused_prefixes }: Pick<CallingRules, 'refused_prefixes'>) {
	const code = `+${callingCode}`;
	if (refused_prefixes.some((prefix) => code.startsWith(prefix))) return '\\d';
	const prefixes = [...TRAFFIC_PUMPING, ...refused_prefixes].filter((prefix) => prefix.startsWith(code));
	const premium = callingCode === NORTH_AMERICA ? ['\\d{3}976'] : [];
	return [...premium, ...prefixes.map((prefix) => prefix.slice(code.length))].join('|');
}
