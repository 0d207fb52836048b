import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';
import metadata from 'libphonenumber-js/metadata.max';
import { isFiction } from '../../../local/phone-network/fiction-ranges.ts';
import { groupInternational } from '../../../packages/widget/number/group-number.ts';
import { readNumber } from '../../../packages/widget/number/read-number.ts';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { refusalToCall } from '../../../shared/domain/workspaces/callable-number.ts';
import { guidesFor } from '../../../shared/use-cases/widget/guides-for.ts';

/** All regions for which the widget has a number guide. */
const allRegions = getCountries().filter((region) => numberGuides.guideTo(region) !== null);

/** The number settings of a workspace that calls these regions. The first is the workspace's own region. */
function calling(...regions: readonly [string, ...string[]]) {
	const rules = { region: regions[0], allowed_regions: regions, refused_prefixes: [] };
	const numbers = guidesFor(rules, numberGuides);
	return { open: true, next_open_at: null, unavailable: null, consent_text: '', caller_number: null, regions, numbers };
}
const read = (typed: string, ...regions: readonly [string, ...string[]]) => readNumber(typed, calling(...regions), '');

/**
 * Indexes in libphonenumber's metadata (format 4): of the pattern for what can precede a national number, and of the patterns for
 * each type.
 */
const PREFIX_PATTERN = 7;
const TYPES = 11;
const samplesOf = (pattern: string, numRuns: number) =>
	fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed: 1, numRuns });

/** Numbers in E.164 of every type in the region's numbering plan. */
function numbersOf(region: CountryCode): readonly string[] {
	const types: unknown = metadata.countries[region]?.[TYPES];
	const patterns = (Array.isArray(types) ? types : []).flatMap((type: unknown) =>
		Array.isArray(type) && type[0] ? [String(type[0])] : [],
	);
	const { calling_code, example } = numberGuides.guideTo(region) ?? {};
	return [
		`${example}`,
		...patterns.flatMap((one) => samplesOf(one, 3)).map((national) => `+${calling_code}${national}`),
	];
}

/**
 * How people may write a number: as libphonenumber formats it, with each prefix that can be dialled in the country, and cut
 * short.
 */
function spellingsOf(e164: string, region: CountryCode): readonly string[] {
	const number = parsePhoneNumberFromString(e164);
	if (!number?.isValid() || number.country !== region) return [];
	const national: string = number.nationalNumber;
	const prefix: unknown = metadata.countries[region]?.[PREFIX_PATTERN];
	const prefixes = typeof prefix === 'string' ? samplesOf(prefix, 8) : [];
	const trunk = numberGuides.guideTo(region)?.trunk_prefix ?? '';
	return [
		e164,
		number.formatInternational(),
		number.formatNational(),
		number.getURI(),
		number.format('IDD', { fromCountry: region }),
		national,
		trunk + national,
		number.countryCallingCode + national,
		`+${number.countryCallingCode} (${trunk}) ${national}`,
		...[...prefixes, '15', '0', '8', '1'].map((one) => one + national),
		`0${national.slice(0, 2)}15${national.slice(2)}`,
		`0${national.slice(0, 3)}15${national.slice(3)}`,
		national.slice(-7),
		national.slice(-8),
	];
}

