import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { CommitOutcome, Count, CounterPlace, CountOutcome, Guard, Write } from '../../ports/store.ts';
import type { AwsRefusal } from '../aws/client/client.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import { type DynamoClient, reasonsOf, transactWriteItems, updateItem } from './client.ts';
import { type Attributes, counterKey, toItem, toKey } from './items.ts';
import { table } from './table.ts';

type Update = NonNullable<TransactWriteItem['Update']>;
type Condition = Pick<Update, 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/**
 * Commits one transaction. DynamoDB remembers the token of a transaction for 10 minutes. So if the response is lost, a
 * retry finds that the transaction has already succeeded.
 */
export async function commit(
	client: DynamoClient,
	writes: readonly Write[],
	inTime: () => boolean = () => true,
): Promise<CommitOutcome> {
	if (writes.length === 0) return { committed: true };
	if (!inTime()) return { committed: false, refused: [] };
	const TransactItems = writes.map((write) => toTransactItem(client, write));
	const result = await client.call(transactWriteItems, { TransactItems, ClientRequestToken: randomUUID() }, inTime);
	if (result.outcome === 'ok') return { committed: true };
	const refusedPositions = reasonsOf(result).flatMap((code, position) =>
		code === 'ConditionalCheckFailed' ? [position] : [],
	);
	if (refusedPositions.length === 0) throw unexpectedRefusal(transactWriteItems, result);
	return { committed: false, refused: refusedPositions };
}

/**
 * Raises a counter with a plain conditional update, which costs one write unit instead of the two of a transaction. An
 * update has no token, so if the response is lost, a retry counts again.
 */
export async function raiseCounter(client: DynamoClient, write: Count): Promise<CountOutcome> {
	const result = await client.call(updateItem, {
		TableName: client.table,
		...countUpdate(write),
		ReturnValues: 'UPDATED_NEW',
		ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
	});
	if (result.outcome === 'ok') return { counted: true, used: usedOf(write, result.output.Attributes) };
	if (!(result.error instanceof ConditionalCheckFailedException)) throw unexpectedRefusal(updateItem, result);
	return { counted: false, used: usedOf(write, result.error.Item) };
}

function usedOf({ limits }: Count, attributes: Attributes = {}): Readonly<Record<string, number>> {
	const usedCounts = fieldsOf(attributes);
	return Object.fromEntries(Object.keys(limits).map((field) => [field, usedCounts[field] ?? 0]));
}

export const fieldsOf = (attributes: Attributes = {}): Readonly<Record<string, number>> =>
	Object.fromEntries(countsOf(attributes));

/** The counts in a counter's item: all of its numbers except the expiry. */
export function countsOf(attributes: Attributes): CounterPlace['counts'] {
	const counts: (readonly [string, number])[] = [];
	for (const name in attributes) {
		const digits = attributes[name]?.N;
		if (digits !== undefined && name !== table.ttl_attribute) counts.push([name, Number(digits)]);
	}
	return counts;
}

function unexpectedRefusal({ name }: { readonly name: string }, result: AwsRefusal): Error {
	return new AwsFailure('dynamodb', name, [result.code, ...reasonsOf(result)].join(' '));
}

function toTransactItem({ table: TableName }: DynamoClient, write: Write): TransactWriteItem {
	switch (write.op) {
		case 'put':
			return { Put: { TableName, Item: toItem(write.record, write.item), ...condition(write.guard) } };
		case 'remove':
			return { Delete: { TableName, Key: toKey(write.record, write.key), ...condition(write.guard) } };
		case 'count':
			return { Update: { TableName, ...countUpdate(write) } };
	}
}

const absent = `attribute_not_exists(${table.partition_key})`;

function condition(guard: Guard): Condition {
	switch (guard.if) {
		case 'always':
			return {};
		case 'absent':
			return { ConditionExpression: absent };
		case 'version':
			return {
				ConditionExpression: '#version = :version',
				ExpressionAttributeNames: { '#version': 'version' },
				ExpressionAttributeValues: marshall({ ':version': guard.version }),
			};
		case 'absent_or_expired':
			return {
				ConditionExpression: `${absent} OR #expires <= :now`,
				ExpressionAttributeNames: { '#expires': table.ttl_attribute },
				ExpressionAttributeValues: marshall({ ':now': guard.now_epoch_s }),
			};
	}
}

function countUpdate(write: Count): Omit<Update, 'TableName'> {
	const names: Record<string, string> = { '#expires': table.ttl_attribute };
	const values: Record<string, number> = { ':one': 1, ':expires': write.expires_at_epoch_s };
	const adds: string[] = [];
	const limits: string[] = [];
	for (const [i, [field, limit]] of Object.entries(write.limits).entries()) {
		names[`#f${i}`] = field;
		values[`:f${i}`] = limit;
		adds.push(`#f${i} :one`);
		// A missing field counts as 0. If the limit is 0, a missing field has already reached it.
		limits.push(limit > 0 ? `(attribute_not_exists(#f${i}) OR #f${i} < :f${i})` : `#f${i} < :f${i}`);
	}
	return {
		Key: counterKey(write.counter, write.place),
		UpdateExpression: `SET #expires = :expires ADD ${adds.join(', ')}`,
		ConditionExpression: limits.join(' AND '),
		ExpressionAttributeNames: names,
		ExpressionAttributeValues: marshall(values),
	};
}
