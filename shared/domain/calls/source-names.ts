import type { CountUp } from '../access/rate-limit.ts';
import type { Source } from './source.ts';
import { KEPT_SECONDS, type SourceCodes } from './tally.ts';

// The names of a day's pages and campaigns. A tally has no room for names, so each name of a day gets a code of one
// character. The names are stored as the fields of a counter. One count stores a name together with its code, and it
// succeeds only if the name and the code are both new. So two functions can neither give one code to two names nor two
// codes to one name (ADR 0082).

export type SourceKind = keyof SourceCodes;

/** The codes, in the order in which names get them. */
const CODES = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN';
/** The code for all further names, once the other codes of the day are used up. */
export const OTHER = '*';
/** How many names of each kind get a code of their own on one UTC day: 50. */
export const MOST_NAMES = CODES.length;

const letters = { path: 'P', campaign: 'U' } as const;
const DAY_SECONDS = 24 * 3600;

type Used = Readonly<Record<string, number>>;

/** The day (UTC) of an instant. */
export const dayOf = (at: string): string => at.slice(0, 10);
/**
 * The counter with the names of a day. Its key begins like the keys of the tallies, so that the permission to count in
 * tallies covers this counter, too.
 */
export const namesCounter = (workspaceId: string, day: string): string => `tally#names#${workspaceId}#${day}`;

/** The fields of a counter of names that contain a name: the letter of the kind, then the code, then the name. */
export const namesIn = (used: Used): readonly string[] => Object.keys(used).filter((field) => field.length > 2);
const ofKind = (kind: SourceKind, names: readonly string[]): readonly string[] =>
	names.filter((field) => field.charAt(0) === letters[kind]);

/** The codes by name, for the names of one kind in a counter of names. */
const codesByName = (kind: SourceKind, used: Used): ReadonlyMap<string, string> =>
	new Map(ofKind(kind, namesIn(used)).map((field) => [field.slice(2), field.charAt(1)]));

/** The names by code, for the names of one kind. `names`: see `namesIn`. */
export const namesByCode = (kind: SourceKind, names: readonly string[]): ReadonlyMap<string, string> =>
	new Map(ofKind(kind, names).map((field) => [field.charAt(1), field.slice(2)]));

export type Coded = {
	readonly codes: SourceCodes;
	/**
	 * The count that gives new names of this day their codes. Null if no name is new. The codes are valid only after this
	 * count has succeeded.
	 */
	readonly names: CountUp | null;
};

/** The codes for a source. `used` is the counter of names of the day on which the call or lead was created. */
export function codeSource(
	source: Source,
	{ workspace_id, created_at }: { readonly workspace_id: string; readonly created_at: string },
	used: Used,
): Coded {
	const fields: string[] = [];
	const codeOf = (kind: SourceKind): string | null => {
		const name = source[kind];
		if (name === null) return null;
		const known = codesByName(kind, used);
		const code = known.get(name) ?? CODES[known.size] ?? OTHER;
		// Count the code in a field of its own, too. Each field can be counted only once, so no two names get the same code.
		if (!known.has(name) && code !== OTHER) fields.push(letters[kind] + code, letters[kind] + code + name);
		return code;
	};
	const codes = { path: codeOf('path'), campaign: codeOf('campaign') };
	const day = dayOf(created_at);
	const expires_at_epoch_s = Date.parse(`${day}T00:00Z`) / 1000 + DAY_SECONDS + KEPT_SECONDS;
	const limits = Object.fromEntries(fields.map((field) => [field, 1]));
	const counter = namesCounter(workspace_id, day);
	return { codes, names: fields.length === 0 ? null : { op: 'count', counter, limits, expires_at_epoch_s } };
}
