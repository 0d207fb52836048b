export type Run = () => void | Promise<void>;

/** Virtual time: planned actions, soonest first; those at the same moment in order of planning. */
export type Agenda = {
	now(): number;
	/** Never before now. */
	at(at_ms: number, run: Run): void;
	after(ms: number, run: Run): void;
	/** Runs the next action, if it is not after `until_ms`. */
	next(until_ms: number): Run | null;
};

export function agenda(start_ms: number): Agenda {
	const plans: { readonly at_ms: number; readonly run: Run }[] = [];
	let now_ms = start_ms;
	const at = (at_ms: number, run: Run): void => {
		const plan = { at_ms: Math.max(now_ms, at_ms), run };
		const later = plans.findIndex((other) => other.at_ms > plan.at_ms);
		plans.splice(later === -1 ? plans.length : later, 0, plan);
	};
	return {
		now: () => now_ms,
		at,
		after: (ms, run) => at(now_ms + ms, run),
		next(until_ms) {
			const [first] = plans;
			if (first === undefined || first.at_ms > until_ms) return null;
			plans.shift();
			now_ms = first.at_ms;
			return first.run;
		},
	};
}
