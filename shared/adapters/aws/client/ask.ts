import type { MetadataBearer } from '@smithy/types';
import type { AwsAnswer, AwsClient } from './client.ts';
import type { Operation } from './operation.ts';
import { type Budget, type Spent, withinBudget } from './retry.ts';

export type Refusal = Extract<AwsAnswer<never>, { answer: 'refused' }>;
/** A result that retries would not change. */
export type Settled<Output> = Exclude<AwsAnswer<Output>, { answer: 'unclear' }>;

/** Retries until AWS answers clearly or the budget is spent. `passes` names the transient refusals. */
export async function ask<In extends object, Out extends MetadataBearer>(
	aws: AwsClient,
	operation: Operation<In, Out>,
	input: In,
	budget: Budget,
	passes: (refusal: Refusal) => boolean,
): Promise<Settled<Out> | Spent> {
	const result = await withinBudget<Settled<Out>>(budget, async (try_ms) => {
		const answer = await aws.send(operation, input, try_ms);
		if (answer.answer === 'unclear') return { is: 'again', code: answer.code };
		const again = answer.answer === 'refused' && passes(answer);
		return again ? { is: 'again', code: answer.code } : { is: 'done', value: answer };
	});
	return result.is === 'done' ? result.value : result;
}
