import * as z from 'zod/mini';
import type { NumberGuides } from '../../ports/phone-numbers.ts';
import packed from './number-guides.json' with { type: 'json' };

// Generated from libphonenumber (Apache 2.0) by tools/generate/numbering-plans.ts.

const PackedGuide = z.tuple(
	[z.string(), z.string(), z.string(), z.string(), z.number(), z.number(), z.string(), z.string()],
	z.tuple([z.string(), z.string()]),
);
const guides = new Map<string, unknown>(Object.entries(packed));

export const numberGuides: NumberGuides = {
	guideTo(region) {
		if (!guides.has(region)) return null;
		const [calling_code, trunk_prefix, international_prefix, ...rest] = PackedGuide.parse(guides.get(region));
		const [pattern, shortest, longest, example, example_national, ...groups] = rest;
		return {
			region,
			calling_code,
			trunk_prefix: trunk_prefix || null,
			example,
			example_national,
			international_prefix,
			pattern,
			shortest,
			longest,
			groups: groups.map(([leading, sizes]) => ({ leading, sizes })),
		};
	},
};
