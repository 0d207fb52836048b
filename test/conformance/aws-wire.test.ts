import { generateKeyPairSync } from 'node:crypto';
import {
	BatchGetItemCommand,
	DynamoDBClient,
	GetItemCommand,
	PutItemCommand,
	QueryCommand,
	TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
	DecryptCommand,
	GenerateDataKeyCommand,
	GenerateMacCommand,
	GetPublicKeyCommand,
	KMSClient,
} from '@aws-sdk/client-kms';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { kmsMacs } from '../../shared/adapters/aws/macs.ts';
import { sesNotifier } from '../../shared/adapters/aws/mail.ts';
import { kmsNumberOpener } from '../../shared/adapters/aws/number-opener.ts';
import { kmsNumberSealer } from '../../shared/adapters/aws/number-sealer.ts';
import { kmsPublicKeys } from '../../shared/adapters/aws/public-keys.ts';
import { kmsSecretVault } from '../../shared/adapters/aws/secret-vault.ts';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import { sqsQueues } from '../../shared/adapters/sqs/queues.ts';
import type { Write } from '../../shared/ports/store.ts';
import { deliveryMessage } from '../../shared/use-cases/publish-event.ts';
import { loseAnswer, startWire, type Wire } from '../support/faulty-wire.ts';
import { testAws } from '../support/stand-ins.ts';
import { samples, WORKSPACE } from './records.ts';

// AWS's SDK writes only what AWS's own model of an operation knows. So what we send is given to the SDK as its input:
// if the same comes out of it, every name and every place in it is right.

let wire: Wire;
/** What everything that is asked is answered with. */
let answer: object = {};
beforeAll(async () => {
	wire = await startWire(() => ({ status: 200, body: JSON.stringify(answer) }));
});
afterAll(() => wire.stop());
beforeEach(() => void wire.seen.splice(0));

/** The requests so far, without what differs from one to the next. */
const OWNER = { workspace_id: 'w', id: 'e' };
const sent = () =>
	wire.seen.splice(0).map(({ asked, headers, body }) => ({
		asked,
		target: headers['x-amz-target'],
		type: headers['content-type'],
		body: JSON.parse(body),
	}));
const sdk = () => ({
	endpoint: wire.endpoint,
	region: 'us-east-1',
	credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
	maxAttempts: 1,
});
const env = () => ({
	...testAws,
	TABLE_NAME: 'table',
	AWS_ENDPOINT_URL_DYNAMODB: wire.endpoint,
	AWS_ENDPOINT_URL_SQS: wire.endpoint,
	AWS_ENDPOINT_URL_KMS: wire.endpoint,
	AWS_ENDPOINT_URL_SESV2: wire.endpoint,
});

const put = (item: Write & { op: 'put' }): Write => item;
const endpoint = (guard: Extract<Write, { op: 'put' }>['guard']) =>
	put({ op: 'put', record: 'webhook_endpoint', item: samples.webhook_endpoint, guard });
const remove: Write = { op: 'remove', record: 'call', key: samples.call, guard: { if: 'version', version: 1 } };
const count: Write = { op: 'count', counter: 'c', limits: { a: 1, b: 0 }, expires_at_epoch_s: 1 };
const range = { from_id: '0', before_id: '7', limit: 1 };
type Store = ReturnType<typeof dynamoStore>;

type Give = (client: DynamoDBClient, input: never) => Promise<unknown>;

it.each<[string, Give, (store: Store) => Promise<unknown>]>([
	['GetItem', (client, input) => client.send(new GetItemCommand(input)), (store) => store.get('call', samples.call)],
	[
		'PutItem',
		(client, input) => client.send(new PutItemCommand(input)),
		(store) => store.commit([endpoint({ if: 'version', version: 1 })]),
	],
	[
		'TransactWriteItems',
		(client, input) => client.send(new TransactWriteItemsCommand(input)),
		(store) => store.commit([endpoint({ if: 'absent_or_expired', now_epoch_s: 1 }), remove, count]),
	],
	[
		'Query of a partition',
		(client, input) => client.send(new QueryCommand(input)),
		(store) => store.attemptsOf(samples.delivery.id),
	],
	[
		'Query of an index',
		(client, input) => client.send(new QueryCommand(input)),
		(store) => store.due(1, samples.call.created_at, 1),
	],
	[
		'BatchGetItem',
		(client, input) => client.send(new BatchGetItemCommand(input)),
		(store) => store.list('api_key', WORKSPACE, range),
	],
])('asks DynamoDB for %s as AWS has it', async (_operation, give, ask) => {
	const item = { pk: { S: 'API_KEY#1' }, sk: { S: 'API_KEY' }, id: { S: '1' } };
	answer = { Items: [item], Responses: { table: [item] } };
	await ask(dynamoStore(env(), { meter: () => {} })).catch(() => null);
	const ours = sent().at(-1);
	answer = {};
	await give(new DynamoDBClient(sdk()), ours?.body as never);
	expect(ours).toEqual(sent()[0]);
});

