export type Run = () => void | Promise<void>;

/**
 * Virtual time. Planned actions run in the order of their time. Actions of the same moment run in the order in which they were
 * planned.
 */
export type Agenda = {
	now(): number;
	/** Plans an action. A time in the past counts as now. */
	at(atMs: number, run: Run): void;
	after(ms: number, run: Run): void;
	/** Removes and returns the next action if it is due by `untilMs`. Null if none is. */
	next(untilMs: number): Run | null;
};

type Plan = { readonly at_ms: number; readonly nth: number; readonly run: Run };
const isSooner = (a: Plan, b: Plan): boolean => a.at_ms < b.at_ms || (a.at_ms === b.at_ms && a.nth < b.nth);

/** The agenda of one world. It is a binary heap, because a world plans thousands of actions. */
export function worldTime(startMs: number): Agenda {
	const heap: Plan[] = [];
	let nowMs = startMs;
	let made = 0;
	const at = (atMs: number, run: Run): void => {
		const plan = { at_ms: Math.max(nowMs, atMs), nth: made, run };
		made += 1;
		rise(heap, plan);
	};
	return {
		now: () => nowMs,
		at,
		after: (ms, run) => at(nowMs + ms, run),
		next(untilMs) {
			const [first] = heap;
			if (first === undefined || first.at_ms > untilMs) return null;
			const last = heap.pop();
			if (last !== undefined && heap.length > 0) sink(heap, last);
			nowMs = first.at_ms;
			return first.run;
		},
	};
}

function rise(heap: Plan[], plan: Plan): void {
	let place = heap.length;
	heap.push(plan);
	while (place > 0) {
		const above = (place - 1) >> 1;
		const parent = heap[above];
		if (parent === undefined || !isSooner(plan, parent)) break;
		heap[place] = parent;
		place = above;
	}
	heap[place] = plan;
}

function sink(heap: Plan[], plan: Plan): void {
	let place = 0;
	for (;;) {
		const left = heap[2 * place + 1];
		const right = heap[2 * place + 2];
		if (left === undefined) break;
		const takesRight = right !== undefined && isSooner(right, left);
		const child = takesRight ? right : left;
		if (!isSooner(child, plan)) break;
		heap[place] = child;
		place = 2 * place + (takesRight ? 2 : 1);
	}
	heap[place] = plan;
}
