import { BatchWriteItemCommand, type BatchWriteItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { plainConfig } from '../../../shared/adapters/aws/client/account.ts';
import type { Attributes } from '../../../shared/adapters/dynamodb/items.ts';
import { counter } from '../../../shared/adapters/dynamodb/table.ts';
import type { TableEnv } from '../../../shared/env.ts';
import type { Raised } from '../memory-store.ts';

/** The most items in one request. */
const BATCH = 25;
/** How many requests are under way at the same time. */
const WRITERS = 6;

/** Writes items into a table in batches, without the checks of the store. No two of the items may have the same key. */
export async function fillTable(env: TableEnv, items: Iterable<Attributes>): Promise<void> {
	const client = new DynamoDBClient(plainConfig(env.AWS_ENDPOINT_URL_DYNAMODB, env));
	const left = items[Symbol.iterator]();
	const nextBatch = (): readonly Attributes[] => {
		const batch: Attributes[] = [];
		for (let next = left.next(); next.done !== true; next = left.next()) {
			batch.push(next.value);
			if (batch.length === BATCH) break;
		}
		return batch;
	};
	const write = async (): Promise<void> => {
		for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
			let RequestItems: BatchWriteItemCommandInput['RequestItems'] = {
				[env.TABLE_NAME]: batch.map((Item) => ({ PutRequest: { Item } })),
			};
			while (Object.keys(RequestItems ?? {}).length > 0) {
				RequestItems = (await client.send(new BatchWriteItemCommand({ RequestItems }))).UnprocessedItems;
			}
		}
	};
	await Promise.all(Array.from({ length: WRITERS }, write));
	client.destroy();
}

export const counterItem = ({ counter: name, place, used, expires_at_epoch_s }: Raised): Attributes =>
	marshall({ ...counter.key(name, place), ...used, expires_at_epoch_s });
