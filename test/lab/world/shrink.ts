import { play, type Ran } from './play.ts';

/** How many worlds `shrink` may play. */
const MOST_PLAYS = 400;

/**
 * Finds a smaller world of the same seed that breaks the same rule, by leaving out acts, events and faults that are not needed.
 */
export async function shrink(failed: Ran): Promise<Ran> {
	const rule = failed.violations[0]?.rule;
	let best = failed;
	let spared: ReadonlySet<string> = new Set();
	let plays = 0;
	async function spare(parts: readonly string[]): Promise<boolean> {
		if (plays >= MOST_PLAYS) return false;
		plays += 1;
		const fewer = new Set([...spared, ...parts]);
		const ran = await play(failed.seed, fewer);
		const breaks = ran.violations.some((violation) => violation.rule === rule);
		if (!breaks || ran.story.length > best.story.length) return false;
		[best, spared] = [ran, fewer];
		return true;
	}
	for (let share = 2, size = Number.POSITIVE_INFINITY; size > 1; share *= 2) {
		size = Math.ceil(best.parts.length / share);
		for (let from = 0; from < best.parts.length; ) {
			if (!(await spare(best.parts.slice(from, from + size)))) from += size;
		}
	}
	return best;
}
