/** The most edits between an unknown name and the name that its sender may have meant. */
const MOST_EDITS = 2;
/**
 * No known name is nearly as long as this. So a longer unknown name is similar to no known name, and the comparison, which
 * would take too long, is skipped.
 */
const MOST_COMPARED_CHARACTERS = 40;

/** Says what an unknown name may have been: the most similar known name, or all known names if none of them is similar. */
export function unknownName(name: string, known: readonly string[]): string {
	if (known.length === 0) return 'unknown; this request takes none';
	const distances =
		name.length > MOST_COMPARED_CHARACTERS ? [] : known.map((one) => edits(letters(name), letters(one)));
	const least = Math.min(...distances);
	const nearest = known[distances.indexOf(least)];
	if (nearest === undefined || least > Math.min(MOST_EDITS, Math.floor(nearest.length / 2)))
		return `unknown; use one of ${known.join(', ')}`;
	return `unknown; did you mean \`${nearest}\`?`;
}

/** The letters of a name. `endpointId` and `endpoint-id` have the same letters as `endpoint_id`. */
const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** How many letters must be added, removed, replaced or swapped with the next letter to turn one text into the other. */
function edits(from: string, to: string): number {
	let before: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const next = [row];
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			next[column] = Math.min(
				(last[column] ?? 0) + 1,
				(next[column - 1] ?? 0) + 1,
				(last[column - 1] ?? 0) + (isSame ? 0 : 1),
				isSwap ? (before[column - 2] ?? 0) + 1 : Infinity,
			);
		}
		[before, last] = [last, next];
	}
	return last[to.length] ?? 0;
}
