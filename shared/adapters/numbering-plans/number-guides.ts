import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';
import metadata from 'libphonenumber-js/metadata.max';
import examples from 'libphonenumber-js/mobile/examples';
import { formerRulesOf } from '../../domain/kernel/former-number.ts';
import type { NumberGuide, NumberGuides } from '../../ports/phone-numbers.ts';

// The format of each region's numbers for the widget's form, from libphonenumber's metadata.

/** The positions of the fields that we need in the metadata of the library (format 4). */
const INTERNATIONAL_PREFIX = 1;
const PATTERN = 2;
const LENGTHS = 3;
const FORMATS = 4;
const TRUNK_PREFIX = 5;
const PREFIX_PATTERN = 7;
const PREFIX_RULE = 8;
const TYPES = 11;
/** The positions of fixed, mobile and internet numbers in the list of types. */
const ORDINARY: readonly number[] = [0, 1, 8];

/**
 * Examples in E.164, from the ranges that NANPA, Ofcom, ACMA, Arcep and the Bundesnetzagentur reserve for fiction. For
 * other regions, the library's examples are used.
 */
const FICTION: Readonly<Record<string, string>> = {
	US: '+12025550123',
	CA: '+16135550123',
	GB: '+442079460101',
	AU: '+61255500001',
	FR: '+33199000001',
	DE: '+493023125001',
};

function texts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.map(String) : [];
}

/** The text in a field. Null if the metadata has 0 or nothing in the field. */
function textOrNull(value: unknown): string | null {
	return typeof value === 'string' ? value : null;
}

/**
 * The sizes of groups, for example `2 4 4,5` for `(\d{2})(\d{4})(\d{4,5})`. Null if the format does more than group digits.
 */
function sizesOf(pattern: string, format: string): string | null {
	const groups = [...pattern.matchAll(/\(([^()]*)\)/g)].map(([, group = '']) => {
		if (/^\d+$/.test(group)) return String(group.length);
		return /^\\d(?:\{(\d+(?:,\d+)?)\})?$/.exec(group)?.map((size) => size ?? '1')[1] ?? '';
	});
	const inOrder = (format.match(/\$\d/g) ?? []).join('') === groups.map((_, at) => `$${at + 1}`).join('');
	return inOrder && groups.every(Boolean) ? groups.join(' ') : null;
}

/** How a number is grouped in the international format. */
function groupsOf(formats: unknown): NumberGuide['groups'] {
	if (!Array.isArray(formats)) return [];
	return formats.flatMap((format: unknown) => {
		if (!Array.isArray(format)) return [];
		const [pattern, national, leading, , , international] = format;
		const sizes = sizesOf(String(pattern), String(international ?? national));
		return sizes === null ? [] : [{ leading: texts(leading).at(-1) ?? '', sizes }];
	});
}

/**
 * The types of numbers in a region's plan, or only the types at the positions in `at`. Each type has a pattern. A type also
 * has lengths, if its lengths differ from the lengths of the whole plan.
 */
function typesOf(country: readonly unknown[], at?: readonly number[]): readonly (readonly unknown[])[] {
	const types: readonly unknown[] = Array.isArray(country[TYPES]) ? country[TYPES] : [];
	return types.filter((type, index) => Array.isArray(type) && (at?.includes(index) ?? true)).filter(Array.isArray);
}

const ordinaryTypes = (country: readonly unknown[]) => typesOf(country, ORDINARY);

/**
 * A pattern for the digits of a plan's current numbers. The library's own pattern may also match numbers of the former
 * plan. This pattern does not.
 */
function presentPattern(region: CountryCode, neighbours: readonly CountryCode[]): string {
	const types = [region, ...neighbours].flatMap((one) => typesOf(metadata.countries[one] ?? []));
	const patterns = types.flatMap(([pattern]) => (pattern ? [String(pattern)] : []));
	return `(?=(?:${metadata.countries[region]?.[PATTERN]})$)(?:${[...new Set(patterns)].join('|')})`;
}

/**
 * A pattern for the digits of a region's ordinary numbers. If two regions with one calling code share a number, the library
 * assigns the number to the code's main region. So the pattern of another region leaves out the ordinary numbers of the main
 * region.
 */
function ordinaryPattern(country: readonly unknown[], main: CountryCode | null): string {
	const own = [...new Set(ordinaryTypes(country).map(([pattern]) => String(pattern)))].join('|');
	// In North America, no two plans have the same number.
	if (main === null || main === 'US') return own;
	return `(?!(?:${ordinaryPattern(metadata.countries[main] ?? [], null)})$)(?:${own})`;
}

/** The lengths of the shortest and the longest ordinary number. */
function lengthsOf(country: readonly unknown[]): readonly [number, number] {
	const every = texts(country[LENGTHS]);
	const own = ordinaryTypes(country).flatMap(([, lengths]) => texts(lengths ?? every));
	const lengths = (own.length > 0 ? own : every).map(Number);
	return [Math.min(...lengths), Math.max(...lengths)];
}

function guideTo(region: string): NumberGuide | null {
	if (!isSupportedCountry(region)) return null;
	const country: readonly unknown[] = metadata.countries[region] ?? [];
	const calling_code = String(country[0]);
	const example = parsePhoneNumberFromString(FICTION[region] ?? `+${calling_code}${examples[region] ?? ''}`);
	if (!example) return null;
	// Regions with the same calling code use the formats of the first of these regions.
	const [main = region, ...others] = metadata.country_calling_codes[example.countryCallingCode] ?? [];
	const neighbours = [main, ...others].filter((one) => one !== region);
	const neighbourPatterns = new Set(neighbours.map((one) => String(metadata.countries[one]?.[PATTERN])));
	const [shortest, longest] = lengthsOf(country);
	const former = formerRulesOf(region);
	const trunk_prefix = textOrNull(country[TRUNK_PREFIX]);
	return {
		region,
		calling_code,
		trunk_prefix,
		prefix_pattern: textOrNull(country[PREFIX_PATTERN]) ?? trunk_prefix,
		prefix_rule: textOrNull(country[PREFIX_RULE]),
		international_prefix: String(country[INTERNATIONAL_PREFIX]),
		example: example.number,
		example_national: example.formatNational(),
		pattern: former.length > 0 ? presentPattern(region, neighbours) : String(country[PATTERN]),
		ordinary_pattern: ordinaryPattern(country, main === region ? null : main),
		neighbour_pattern: [...neighbourPatterns].join('|') || null,
		shortest,
		longest,
		groups: groupsOf(country[FORMATS] || metadata.countries[main]?.[FORMATS]),
		former,
	};
}

export const numberGuides: NumberGuides = { guideTo };
