import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import metadata from 'libphonenumber-js/metadata.max';
import { numberGuides } from './number-guides.ts';

// The world's numbering plans as the service needs them, generated from libphonenumber's: the patterns of five kinds of
// number, by calling code and region. Without formats, prefixes and parsing rules, 190 KB of a bundle become 60. After an
// update of libphonenumber-js run `node tools/generate/numbering-plans.ts`; a test says when that is due.

/** `[region, leading digits, premium, shared cost, fixed, mobile, other]`, without trailing empty ones. */
export type NumberingPlan = readonly string[];

/** The positions of the fields that we need in the library's metadata (format 4). */
const LEADING_DIGITS = 10;
const TYPES = 11;
/** Positions in the list of types, grouped into our kinds in the order of `NumberingPlan`. */
const KINDS = [
	{ kind: 'premium', types: [3] },
	{ kind: 'shared_cost', types: [9] },
	{ kind: 'fixed, internet', types: [0, 8] },
	{ kind: 'mobile', types: [1] },
	{ kind: 'free, personal, voicemail, company, pager', types: [2, 4, 5, 6, 7] },
] as const;

/** Shortens the patterns: `d` means `\d`, and groups need no `?:`. */
function shorten(pattern: string): string {
	return pattern.replaceAll('\\d', 'd').replaceAll('(?:', '(');
}

function patternsOf(country: readonly unknown[]): readonly string[] {
	const types = country[TYPES];
	if (!Array.isArray(types)) return [];
	return Array.from(types, (type: unknown) => (Array.isArray(type) ? String(type[0]) : ''));
}

/**
 * One region's plan. `seen` are the patterns of regions that are checked before it under the same code, so it never sees
 * their numbers.
 */
function planOf(region: string, country: readonly unknown[], seenCodes: ReadonlySet<string>): NumberingPlan {
	const patterns = patternsOf(country);
	const kinds = KINDS.map(({ types }) => {
		const own = types
			.map((type) => patterns[type] ?? '')
			.filter((pattern) => pattern !== '' && !seenCodes.has(pattern));
		return shorten(own.join('|'));
	});
	const leading = typeof country[LEADING_DIGITS] === 'string' ? shorten(country[LEADING_DIGITS]) : '';
	const plan = [region, leading, ...kinds];
	return plan.slice(0, plan.findLastIndex((part) => part !== '') + 1);
}

/** All plans by calling code, with regions in the order of the checks. */
export function numberingPlans(): Readonly<Record<string, readonly NumberingPlan[]>> {
	const codes = Object.entries(metadata.country_calling_codes).map(([code, regions]) => {
		const seenCodes = new Set<string>();
		const plans = regions.map((region) => {
			const country = metadata.countries[region] ?? [];
			const plan = planOf(region, country, seenCodes);
			// A region with leading digits is checked only for numbers that begin with them, so it hides no pattern from the next
			// region.
			if (typeof country[LEADING_DIGITS] !== 'string')
				for (const pattern of patternsOf(country)) seenCodes.add(pattern);
			return plan;
		});
		return [code, plans] as const;
	});
	return Object.fromEntries(codes);
}

function write(name: string, lines: readonly string[]): void {
	const file = fileURLToPath(new URL(`../shared/adapters/phone-metadata/${name}`, import.meta.url));
	writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

if (import.meta.main) {
	const plans = Object.entries(numberingPlans()).map(([code, regions]) => {
		return `\t"${code}": [\n${regions.map((plan) => `\t\t${JSON.stringify(plan)}`).join(',\n')}\n\t]`;
	});
	write('numbering-plans.json', plans);
	const guides = Object.entries(numberGuides()).map(([region, guide]) => `\t"${region}": ${JSON.stringify(guide)}`);
	write('number-guides.json', guides);
}
