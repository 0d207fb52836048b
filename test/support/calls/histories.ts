import { appendFileSync } from 'node:fs';

// How many histories the properties of a call play. `npm run histories` sets these; without, a few seconds' worth.

const HISTORIES = Number(process.env['CALL_HISTORIES'] ?? 1200);
const counted = process.env['CALL_HISTORIES_COUNTED'];

/** For one property: its share of the histories (fast-check never stops at a fraction). */
export function runs(share = 1): { readonly numRuns: number } {
	const numRuns = Math.ceil(HISTORIES * share);
	// A property that passes has played them all.
	if (counted !== undefined) appendFileSync(counted, `${numRuns}\n`);
	return { numRuns };
}
