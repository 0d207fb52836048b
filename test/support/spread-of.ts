/** `npm run lab -- promises` sets EACH_CASE in its configuration. */
export const hasEachCase = process.env['EACH_CASE'] === 'yes';

/**
 * Chooses the cases of a table that a test runs, for tests that load a page in each case. `npm test` runs one case in `oneIn`,
 * spread over the table and beginning with the first. `npm run lab -- promises`, which CI runs, runs every case (ADR 106).
 */
export const spreadOf = <T>(cases: readonly T[], oneIn: number): readonly T[] =>
	hasEachCase ? cases : cases.filter((_, n) => n % oneIn === 0);
