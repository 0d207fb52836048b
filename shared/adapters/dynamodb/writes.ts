import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Count, Guard, Write } from '../../ports/store.ts';
import type { DynamoClient } from './client.ts';
import { toItem, toKey } from './items.ts';
import { counter, table } from './table.ts';

type Update = NonNullable<TransactWriteItem['Update']>;
type Condition = Pick<Update, 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** A write of the port in DynamoDB's format, with its guard as a condition. */
export function toTransactItem({ table: TableName }: DynamoClient, write: Write): TransactWriteItem {
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

/** A counter's key, what to add, and the limits as its condition. */
export function countUpdate(write: Count): Omit<Update, 'TableName'> {
	const names: Record<string, string> = { '#expires': table.ttl_attribute };
	const values: Record<string, number> = { ':one': 1, ':expires': write.expires_at_epoch_s };
	const adds: string[] = [];
	const limits: string[] = [];
	for (const [i, [field, limit]] of Object.entries(write.limits).entries()) {
		names[`#f${i}`] = field;
		values[`:f${i}`] = limit;
		adds.push(`#f${i} :one`);
		// A missing field counts as 0, which has reached a limit of 0.
		limits.push(limit > 0 ? `(attribute_not_exists(#f${i}) OR #f${i} < :f${i})` : `#f${i} < :f${i}`);
	}
	return {
		Key: marshall(counter.key(write.counter)),
		UpdateExpression: `SET #expires = :expires ADD ${adds.join(', ')}`,
		ConditionExpression: limits.join(' AND '),
		ExpressionAttributeNames: names,
		ExpressionAttributeValues: marshall(values),
	};
}
