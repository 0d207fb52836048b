import { StoreBusy } from '../../ports/store.ts';
import { type AwsAnswer, type AwsEnv, awsJsonClient } from '../aws/json-client.ts';
import { type Budget, type Tried, VISITOR_BUDGET, withinBudget } from '../aws/retry.ts';
import type { Consumed, DynamoErrorDetails, DynamoOperation, DynamoOperations } from './wire.ts';

export type DynamoEnv = AwsEnv & {
	readonly TABLE_NAME: string;
	readonly AWS_ENDPOINT_URL_DYNAMODB?: string | undefined;
};
/** What one operation cost, in read or write units of the table and its indexes. */
export type Meter = (spent: { readonly operation: DynamoOperation; readonly units: number }) => void;
export type DynamoOptions = { readonly budget?: Budget; readonly meter?: Meter };

/** Refused for good: by a condition, or for a fault of ours. */
export type Refusal = Extract<AwsAnswer<never, DynamoErrorDetails>, { answer: 'refused' }>;
export type DynamoAnswer<Output> = { readonly answer: 'ok'; readonly output: Output } | Refusal;

export type DynamoClient = {
	readonly table: string;
	/** Retries what passes by itself; throws `StoreBusy` when the budget is spent. */
	call<K extends DynamoOperation>(
		operation: K,
		input: DynamoOperations[K]['input'],
	): Promise<DynamoAnswer<DynamoOperations[K]['output']>>;
	/** The same where no refusal is expected: throws on one. */
	read<K extends DynamoOperation>(
		operation: K,
		input: DynamoOperations[K]['input'],
	): Promise<DynamoOperations[K]['output']>;
	connect(): void;
};

/** What DynamoDB will take a moment later ("Error handling with DynamoDB"). */
const transient: ReadonlySet<string> = new Set([
	'ProvisionedThroughputExceededException',
	'RequestLimitExceeded',
	'ThrottlingException',
	'TransactionConflictException',
	'TransactionInProgressException',
	'InternalServerError',
	'ServiceUnavailable',
]);
/** The same, as reasons of a cancelled transaction. */
const transientReasons: ReadonlySet<string> = new Set([
	'TransactionConflict',
	'ThrottlingError',
	'ProvisionedThroughputExceeded',
]);

export function dynamoClient(env: DynamoEnv, { budget = VISITOR_BUDGET, meter }: DynamoOptions): DynamoClient {
	const service = {
		name: 'dynamodb',
		target: 'DynamoDB_20120810',
		json_version: '1.0',
		endpoint: env.AWS_ENDPOINT_URL_DYNAMODB,
	} as const;
	const aws = awsJsonClient<DynamoOperations, DynamoErrorDetails>(service, env);

	async function call<K extends DynamoOperation>(
		operation: K,
		input: DynamoOperations[K]['input'],
	): Promise<DynamoAnswer<DynamoOperations[K]['output']>> {
		const metered = meter ? { ...input, ReturnConsumedCapacity: 'TOTAL' as const } : input;
		const result = await withinBudget(budget, async (try_ms) => judge(await aws.call(operation, metered, try_ms)));
		if (result.is === 'spent') throw new StoreBusy(`${operation}: ${result.code}`);
		if (result.value.answer === 'ok') meter?.({ operation, units: units(result.value.output.ConsumedCapacity) });
		return result.value;
	}
	return {
		table: env.TABLE_NAME,
		call,
		async read(operation, input) {
			const answer = await call(operation, input);
			if (answer.answer === 'ok') return answer.output;
			throw Object.assign(new Error(`store: ${operation} refused with ${answer.code}`), { code: answer.code });
		},
		connect: aws.connect,
	};
}

function judge<Output>(answer: AwsAnswer<Output, DynamoErrorDetails>): Tried<DynamoAnswer<Output>> {
	if (answer.answer === 'unclear') return { is: 'again', code: answer.code };
	const again = answer.answer === 'refused' && isTransient(answer.code, answer.details);
	return again ? { is: 'again', code: answer.code } : { is: 'done', value: answer };
}

/** A cancelled transaction passes by itself unless a condition, or a fault of ours, was among the reasons. */
function isTransient(code: string, { CancellationReasons: reasons = [] }: DynamoErrorDetails): boolean {
	if (code !== 'TransactionCanceledException') return transient.has(code);
	return reasons.every(({ Code = 'None' }) => Code === 'None' || transientReasons.has(Code));
}

function units(consumed: Consumed | readonly Consumed[] | undefined): number {
	return [consumed ?? []].flat().reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
}
