import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';
import { readNumber } from '../../../packages/widget/number/read-number.ts';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { formerRegions, formerRulesOf } from '../../../shared/domain/kernel/former-number.ts';
import { guidesFor } from '../../../shared/use-cases/widget/guides-for.ts';

/** The number settings of a workspace that calls these regions. The first is the workspace's own region. */
function calling(...regions: readonly [string, ...string[]]) {
	const numbers = guidesFor({ region: regions[0], allowed_regions: regions, refused_prefixes: [] }, numberGuides);
	return { regions, numbers };
}
const read = (typed: string, region: string) => readNumber(typed, calling(region), '');

/** Numbers that match a rule's pattern. The pattern's lookarounds are removed, because the generator does not support them. */
function writtenBy(pattern: string): readonly string[] {
	const plain = pattern.replace(/\(\?<=\^(\d*)\)/, '$1').replaceAll(/\(\?=((?:[^()]|\([^()]*\))*)\$\)/g, '(?:$1)');
	return fc.sample(fc.stringMatching(new RegExp(`^(?:${plain})$`)), { seed: 1, numRuns: 40 });
}

/** What people in a region still write, and the number that they mean. */
const FORMER = [
	['MX', '+52 1 222 123 4567', '+522221234567'],
	['MX', '044 222 123 4567', '+522221234567'],
	['MX', '045 (222) 123-4567', '+522221234567'],
	['MX', '01 222 123 4567', '+522221234567'],
	['MX', '+52 01 222 123 4567', '+522221234567'],
	['MX', '0052 1 222 123 4567', '+522221234567'],
	['MX', '521 222 123 4567', '+522221234567'],
	['AR', '+54 9 11 15 2345-6789', '+5491123456789'],
	['AR', '+54 9 0351 15 234 5678', '+5493512345678'],
	['AR', '+54 9 011 2345 6789', '+5491123456789'],
	['AR', '+54 15 11 2345 6789', '+5491123456789'],
	['BR', '+55 11 8123-4567', '+5511981234567'],
	['BR', '(011) 8123-4567', '+5511981234567'],
	['BR', '0 15 11 8123-4567', '+5511981234567'],
	['BR', '+55 11 7812-3456', '+551178123456'],
	['CI', '+225 07 12 34 56', '+2250707123456'],
	['CI', '45 12 34 56', '+2250545123456'],
	['CI', '02 12 34 56', '+2250102123456'],
	['CI', '22 41 23 45', '+2252722412345'],
	['BJ', '97 12 34 56', '+2290197123456'],
	['CO', '(1) 234 5678', '+576012345678'],
	['CL', '+56 2 234 5678', '+56222345678'],
	['CL', '09 8123 4567', '+56981234567'],
	['EC', '+593 8 123 4567', '+593981234567'],
	['VN', '0168 123 4567', '+84381234567'],
	['VN', '+84 123 456 7890', '+84834567890'],
	['VN', '04 3825 1234', '+842438251234'],
	['EG', '+20 12 345 6789', '+201223456789'],
	['SA', '+966 1 234 5678', '+966112345678'],
	['QA', '512 3456', '+97455123456'],
	['CM', '+237 99 12 34 56', '+237699123456'],
	['CR', '+506 222 3456', '+50622223456'],
	['GE', '8 577 12 34 56', '+995577123456'],
	['UA', '8 (050) 123-45-67', '+380501234567'],
	['RU', '8 (095) 123-45-67', '+74951234567'],
	['KZ', '+7 (3272) 12-34-56', '+77272123456'],
	['IT', '+39 2 1234 5678', '+390212345678'],
	['CH', '01 234 56 78', '+41442345678'],
	['CZ', '0602 123 456', '+420602123456'],
	['PL', '0 22 123 45 67', '+48221234567'],
	['LV', '+371 7123456', '+37167123456'],
	['MA', '061 12 34 56', '+212661123456'],
	['DZ', '070 12 34 56', '+213770123456'],
	['MU', '712 3456', '+23057123456'],
	['TH', '01 234 5678', '+66812345678'],
	['GB', '0171 946 0101', '+442079460101'],
	['XK', '+381 38 123 456', '+38338123456'],
	['XK', '+386 49 123 456', '+38349123456'],
	['SX', '+599 542 1234', '+17215421234'],
] as const;

