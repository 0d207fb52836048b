import { NOTHING_SPARED, play, type Ran, type Spared } from './play.ts';

/** How many worlds a shrinking may play. */
const MOST_PLAYS = 400;

/** The smallest world of the same seed that breaks the same rule: without acts and faults that it does not need. */
export async function shrink(failed: Ran): Promise<Ran> {
	const rule = failed.violations[0]?.rule;
	let plays = 0;
	let best = failed;
	let spared: Spared = NOTHING_SPARED;
	const attempt = async (more: Spared): Promise<boolean> => {
		if (plays >= MOST_PLAYS) return false;
		plays += 1;
		const ran = await play(failed.seed, more);
		if (!ran.violations.some((violation) => violation.rule === rule)) return false;
		[best, spared] = [ran, more];
		return true;
	};
	for (let act = failed.acts - 1; act >= 0; act -= 1) {
		await attempt({ ...spared, acts: new Set([...spared.acts, act]) });
	}
	for (let share = 2, left = true; left; share *= 2) {
		const size = Math.ceil(best.fired.length / share);
		left = size > 1;
		for (let from = 0; from < best.fired.length; ) {
			const faults = new Set([...spared.faults, ...best.fired.slice(from, from + size)]);
			if (!(await attempt({ ...spared, faults }))) from += size;
		}
	}
	return best;
}
