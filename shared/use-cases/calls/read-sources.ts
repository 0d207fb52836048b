import { dayOf, namesCounter } from '../../domain/calls/source-names.ts';
import { type Sources, sourceNumbers } from '../../domain/calls/source-numbers.ts';
import type { Tallies } from '../../domain/calls/tally.ts';
import type { Store } from '../../ports/store.ts';

/**
 * Returns the figures of each page and campaign that sent visitors. `tallies` are the tallies to add up, each for six hours.
 * `from` is the beginning of the first six hours for which tallies were read.
 */
export async function readSources(
	workspaceId: string,
	{ tallies, from }: { readonly tallies: Tallies; readonly from: string },
	{ used }: Pick<Store, 'used'>,
): Promise<Sources> {
	const days = [...new Set(tallies.map(({ place }) => dayOf(place)))];
	const names = await Promise.all(days.map(async (day) => [day, await used(namesCounter(workspaceId, day))] as const));
	const byDay = new Map(names);
	return sourceNumbers(tallies, from, (day) => byDay.get(day) ?? {});
}
