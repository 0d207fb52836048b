import { type Counted, dayClosesAt, KEPT_SECONDS, staysOpen, type Tallies } from './tally.ts';

// A day (UTC) closes six hours after its end. From then on, only one tally of each six hours may change (`staysOpen`). There
// may be up to eighty others, so these are added up once and stored as one record (ADR 0108).

/**
 * The sums of the tallies of a day's calls and leads. Calls that ended after the day had closed, and leads that changed after
 * that, are not included.
 */
export type ClosedDay = {
	readonly workspace_id: string;
	/** UTC, `YYYY-MM-DD`. */
	readonly day: string;
	/**
	 * The sums of the tallies' fields, for each period of six hours that has calls. The key is the beginning of the period.
	 * The sums are one text of `field=sum` pairs, because such a text is a third as long as a map.
	 */
	readonly blocks: Readonly<Record<string, string>>;
	/**
	 * The names of the day's pages and campaigns with their codes, one on each line, as `namesIn` has them. A call that ends
	 * later may have another name.
	 */
	readonly names: string;
	readonly expires_at_epoch_s: number;
};

const DAY_MS = 24 * 3_600_000;
/**
 * We add up a day's tallies only this long after the day has closed, because clocks differ, and because a commit that began
 * in time may not have finished.
 */
const SURE_MS = 3_600_000;
const startOf = (day: string): number => Date.parse(`${day}T00:00Z`);

/** The days (UTC), from `first` on, whose tallies can be added up now, in order. */
export function closedDaysSince(first: string, nowMs: number): readonly string[] {
	const days: string[] = [];
	for (let atMs = startOf(first); dayClosesAt(atMs) + SURE_MS <= nowMs; atMs += DAY_MS)
		days.push(new Date(atMs).toISOString().slice(0, 10));
	return days;
}

/** The day (UTC) after `day`. */
export const dayAfter = (day: string): string => new Date(startOf(day) + DAY_MS).toISOString().slice(0, 10);

/** Makes the record of a closed day. `tallies` must contain all tallies of the day, and may contain others. */
export function closeDay(
	workspace_id: string,
	day: string,
	tallies: readonly { readonly place: string; readonly counts: readonly Counted[] }[],
	names: readonly string[],
): ClosedDay {
	const final = tallies.filter(({ place }) => place.startsWith(day) && !staysOpen(place));
	const blocks = [...Map.groupBy(final, ({ place }) => place.slice(0, 16))].map(([begins, each]) => {
		const sums = new Map<string, number>();
		for (const [field, count] of each.flatMap(({ counts }) => counts)) sums.set(field, (sums.get(field) ?? 0) + count);
		return [begins, [...sums].map(([field, sum]) => `${field}=${sum}`).join(' ')] as const;
	});
	const expires_at_epoch_s = (startOf(day) + DAY_MS) / 1000 + KEPT_SECONDS;
	return { workspace_id, day, blocks: Object.fromEntries(blocks), names: names.join('\n'), expires_at_epoch_s };
}

/** The tallies of a closed day: one for each six hours with calls. */
export const talliesOf = ({ blocks }: Pick<ClosedDay, 'blocks'>): Tallies =>
	Object.entries(blocks).map(([place, counts]) => ({ place, counts }));