describe('a number of a former numbering plan', () => {
	it.each(FORMER)('in %s, %s is read as %s by the widget and the service', (region, typed, e164) => {
		expect(read(typed, region)).toMatchObject({ e164, fault: null });
		expect(phoneNumbers.parse(typed, region)).toMatchObject({ e164, region });
	});

	it.each([
		['AR', '15 2345-6789', 'a mobile number without its area'],
		['PH', '02 812 3456', 'Manila: the new digit depends on the operator'],
		['VN', '08 3825 12345', 'a digit too many'],
		['MX', '044 222 123 456', 'a digit too few'],
		['US', '044 202 555 0123', 'a prefix of another country'],
	])('is not guessed: in %s, %s (%s)', (region, typed) => {
		expect(read(typed, region).e164).toBeNull();
		expect(phoneNumbers.parse(typed, region)).toMatchObject({ refused: 'phone_invalid' });
	});

	it('never replaces a number of the current plan, has one meaning, and is read alike by the widget and the service', () => {
		let readAgain = 0;
		const wrong = formerRegions.flatMap((region) => {
			const config = calling(region);
			const written = formerRulesOf(region).flatMap(({ pattern }) => writtenBy(pattern));
			return written.flatMap((digits) => {
				const typed = `+${digits}`;
				const phone = phoneNumbers.parse(typed);
				if ('refused' in phone || phone.region !== region || !/fixed|mobile/.test(phone.type)) return [];
				const plan = parsePhoneNumberFromString(typed);
				if (plan?.isValid() ? plan.number !== phone.e164 : phone.e164 === typed)
					return [`${typed} became ${phone.e164}`];
				readAgain += plan?.isValid() ? 0 : 1;
				const { e164, fault } = readNumber(typed, config, '');
				return e164 === phone.e164 ? [] : [`${region} ${typed}: ${e164 ?? fault} for ${phone.e164}`];
			});
		});
		expect(wrong).toEqual([]);
		expect(readAgain).toBeGreaterThan(1000);
	});

	it('is offered with a choice of the country that once had it', () => {
		const numbers = calling('US', 'MX');
		expect(readNumber('044 222 123 4567', numbers, '')).toMatchObject({ e164: null, fault: 'choose_country' });
		expect(readNumber('044 222 123 4567', numbers, 'MX')).toMatchObject({ e164: '+522221234567' });
		expect(readNumber('+52 1 222 123 4567', numbers, '')).toMatchObject({ e164: '+522221234567' });
	});
});

// Russians dial 8 where others dial +7, and some of them write a plus before it. Several such numbers are valid numbers of other
// countries.
describe('a plus before the 8 that Russians dial', () => {
	const WRITTEN = [
		['+8 495 123-45-67', '+84951234567', 'VN'],
		['+8 (812) 123 45 67', '+88121234567', '001'],
		['+8 (916) 123-45-67', null, null],
		['+8 800 555 35 35', null, null],
		['+8 (383) 123-45-67', null, null],
		['+8 863 123 45 67', null, null],
		['+8 727 258 12 34', null, null],
	] as const;

	it.each(WRITTEN)('%s is refused by the widget and the service if a shop calls Russia', (typed, e164, region) => {
		for (const config of [calling('RU'), calling('RU', 'KZ'), calling('DE', 'RU')]) {
			expect(readNumber(typed, config, '')).toMatchObject({ e164: null, fault: 'country_not_allowed' });
			const parsed = phoneNumbers.parse(typed, config.regions[0]);
			expect(parsed).toMatchObject(e164 === null ? { refused: 'phone_invalid' } : { e164, region });
			expect(config.regions).not.toContain(region);
		}
	});

	it('is read by the widget and the service as the number of another country, if the shop calls that country', () => {
		const config = calling('RU', 'VN');
		const e164 = '+84951234567';
		expect(readNumber('+8 495 123-45-67', config, '')).toMatchObject({ e164, fault: null });
		expect(phoneNumbers.parse('+8 495 123-45-67', 'RU')).toMatchObject({ e164, region: 'VN' });
	});

	it.each(['8 495 123-45-67', '+7 8 495 123-45-67', '+7 495 123-45-67'])(
		'is missing in %s, so the number is read',
		(typed) => {
			expect(read(typed, 'RU')).toMatchObject({ e164: '+74951234567', fault: null });
			expect(phoneNumbers.parse(typed, 'RU')).toMatchObject({ e164: '+74951234567', region: 'RU' });
		},
	);
});

describe('a number with something around it', () => {
	it.each([
		'"+1 202 555 0101"',
		'“+1 (202) 555-0101”',
		"'+12025550101'",
		'„+1 202 555 0101“',
		'«+1 202 555 0101»',
		'📞 +1 202 555 0101',
		'☎️+1 202 555 0101',
		'📱: +1 202 555 0101 ✅',
		'👩🏽‍💼 +1 202 555 0101',
		',+1 202 555 0101,',
		'+1 202 555 0101;',
		'**+1 202 555 0101**',
		'• +1 202 555 0101',
		'+1 202 555 0101…',
		'<tel:+12025550101>',
		'"tel:+1-202-555-0101"',
		'(+1 202 555 0101)',
		'(+1) 202 555 0101',
		'{+1 202 555 0101}',
		'\u200b+1 202 555 0101\ufeff',
		'¿+1 202 555 0101?',
		'_+1 202 555 0101_',
	])('is read by the widget and the service: %j', (typed) => {
		expect(read(typed, 'US')).toMatchObject({ e164: '+12025550101', fault: null });
		expect(phoneNumbers.parse(typed)).toMatchObject({ e164: '+12025550101' });
	});

	it.each(['+1 202 555 0101 +', '++12025550101', '1: +1 202 555 0101', '+1 202 555 0101, +1 202 555 0102', '""'])(
		'is not read if something else in it looks like a number: %j',
		(typed) => {
			expect(read(typed, 'US').e164).toBeNull();
			expect(phoneNumbers.parse(typed)).toMatchObject({ refused: 'phone_invalid' });
		},
	);
});
