import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Count, Counted } from '../../ports/store.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import type { DynamoClient } from './client.ts';
import type { Attributes } from './items.ts';
import { updateItem } from './operations.ts';
import { counting } from './writes.ts';

/**
 * Raises a counter with a plain conditional update: one write unit instead of two in a transaction. The update has no
 * token, so a retry after a lost response counts again.
 */
export async function count(client: DynamoClient, write: Count): Promise<Counted> {
	const answer = await client.call(updateItem, {
		TableName: client.table,
		...counting(write),
		ReturnValues: 'UPDATED_NEW',
		ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
	});
	if (answer.answer === 'ok') return { counted: true, used: usedOf(write, answer.output.Attributes) };
	const { error, code } = answer;
	if (!(error instanceof ConditionalCheckFailedException)) throw new AwsFailure('dynamodb', 'UpdateItem', code);
	return { counted: false, used: usedOf(write, error.Item) };
}

function usedOf({ limits }: Count, attributes: Attributes = {}): Readonly<Record<string, number>> {
	const held = new Map<string, unknown>(Object.entries(unmarshall(attributes)));
	return Object.fromEntries(Object.keys(limits).map((field) => [field, Number(held.get(field) ?? 0)]));
}