describe('a number of every region in every spelling', () => {
	it('is read by the widget as the service reads it', () => {
		let compared = 0;
		const differences = allRegions.flatMap((region) => {
			const config = calling(region);
			const spellings = new Set(numbersOf(region).flatMap((e164) => spellingsOf(e164, region)));
			return [...spellings].flatMap((typed) => {
				const theirs = parsePhoneNumberFromString(typed, region);
				const phone = phoneNumbers.parse(`${theirs?.number}`);
				if (!theirs || 'refused' in phone || phone.region !== region) return [];
				if (phone.type !== 'fixed' && phone.type !== 'mobile') return [];
				compared += 1;
				const { e164, fault } = readNumber(typed, config, '');
				return e164 === phone.e164 ? [] : [`${region} ${typed}: ${e164 ?? fault} for ${phone.e164}`];
			});
		});
		// In Japan, 0037 6 is a prefix for relayed domestic calls. The widget reads 00 as the international prefix in every region.
		const relayed = differences.filter((line) => line.startsWith('JP 00376'));
		expect(differences.filter((line) => !relayed.includes(line))).toEqual([]);
		expect({ relayed: relayed.length < 30, compared: compared > 10_000 }).toEqual({ relayed: true, compared: true });
	});

	it.each([
		['AR', '011 15 2345-6789', '+5491123456789'],
		['AR', '+54 9 11 2345-6789', '+5491123456789'],
		['BY', '8 029 491-19-11', '+375294911911'],
		['JP', '03ー1234ー5678', '+81312345678'],
		['JP', '０３ｰ１２３４ｰ５６７８', '+81312345678'],
		['BR', '0 15 11 96123-4567', '+5511961234567'],
		['US', '+1 202-555-0101,,123#', '+12025550101'],
		['US', '202-555-0101,,123', '+12025550101'],
		['US', '202-555-0101;123#', '+12025550101'],
		['IN', '०८१२३४ ५६७८९', '+918123456789'],
		['BD', '০১৮১২-৩৪৫৬৭৮', '+8801812345678'],
		['US', '202-555-0101,,123456789#', '+12025550101'],
		['SG', '6123 4567, 91234567', null],
		['RU', '8~10 1 202 555 0101', null],
		['RU', '810 7 912 345-67-89', '+79123456789'],
		['IT', '02 1234 5678', '+390212345678'],
		['CO', '03 321 123 4567', '+573211234567'],
		['VI', '642-1234', '+13406421234'],
		['MM', '၀၉ ၂၁၂ ၃၄၅၆', '+9592123456'],
		['AG', '464-1234', '+12684641234'],
	] as const)('in %s, %s is %s', (region, typed, e164) => {
		expect(read(typed, region)).toMatchObject({ e164 });
	});
});

