import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max';
import en from '../../../packages/widget/texts/en.json' with { type: 'json' };
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { maskPhone } from '../../../shared/domain/kernel/phone-mask.ts';
import {
	callingCodeOf,
	type PhoneFault,
	type PhoneType,
	phoneFaults,
	plainNumber,
} from '../../../shared/domain/kernel/phone-number.ts';
import { refusalToCall } from '../../../shared/domain/workspaces/callable-number.ts';
import { anyCharacter } from '../../support/any-character.ts';

const parse = phoneNumbers.parse;
const invalid = (fault: PhoneFault) => ({ refused: 'phone_invalid', fault });

describe('reading a phone number', () => {
	it.each([
		['+1 (202) 555-0101', '+12025550101'],
		['+44 20.7946.0958', '+442079460958'],
		['+49\u00a030\u2011901820', '+4930901820'],
		['\u202a+33 1 42 68 53 00\u202c', '+33142685300'],
		['  +39 [06] 698–12345 ', '+390669812345'],
		['+44 (0)20 7946 0958', '+442079460958'],
		['+1/202/555/0101', '+12025550101'],
		['+１２０２５５５０１０１', '+12025550101'],
		['+९१ ८१२३४ ५६७८९', '+918123456789'],
		['+৮৮০ ১৮১২ ৩৪৫৬৭৮', '+8801812345678'],
		['+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
		['+81ー3ー1234ー5678', '+81312345678'],
	])('reads what libphonenumber reads, in every script: %s', (text, e164) => {
		expect(parse(text)).toMatchObject({ e164 });
	});

	it.each([
		['', 'nothing', 'empty'],
		[' ()-.', 'nothing but punctuation', 'empty'],
		['202 555 0101', 'no +', 'no_plus'],
		['0049 30 901820', 'a dialling prefix for +', 'no_plus'],
		['+0 30 901820', 'a leading zero', 'unknown_country'],
		['+210 123 4567', 'a code nobody has', 'unknown_country'],
		['+', 'a sign alone', 'too_short'],
		['+1 202', 'an area alone', 'too_short'],
		[`+${'1'.repeat(16)}`, 'too long for E.164', 'too_long'],
		['+1 202 555 010', 'one digit short', 'not_in_plan'],
		['+1 202 555 01011', 'one digit long', 'not_in_plan'],
		['+1 123 555 0101', 'no such area', 'not_in_plan'],
		['+12025550101;ext=3', 'an extension', 'extension'],
		['+1 202 555 0101 x3', 'an extension', 'extension'],
		['+1 202-555-0101,,123#', 'an extension after pauses', 'extension'],
		['+1 800 FLOWERS', 'letters', 'other_characters'],
		['++12025550101', 'two signs', 'other_characters'],
		['1+2025550101', 'a sign within', 'other_characters'],
		['+1\t202 555 0101', 'a tab', 'other_characters'],
		['+1 202 555 0101\n', 'a line break', 'other_characters'],
	] as const)('refuses %j (%s), and says why', (text, _, fault) => {
		expect(parse(text)).toEqual(invalid(fault));
	});

	it('has a text of the widget for each error', () => {
		expect(Object.keys(en)).toEqual(expect.arrayContaining([...phoneFaults]));
	});

	it('returns a number or one error for every text, and adds no digits that are not in the text', () => {
		const texts = fc.oneof(
			fc.string({ unit: anyCharacter }),
			fc.string({ unit: fc.constantFrom(...'+0123456789 -().\t/x') }),
		);
		fc.assert(
			fc.property(texts, (text) => {
				const read = parse(text);
				if ('refused' in read) return expect(phoneFaults).toContain(read.fault);
				expect(text).toMatch(/^[+\p{Nd}\p{Zs}./\p{Pd}\u2212\u30fc()[\]\p{Bidi_Control}]+$/u);
				expect(plainNumber(text).replace(/\D/g, '')).toContain(read.e164.slice(-6));
			}),
		);
	});

	it.each([
		['AR', '011 15 2345-6789', '+5491123456789'],
		['BY', '8 029 491-19-11', '+375294911911'],
		['JP', '03ー1234ー5678', '+81312345678'],
		['BR', '0 15 11 96123-4567', '+5511961234567'],
		['KZ', '8 912 345-67-89', '+79123456789'],
		['RU', '810 1 202 555 0101', '+12025550101'],
		['AG', '464-1234', '+12684641234'],
		['IT', '06 555 12345', '+390655512345'],
	])('reads a number as it is dialled at home: in %s, %s', (home, text, e164) => {
		expect(parse(text, home)).toMatchObject({ e164 });
		expect(parse(text)).toEqual(invalid('no_plus'));
	});

	it('knows the digits of every script that Unicode has', () => {
		const digits = Array.from({ length: 0x1_ff_ff }, (_, code) => String.fromCodePoint(code)).filter((one) =>
			/^\p{Nd}$/u.test(one),
		);
		expect(digits.length % 10).toBe(0);
		expect(plainNumber(digits.join(''))).toBe('0123456789'.repeat(digits.length / 10));
	});

	it('accepts the numbers that are reserved for fiction, because simulated phones use them', () => {
		for (let line = 100; line <= 199; line += 1) {
			expect(parse(`+1202555${String(line).padStart(4, '0')}`)).toMatchObject({ region: 'US', type: 'fixed' });
		}
	});

	it.each([
		['+18762101234', 'JM'],
		['+447797123456', 'JE'],
		['+447781123456', 'GG'],
		['+447624123456', 'IM'],
		['+442079460958', 'GB'],
		['+14165550123', 'CA'],
		['+77710009998', 'KZ'],
		['+79123456789', 'RU'],
		['+390669812345', 'VA'],
		['+390655512345', 'IT'],
		['+12684641234', 'AG'],
	])('tells regions of one calling code apart: %s is %s', (text, region) => {
		expect(parse(text)).toMatchObject({ region });
	});

	it.each<[string, string, PhoneType]>([
		['+491701234567', 'DE', 'mobile'],
		['+4930901820', 'DE', 'fixed'],
		['+445601234567', 'GB', 'fixed'],
		['+19002345678', 'US', 'premium'],
		['+449012345678', 'GB', 'premium'],
		['+448431234567', 'GB', 'premium'],
		['+33810123456', 'FR', 'shared_cost'],
		['+447012345678', 'GB', 'other'],
		['+18002345678', 'US', 'other'],
		['+870773111632', '001', 'satellite'],
		['+881612345678', '001', 'satellite'],
		['+88213012345', '001', 'satellite'],
		['+979123456789', '001', 'premium'],
		['+80812345678', '001', 'shared_cost'],
	])('finds the type of a number: %s', (text, region, type) => {
		expect(parse(text)).toMatchObject({ region, type });
	});
});

describe('the types of numbers', () => {
	/**
	 * Indexes in libphonenumber's metadata (format 4): of a region's types, and within them of premium-rate and shared-cost
	 * numbers.
	 */
	const TYPES = 11;
	it.each([
		['premium', 3],
		['shared_cost', 9],
	] as const)('count a %s number as an ordinary one in no region', (type, position) => {
		let compared = 0;
		const ordinary = Object.entries(metadata.country_calling_codes).flatMap(([code, regions]) =>
			regions.flatMap((region) => {
				const pattern: unknown = metadata.countries[region]?.[TYPES]?.[position]?.[0];
				if (typeof pattern !== 'string' || pattern === '') return [];
				const expensive = fc.sample(fc.stringMatching(new RegExp(`^(?:${pattern})$`)), { seed: 1, numRuns: 50 });
				return expensive.filter((national) => {
					const phone = parse(`+${code}${national}`);
					if ('refused' in phone || phone.region !== region) return false;
					compared += 1;
					return phone.type !== type;
				});
			}),
		);
		expect(ordinary).toEqual([]);
		expect(compared).toBeGreaterThan(1000);
	});
});

describe('masking', () => {
	it.each([
		['+12025550101', '+1********01'],
		['+442079460958', '+44********58'],
		['+4930901820', '+49******20'],
		['+35312345678', '+353******78'],
		['+29021234', '+290****4'],
		['+2472345', '+247****'],
	])('turns %s into %s', (e164, masked) => {
		expect(maskPhone(e164)).toBe(masked);
	});

	it('finds the calling code that the numbering plans know', () => {
		for (const code of Object.keys(metadata.country_calling_codes))
			expect(callingCodeOf(`+${code}5551234567`)).toBe(code);
	});

	it('hides at least four digits, shows at most the calling code and two digits, and keeps the length', () => {
		const e164 = fc.stringMatching(/^\+[1-9]\d{7,14}$/);
		fc.assert(
			fc.property(e164, (number) => {
				const masked = maskPhone(number);
				const code = callingCodeOf(number);
				expect(masked).toHaveLength(number.length);
				expect(masked).toMatch(/^\+\d{1,3}\*{4,}\d{0,2}$/);
				expect(masked.startsWith(`+${code}*`)).toBe(true);
				expect(number.endsWith(masked.slice(masked.lastIndexOf('*') + 1))).toBe(true);
			}),
		);
	});
});

describe('the check whether a number may be called', () => {
	const number = (type: PhoneType, region: string) => ({ e164: '+12025550101', region, type });
	const of = (...allowed_regions: string[]) => ({ allowed_regions, allowed_prefixes: [], refused_prefixes: [] });
	it('requires an ordinary line in an allowed region', () => {
		expect(refusalToCall(number('mobile', 'US'), of('US', 'CA'))).toBeNull();
		expect(refusalToCall(number('fixed', 'CA'), of('US', 'CA'))).toBeNull();
		expect(refusalToCall(number('mobile', 'JM'), of('US', 'CA'))).toBe('country_not_allowed');
		expect(refusalToCall(number('mobile', 'US'), of())).toBe('country_not_allowed');
	});
	it.each<PhoneType>(['premium', 'shared_cost', 'satellite', 'other'])('allows no %s number', (type) => {
		expect(refusalToCall(number(type, 'US'), of('US'))).toBe('phone_not_callable');
		expect(refusalToCall(number(type, '001'), of('US'))).toBe('phone_not_callable');
		expect(refusalToCall(number(type, 'US'), { ...of('US'), allowed_prefixes: ['+1202'] })).toBe('phone_not_callable');
	});

	const refusal = (e164: string, rules: { allowed_prefixes?: string[]; refused_prefixes?: string[] } = {}) => {
		const phone = phoneNumbers.parse(e164);
		if ('refused' in phone) throw new Error(`${e164} is not valid`);
		return refusalToCall(phone, { ...of('US', 'CA', 'GB'), ...rules });
	};
	it.each(['+12129761234', '+14169761234', '+16054751234', '+17124321234', '+12183391234', '+16417151234'])(
		'refuses %s by default: a premium exchange, or one that attracts traffic for money',
		(e164) => {
			expect(refusal(e164)).toBe('phone_not_callable');
			expect(refusal(e164, { allowed_prefixes: [e164.slice(0, 8)] })).toBeNull();
			// The allowed prefix is shorter than the refused one. An allowed area code does not include its expensive exchanges.
			expect(refusal(e164, { allowed_prefixes: [e164.slice(0, 5)] })).toBe('phone_not_callable');
		},
	);
	it.each(['+12129751234', '+16054741234', '+12029976123', '+442079760000'])(
		'accepts %s, which is next to a refused prefix',
		(e164) => {
			expect(refusal(e164)).toBeNull();
		},
	);
	it('follows the workspace’s longest matching prefix, and refuses if two are equally long', () => {
		expect(refusal('+12125551234', { refused_prefixes: ['+1212'] })).toBe('phone_not_callable');
		expect(refusal('+12125551234', { refused_prefixes: ['+1212'], allowed_prefixes: ['+1212555'] })).toBeNull();
		const alike = { refused_prefixes: ['+1212555'], allowed_prefixes: ['+1212555', '+1'] };
		expect(refusal('+12125551234', alike)).toBe('phone_not_callable');
		expect(refusal('+12135551234', alike)).toBeNull();
	});
});
