import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';

/** The last digits of numbers whose people talk, are busy, reject the call and so on (local/phone-network/scripts.ts). */
const ENDINGS = ['01', '02', '14', '04', '08', '05', '06'];

/** Area codes of the United States. Each has a hundred numbers that are reserved for fiction, 555-0100 to 0199. */
export function fictionalAreas(): readonly string[] {
	const areas = Array.from({ length: 800 }, (_, n) => String(200 + n));
	return areas.filter((area) => {
		const parsed = phoneNumbers.parse(`+1${area}5550101`);
		return 'region' in parsed && parsed.region === 'US' && ['fixed', 'mobile'].includes(parsed.type);
	});
}

/**
 * Returns `count` different US numbers that are reserved for fiction: one for each visitor, because a number has at most one live
 * call.
 */
export function fictionalNumbers(count: number): readonly string[] {
	const numbers = fictionalAreas().flatMap((area) => ENDINGS.map((ending) => `+1${area}55501${ending}`));
	if (numbers.length < count) throw new RangeError(`there are ${numbers.length} numbers`);
	return numbers.slice(0, count);
}