describe('a number in national format', () => {
	it.each([
		['US', '(202) 555-0123', '+12025550123', '+1 202 555 0123'],
		['US', '1-202-555-0123', '+12025550123', '+1 202 555 0123'],
		['CA', '613-555-0123', '+16135550123', '+1 613 555 0123'],
		['GB', '020 7946 0101', '+442079460101', '+44 20 7946 0101'],
		['GB', '0161 496 0123', '+441614960123', '+44 161 496 0123'],
		['GB', '07400 123456', '+447400123456', '+44 7400 123456'],
		['DE', '030 23125001', '+493023125001', '+49 30 23125001'],
		['DE', '089/99998-123', '+498999998123', '+49 89 99998123'],
		['FR', '01 99 00 12 34', '+33199001234', '+33 1 99 00 12 34'],
		['AU', '(02) 5550 0001', '+61255500001', '+61 2 5550 0001'],
		['IT', '06 555 12345', '+390655512345', '+39 06 5551 2345'],
		['IT', '312 345 6789', '+393123456789', '+39 312 345 6789'],
		['ES', '612 34 56 78', '+34612345678', '+34 612 34 56 78'],
		['CH', '078 123 45 67', '+41781234567', '+41 78 123 45 67'],
		['AT', '0664 123456', '+43664123456', '+43 664 123456'],
		['NL', '06 12345678', '+31612345678', '+31 6 12345678'],
		['SE', '070-123 45 67', '+46701234567', '+46 70 123 45 67'],
		['PL', '512 345 678', '+48512345678', '+48 512 345 678'],
		['HU', '06 20 123 4567', '+36201234567', '+36 20 123 4567'],
		['RU', '8 (912) 345-67-89', '+79123456789', '+7 912 345 67 89'],
		['JP', '090-1234-5678', '+819012345678', '+81 90 1234 5678'],
		['IN', '081234 56789', '+918123456789', '+91 81234 56789'],
		['BR', '(11) 96123-4567', '+5511961234567', '+55 11 96123 4567'],
		['ZA', '071 123 4567', '+27711234567', '+27 71 123 4567'],
		['AE', '050 123 4567', '+971501234567', '+971 50 123 4567'],
		['MX', '222 123 4567', '+522221234567', '+52 222 123 4567'],
	] as const)('in %s, "%s" is %s and shown as "%s"', (region, typed, e164, shown) => {
		expect(read(typed, region)).toMatchObject({ e164, shown, choices: [], fault: null });
		expect(phoneNumbers.parse(e164)).toMatchObject({ region });
	});

	it.each([
		['GB', '+44 (0)20 7946 0101', '+442079460101'],
		['GB', '+44 020 7946 0101', '+442079460101'],
		['GB', '0044 20 7946 0101', '+442079460101'],
		['GB', '44 20 7946 0101', '+442079460101'],
		['GB', 'tel:+44-20-7946-0101', '+442079460101'],
		['GB', 'tel:020-7946-0101;phone-context=+44', '+442079460101'],
		['GB', '020 7946 0101 ext. 12', '+442079460101'],
		['GB', '020 7946 0101;ext=12', '+442079460101'],
		['US', '(202) 555-0123 x3', '+12025550123'],
		['US', '(202) 555-0123 #345', '+12025550123'],
		['US', '011 1 202 555 0123', '+12025550123'],
		['DE', '030 23125001 Durchwahl 7', '+493023125001'],
		['GB', '０２０ ７９４６ ０１０１', '+442079460101'],
		['GB', '＋４４ ２０ ７９４６ ０１０１', '+442079460101'],
		['GB', 'Call me at 020 7946 0101, please', '+442079460101'],
		['GB', 'Phone: (020) 7946 0101 (London)', '+442079460101'],
		['US', '\u202a+1\u00a0202\u2011555\u20110123\u202c', '+12025550123'],
		['IT', '+39 (0)6 69812345', '+390669812345'],
		['AE', '٠٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
		['IR', '+۹۸ ۲۱ ۱۲۳۴ ۵۶۷۸', '+982112345678'],
	] as const)('in %s, "%s" is read as %s', (region, typed, e164) => {
		expect(read(typed, region)).toMatchObject({ e164, fault: null });
	});

	it.each([
		['', 'empty'],
		[' - ', 'empty'],
		['abc', 'other_characters'],
		['020 CALL ME', 'other_characters'],
		['020 7946 0101 or 020 7946 0102', 'other_characters'],
		['020 7946', 'too_short'],
		['+44 20 79', 'too_short'],
		['020 7946 01012', 'too_long'],
		['040 7946 0101', 'not_in_plan'],
		['+1 202 555 0123', 'country_not_allowed'],
		['+0 202 555 0123', 'unknown_country'],
	] as const)('in GB, "%s" is %s', (typed, fault) => {
		expect(read(typed, 'GB')).toMatchObject({ e164: null, fault });
	});

	it('of every region is read from its example, and shown in the groups of the numbering plan', () => {
		const wrong = allRegions.flatMap((region) => {
			const guide = numberGuides.guideTo(region);
			if (guide === null) return [region];
			const { e164, shown } = read(guide.example_national, region);
			const expected = parsePhoneNumberFromString(guide.example)?.formatInternational().replaceAll('-', ' ');
			return e164 === guide.example && shown === expected ? [] : [`${region}: ${shown} for ${expected}`];
		});
		expect(wrong).toEqual([]);
	});

	it('of a country without a guide is shown with its calling code apart, in readable groups', () => {
		const wrong = allRegions.filter((region) => {
			const { example = '', calling_code } = numberGuides.guideTo(region) ?? {};
			const [code, ...groups] = groupInternational(example, []).split(' ');
			const readable = groups.every(({ length }, at) => length === 3 || (at === groups.length - 1 && length < 6));
			return code !== `+${calling_code}` || !readable || code + groups.join('') !== example;
		});
		expect(wrong).toEqual([]);
		expect(groupInternational('+13125550101', [])).toBe('+1 312 555 0101');
	});

	it('is grouped as libphonenumber groups it, for every number', () => {
		const regions = ['US', 'GB', 'DE', 'FR', 'IT', 'ES', 'AU', 'CH', 'AT', 'NL', 'SE', 'BR', 'IN'] as const;
		const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 7, maxLength: 12 });
		fc.assert(
			fc.property(fc.constantFrom<CountryCode>(...regions), digits, (region, national) => {
				const code = numberGuides.guideTo(region)?.calling_code;
				const number = parsePhoneNumberFromString(`+${code}${national.join('')}`);
				fc.pre(number?.isValid() === true && number.country === region);
				const { e164, shown } = read(String(number?.formatNational()), region);
				expect({ e164, shown }).toEqual({
					e164: number?.number,
					shown: number?.formatInternational().replaceAll('-', ' '),
				});
			}),
		);
	});

	it('is shown in groups while it is typed', () => {
		const typed = '020 7946 0101';
		const shown = [...typed].map((_, at) => read(typed.slice(0, at + 1), 'GB').shown);
		expect([...new Set(shown)]).toEqual([
			'+44',
			'+44 2',
			'+44 20',
			'+44 20 7',
			'+44 20 79',
			'+44 20 794',
			'+44 20 7946',
			'+44 20 7946 0',
			'+44 20 7946 01',
			'+44 20 7946 010',
			'+44 20 7946 0101',
		]);
	});
});

