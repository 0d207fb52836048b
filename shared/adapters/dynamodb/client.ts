import {
	BatchGetItem$,
	type BatchGetItemCommand,
	ConditionalCheckFailedException,
	ConditionalCheckFailedException$,
	GetItem$,
	type GetItemCommand,
	PutItem$,
	type PutItemCommand,
	Query$,
	type QueryCommand,
	TransactionCanceledException,
	TransactionCanceledException$,
	TransactWriteItems$,
	type TransactWriteItemsCommand,
	UpdateItem$,
	type UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { TypeRegistry } from '@smithy/core/schema';
import type { MetadataBearer } from '@smithy/types';
import type { TableEnv } from '../../env.ts';
import { StoreBusy } from '../../ports/store.ts';
import {
	type AwsRefusal,
	type AwsResult,
	awsClient,
	type Budget,
	sendToAws,
	VISITOR_BUDGET,
} from '../aws/client/client.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import { plainJson } from '../aws/client/json.ts';
import { type AwsOperation, operation } from '../aws/client/operation.ts';

export const getItem = operation<GetItemCommand>(GetItem$);
export const batchGetItem = operation<BatchGetItemCommand>(BatchGetItem$);
export const query = operation<QueryCommand>(Query$);
export const putItem = operation<PutItemCommand>(PutItem$);
export const transactWriteItems = operation<TransactWriteItemsCommand>(TransactWriteItems$);
export const updateItem = operation<UpdateItemCommand>(UpdateItem$);

export type DynamoOptions = {
	readonly budget?: Budget;
};

export type DynamoClient = ReturnType<typeof dynamoClient>;

/** Temporary errors (see "Error handling with DynamoDB"). */
const transient: ReadonlySet<string> = new Set([
	'ProvisionedThroughputExceededException',
	'RequestLimitExceeded',
	'ThrottlingException',
	'TransactionConflictException',
	'TransactionInProgressException',
	'InternalServerError',
	'ServiceUnavailable',
]);
/** The temporary reasons why DynamoDB cancels a transaction. Their codes differ from the codes of the errors above. */
const transientReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/**
 * The errors whose class and fields we read. The bundler leaves out the SDK's own list of all 30 errors, because nothing
 * uses that list.
 */
const errors = new TypeRegistry('com.amazonaws.dynamodb');
errors.registerError(TransactionCanceledException$, TransactionCanceledException);
errors.registerError(ConditionalCheckFailedException$, ConditionalCheckFailedException);

/**
 * The protocol settings of the SDK's DynamoDBClient, which does not export them (`runtimeConfig.shared`). Only
 * `errorTypeRegistries` is different: it has the errors in `errors`, because we read the fields of no other errors.
 */
export const dynamoProtocol = () =>
	new AwsJson1_0Protocol({
		defaultNamespace: 'com.amazonaws.dynamodb',
		errorTypeRegistries: [errors],
		serviceTarget: 'DynamoDB_20120810',
		jsonCodec: plainJson(),
	});

export function dynamoClient(env: TableEnv, options: DynamoOptions) {
	const { budget = VISITOR_BUDGET } = options;
	const service = { name: 'dynamodb', endpoint: env.AWS_ENDPOINT_URL_DYNAMODB, protocol: dynamoProtocol() };
	const aws = awsClient(service, env);

	/** Retries temporary errors. Throws `StoreBusy` if the budget is used up, or if the function's time is over. */
	async function call<In extends object, Out extends MetadataBearer>(
		operation: AwsOperation<In, Out>,
		input: In,
		inTime?: () => boolean,
	): Promise<Exclude<AwsResult<Out>, { outcome: 'unclear' }>> {
		const result = await sendToAws(aws, operation, input, budget, isTransient, inTime);
		if (result.outcome === 'unclear') throw storeBusy(operation, result.code);
		return result;
	}
	/** Like `call`, but throws if DynamoDB refuses the operation for any reason. */
	async function read<In extends object, Out extends MetadataBearer>(
		operation: AwsOperation<In, Out>,
		input: In,
	): Promise<Out> {
		const result = await call(operation, input);
		if (result.outcome === 'ok') return result.output;
		throw new AwsFailure('dynamodb', operation.name, result.code);
	}
	return { table: env.TABLE_NAME, call, read };
}

export function storeBusy({ name }: { readonly name: string }, code: string): StoreBusy {
	const cause = new AwsFailure('dynamodb', name, code);
	return new StoreBusy(cause.message, { cause });
}

/**
 * Whether a refusal is temporary. A canceled transaction is temporary, unless one of its reasons is not temporary: a
 * condition of ours was not met, or our code has a bug.
 */
function isTransient(refusal: AwsRefusal): boolean {
	if (!(refusal.error instanceof TransactionCanceledException)) return transient.has(refusal.code);
	return reasonsOf(refusal).every((code) => code === 'None' || transientReasons.has(code));
}

/** Why a transaction was canceled: one code for each write. `None` means that this write was not the problem. */
export function reasonsOf({ error }: AwsRefusal): readonly string[] {
	const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
	return (reasons ?? []).map(({ Code = 'None' }) => Code);
}
