import { dayOf, namesByCode, OTHER, type SourceKind } from './source-names.ts';
import { beginOf, countedIn, hasPages, type SourceCounts, sourceCounts, type Tallies } from './tally.ts';

/** The figures of one page or campaign. The figures do not include calls that have not ended. */
export type SourceNumbers = {
	/** Null for the sum of all names without a code of their own: the names that came after the first 50 of a day. */
	readonly name: string | null;
	readonly requests: number;
	readonly conversations: number;
	/** Calls for which the team was rung but no member took the call. */
	readonly missed: number;
	readonly callbacks: number;
};
export type Sources = {
	/** Sorted by conversations, then by requests, then by callbacks, the most first. The entry without a name comes last. */
	readonly path: readonly SourceNumbers[];
	readonly campaign: readonly SourceNumbers[];
	/**
	 * The time from which on calls and leads are included (ISO 8601): the beginning of the first tally that was read. If the
	 * calls and leads in the first tallies were not counted by page, `since` is the time of the first tally that counts
	 * pages.
	 */
	readonly since: string;
};

/**
 * Adds up tallies by page and by campaign. `from` is the name (`place`) of the first tally that was read. `namesOn` returns
 * the names of a day, as `namesIn` has them.
 */
export function sourceNumbers(tallies: Tallies, from: string, namesOn: (day: string) => readonly string[]): Sources {
	const days = [...Map.groupBy(tallies, ({ place }) => dayOf(place))].map(([day, ofDay]) => {
		return { counts: sourceCounts(ofDay), named: namesOn(day) };
	});
	const ofKind = (kind: SourceKind): readonly SourceNumbers[] => {
		const sums = new Map<string | null, SourceNumbers>();
		for (const { counts: each, named } of days) {
			const names = namesByCode(kind, named);
			for (const [code, counts] of each[kind]) {
				const name = code === OTHER ? null : (names.get(code) ?? null);
				sums.set(name, plus(sums.get(name) ?? { name, ...NOTHING }, counts));
			}
		}
		return [...sums.values()].sort(byWorth);
	};
	return { path: ofKind('path'), campaign: ofKind('campaign'), since: sinceOf(tallies, from) };
}

const NOTHING = { requests: 0, conversations: 0, missed: 0, callbacks: 0 };

const plus = (sum: SourceNumbers, { conversations, missed, rest, callbacks }: SourceCounts): SourceNumbers => ({
	name: sum.name,
	requests: sum.requests + conversations + missed + rest,
	conversations: sum.conversations + conversations,
	missed: sum.missed + missed,
	callbacks: sum.callbacks + callbacks,
});

const byWorth = (a: SourceNumbers, b: SourceNumbers): number =>
	Number(a.name === null) - Number(b.name === null) ||
	b.conversations - a.conversations ||
	b.requests - a.requests ||
	b.callbacks - a.callbacks ||
	((a.name ?? '') < (b.name ?? '') ? -1 : 1);

/** The release 28086779 did not count by page. So tallies may be older than the first figures by page. */
function sinceOf(tallies: Tallies, from: string): string {
	const begin = beginOf(from);
	const inOrder = tallies.toSorted((a, b) => (a.place < b.place ? -1 : 1));
	const paged = inOrder.find(({ counts }) => hasPages(counts));
	if (paged === undefined) return begin;
	const first = beginOf(paged.place);
	const hasUnnamed = tallies.some(({ place, counts }) => beginOf(place) < first && countedIn(counts) > 0);
	return hasUnnamed ? first : begin;
}