describe('the widget of a shop that calls more than one country', () => {
	it.each([
		['(202) 555-0101', '+12025550101', null],
		['07 5550 0001', null, 'choose_country'],
		['555-0101', null, 'too_short'],
		['355-0101', null, 'too_short'],
	])('reads %s as a number of the workspace’s own region only, and offers the other regions', (typed, e164, fault) => {
		const reading = read(typed, 'US', 'DE', 'GB');
		expect(reading).toMatchObject({ e164, fault });
		expect(reading.choices.map(({ region }) => region)).toEqual(['US', 'DE', 'GB']);
	});

	it('asks for the country of a number that only another region has, and uses the choice', () => {
		const numbers = calling('US', 'GB', 'AU');
		expect(readNumber('020 7946 0101', numbers, '')).toMatchObject({ e164: null, shown: '', fault: 'choose_country' });
		expect(readNumber('020 7946 0101', numbers, 'GB')).toMatchObject({ e164: '+442079460101', fault: null });
		expect(readNumber('07 5550 0001', numbers, 'AU')).toMatchObject({ e164: '+61755500001', fault: null });
	});

	it('offers no choice between countries that share a calling code, and none if the number names its country', () => {
		expect(read('(202) 555-0123', 'US', 'CA')).toMatchObject({ e164: '+12025550123', choices: [] });
		expect(read('+49 7555 0001', 'AU', 'DE')).toMatchObject({ e164: '+4975550001', choices: [] });
		expect(read('0011 49 7555 0001', 'AU', 'DE')).toMatchObject({ e164: '+4975550001', choices: [] });
	});

	it('leaves it to the service to read a number of a region without a guide', () => {
		const config = { ...calling('GB'), regions: ['GB', 'DE'] };
		const reading = { e164: '+493023125001', shown: '+49 302 312 5001', fault: null };
		expect(readNumber('+49 30 23125001', config, '')).toMatchObject(reading);
	});
});

describe('regions that share a calling code', () => {
	const pairs = Object.values(metadata.country_calling_codes).flatMap((regions) =>
		regions.flatMap((shop) => regions.filter((other) => other !== shop).map((other) => [shop, other] as const)),
	);

	it("are told apart, and a neighbour's number is never refused as one that does not exist", () => {
		const wrong = pairs.flatMap(([shop, other]) => {
			const example = parsePhoneNumberFromString(`${numberGuides.guideTo(other)?.example}`);
			if (!example) return [];
			const spellings = [example.number, example.formatInternational(), example.formatNational()];
			return spellings.flatMap((typed) => {
				const { e164, fault } = read(typed, shop);
				return e164 === example.number || fault === 'country_not_allowed' ? [] : [`${shop} ${typed}: ${e164 ?? fault}`];
			});
		});
		expect(pairs.length).toBeGreaterThan(600);
		expect(wrong).toEqual([]);
	});

	it.each([
		['KZ', '+7 912 345-67-89', 'country_not_allowed'],
		['KZ', '8 912 345-67-89', 'country_not_allowed'],
		['GG', '020 7946 0101', 'country_not_allowed'],
		['AG', '+1 202 555 0101', 'country_not_allowed'],
		['KZ', '+7 012 345-67-89', 'not_in_plan'],
		['KZ', '8 912 345-67', 'too_short'],
	] as const)('are told apart: in the shop’s region %s, %s is refused with the error %s', (shop, typed, fault) => {
		expect(read(typed, shop)).toMatchObject({ e164: null, fault });
	});

	it('have a number read as one of the region that it belongs to, if the workspace calls that region', () => {
		expect(read('8 912 345-67-89', 'KZ', 'RU')).toMatchObject({ e164: '+79123456789', fault: null });
		expect(read('020 7946 0101', 'GG', 'GB')).toMatchObject({ e164: '+442079460101', fault: null });
	});
});

