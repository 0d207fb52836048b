// Numbers of visitors for the simulated phones. The last two digits decide how a call ends (docs/local-stack.md).

/** Area codes of the United States. Each has a hundred numbers that are reserved for fiction (555-0100 to 0199). */
const AREAS = [201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228];
/** Visitors who talk until the team hangs up. The team never does, so these calls would last for hours. */
const TALKS_ON = [10, 11, 12];
/** The endings of numbers that have a script come first, and then those of phones that are not in service. */
const ENDINGS = Array.from({ length: 99 }, (_, n) => n + 1).filter((ending) => !TALKS_ON.includes(ending));

/** How many different numbers there are. */
export const MOST_PHONES = AREAS.length * ENDINGS.length;

/** Different numbers whose calls end by themselves, sorted by the way in which the calls end. */
export function phonesThatEnd(count: number): string[] {
	const all = ENDINGS.flatMap((ending) => AREAS.map((area) => `+1${area}55501${String(ending).padStart(2, '0')}`));
	return all.slice(0, count);
}
