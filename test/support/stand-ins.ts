import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startFauxqs } from 'fauxqs';
import type { AwsEnv } from '../../shared/adapters/aws/json-client.ts';
import type { DynamoEnv } from '../../shared/adapters/dynamodb/client.ts';
import { table } from '../../shared/adapters/dynamodb/table.ts';

/** Credentials that mean nothing: the stand-ins take any. */
export const testAws: AwsEnv = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

export type DynamoStandIn = {
	readonly endpoint: string;
	/** A table of its own for each test that asks; its environment. */
	newTable(): Promise<DynamoEnv>;
	stop(): Promise<void>;
};

const PORT_TRIES = 5;

/** DynamoDB as dynoxide plays it: a process of its own on a free port, its data in a directory that goes with it. */
export async function startDynamo(): Promise<DynamoStandIn> {
	const directory = await mkdtemp(join(tmpdir(), 'dynoxide-'));
	const binary = createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
	for (let n = 0; n < PORT_TRIES; n += 1) {
		const port = await freePort();
		const child = spawn(binary, ['serve', '-p', String(port), '--db-path', join(directory, 'table.db')], {
			stdio: 'ignore',
		});
		const ended = once(child, 'exit');
		// A test run that is broken off leaves nothing running.
		const kill = (): boolean => child.kill('SIGKILL');
		process.once('exit', kill);
		const endpoint = `http://127.0.0.1:${port}`;
		if (!(await answers(endpoint, ended))) continue;
		let tables = 0;
		return {
			endpoint,
			async newTable() {
				tables += 1;
				const env = { ...testAws, TABLE_NAME: `table-${tables}`, AWS_ENDPOINT_URL_DYNAMODB: endpoint };
				await createTable(env);
				return env;
			},
			async stop() {
				process.off('exit', kill);
				kill();
				await ended;
				await rm(directory, { recursive: true, force: true });
			},
		};
	}
	throw new Error('dynoxide did not start');
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('no port');
	return address.port;
}

/** Whether the process takes requests; false when it ended, because another took its port first. */
async function answers(endpoint: string, ended: Promise<unknown>): Promise<boolean> {
	let alive = true;
	void ended.then(() => (alive = false));
	while (alive) {
		const response = await fetch(endpoint, { method: 'POST', body: '{}' }).catch(() => null);
		if (response) return alive;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return false;
}

/** Creates the product's table, from the definition that the deployment uses. */
async function createTable(env: DynamoEnv): Promise<void> {
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

/** SQS as fauxqs plays it, in this process on a free port. `server` looks into its queues and makes new ones. */
export async function startSqs() {
	const server = await startFauxqs({ port: 0, logger: false });
	return { endpoint: `http://127.0.0.1:${server.port}`, server, stop: () => server.stop() };
}
export type SqsStandIn = Awaited<ReturnType<typeof startSqs>>;
