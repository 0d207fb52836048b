import { randomUUID } from 'node:crypto';
import {
	ConditionalCheckFailedException,
	type PutItemCommandInput,
	TransactionCanceledException,
	type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { CommitOutcome, Write } from '../../ports/store.ts';
import type { Refusal } from '../aws/client/ask.ts';
import { AwsFailure } from '../aws/client/failure.ts';
import type { DynamoClient } from './client.ts';
import { MARK } from './items.ts';
import { putItem, transactWriteItems } from './operations.ts';
import type { Shards } from './table.ts';
import { toTransactItem } from './writes.ts';

type Put = NonNullable<TransactWriteItem['Put']>;

/**
 * A lone put is a plain conditional write, at half the price of a transaction. Everything else is one transaction,
 * whose token lets a retry after a lost response find its own success (DynamoDB keeps tokens for 10 minutes).
 */
export async function commit(client: DynamoClient, writes: readonly Write[], shards: Shards): Promise<CommitOutcome> {
	const items = writes.map((write) => toTransactItem(client.table, write, writes, shards));
	const [first] = items;
	if (first === undefined) return { committed: true };
	return items.length === 1 && first.Put !== undefined ? putAlone(client, first.Put) : transact(client, items);
}

async function transact(client: DynamoClient, TransactItems: TransactWriteItem[]): Promise<CommitOutcome> {
	const answer = await client.call(transactWriteItems, { TransactItems, ClientRequestToken: randomUUID() });
	if (answer.answer === 'ok') return { committed: true };
	const refused = reasonsOf(answer).flatMap((code, position) => (code === 'ConditionalCheckFailed' ? [position] : []));
	if (refused.length === 0) throw unexpected('TransactWriteItems', answer);
	return { committed: false, refused };
}

/** Why a transaction was cancelled: one code for each write, `None` for those without a problem. */
function reasonsOf({ error }: Refusal): readonly string[] {
	const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : undefined;
	return (reasons ?? []).map(({ Code = 'None' }) => Code);
}

/**
 * A plain put has no token: after a lost response, the guard refuses the retry if the first try succeeded. The item then
 * has this write's mark, which distinguishes our success from another writer's.
 */
async function putAlone(client: DynamoClient, put: Put): Promise<CommitOutcome> {
	// The last 48 bits, all random: Node.js draws UUIDs in advance, but `randomBytes` for each call.
	const mark = randomUUID().slice(-12);
	const Item = { ...put.Item, [MARK]: { S: mark } };
	const input: PutItemCommandInput =
		put.ConditionExpression === undefined ? put : { ...put, Item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
	const answer = await client.call(putItem, input);
	if (answer.answer === 'ok') return { committed: true };
	if (!(answer.error instanceof ConditionalCheckFailedException)) throw unexpected('PutItem', answer);
	const ours = answer.error.Item?.[MARK]?.S === mark;
	return ours ? { committed: true } : { committed: false, refused: [0] };
}

function unexpected(operation: string, answer: Refusal): Error {
	return new AwsFailure('dynamodb', operation, [answer.code, ...reasonsOf(answer)].join(' '));
}
