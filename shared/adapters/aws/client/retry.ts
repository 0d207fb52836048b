import { setTimeout as pause } from 'node:timers/promises';
import { overrides } from '../../../overrides.ts';

/** A caller's time budget for one result. */
export type Budget = {
	readonly tries: number;
	/** The time limit of each try. */
	readonly try_ms: number;
	/** No try starts after this. */
	readonly total_ms: number;
};
/** For functions that a client waits for. */
export const VISITOR_BUDGET: Budget = { tries: 3, try_ms: 1000, total_ms: 3000 };
/** For workers, which no client waits for. */
export const WORKER_BUDGET: Budget = { tries: 8, try_ms: 3000, total_ms: 20_000 };

/** The outcome of one try. `again`: it may nevertheless have succeeded, so the operation must be idempotent. */
export type Tried<T> = { readonly is: 'done'; readonly value: T } | { readonly is: 'again'; readonly code: string };
export type Spent = { readonly is: 'spent'; readonly code: string };

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 200;

/** Retries until done or the budget is spent, with full-jitter pauses that grow from 25 to 200 ms. */
export async function withinBudget<T>(
	budget: Budget,
	attempt: (try_ms: number) => Promise<Tried<T>>,
): Promise<Extract<Tried<T>, { is: 'done' }> | Spent> {
	const { patience } = overrides;
	const end = performance.now() + budget.total_ms * patience;
	let code = 'budget';
	for (let n = 0; n < budget.tries; n += 1) {
		const left = end - performance.now();
		if (left <= 0) break;
		const tried = await attempt(Math.min(budget.try_ms * patience, left));
		if (tried.is === 'done') return tried;
		code = tried.code;
		if (n + 1 < budget.tries) await pause(Math.random() * Math.min(FIRST_DELAY_MS * 2 ** n, LONGEST_DELAY_MS));
	}
	return { is: 'spent', code };
}
