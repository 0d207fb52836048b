import {
	type ConsumedCapacity,
	errorTypeRegistries,
	type ReturnConsumedCapacity,
	TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';
import type { MetadataBearer } from '@smithy/types';
import { StoreBusy } from '../../ports/store.ts';
import type { AwsEnv } from '../aws/client/account.ts';
import { ask, type Refusal, type Settled } from '../aws/client/ask.ts';
import { awsClient } from '../aws/client/client.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import type { Operation } from '../aws/client/operation.ts';
import { type Budget, VISITOR_BUDGET } from '../aws/client/retry.ts';
import { nativeJson } from './native-json.ts';
import type { Shards } from './table.ts';

export type DynamoEnv = AwsEnv & {
	readonly TABLE_NAME: string;
	readonly AWS_ENDPOINT_URL_DYNAMODB?: string | undefined;
};
/** The cost of one operation, in read or write units of the table and its indexes. */
export type Meter = (spent: { readonly operation: string; readonly units: number }) => void;
export type DynamoOptions = {
	readonly budget?: Budget;
	readonly meter?: Meter;
	/** The shard counts of another version of the service, for tests. */
	readonly shards?: Shards;
};

type Metered = { ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined };
type Consumed = MetadataBearer & { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined };

export type DynamoClient = {
	readonly table: string;
	/** Retries transient errors; throws `StoreBusy` when the budget is spent. */
	call<In extends Metered, Out extends Consumed>(operation: Operation<In, Out>, input: In): Promise<Settled<Out>>;
	/** The same, but throws on any refusal. */
	read<In extends Metered, Out extends Consumed>(operation: Operation<In, Out>, input: In): Promise<Out>;
	connect(): void;
};

/** Transient errors ("Error handling with DynamoDB"). */
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

/** As the SDK's DynamoDBClient is configured (its `runtimeConfig.shared`, which it does not export). */
export const dynamoProtocol = () =>
	new AwsJson1_0Protocol({
		defaultNamespace: 'com.amazonaws.dynamodb',
		errorTypeRegistries,
		serviceTarget: 'DynamoDB_20120810',
		jsonCodec: nativeJson(new DynamoDBJsonCodec2()),
	});

export function dynamoClient(env: DynamoEnv, { budget = VISITOR_BUDGET, meter }: DynamoOptions): DynamoClient {
	const service = { name: 'dynamodb', endpoint: env.AWS_ENDPOINT_URL_DYNAMODB, protocol: dynamoProtocol() };
	const aws = awsClient(service, env);

	async function call<In extends Metered, Out extends Consumed>(
		operation: Operation<In, Out>,
		input: In,
	): Promise<Settled<Out>> {
		const metered: In = meter ? { ...input, ReturnConsumedCapacity: 'TOTAL' } : input;
		const result = await ask(aws, operation, metered, budget, isTransient);
		if ('is' in result) throw storeBusy(operation, result.code);
		if (result.answer === 'ok') meter?.({ operation: operation.name, units: units(result.output) });
		return result;
	}
	return {
		table: env.TABLE_NAME,
		call,
		async read(operation, input) {
			const answer = await call(operation, input);
			if (answer.answer === 'ok') return answer.output;
			throw new AwsFailure('dynamodb', operation.name, answer.code);
		},
		connect: aws.connect,
	};
}

export function storeBusy({ name }: { readonly name: string }, code: string): StoreBusy {
	const cause = new AwsFailure('dynamodb', name, code);
	return new StoreBusy(cause.message, { cause });
}

/** A cancelled transaction is transient unless its reasons include a condition, or a bug of ours. */
function isTransient({ code, error }: Refusal): boolean {
	if (!(error instanceof TransactionCanceledException)) return transient.has(code);
	return (error.CancellationReasons ?? []).every(({ Code = 'None' }) => Code === 'None' || transientReasons.has(Code));
}

function units({ ConsumedCapacity }: Consumed): number {
	return [ConsumedCapacity ?? []].flat().reduce((sum, part) => sum + (part.CapacityUnits ?? 0), 0);
}
