import { quarterAt, shopNumbers, sumUp, tallyCounter, tallyFrom } from '../shared/domain/calls/tally.ts';
import { readSources } from '../shared/use-cases/calls/read-sources.ts';
import type { OpsDeps } from './connect.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * The figures of a workspace over its last days, of 24 hours each. The figures are counted in the same way as on the page
 * *Statistics* of the desk, but without the figures for each day and hour.
 */
export async function shopFigures(
	{ id, days }: { readonly id: string; readonly days: number },
	{ store, clock }: Pick<OpsDeps, 'store' | 'clock'>,
) {
	const fromMs = quarterAt(clock.now() - days * DAY_MS);
	const from = tallyFrom(fromMs);
	const tallies = await store.usedFrom(tallyCounter(id), from);
	const { by_hour: _, ...figures } = shopNumbers(sumUp(tallies), fromMs, () => 0);
	const { since, path, campaign } = await readSources(id, { from, tallies }, store);
	const named = [path, campaign].map((rows) => rows.map(({ name, ...row }) => ({ name: name ?? 'other', ...row })));
	const [pages, campaigns] = named;
	return { since: new Date(fromMs).toISOString(), ...figures, pages_since: since, pages, campaigns };
}
