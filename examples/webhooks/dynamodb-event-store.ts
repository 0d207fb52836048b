import { type DynamoDBClient, TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { WebhookEvent } from '../../packages/client/webhooks.ts';
import type { EventStore, StoreResult } from './event-store.ts';

/**
 * The service can send an event again for up to 30 days. To recognise such duplicates, the store keeps each event one day
 * longer than that.
 */
const KEEP_SECONDS = 31 * 24 * 3600;

/**
 * Stores events in a DynamoDB table with the partition key `id` and the TTL attribute `expires_at`. Process the events from
 * a stream of the table: each event is one INSERT.
 */
export function dynamoDbEventStore(client: DynamoDBClient, table: string): EventStore {
	return {
		async keep(event: WebhookEvent, sequence: number): Promise<StoreResult> {
			const expires_at = { N: String(Math.floor(Date.now() / 1000) + KEEP_SECONDS) };
			const keepEvent = {
				TableName: table,
				Item: { id: { S: `event#${event.id}` }, body: { S: JSON.stringify(event) }, expires_at },
				ConditionExpression: 'attribute_not_exists(id)',
			};
			const raiseLatest = {
				TableName: table,
				Key: { id: { S: `subject#${event.data['id']}` } },
				UpdateExpression: 'SET latest = :sequence, expires_at = :expires_at',
				ConditionExpression: 'attribute_not_exists(latest) OR latest < :sequence',
				ExpressionAttributeValues: { ':sequence': { N: String(sequence) }, ':expires_at': expires_at },
			};
			try {
				await client.send(
					new TransactWriteItemsCommand({ TransactItems: [{ Put: keepEvent }, { Update: raiseLatest }] }),
				);
				return 'new';
			} catch (error) {
				return refusedBecause(error);
			}
		},
	};
}

/** Returns which condition of the transaction has failed. Throws any other error, so that the service retries the delivery. */
function refusedBecause(error: unknown): StoreResult {
	if (!(error instanceof TransactionCanceledException)) throw error;
	const [event, subject] = (error.CancellationReasons ?? []).map(({ Code }) => Code === 'ConditionalCheckFailed');
	if (event) return 'duplicate';
	if (subject) return 'stale';
	throw error;
}
