import { randomUUID } from 'node:crypto';
import {
	ConditionalCheckFailedException,
	type PutItemCommandInput,
	type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { CommitOutcome, Count, CounterPlace, CountOutcome, Guard, Put, Write } from '../../ports/store.ts';
import type { AwsRefusal } from '../aws/client/client.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import { type DynamoClient, putItem, reasonsOf, transactWriteItems, updateItem } from './client.ts';
import { type Attributes, counterKey, toItem, toKey, WRITE_ID } from './items.ts';
import { table } from './table.ts';

type Update = NonNullable<TransactWriteItem['Update']>;
type Condition = Pick<Update, 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/**
 * Commits all writes, or none. A plain put costs half of a transaction, so it is used where it is safe (see `plainPut`).
 */
export async function commit(
	client: DynamoClient,
	writes: readonly Write[],
	inTime: () => boolean = () => true,
): Promise<CommitOutcome> {
	if (writes.length === 0) return { committed: true };
	if (!inTime()) return { committed: false, refused: [] };
	const put = plainPut(writes);
	return put === null ? transact(client, writes, inTime) : putNextVersion(client, put, inTime);
}

/**
 * The write, if a plain put can replace the transaction: the next version of a call or a delivery, alone. Otherwise null.
 * A put that succeeds may be reported as refused (see `putNextVersion`). Then the change is decided again, from a record
 * that already has it. The state machines of calls and deliveries do nothing in that case; other records have none.
 */
export function plainPut([first, ...others]: readonly Write[]): Put | null {
	if (first === undefined || others.length > 0 || first.op !== 'put' || first.guard.if !== 'version') return null;
	return first.record === 'call' || first.record === 'delivery' ? first : null;
}

/**
 * DynamoDB remembers the token of a transaction for 10 minutes. So if the response is lost, a retry finds that the
 * transaction has already succeeded.
 */
async function transact(client: DynamoClient, writes: readonly Write[], inTime: () => boolean): Promise<CommitOutcome> {
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
 * A plain put has no token. If its response is lost, the retry is refused, because the record has the next version already.
 * The id of the write, stored with the item, shows that it was our own try that succeeded. If another process has already
 * written a later version, the item no longer has the id, and our success is reported as refused. A first try that arrives
 * late changes nothing, because no record gets an earlier version again.
 */
async function putNextVersion(client: DynamoClient, write: Put, inTime: () => boolean): Promise<CommitOutcome> {
	const writeId = randomUUID();
	const input: PutItemCommandInput = {
		TableName: client.table,
		Item: { ...toItem(write.record, write.item), [WRITE_ID]: { S: writeId } },
		...condition(write.guard),
		ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
	};
	const result = await client.call(putItem, input, inTime);
	if (result.outcome === 'ok') return { committed: true };
	if (!(result.error instanceof ConditionalCheckFailedException)) throw unexpectedRefusal(putItem, result);
	const isOurs = result.error.Item?.[WRITE_ID]?.S === writeId;
	return isOurs ? { committed: true } : { committed: false, refused: [0] };
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
