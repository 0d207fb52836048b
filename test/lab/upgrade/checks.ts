import type { Filled } from './fill.ts';
import type { Held } from './kinds/held.ts';

type Say = (line: string) => void;

export type Checks = ReturnType<typeof startChecks>;

/** Starts all checks of what a stack left behind, on the one that runs now. Both functions return what does not hold. */
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

/** The report names checks that take longer than this, because a step waits for the longest one. */
const LONG_S = 10;

async function timed(done: Promise<string | null>) {
	const beganMs = performance.now();
	const fault = await done;
	return { fault, took_s: Math.round((performance.now() - beganMs) / 1000) };
}

/** A page in an error says nothing after its beginning. */
const MOST_CHARACTERS = 400;

/** Null: it holds. */
const outcome = ({ check }: Held): Promise<string | null> =>
	check().then(
		() => null,
		(error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, MOST_CHARACTERS),
	);
