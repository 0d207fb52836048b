/** Chooses which received messages go to a function as one batch. */
export type FairBatches<M> = {
	add(messages: readonly M[]): void;
	/** Takes up to `count` messages, which then count as in flight; empty if the waiting ones must wait longer. */
	take(count: number): readonly M[];
	done(batch: readonly M[]): void;
	/** The waiting messages. */
	size(): number;
};

/** Maximum batches in flight with messages of one group. */
const BATCHES_OF_A_GROUP = 2;
/** A batch is quick if it ends within this time. A receiver that hangs takes 15 s. */
const QUICK_MS = 1000;
/** Maximum batches in flight of groups that are not known to be quick: fewer than there are pollers. */
const UNPROVEN_AT_ONCE = 3;

/**
 * Imitates SQS's fair queues (message groups on standard queues), on a machine with few instances: a group whose receiver
 * hangs must not delay the others. Messages of groups whose last batch was quick share batches, and the group with the
 * fewest batches in flight comes first. Any other group has one batch in flight, without messages of others. A message
 * without a group is its own group. `now_ms` is a clock.
 */
export function fairBatches<M>(
	groupOf: (message: M) => string | null,
	now_ms: () => number = () => performance.now(),
): FairBatches<M> {
	const waiting = new Map<string, Line<M>>();
	const alone = line<M>();
	/** Group -> the number of batches that contain one of its messages. */
	const inFlight = new Map<string, number>();
	const quick = new Set<string>();
	const taken_ms = new Map<readonly M[], number>();
	const batchesOf = (group: string): number => inFlight.get(group) ?? 0;
	const groupsOf = (batch: readonly M[]) => new Set(batch.flatMap((message) => groupOf(message) ?? []));

	/** Take one message of each group in turn, until there are enough. */
	function draw(groups: readonly string[], batch: M[], count: number): readonly M[] {
		for (let found_count = 1; found_count > 0 && batch.length < count; ) {
			const turn = groups.slice(0, count - batch.length).flatMap((group) => waiting.get(group)?.take(1) ?? []);
			batch.push(...turn);
			found_count = turn.length;
		}
		for (const group of groupsOf(batch)) inFlight.set(group, batchesOf(group) + 1);
		return batch;
	}
	/** The group that has waited longest of those that are not known to be quick; none if enough of them are in flight. */
	function unproven(): string | undefined {
		const running = [...inFlight.keys()].filter((group) => !quick.has(group)).length;
		if (running >= UNPROVEN_AT_ONCE) return undefined;
		return [...waiting.keys()].find((group) => !quick.has(group) && batchesOf(group) === 0);
	}
	function fairShare(count: number): readonly M[] {
		const groups = [...waiting.keys()]
			.filter((group) => quick.has(group) && batchesOf(group) < BATCHES_OF_A_GROUP)
			.sort((a, b) => batchesOf(a) - batchesOf(b));
		return draw(groups, [...alone.take(count)], count);
	}
	/** Groups that still have messages wait behind the others. */
	function putBack(groups: Iterable<string>): void {
		for (const group of groups) {
			const rest = waiting.get(group);
			waiting.delete(group);
			if (rest !== undefined && rest.size() > 0) waiting.set(group, rest);
		}
	}
	return {
		add(messages) {
			for (const message of messages) {
				const group = groupOf(message);
				const own = group === null ? alone : (waiting.get(group) ?? line<M>());
				if (group !== null) waiting.set(group, own);
				own.add(message);
			}
		},
		take(count) {
			const group = unproven();
			const batch = group === undefined ? fairShare(count) : draw([group], [], count);
			putBack(groupsOf(batch));
			if (batch.length > 0) taken_ms.set(batch, now_ms());
			return batch;
		},
		done(batch) {
			const wasQuick = now_ms() - (taken_ms.get(batch) ?? 0) < QUICK_MS;
			taken_ms.delete(batch);
			for (const group of groupsOf(batch)) {
				if (wasQuick) quick.add(group);
				else quick.delete(group);
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
	let taken_count = 0;
	const size = (): number => messages.length - taken_count;
	return {
		add: (message) => void messages.push(message),
		take(count) {
			const next = messages.slice(taken_count, taken_count + count);
			taken_count += next.length;
			if (taken_count < size()) return next;
			messages = messages.slice(taken_count);
			taken_count = 0;
			return next;
		},
		size,
	};
}
