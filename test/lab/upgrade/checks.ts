import type { Filled } from './fill.ts';
import type { Held } from './kinds/held.ts';

type Say = (line: string) => void;

export type Checks = ReturnType<typeof startChecks>;

/**
 * Starts all checks of what one stack left behind, on the stack that runs now. Both returned functions report the checks that
 * fail.
 */
export function startChecks(step: string, filled: Filled) {
	const running = filled.map(({ kind, held }) => ({
		kind,
		checks: held.map((each) => ({ ...each, done: timed(outcome(each)) })),
	}));

	async function report(say: Say, isSlow: boolean): Promise<readonly string[]> {
		const faults: string[] = [];
		for (const { kind, checks } of running) {
			const own = checks.filter(({ slow = false }) => slow === isSlow);
			if (own.length === 0) continue;
			const names = await Promise.all(
				own.map(async ({ what, done }) => {
					const { fault, took_s } = await done;
					const taken = took_s < LONG_S ? what : `${what} (${took_s} s)`;
					if (fault === null) return taken;
					faults.push(`${step}: ${kind}: ${what}: ${fault}`);
					say(`    FAULT ${faults.at(-1)}`);
					return `FAULT ${taken}`;
				}),
			);
			say(`    ${step}: ${kind}: ${[...new Set(names)].join('; ')}`);
		}
		return faults;
	}
	return {
		quick: (say: Say) => report(say, false),
		/** Waits for the checks that take minutes. */
		slow: (say: Say) => report(say, true),
	};
}

/** The report shows the duration of checks that take longer than this, because a step waits for its longest check. */
const LONG_S = 10;

async function timed(done: Promise<string | null>) {
	const beganMs = performance.now();
	const fault = await done;
	return { fault, took_s: Math.round((performance.now() - beganMs) / 1000) };
}

/** If an error contains a page, everything after its first characters is of no use. */
const MOST_CHARACTERS = 400;

/** Null if the check passes. */
const outcome = ({ check }: Held): Promise<string | null> =>
	check().then(
		() => null,
		(error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, MOST_CHARACTERS),
	);