describe('an international prefix', () => {
	const targets = ['+12025550123', '+442079460101', '+493023125001', '+33199000001', '+390655512345', '+6591234567'];

	/** International prefixes of the region, including all that have up to three digits. */
	function prefixesOf(region: string): readonly string[] {
		const pattern = new RegExp(`^(?:${numberGuides.guideTo(region)?.international_prefix})$`);
		const short = [1, 2, 3].flatMap((size) =>
			Array.from({ length: 10 ** size }, (_, at) => `${at}`.padStart(size, '0')),
		);
		return short
			.filter((prefix) => pattern.test(prefix))
			.concat(fc.sample(fc.stringMatching(pattern), { seed: 1, numRuns: 20 }));
	}

	/**
	 * Puts each prefix in front of each target, and returns the inputs that the widget and libphonenumber read differently: the
	 * widget's result, and libphonenumber's if it is valid.
	 */
	function disagreements(prefixes: (region: string) => readonly string[]): readonly string[] {
		return allRegions.flatMap((region) => {
			const config = calling(region, 'US', 'GB', 'DE', 'FR', 'IT', 'SG');
			const inputs = [...new Set(prefixes(region))].flatMap((prefix) => targets.map((to) => prefix + to.slice(1)));
			return inputs.flatMap((typed) => {
				const theirs = parsePhoneNumberFromString(typed, region);
				const { e164 } = readNumber(typed, config, '');
				return theirs?.number === e164
					? []
					: [`${region} ${typed}: ${e164}, ${theirs?.isValid() ? theirs.number : 'none'}`];
			});
		});
	}

	// libphonenumber removes the longest prefix (BO 0012, HK 001 and 006), and the rest is no valid number. If only 00 is
	// removed, the rest is valid.
	it('of every region is read as by libphonenumber, except for three numbers in which libphonenumber finds none', () => {
		expect(disagreements(prefixesOf)).toEqual([
			'BO 0012025550123: +12025550123, none',
			'HK 0012025550123: +12025550123, none',
			'HK 006591234567: +6591234567, none',
		]);
	});

	// Travellers dial 00, which ITU-T E.123 recommends, even where the local prefix is 011. In such regions, libphonenumber finds
	// no number.
	it('may be 00 in every region, unless libphonenumber then finds another number', () => {
		const found = disagreements(() => ['00']);
		expect(found.filter((line) => !/ 00(\d+): \+\1, none$/.test(line))).toEqual([]);
		expect(new Set(found.map((line) => line.slice(0, 2))).size).toBe(55);
	});
});

describe('the promise to call a number', () => {
	const refusalOf = (e164: string, region: string) => {
		const rules = { allowed_regions: [region], allowed_prefixes: [], refused_prefixes: [] };
		const phone = phoneNumbers.parse(e164);
		return 'refused' in phone ? phone.fault : refusalToCall(phone, rules);
	};

	it('is made for every number of every region that the service calls, and for no other', () => {
		const wrong: string[] = [];
		for (const region of allRegions) {
			for (const e164 of numbersOf(region)) {
				const { willRing } = read(e164, region);
				const refusal = refusalOf(e164, region);
				if (willRing !== (refusal === null)) wrong.push(`${region} ${e164}: ${willRing}, ${refusal}`);
			}
		}
		expect(wrong).toEqual([]);
	});

	it.each([
		'+1 234',
		'202 555',
		'911',
		'+1 900 555 0199',
		'+1 312 976 1234',
		'+1 605 475 0100',
		'+1 876 555 0123',
		'+1 800 555 0199',
		'2025550101 2025550102',
		'+12025550101 +12025550102',
		'+1 299 555 0123',
		'+881 612 345 678',
		'+44 20 7946 0101',
		'',
		'+',
		'Ada',
		'+1 202 555 01',
	])('is not made for %s in the United States', (typed) => {
		expect(read(typed, 'US').willRing).toBe(false);
	});

	it('follows the prefixes that a workspace refuses, of a country or of a part of a country', () => {
		const at = (refused_prefixes: readonly string[]) => {
			const rules = { region: 'GB', allowed_regions: ['GB', 'US'], refused_prefixes };
			const config = { ...calling('GB', 'US'), numbers: guidesFor(rules, numberGuides) };
			return ['+442079460101', '+447400123456', '+12025550101'].map((e164) => readNumber(e164, config, '').willRing);
		};
		expect(at([])).toEqual([true, true, true]);
		expect(at(['+447'])).toEqual([true, false, true]);
		expect(at(['+44'])).toEqual([false, false, true]);
		expect(at(['+1202', '+4420'])).toEqual([false, true, false]);
	});
});

describe('the guides to numbers', () => {
	it("begin with the workspace's own region, and are at most twenty", () => {
		const { guideTo } = numberGuides;
		const regionsOf = (region: string, allowed_regions: readonly string[]) =>
			guidesFor({ region, allowed_regions, refused_prefixes: [] }, { guideTo }).map((guide) => guide.region);
		expect(regionsOf('GB', ['FR', 'GB', 'DE'])).toEqual(['GB', 'FR', 'DE']);
		expect(regionsOf('GB', ['FR'])).toEqual(['FR']);
		expect(regionsOf('US', allRegions)).toHaveLength(20);
	});

	it.each(['US', 'CA', 'GB', 'AU', 'FR', 'DE'])('give a fictional example for %s', (region) => {
		expect(isFiction(numberGuides.guideTo(region)?.example ?? '')).toBe(true);
	});
});
