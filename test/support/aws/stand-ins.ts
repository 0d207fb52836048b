import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamo as startOnFile } from '../../../local/aws/dynamodb.ts';
import { fauxqs } from '../../../local/aws/fauxqs.ts';
import { table } from '../../../shared/adapters/dynamodb/table.ts';
import type { AwsEnv, TableEnv } from '../../../shared/env.ts';
import { temporaryDirectory } from '../temporary.ts';

/** Any credentials will do: the stand-ins do not check them. */
export const testAws: AwsEnv = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

export type DynamoStandIn = {
	readonly endpoint: string;
	/** Creates a new table for one test. Returns the environment variables that name the table. */
	newTable(): Promise<TableEnv>;
	stop(): Promise<void>;
};

/** Starts dynoxide, the stand-in for DynamoDB, with its data in a temporary directory. */
export async function startDynamo(): Promise<DynamoStandIn> {
	const directory = temporaryDirectory('dynoxide-');
	const server = await startOnFile(join(directory, 'table.db'));
	return {
		endpoint: server.url,
		async newTable() {
			const env = { ...testAws, TABLE_NAME: `table-${randomUUID()}`, AWS_ENDPOINT_URL_DYNAMODB: server.url };
			await createTable(env);
			return env;
		},
		async stop() {
			await server.stop();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

/** Creates the service's table from the definition that the deployment uses. */
async function createTable(env: TableEnv): Promise<void> {
	const client = new DynamoDBClient({
		region: env.AWS_REGION,
		endpoint: env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
		credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY },
	});
	await client.send(new CreateTableCommand(tableInput(env.TABLE_NAME)));
	client.destroy();
}

function tableInput(name: string): CreateTableCommandInput {
	const indexes = Object.values(table.indexes);
	const keyed = [table, ...indexes].flatMap(({ partition_key, sort_key }) => [partition_key, sort_key]);
	const schema = (keys: {
		readonly partition_key: string;
		readonly sort_key: string;
	}): CreateTableCommandInput['KeySchema'] => [
		{ AttributeName: keys.partition_key, KeyType: 'HASH' },
		{ AttributeName: keys.sort_key, KeyType: 'RANGE' },
	];
	return {
		TableName: name,
		BillingMode: 'PAY_PER_REQUEST',
		AttributeDefinitions: [...new Set(keyed)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
		KeySchema: schema(table),
		GlobalSecondaryIndexes: indexes.map((index) => ({
			IndexName: index.name,
			KeySchema: schema(index),
			Projection: { ProjectionType: 'KEYS_ONLY' },
		})),
	};
}

/**
 * Runs fauxqs, the stand-in for SQS, in this process on a free port of 127.0.0.1. Tests read and create queues through `server`.
 */
export async function startSqs() {
	const { app, queues } = fauxqs(null);
	const endpoint = await app.listen({ host: '127.0.0.1', port: 0 });
	const { host, port } = new URL(endpoint);
	const server = {
		createQueue(name: string) {
			const queueUrl = queues.buildQueueUrl(name, port, host, testAws.AWS_REGION);
			queues.createQueue(name, queueUrl, `arn:aws:sqs:${testAws.AWS_REGION}:000000000000:${name}`);
			return { queueUrl };
		},
		inspectQueue: (name: string) => queues.inspectQueue(name),
	};
	return { endpoint, server, stop: () => app.close() };
}
export type SqsStandIn = Awaited<ReturnType<typeof startSqs>>;
