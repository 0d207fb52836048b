import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max';
import examples from 'libphonenumber-js/mobile/examples';

// The format of each region's numbers for the widget's form, generated from libphonenumber's metadata.

/** The positions of the fields that we need in the library's metadata (format 4). */
const INTERNATIONAL_PREFIX = 1;
const PATTERN = 2;
const LENGTHS = 3;
const FORMATS = 4;
const TRUNK_PREFIX = 5;
const TYPES = 11;
/** Positions in the list of types: fixed and mobile. */
const ORDINARY = [0, 1] as const;

/**
 * Examples in E.164 from the ranges that NANPA, Ofcom, ACMA, Arcep and the Bundesnetzagentur reserve for fiction. Other
 * regions use the library's example.
 */
const FICTION: Readonly<Record<string, string>> = {
	US: '+12025550123',
	CA: '+16135550123',
	GB: '+442079460101',
	AU: '+61255500001',
	FR: '+33199000001',
	DE: '+493023125001',
};

/** `[calling code, trunk prefix, international prefix, pattern, shortest, longest, example, the same as written at home, [leading digits, sizes] …]` */
export type KeptGuide = readonly [
	string,
	string,
	string,
	string,
	number,
	number,
	string,
	string,
	...(readonly [string, string])[],
];

function texts(value: unknown): readonly string[] {
	return Array.isArray(value) ? value.map(String) : [];
}

/** `2 4 4,5` of `(\d{2})(\d{4})(\d{4,5})`; null if a format does more than group digits. */
function sizesOf(pattern: string, format: string): string | null {
	const groups = [...pattern.matchAll(/\(([^()]*)\)/g)].map(([, group = '']) => {
		if (/^\d+$/.test(group)) return String(group.length);
		return /^\\d(?:\{(\d+(?:,\d+)?)\})?$/.exec(group)?.map((size) => size ?? '1')[1] ?? '';
	});
	const inOrder = (format.match(/\$\d/g) ?? []).join('') === groups.map((_, at) => `$${at + 1}`).join('');
	return inOrder && groups.every(Boolean) ? groups.join(' ') : null;
}

/** The groups of a number in international format. */
function groupsOf(formats: unknown): readonly (readonly [string, string])[] {
	if (!Array.isArray(formats)) return [];
	return formats.flatMap((format: unknown) => {
		if (!Array.isArray(format)) return [];
		const [pattern, national, leading, , , international] = format;
		const sizes = sizesOf(String(pattern), String(international ?? national));
		return sizes === null ? [] : [[texts(leading).at(-1) ?? '', sizes] as const];
	});
}

/** The shortest and the longest ordinary number. */
function lengthsOf(country: readonly unknown[]): readonly [number, number] {
	const types = country[TYPES];
	const every = texts(country[LENGTHS]);
	const own = ORDINARY.flatMap((at) => {
		const type: unknown = Array.isArray(types) ? types[at] : null;
		// A type without lengths has the lengths of the whole plan.
		return Array.isArray(type) ? texts(type[1] ?? every) : [];
	});
	const lengths = (own.length > 0 ? own : every).map(Number);
	return [Math.min(...lengths), Math.max(...lengths)];
}

/** The national form; the international form if the national one needs more than a trunk prefix (mobiles in Argentina). */
function nationalForm(example: PhoneNumber, trunk: string): string {
	const national = example.formatNational();
	const digits = national.replace(/\D/g, '');
	return [digits, digits.slice(trunk.length)].includes(example.nationalNumber)
		? national
		: example.formatInternational();
}

/** Returns the guides of all regions that have ordinary numbers. */
export function numberGuides(): Readonly<Record<string, KeptGuide>> {
	const byCode = Object.entries(metadata.country_calling_codes).flatMap(([code, regions]) => {
		const [main] = regions;
		return regions.flatMap((region): [string, KeptGuide][] => {
			const country = metadata.countries[region];
			const exampleNumber = FICTION[region] ?? (examples[region] && `+${code}${examples[region]}`);
			const example = parsePhoneNumberFromString(exampleNumber ?? '');
			if (!country || !example) return [];
			// Regions with the same calling code use the formats of the first one.
			const formats = country[FORMATS] || (main && metadata.countries[main]?.[FORMATS]);
			const trunk = typeof country[TRUNK_PREFIX] === 'string' ? country[TRUNK_PREFIX] : '';
			const [shortest, longest] = lengthsOf(country);
			const abroad = String(country[INTERNATIONAL_PREFIX]);
			const guide = [code, trunk, abroad, String(country[PATTERN]), shortest, longest] as const;
			return [[region, [...guide, example.number, nationalForm(example, trunk), ...groupsOf(formats)]]];
		});
	});
	return Object.fromEntries(byCode.sort(([a], [b]) => (a < b ? -1 : 1)));
}
