/** Chooses which received messages go to a function as one batch. */
export type FairBatches<M> = {
	add(messages: readonly M[]): void;
	/** Takes up to `count` messages, which then count as in flight; empty if the waiting ones must wait longer. */
	take(count: number): readonly M[];
	done(batch: readonly M[]): void;
	/** The waiting messages. */
	size(): number;
};

/** Maximum batches of one group in flight: otherwise a receiver that hangs would block all of the few local instances. */
const BATCHES_OF_A_GROUP = 2;

/**
 * Imitates SQS's fair queues (message groups on standard queues): groups with the fewest messages in flight come first, so
 * that a group whose receiver hangs does not delay the others. A message without a group is its own group.
 */
export function fairBatches<M>(groupOf: (message: M) => string | null): FairBatches<M> {
	const waiting = new Map<string, Line<M>>();
	const alone = line<M>();
	/** Group -> the number of batches that contain one of its messages. */
	const inFlight = new Map<string, number>();
	const batchesOf = (group: string): number => inFlight.get(group) ?? 0;
	const groupsOf = (batch: readonly M[]): ReadonlySet<string> =>
		new Set(batch.flatMap((message) => groupOf(message) ?? []));

	/** Take one message of each group in turn, until there are enough. */
	function draw(groups: readonly string[], count: number): M[] {
		const batch = [...alone.take(count)];
		for (let found = 1; found > 0 && batch.length < count; ) {
			const turn = groups.slice(0, count - batch.length).flatMap((group) => waiting.get(group)?.take(1) ?? []);
			batch.push(...turn);
			found = turn.length;
		}
		return batch;
	}
	return {
		add(messages) {
			for (const message of messages) {
				const group = groupOf(message);
				const own = group === null ? alone : (waiting.get(group) ?? line<M>());
				own.add(message);
				if (group !== null) waiting.set(group, own);
			}
		},
		take(count) {
			const groups = [...waiting.keys()]
				.filter((group) => batchesOf(group) < BATCHES_OF_A_GROUP)
				.sort((a, b) => batchesOf(a) - batchesOf(b));
			const batch = draw(groups, count);
			for (const group of groups) if (waiting.get(group)?.size() === 0) waiting.delete(group);
			for (const group of groupsOf(batch)) inFlight.set(group, batchesOf(group) + 1);
			return batch;
		},
		done(batch) {
			for (const group of groupsOf(batch)) {
				if (batchesOf(group) > 1) inFlight.set(group, batchesOf(group) - 1);
				else inFlight.delete(group);
			}
		},
		size: () => alone.size() + [...waiting.values()].reduce((sum, { size }) => sum + size(), 0),
	};
}

/** First in, first out: taking one of 10,000 costs as much as taking one of two. */
type Line<M> = { add(message: M): void; take(count: number): readonly M[]; size(): number };

function line<M>(): Line<M> {
	let messages: M[] = [];
	let taken = 0;
	const size = (): number => messages.length - taken;
	return {
		add: (message) => void messages.push(message),
		take(count) {
			const next = messages.slice(taken, taken + count);
			taken += next.length;
			if (taken < size()) return next;
			messages = messages.slice(taken);
			taken = 0;
			return next;
		},
		size,
	};
}
