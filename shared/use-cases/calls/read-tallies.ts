import { type ClosedDay, closeDay, closedDaysSince, dayAfter, talliesOf } from '../../domain/calls/closed-day.ts';
import { dayOf, namesCounter, namesIn } from '../../domain/calls/source-names.ts';
import { hasSources, openPlaces, type Tallies, tallyCounter, tallyFrom } from '../../domain/calls/tally.ts';
import type { Ports } from '../../ports/ports.ts';
import { StoreBusy } from '../../ports/store.ts';

type Deps = Pick<Ports, 'store' | 'clock'>;

export type ReadTallies = {
	/** The beginning of the first six hours for which tallies were read. */
	readonly from: string;
	/** The tallies to add up, each for six hours. */
	readonly tallies: Tallies;
	/**
	 * By day, the names of pages and campaigns as the record of a closed day has them. `readSources` reads the names of all
	 * other days.
	 */
	readonly names?: ReadonlyMap<string, string>;
};

/**
 * Reads the tallies of a workspace from an instant on. The tallies begin with the six hours that contain the instant. When a
 * day has closed, the first reader adds up the tallies of the day and stores the sums. Later readers read the sums.
 */
export async function readTallies(workspaceId: string, fromMs: number, { store, clock }: Deps): Promise<ReadTallies> {
	const from = tallyFrom(fromMs);
	const counter = tallyCounter(workspaceId);
	const days = closedDaysSince(dayOf(from), clock.now());
	const last = days.at(-1);
	const [kept, open, latest] = await Promise.all([
		last === undefined ? [] : store.closedDays(workspaceId, dayOf(from), last),
		store.usedAt(counter, days.flatMap(openPlaces)),
		store.usedFrom(counter, last === undefined ? from : dayAfter(last)),
	]);
	const known = new Set(kept.map(({ day }) => day));
	const closed = await closeDays(
		workspaceId,
		days.filter((day) => !known.has(day)),
		store,
	);
	const tallies = [...[...kept, ...closed].flatMap(talliesOf), ...open, ...latest];
	const names = namesOf([...kept, ...closed], open);
	return { from, tallies: tallies.filter(({ place }) => place >= from), names };
}

/** If a call that ended late is counted by its page or campaign, its day may have got another name since it was added up. */
function namesOf(closed: readonly ClosedDay[], open: Tallies): ReadonlyMap<string, string> {
	const late = new Set(open.filter(({ counts }) => hasSources(counts)).map(({ place }) => dayOf(place)));
	const complete = closed.filter(({ day }) => !late.has(day));
	return new Map(complete.map(({ day, names }) => [day, names]));
}

/**
 * One request to the table reads the tallies of at most this many days. In a shop with 10,000 calls a day, the tallies of
 * these days are about half a megabyte.
 */
const AT_ONCE = 7;

/** Adds up closed days, and stores the sums for the next reader. Two readers at the same time store the same sums. */
async function closeDays(
	workspaceId: string,
	days: readonly string[],
	store: Deps['store'],
): Promise<readonly ClosedDay[]> {
	const closed: ClosedDay[] = [];
	for (let nth = 0; nth < days.length; nth += AT_ONCE) {
		const some = days.slice(nth, nth + AT_ONCE);
		const first = some[0] ?? '';
		const last = some.at(-1) ?? first;
		const [tallies, ...names] = await Promise.all([
			store.usedFrom(tallyCounter(workspaceId), first, dayAfter(last)),
			...some.map((day) => store.used(namesCounter(workspaceId, day))),
		]);
		const added = some.map((day, at) => closeDay(workspaceId, day, tallies, namesIn(names[at] ?? {})));
		await keep(added, store);
		closed.push(...added);
	}
	return closed;
}

async function keep(days: readonly ClosedDay[], store: Deps['store']): Promise<void> {
	try {
		await store.commit(days.map((item) => ({ op: 'put', record: 'closed_day', item, guard: { if: 'always' } })));
	} catch (error) {
		// Nothing is lost: this reader has the sums, and the next reader tries to store them again.
		if (!(error instanceof StoreBusy)) throw error;
	}
}
