import { setTimeout as pause } from 'node:timers/promises';
import type { MetadataBearer } from '@smithy/types';
import { overrides } from '../../../overrides.ts';
import type { AwsAnswer, AwsClient } from './client.ts';
import type { Operation } from './operation.ts';

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

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 200;

/**
 * Tries again until the result is clear or the budget is spent, with full-jitter pauses that grow from 25 to 200 ms; returns
 * the last result. An unclear try may nevertheless have succeeded, so the operation must be idempotent.
 */
export async function withinBudget<T>(
	budget: Budget,
	attempt: (try_ms: number) => Promise<T>,
	isClear: (result: T) => boolean,
): Promise<T> {
	const { patience } = overrides;
	let left_ms = budget.total_ms * patience;
	const end = performance.now() + left_ms;
	for (let n = 1; ; n += 1) {
		const result = await attempt(Math.min(budget.try_ms * patience, left_ms));
		if (isClear(result) || n === budget.tries) return result;
		await pause(Math.random() * Math.min(FIRST_DELAY_MS * 2 ** (n - 1), LONGEST_DELAY_MS));
		left_ms = end - performance.now();
		if (left_ms <= 0) return result;
	}
}

export type Refusal = Extract<AwsAnswer<never>, { answer: 'refused' }>;

/** Asks until AWS answers clearly; `unclear`: the budget is spent. `passes` names the transient refusals. */
export async function ask<In extends object, Out extends MetadataBearer>(
	aws: AwsClient,
	operation: Operation<In, Out>,
	input: In,
	budget: Budget,
	passes: (refusal: Refusal) => boolean,
): Promise<AwsAnswer<Out>> {
	const attempt = async (try_ms: number): Promise<AwsAnswer<Out>> => {
		const answer = await aws.send(operation, input, try_ms);
		return answer.answer === 'refused' && passes(answer) ? { answer: 'unclear', code: answer.code } : answer;
	};
	return withinBudget(budget, attempt, ({ answer }) => answer !== 'unclear');
}
