/**
 * Turns a number of a former numbering plan into the number of today, by replacing some of the E.164 digits (without `+`).
 */
export type FormerRule = {
	/** A regular expression that matches the digits that have changed. */
	readonly pattern: string;
	/** The replacement, in the syntax of `String.prototype.replace`. */
	readonly now: string;
};

/**
 * The calling code, then one pair for each change: a regular expression for the former digits after the calling code, and
 * the replacement. If the calling code itself has changed, `code` is empty, and the pair contains the calling codes.
 */
type Plan = readonly [code: string, ...changes: (readonly [former: string, now: string])[]];

/** The plan of a former Soviet country in which people once dialed 8 before a number, and today dial 0 or nothing. */
const SOVIET_TRUNK = (code: string, digits: string): Plan => [code, [`8(?=${digits}$)`, '']];

/**
 * The changes, by region. The changes cover former numbers that people still copy from business cards and old address
 * books, if such a number can mean only one number today. A country is missing if its former numbers look like its current
 * numbers, or if the old digits are not enough to know the new digits (because the new digits also depend on the operator,
 * for example).
 */
const PLANS: Readonly<Record<string, Plan>> = {
	AM: SOVIET_TRUNK('374', '0?[1-9]\\d{7}'),
	// A caller from abroad dials a 9 before the area code of a mobile number. A caller in the country dials a 15 after the
	// area code. Some people write both, add the trunk prefix 0, or write the 15 before the area code.
	AR: ['54', ['9(?=0?\\d{2,4}15\\d{6,8}$)', ''], ['90(?=\\d{10}$)', '9'], ['0?15(?=\\d{10}$)', '9']],
	AZ: SOVIET_TRUNK('994', '0?[1-9]\\d{8}'),
	// 2024: every number got 01 in front.
	BJ: ['229', ['(?=[2-9]\\d{7}$)', '01']],
	// 2012 to 2016: mobile numbers got a ninth digit.
	BR: ['55', ['0?([1-9]\\d)(?=[6-9]\\d{7}$)', '$19']],
	// 2007: Zurich's 01 became 044.
	CH: ['41', ['0?1(?=[2-9]\\d{6}$)', '44']],
	// 2021: numbers got two digits for the operator in front. The second digit of a mobile number, or the third digit of a
	// fixed line, decides which two digits.
	CI: [
		'225',
		['(?=[04-9][0-3]\\d{6}$)', '01'],
		['(?=[04-9][4-6]\\d{6}$)', '05'],
		['(?=[04-9][7-9]\\d{6}$)', '07'],
		['(?=2\\d8\\d{5}$)', '21'],
		['(?=[23]\\d0\\d{5}$)', '25'],
		['(?=(?:2\\d[1-79]|3\\d[1-9])\\d{5}$)', '27'],
	],
	// 2012: numbers in Santiago got another digit. Mobile numbers lost the trunk prefix 0, and callers in the country now
	// dial a 9 first.
	CL: ['56', ['0?2(?=[2-9]\\d{6}$)', '22'], ['0(?=9\\d{8}$)', ''], ['(?=[89]\\d{7}$)', '9']],
	// 2014: mobile numbers got a 6 in front, and fixed lines got a 2 in front.
	CM: ['237', ['(?=[5-79]\\d{7}$)', '6'], ['(?=[23]\\d{7}$)', '2']],
	// 2021: area codes got 60 in front.
	CO: ['57', ['0?(?=[124-8]\\d{7}$)', '60']],
	// 2008: numbers got a digit in front, a 2 or an 8.
	CR: ['506', ['(?=[24-7]\\d{6}$)', '2'], ['(?=[38]\\d{6}$)', '8']],
	// 2002: the area code became part of the number, without its 0.
	CZ: ['420', ['0(?=[2-7]\\d{8}$)', '']],
	// 2008: the first digit of mobile numbers was doubled.
	DZ: ['213', ['0?([5-7])(?=\\d{7}$)', '$1$1']],
	// 2012: mobile numbers got a 9 in front.
	EC: ['593', ['0?(?=[89]\\d{7}$)', '9']],
	// 2011: the prefixes of mobile numbers got another digit.
	EG: ['20', ['0?1(?=[069]\\d{7}$)', '10'], ['0?1(?=[278]\\d{7}$)', '12'], ['0?1(?=[14]\\d{7}$)', '11']],
	// 2000: London and several other places got new area codes.
	GB: [
		'44',
		['0?1([78])1(?=\\d{7}$)', '20$1'],
		['0?1203(?=\\d{6}$)', '2476'],
		['0?1222(?=\\d{6}$)', '2920'],
		['0?1232(?=\\d{6}$)', '2890'],
		['0?1703(?=\\d{6}$)', '2380'],
		['0?1705(?=\\d{6}$)', '2392'],
	],
	// 2011: mobile numbers got a 5 in front, and numbers in Tbilisi one more digit. The trunk prefix was 8.
	GE: ['995', ['[08]?(?=[5-9]\\d{7}$)', '5'], ['[08]?32(?=\\d{6}$)', '322'], ['8(?=[3-57]\\d{8}$)', '']],
	// 1998: the 0 of a fixed line became part of the number, so callers from abroad dial it, too.
	IT: ['39', ['(?=[124-9]\\d{5,10}$)', '0']],
	// 2007: the first digit of area codes became 7, except in the north.
	KZ: ['7', ['3(?=[12]\\d{8}$)', '7']],
	LV: ['371', ['8?7(?=\\d{6}$)', '67'], ['8?9(?=\\d{6}$)', '29'], ['8(?=[26]\\d{7}$)', '']],
	// 2009: mobile numbers got a 6 in front, and fixed lines got a 5 in front.
	MA: ['212', ['0?(?=[14-7]\\d{7}$)', '6'], ['0?(?=[23]\\d{7}$)', '5']],
	MD: SOVIET_TRUNK('373', '0?[2-7]\\d{7}'),
	// 2013: mobile numbers got a 5 in front.
	MU: ['230', ['(?=[79]\\d{6}$)', '5']],
	// 2019: the prefixes for mobile numbers and for long-distance calls were removed.
	MX: ['52', ['(?:0?1|04[45])(?=\\d{10}$)', '']],
	PL: ['48', ['0(?=[1-9]\\d{8}$)', '']],
	// 2010: the first digit was doubled.
	QA: ['974', ['([3-7])(?=\\d{6}$)', '$1$1']],
	// 2005: Moscow's 095 became 495.
	RU: ['7', ['8?095(?=\\d{7}$)', '495']],
	// 2013: area codes got a 1 in front.
	SA: ['966', ['0?(?=[1-467]\\d{7}$)', '1']],
	// 2011: the country became part of calling code 1.
	SX: ['', ['599(?=5\\d{6}$)', '1721']],
	// 2006: mobile numbers got an 8 in front.
	TH: ['66', ['0?(?=[169]\\d{7}$)', '8']],
	TJ: SOVIET_TRUNK('992', '[1-9]\\d{8}'),
	UA: SOVIET_TRUNK('380', '0?[3-9]\\d{8}'),
	UZ: SOVIET_TRUNK('998', '[1-9]\\d{8}'),
	// 2018: mobile numbers lost a digit. 2017: Hanoi got another area code.
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
	// 2016: the country got a calling code of its own. Before 2016, its numbers had the calling codes 381, 386 and 377.
	XK: ['', ['381(?=(?:28|29|38|39)\\d{6}$)|386(?=4[39]\\d{6}$)|377(?=4[45]\\d{6}$)', '383']],
};

/** The regions for which former numbers can be turned into the numbers of today. */
export const formerRegions: readonly string[] = Object.keys(PLANS);

/** The replacements for the numbers of a region. */
export function formerRulesOf(region: string): readonly FormerRule[] {
	const [code = '', ...changes] = PLANS[region] ?? [];
	return changes.map(([former, now]) => ({ pattern: `(?<=^${code})(?:${former})`, now }));
}
