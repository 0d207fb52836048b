/** `npm run lab -- promises` sets it in its configuration. */
const hasEachCase = process.env['EACH_CASE'] === 'yes';

/**
 * Of a table of cases that each need a page: in `npm test` one in so many, spread over the table, beginning with the first; in
 * `npm run lab -- promises`, which CI runs, each (ADR 106).
 */
export const spreadOf = <T>(cases: readonly T[], oneIn: number): readonly T[] =>
	hasEachCase ? cases : cases.filter((_, n) => n % oneIn === 0);
