import { randomBytes, randomUUID } from 'node:crypto';
import type { CommitOutcome, Write } from '../../ports/store.ts';
import type { DynamoClient, Refusal } from './client.ts';
import { MARK } from './items.ts';
import type { PutInput, TransactItem } from './wire.ts';
import { toTransactItem } from './writes.ts';

/**
 * A lone put is a plain conditional write, at half the price of a transaction. Everything else is one transaction,
 * whose token makes a repetition after a lost answer find its own success (kept for 10 minutes by DynamoDB).
 */
export async function commit(client: DynamoClient, writes: readonly Write[]): Promise<CommitOutcome> {
	const items = writes.map((write) => toTransactItem(client.table, write));
	const [first] = items;
	if (first === undefined) return { committed: true };
	return items.length === 1 && 'Put' in first ? putAlone(client, first.Put) : transact(client, items);
}

async function transact(client: DynamoClient, items: readonly TransactItem[]): Promise<CommitOutcome> {
	const answer = await client.call('TransactWriteItems', { TransactItems: items, ClientRequestToken: randomUUID() });
	if (answer.answer === 'ok') return { committed: true };
	const reasons = answer.code === 'TransactionCanceledException' ? (answer.details.CancellationReasons ?? []) : [];
	const refused = reasons.flatMap(({ Code }, position) => (Code === 'ConditionalCheckFailed' ? [position] : []));
	if (refused.length === 0) throw unexpected('TransactWriteItems', answer);
	return { committed: false, refused };
}

/**
 * A plain put has no token: a repetition after a lost answer is refused by the guard that the first one changed. The
 * item then bears this write's own mark, which tells a success of ours from somebody else's.
 */
async function putAlone(client: DynamoClient, put: PutInput): Promise<CommitOutcome> {
	const guarded = put.ConditionExpression !== undefined;
	const mark = randomBytes(9).toString('base64');
	const input = guarded
		? { ...put, Item: { ...put.Item, [MARK]: { S: mark } }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }
		: put;
	const answer = await client.call('PutItem', input);
	if (answer.answer === 'ok') return { committed: true };
	if (answer.code !== 'ConditionalCheckFailedException') throw unexpected('PutItem', answer);
	const found = answer.details.Item?.[MARK];
	const ours = found !== undefined && 'S' in found && found.S === mark;
	return ours ? { committed: true } : { committed: false, refused: [0] };
}

function unexpected(operation: string, { code, details }: Refusal): Error {
	const reasons = details.CancellationReasons?.map(({ Code }) => Code).join(' ');
	return new Error(`store: ${operation} refused with ${code}${reasons ? ` (${reasons})` : ''}`);
}
