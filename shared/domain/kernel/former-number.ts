/** A way to write a number that the country's plan has given up, over the digits of the number in E.164 without `+`. */
export type FormerRule = {
	/** A regular expression for what has changed. */
	readonly pattern: string;
	/** The replacement, in the syntax of `String.prototype.replace`. */
	readonly now: string;
};

/** The calling code, then pairs: what follows it in the former plan, and what follows it today. */
type Plan = readonly [code: string, ...changes: (readonly [former: string, now: string])[]];

/** Countries that dialled 8 before a number of their own, as the Soviet Union did, and now dial 0 or nothing. */
const SOVIET_TRUNK = (code: string, digits: string): Plan => [code, [`8(?=${digits}$)`, '']];

/**
 * By the region whose numbers have changed: what people still write, from business cards and old address books, where one
 * meaning is left. A country is missing if its present numbers look like the former ones, or if the new digits depend
 * on more than the old ones, such as on the operator.
 */
const PLANS: Readonly<Record<string, Plan>> = {
	AM: SOVIET_TRUNK('374', '0?[1-9]\\d{7}'),
	// A mobile number has a 9 before its area code from abroad, and a 15 behind it at home. Some write both, or the 0, too.
	AR: ['54', ['9(?=0?\\d{2,4}15\\d{6,8}$)', ''], ['90(?=\\d{10}$)', '9'], ['0?15(?=\\d{10}$)', '9']],
	AZ: SOVIET_TRUNK('994', '0?[1-9]\\d{8}'),
	// 2024: 01 before every number.
	BJ: ['229', ['(?=[2-9]\\d{7}$)', '01']],
	// 2012 to 2016: a ninth digit for mobile numbers.
	BR: ['55', ['0?([1-9]\\d)(?=[6-9]\\d{7}$)', '$19']],
	// 2007: Zurich's 01 became 044.
	CH: ['41', ['0?1(?=[2-9]\\d{6}$)', '44']],
	// 2021: two digits for the operator, which follow from the number's second digit, or from a fixed line's third.
	CI: [
		'225',
		['(?=[04-9][0-3]\\d{6}$)', '01'],
		['(?=[04-9][4-6]\\d{6}$)', '05'],
		['(?=[04-9][7-9]\\d{6}$)', '07'],
		['(?=2\\d8\\d{5}$)', '21'],
		['(?=[23]\\d0\\d{5}$)', '25'],
		['(?=(?:2\\d[1-79]|3\\d[1-9])\\d{5}$)', '27'],
	],
	// 2012 in Santiago; mobile numbers lost the 0, and got their 9 at home.
	CL: ['56', ['0?2(?=[2-9]\\d{6}$)', '22'], ['0(?=9\\d{8}$)', ''], ['(?=[89]\\d{7}$)', '9']],
	// 2014: 6 for mobile numbers, 2 for fixed ones.
	CM: ['237', ['(?=[5-79]\\d{7}$)', '6'], ['(?=[23]\\d{7}$)', '2']],
	// 2021: 60 before an area code.
	CO: ['57', ['0?(?=[124-8]\\d{7}$)', '60']],
	// 2008.
	CR: ['506', ['(?=[24-7]\\d{6}$)', '2'], ['(?=[38]\\d{6}$)', '8']],
	// 2002: the area code belongs to the number.
	CZ: ['420', ['0(?=[2-7]\\d{8}$)', '']],
	// 2008: the first digit of mobile numbers is doubled.
	DZ: ['213', ['0?([5-7])(?=\\d{7}$)', '$1$1']],
	// 2012.
	EC: ['593', ['0?(?=[89]\\d{7}$)', '9']],
	// 2011.
	EG: ['20', ['0?1(?=[069]\\d{7}$)', '10'], ['0?1(?=[278]\\d{7}$)', '12'], ['0?1(?=[14]\\d{7}$)', '11']],
	// 2000.
	GB: [
		'44',
		['0?1([78])1(?=\\d{7}$)', '20$1'],
		['0?1203(?=\\d{6}$)', '2476'],
		['0?1222(?=\\d{6}$)', '2920'],
		['0?1232(?=\\d{6}$)', '2890'],
		['0?1703(?=\\d{6}$)', '2380'],
		['0?1705(?=\\d{6}$)', '2392'],
	],
	// 2011: 5 for mobile numbers, one digit more in Tbilisi; 8 was the trunk prefix.
	GE: ['995', ['[08]?(?=[5-9]\\d{7}$)', '5'], ['[08]?32(?=\\d{6}$)', '322'], ['8(?=[3-57]\\d{8}$)', '']],
	// 1998: the 0 of a fixed line belongs to the number, also from abroad.
	IT: ['39', ['(?=[124-9]\\d{5,10}$)', '0']],
	// 2007: 7 as the first digit of an area code, except in the north.
	KZ: ['7', ['3(?=[12]\\d{8}$)', '7']],
	LV: ['371', ['8?7(?=\\d{6}$)', '67'], ['8?9(?=\\d{6}$)', '29'], ['8(?=[26]\\d{7}$)', '']],
	// 2009: 6 for mobile numbers, 5 for fixed ones.
	MA: ['212', ['0?(?=[14-7]\\d{7}$)', '6'], ['0?(?=[23]\\d{7}$)', '5']],
	MD: SOVIET_TRUNK('373', '0?[2-7]\\d{7}'),
	// 2013: 5 for mobile numbers.
	MU: ['230', ['(?=[79]\\d{6}$)', '5']],
	// 2019: the prefixes for mobile numbers, and for long distance, are gone.
	MX: ['52', ['(?:0?1|04[45])(?=\\d{10}$)', '']],
	PL: ['48', ['0(?=[1-9]\\d{8}$)', '']],
	// 2010: the first digit is doubled.
	QA: ['974', ['([3-7])(?=\\d{6}$)', '$1$1']],
	// 2005: Moscow's 095.
	RU: ['7', ['8?095(?=\\d{7}$)', '495']],
	// 2013: 1 before an area code.
	SA: ['966', ['0?(?=[1-467]\\d{7}$)', '1']],
	// 2011: a part of the calling code 1.
	SX: ['', ['599(?=5\\d{6}$)', '1721']],
	// 2006: 8 for mobile numbers.
	TH: ['66', ['0?(?=[169]\\d{7}$)', '8']],
	TJ: SOVIET_TRUNK('992', '[1-9]\\d{8}'),
	UA: SOVIET_TRUNK('380', '0?[3-9]\\d{8}'),
	UZ: SOVIET_TRUNK('998', '[1-9]\\d{8}'),
	// 2018: mobile numbers of 11 digits at home; 2017: Hanoi.
	VN: [
		'84',
		['0?16(?=[2-9]\\d{7}$)', '3'],
		['0?1(?:8(?=[68]\\d{7}$)|9(?=9\\d{7}$))', '5'],
		['0?12(?=[068]\\d{7}$)', '7'],
		['0?121(?=\\d{7}$)', '79'],
		['0?122(?=\\d{7}$)', '77'],
		['0?12(?=[345]\\d{7}$)', '8'],
		['0?127(?=\\d{7}$)', '81'],
		['0?129(?=\\d{7}$)', '82'],
		['0?4(?=[2-9]\\d{7}$)', '24'],
	],
	// 2016: a calling code of its own, with the area codes and the mobile numbers that were used before.
	XK: ['', ['381(?=(?:28|29|38|39)\\d{6}$)|386(?=4[39]\\d{6}$)|377(?=4[45]\\d{6}$)', '383']],
};

/** The regions whose numbers have changed in a way that people still write. */
export const formerRegions: readonly string[] = Object.keys(PLANS);

/** The changes in the numbers of a region. */
export function formerRulesOf(region: string): readonly FormerRule[] {
	const [code = '', ...changes] = PLANS[region] ?? [];
	return changes.map(([former, now]) => ({ pattern: `(?<=^${code})(?:${former})`, now }));
}
