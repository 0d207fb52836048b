/** Which of the messages that were received go to a function together. */
export type FairBatches<M> = {
	add(messages: readonly M[]): void;
	/** Up to so many messages, counted as in flight from now on; none when those that wait have to go on waiting. */
	take(count: number): readonly M[];
	done(batch: readonly M[]): void;
	/** Those that wait. */
	size(): number;
};

/** Batches of one group in flight, at most: with the few instances of one machine, a receiver that hangs would hold all. */
const BATCHES_OF_A_GROUP = 2;

/**
 * What SQS does for message groups on standard queues ("fair queues"): groups with the fewest messages in flight come
 * first, so that one whose receiver hangs does not delay the others. A message without a group is a group of its own.
 */
export function fairBatches<M>(groupOf: (message: M) => string | null): FairBatches<M> {
	const waiting = new Map<string, M[]>();
	const alone: M[] = [];
	/** Group -> batches that hold one of its messages. */
	const inFlight = new Map<string, number>();
	const batchesOf = (group: string): number => inFlight.get(group) ?? 0;
	const groupsOf = (batch: readonly M[]): ReadonlySet<string> =>
		new Set(batch.flatMap((message) => groupOf(message) ?? []));

	/** One of each group in turn, until there are enough. */
	function draw(groups: readonly string[], count: number): M[] {
		const batch = alone.splice(0, count);
		for (let found = 1; found > 0 && batch.length < count; ) {
			const turn = groups.slice(0, count - batch.length).flatMap((group) => waiting.get(group)?.splice(0, 1) ?? []);
			batch.push(...turn);
			found = turn.length;
		}
		return batch;
	}
	return {
		add(messages) {
			for (const message of messages) {
				const group = groupOf(message);
				if (group === null) alone.push(message);
				else if (waiting.has(group)) waiting.get(group)?.push(message);
				else waiting.set(group, [message]);
			}
		},
		take(count) {
			const groups = [...waiting.keys()]
				.filter((group) => batchesOf(group) < BATCHES_OF_A_GROUP)
				.sort((a, b) => batchesOf(a) - batchesOf(b));
			const batch = draw(groups, count);
			for (const group of groups) if (waiting.get(group)?.length === 0) waiting.delete(group);
			for (const group of groupsOf(batch)) inFlight.set(group, batchesOf(group) + 1);
			return batch;
		},
		done(batch) {
			for (const group of groupsOf(batch)) {
				if (batchesOf(group) > 1) inFlight.set(group, batchesOf(group) - 1);
				else inFlight.delete(group);
			}
		},
		size: () => alone.length + [...waiting.values()].reduce((sum, { length }) => sum + length, 0),
	};
}