it('asks SQS for SendMessageBatch as AWS has it', async () => {
	answer = { Successful: [] };
	const queues = sqsQueues({ ...env(), QUEUE_URL_RETRIES: 'https://sqs.us-east-1.amazonaws.com/1/retries' });
	await queues.send('retries', [deliveryMessage(samples.delivery, 900_000)]);
	const [ours] = sent();
	const client = new SQSClient({ ...sdk(), useQueueUrlAsEndpoint: false, md5: false });
	await client.send(new SendMessageBatchCommand(ours?.body));
	expect(ours).toEqual(sent()[0]);
});

describe('mail', () => {
	const message = { to: 'team@shop.example', subject: 'Grüße', text: 'a\nb', html: '<p>a</p>' };
	const send = () => sesNotifier('calls@shop.example', env()).send(message);

	it('is sent by SendEmail as AWS has it, and signed for the same', async () => {
		answer = { MessageId: '1' };
		expect(await send()).toEqual({ notified: 'sent' });
		const scope = () =>
			/Credential=test\/\d{8}(\S+), SignedHeaders/.exec(wire.seen[0]?.headers.authorization ?? '')?.[1];
		const signed = scope();
		const [ours] = sent();
		await new SESv2Client(sdk()).send(new SendEmailCommand(ours?.body));
		expect(signed).toBe(scope());
		expect(ours).toEqual(sent()[0]);
	});

	it.each([
		['a malformed message', 400, 'BadRequestException', 'refused'],
		['a sender that is not verified yet', 400, 'MessageRejected', 'failed'],
		['a rate that is spent', 429, 'TooManyRequestsException', 'failed'],
		['a fault of theirs', 500, 'InternalServiceErrorException', 'failed'],
	] as const)('that SES does not take because of %s is told apart', async (_, status, code, notified) => {
		wire.fail(async () => ({ status, body: '{"message":"team@shop.example"}', error_type: `${code}:http://ses/` }));
		expect(await send()).toEqual({ notified, code });
	});

	it('whose answer is lost may be tried again', async () => {
		wire.fail(loseAnswer);
		expect(await send()).toEqual({ notified: 'failed', code: 'ECONNRESET' });
	});
});

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sealer = kmsNumberSealer({
	SEALING_KEY_ID: 'numbers',
	NUMBER_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});
const key = Buffer.alloc(32, 1).toString('base64');

const secrets = () => kmsSecretVault({ ...env(), SECRET_KEY_ID: 'secrets' });
type GiveKms = (client: KMSClient, input: never) => Promise<unknown>;

it.each<[string, GiveKms, () => Promise<unknown>]>([
	[
		'GetPublicKey',
		(client, input) => client.send(new GetPublicKeyCommand(input)),
		() => kmsPublicKeys(env())('numbers'),
	],
	[
		'Decrypt of a number',
		(client, input) => client.send(new DecryptCommand(input)),
		() => kmsNumberOpener({ ...env(), NUMBER_KEY_ID: 'numbers' }).openNumber(sealer.sealNumber('+12025550101')),
	],
	[
		'Decrypt of a data key',
		(client, input) => client.send(new DecryptCommand(input)),
		() => secrets().openSecret(`s1.${['AAAA', 'A'.repeat(16), 'A'.repeat(24)].join('.')}`, OWNER),
	],
	[
		'GenerateDataKey',
		(client, input) => client.send(new GenerateDataKeyCommand(input)),
		() => secrets().sealSecret('whsec_', OWNER),
	],
	[
		'GenerateMac',
		(client, input) => client.send(new GenerateMacCommand(input)),
		() => kmsMacs({ ...env(), MAC_KEY_ID: 'macs' }).key('cursor'),
	],
])('asks KMS for %s as AWS has it', async (_operation, give, ask) => {
	answer = { Plaintext: key, CiphertextBlob: key, Mac: key, PublicKey: key };
	// What does not decipher is not the point here.
	await ask().catch(() => null);
	const [ours] = sent();
	const bytes = new Set(['CiphertextBlob', 'Message']);
	const input = Object.entries<string>(ours?.body).map(([name, value]) => [
		name,
		bytes.has(name) ? Buffer.from(value, 'base64') : value,
	]);
	answer = {};
	await give(new KMSClient(sdk()), Object.fromEntries(input) as never);
	expect(ours).toEqual(sent()[0]);
});
