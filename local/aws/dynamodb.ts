import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import {
	CreateTableCommand,
	DescribeTableCommand,
	DynamoDBClient,
	type KeySchemaElement,
	ResourceNotFoundException,
	type TableDescription,
	UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { OperatorError } from '../../ops/operator-error.ts';
import type { NamedResource } from '../template.ts';
import { dynoxideProgram } from './dynoxide.ts';
import { LOCAL_CLIENT, standInEndpoint } from './stand-in.ts';

export type Dynamo = {
	readonly url: string;
	/** Resolves if the stand-in ends by itself, without a call of `stop`. */
	readonly died: Promise<void>;
	stop(): Promise<void>;
};

const READY_MS = 10_000;

/**
 * The first port of the range from which a port is chosen. The range is below the ephemeral ports. Otherwise the system could
 * give the port to another program after `freePort` has found it free.
 */
const FIRST_PORT = 10_240;
const LAST_PORT = 32_767;

/**
 * Returns a random TCP port that is free now. The server that uses it may start only seconds later. So this process opens a
 * UDP socket with the same number and keeps this socket open until the process ends. The socket tells every other
 * `freePort` on this machine that the number is taken.
 */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST_PORT, LAST_PORT);
	const claim = createSocket('udp4').bind({ port, address: '127.0.0.1', exclusive: true });
	const server = createServer();
	try {
		await once(claim, 'listening');
		await once(server.listen(port, '127.0.0.1'), 'listening');
	} catch {
		claim.close();
		return freePort();
	}
	claim.unref();
	server.close();
	await once(server, 'close');
	return port;
}

/**
 * Returns a random loopback address for dynoxide. The address must be secret, because dynoxide accepts any signature, lets every
 * web page read its responses (`access-control-allow-origin: *`) and listens only on TCP. On Linux, all addresses of 127.0.0.0/8
 * belong to this machine. Together with the port, there are 3.7 * 10^11 addresses, and a page that tries 10,000 a second
 * needs a year. Other systems have only 127.0.0.1, where a page only has to find the port.
 */
function hiddenHost(): string {
	if (process.platform !== 'linux') return '127.0.0.1';
	return ['127', randomInt(256), randomInt(256), randomInt(2, 255)].join('.');
}

/**
 * Starts dynoxide on its file, or uses the endpoint in AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL. A shell runs between
 * this process and dynoxide, and reads a pipe from this process. If this process ends for any reason, the pipe closes, and
 * the shell stops dynoxide. If dynoxide ends, the shell ends, too.
 */
export async function startDynamo(dbPath: string): Promise<Dynamo> {
	const endpoint = standInEndpoint('DYNAMODB');
	if (endpoint) {
		if (!(await answers(endpoint))) {
			throw new OperatorError(`AWS_ENDPOINT_URL_DYNAMODB: nothing answers on ${endpoint}.`);
		}
		return { url: endpoint, died: new Promise(() => undefined), stop: async () => undefined };
	}
	const program = dynoxideProgram();
	const port = await freePort();
	const host = hiddenHost();
	const url = `http://${host}:${port}`;
	const script = [
		// A shell gives no input to a command in the background. This line keeps the pipe as descriptor 3, for the loop below.
		'exec 3<&0',
		'"$0" serve --host "$1" -p "$2" --db-path "$3" 3<&- >/dev/null 2>&1 &',
		'table=$!',
		'{ while read -r line; do :; done; kill -9 $table; } <&3 &',
		'wait $table',
		'kill $!',
	].join('\n');
	const guard = spawn('sh', ['-c', script, program, host, String(port), dbPath], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	const exit = once(guard, 'exit');
	let isStopping = false;
	const stop = async (): Promise<void> => {
		isStopping = true;
		guard.stdin.end();
		await exit;
	};
	const { promise: died, resolve: reportDeath } = Promise.withResolvers<void>();
	void exit.then(() => {
		if (!isStopping) reportDeath();
	});
	const deadline = Date.now() + READY_MS;
	while (!(await answers(url))) {
		if (Date.now() > deadline || guard.exitCode !== null) {
			await stop();
			throw new OperatorError(`The table's stand-in did not start on ${url} (its file: ${dbPath}).`);
		}
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return { url, died, stop };
}

async function answers(url: string): Promise<boolean> {
	const response = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
	await response?.arrayBuffer();
	return response !== null;
}

const Keys = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const Table = z.object({
	AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
	BillingMode: z.enum(['PAY_PER_REQUEST', 'PROVISIONED']),
	KeySchema: Keys,
	GlobalSecondaryIndexes: z.optional(
		z.array(
			z.object({
				IndexName: z.string(),
				KeySchema: Keys,
				Projection: z.object({ ProjectionType: z.enum(['ALL', 'INCLUDE', 'KEYS_ONLY']) }),
			}),
		),
	),
});
const Expiring = z.object({
	TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
});

function schemaOf({ KeySchema = [], GlobalSecondaryIndexes = [] }: TableDescription): string {
	const names = (keys: readonly KeySchemaElement[] = []): string =>
		keys.map(({ AttributeName }) => AttributeName).join('+');
	const indexes = GlobalSecondaryIndexes.map((index) => `${index.IndexName}:${names(index.KeySchema)}`);
	return [names(KeySchema), ...indexes.sort()].join(' ');
}

/** The description of the table in the file. Null if the file has no such table. */
async function describeTable(client: DynamoDBClient, name: string): Promise<TableDescription | null> {
	try {
		return (await client.send(new DescribeTableCommand({ TableName: name }))).Table ?? null;
	} catch (error) {
		if (error instanceof ResourceNotFoundException) return null;
		throw error;
	}
}

/** Creates the template's table with its indexes and its TTL, unless the file already has it. */
export async function createTable(endpoint: string, { id: TableName, properties }: NamedResource): Promise<void> {
	const client = new DynamoDBClient({ ...LOCAL_CLIENT, endpoint });
	const definition = Table.parse(properties);
	const existing = await describeTable(client, TableName);
	if (existing !== null) {
		if (schemaOf(existing) === schemaOf(definition)) return;
		throw new OperatorError(
			'The keys or indexes of the table differ from those of the template: choose another directory with --state-dir.',
		);
	}
	await client.send(new CreateTableCommand({ TableName, ...definition }));
	const { TimeToLiveSpecification } = Expiring.parse(properties);
	if (TimeToLiveSpecification === undefined) return;
	await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
