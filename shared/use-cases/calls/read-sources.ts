import { dayOf, namesCounter, namesIn } from '../../domain/calls/source-names.ts';
import { type Sources, sourceNumbers } from '../../domain/calls/source-numbers.ts';
import type { Store } from '../../ports/store.ts';
import type { ReadTallies } from './read-tallies.ts';

/**
 * Returns the figures of each page and campaign that sent visitors. If the names of a day were not read together with the
 * tallies, this function reads them.
 */
export async function readSources(
	workspaceId: string,
	{ tallies, from, names }: ReadTallies,
	{ used }: Pick<Store, 'used'>,
): Promise<Sources> {
	const days = [...new Set(tallies.map(({ place }) => dayOf(place)))];
	const byDay = await Promise.all(
		days.map(async (day) => {
			const known = names?.get(day)?.split('\n');
			return [day, known ?? namesIn(await used(namesCounter(workspaceId, day)))] as const;
		}),
	);
	const namesOn = new Map(byDay);
	return sourceNumbers(tallies, from, (day) => namesOn.get(day) ?? []);
}
