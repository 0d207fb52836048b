import type { Count, Counted } from '../../ports/store.ts';
import type { DynamoClient } from './client.ts';
import { fromAttributes } from './marshal.ts';
import type { Attributes } from './wire.ts';
import { counting } from './writes.ts';

/**
 * A counter raised by a plain conditional update: one write unit where a transaction takes two. The update has no token,
 * so a retry after a lost answer counts again.
 */
export async function count(client: DynamoClient, write: Count): Promise<Counted> {
	const answer = await client.call('UpdateItem', {
		TableName: client.table,
		...counting(write),
		ReturnValues: 'UPDATED_NEW',
		ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
	});
	if (answer.answer === 'ok') return { counted: true, used: usedOf(write, answer.output.Attributes) };
	if (answer.code !== 'ConditionalCheckFailedException')
		throw new Error(`store: UpdateItem refused with ${answer.code}`);
	return { counted: false, used: usedOf(write, answer.details.Item) };
}

function usedOf({ limits }: Count, attributes: Attributes = {}): Readonly<Record<string, number>> {
	const held = new Map<string, unknown>(Object.entries(fromAttributes(attributes)));
	return Object.fromEntries(Object.keys(limits).map((field) => [field, Number(held.get(field) ?? 0)]));
}
