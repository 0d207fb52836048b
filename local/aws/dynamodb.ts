import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import * as z from 'zod/mini';
import { LocalError } from '../local-error.ts';
import type { Named } from '../template.ts';

export type Dynamo = { readonly url: string; stop(): Promise<void> };

const VERSION = '1.2.1';
const READY_MS = 10_000;

function binary(): string {
	const name = `@dynoxide/${process.platform}-${process.arch}`;
	try {
		return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
	} catch {
		throw new LocalError(
			`The table's stand-in is not installed for this machine: npm i --no-save ${name}@${VERSION}\n` +
				'Or set AWS_ENDPOINT_URL_DYNAMODB to any DynamoDB endpoint, such as DynamoDB Local.',
		);
	}
}

/** Below the ephemeral ports, so that the system does not assign one between our check and its use. */
const [FIRST_PORT, LAST_PORT] = [10_240, 32_767];

/** A port that is free now, drawn at random. */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST_PORT, LAST_PORT);
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return freePort();
	}
	server.close();
	await once(server, 'close');
	return port;
}

/**
 * An address of this machine's loopback network for dynoxide. It takes any signature and lets every web page read its answers
 * (`access-control-allow-origin: *`), and listens on TCP only; so the address is the secret. On Linux the whole of 127.0.0.0/8
 * is this machine: with the port there are 3.7 * 10^11 places, a year's work for a page that tries 10,000 a second. Other systems
 * have 127.0.0.1 only, where a page has to find no more than the port.
 */
function hiddenHost(): string {
	if (process.platform !== 'linux') return '127.0.0.1';
	return ['127', randomInt(256), randomInt(256), randomInt(2, 255)].join('.');
}

/**
 * Starts dynoxide on its file, or takes the endpoint in AWS_ENDPOINT_URL_DYNAMODB or AWS_ENDPOINT_URL. A shell between us and it reads our
 * pipe: when we are gone, however that came, the pipe ends and it stops dynoxide.
 */
export async function startDynamo(db_path: string): Promise<Dynamo> {
	const given = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? process.env['AWS_ENDPOINT_URL'];
	if (given) {
		if (!(await answers(given))) throw new LocalError(`AWS_ENDPOINT_URL_DYNAMODB: nothing answers on ${given}.`);
		return { url: given, stop: async () => undefined };
	}
	const port = await freePort();
	const host = hiddenHost();
	const url = `http://${host}:${port}`;
	const script = '"$0" serve --host "$1" -p "$2" --db-path "$3" >/dev/null 2>&1 & cat >/dev/null; kill -9 $!';
	const guard = spawn('sh', ['-c', script, binary(), host, String(port), db_path], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	const stop = async (): Promise<void> => {
		const ended = once(guard, 'exit');
		guard.stdin.end();
		await ended;
	};
	const deadline = Date.now() + READY_MS;
	while (!(await answers(url))) {
		if (Date.now() > deadline) {
			await stop();
			throw new LocalError(`The table's stand-in did not start on ${url} (its file: ${db_path}).`);
		}
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return { url, stop };
}

async function answers(url: string): Promise<boolean> {
	const response = await fetch(url, { method: 'POST', body: '{}' }).catch(() => null);
	await response?.arrayBuffer();
	return response !== null;
}

async function call(url: string, operation: string, input: object): Promise<Record<string, unknown>> {
	const response = await fetch(url, {
		method: 'POST',
		headers: {
			'content-type': 'application/x-amz-json-1.0',
			'x-amz-target': `DynamoDB_20120810.${operation}`,
			authorization:
				'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
			'x-amz-date': '20260101T000000Z',
		},
		body: JSON.stringify(input),
	});
	const answer: Record<string, unknown> = JSON.parse(await response.text());
	return answer;
}

const CREATED_WITH = ['AttributeDefinitions', 'BillingMode', 'GlobalSecondaryIndexes', 'KeySchema'];

const Schema = z.object({
	KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.string() })),
	GlobalSecondaryIndexes: z.optional(
		z.array(z.object({ IndexName: z.string(), KeySchema: z.array(z.object({ AttributeName: z.string() })) })),
	),
});

/** Keys and indexes of a table, as a text to compare. */
function schemaOf(table: unknown): string {
	const { KeySchema, GlobalSecondaryIndexes = [] } = Schema.parse(table);
	const names = (keys: readonly { readonly AttributeName: string }[]): string =>
		keys.map(({ AttributeName }) => AttributeName).join('+');
	const indexes = GlobalSecondaryIndexes.map((index) => `${index.IndexName}:${names(index.KeySchema)}`);
	return [names(KeySchema), ...indexes.sort()].join(' ');
}

/** Creates the template's table with its indexes and TTL, unless the file has it already. */
export async function createTable(url: string, { id, properties }: Named): Promise<void> {
	const described = await call(url, 'DescribeTable', { TableName: id });
	if ('Table' in described) {
		if (schemaOf(described['Table']) === schemaOf(properties)) return;
		throw new LocalError('The table here was made with other keys or indexes; start with --fresh to make it anew.');
	}
	const wanted = Object.entries(properties).filter(([name]) => CREATED_WITH.includes(name));
	const created = await call(url, 'CreateTable', { TableName: id, ...Object.fromEntries(wanted) });
	if (!('TableDescription' in created))
		throw new LocalError(`The table could not be created: ${JSON.stringify(created)}`);
	const TimeToLiveSpecification = properties['TimeToLiveSpecification'];
	if (TimeToLiveSpecification !== undefined) {
		await call(url, 'UpdateTimeToLive', { TableName: id, TimeToLiveSpecification });
	}
}
