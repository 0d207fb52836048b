import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetSuppressedDestinationCommand, SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { awsEndpoint } from '../../shared/adapters/aws/client/account.ts';
import { awsClient, NodeSha256, sendToAws, VISITOR_BUDGET } from '../../shared/adapters/aws/client/client.ts';
import { decrypt, kmsProtocol } from '../../shared/adapters/aws/keys/kms.ts';
import { getSuppressedDestination, sendEmail, sesProtocol } from '../../shared/adapters/aws/mail.ts';
import { getSecretValue, secretsProtocol } from '../../shared/adapters/aws/provider-secrets.ts';
import { dynamoProtocol, getItem, transactWriteItems } from '../../shared/adapters/dynamodb/client.ts';
import { toItem } from '../../shared/adapters/dynamodb/items.ts';
import { sendMessageBatch, sqsProtocol } from '../../shared/adapters/sqs/queues.ts';
import { testAws } from '../support/aws/stand-ins.ts';
import { samples } from '../support/sample-records.ts';
import { type Asked, type Behaviour, type Scripted, says, startScripted } from '../support/scripted-server.ts';

let server: Scripted;
beforeAll(async () => {
	server = await startScripted(says(200, '{}'));
});
afterAll(() => server.stop());

const PATIENCE_MS = 5000;
const key = { TableName: 't', Key: { pk: { S: 'a"ü' } }, ConsistentRead: true };
const clientOf = (name: string, protocol: Parameters<typeof awsClient>[0]['protocol']) =>
	awsClient({ name, endpoint: server.url, protocol }, { ...testAws, AWS_SESSION_TOKEN: 'token' });
const dynamo = () => clientOf('dynamodb', dynamoProtocol());

const plain = () => ({
	endpoint: server.url,
	region: testAws.AWS_REGION,
	credentials: { accessKeyId: 'test', secretAccessKey: 'test', sessionToken: 'token' },
	maxAttempts: 1,
});

/** The parts of a request that matter to AWS. The client's name and the time do not. */
const meant = (
	{ line, headers, body }: Pick<Asked, 'line' | 'headers' | 'body'> = { line: '', headers: {}, body: '' },
) => ({
	line,
	type: headers['content-type'],
	target: headers['x-amz-target'],
	query_mode: headers['x-amzn-query-mode'],
	token: headers['x-amz-security-token'],
	scope: /Credential=test\/\d{8}(\S+),/.exec(headers.authorization ?? '')?.[1],
	body: JSON.parse(body || 'null'),
});

describe('a request', () => {
	const TransactItems = [{ Put: { TableName: 't', Item: toItem('call', samples.call) } }];
	const transaction = { TransactItems, ClientRequestToken: 'token' };
	const entries = [{ Id: '0', MessageBody: '{}', DelaySeconds: 900, MessageGroupId: 'g' }];
	const batch = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/1/q', Entries: entries };
	const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' });
	const Simple = { Subject: utf8('Rückruf'), Body: { Text: utf8('"'), Html: utf8('<p>') } };
	const Destination = { ToAddresses: ['team@shop.example'] };
	const mail = { FromEmailAddress: 'calls@shop.example', Destination, Content: { Simple } };
	const listed = { EmailAddress: 'team+1/ü@shop.example' };
	const sealed = { KeyId: 'k', CiphertextBlob: Buffer.from('sealed'), EncryptionContext: { use: 'test' } };
	it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
		[
			'DynamoDB',
			() => dynamo().send(transactWriteItems, transaction, PATIENCE_MS),
			() => new DynamoDBClient(plain()).send(new TransactWriteItemsCommand(transaction)),
		],
		[
			'SQS',
			() => clientOf('sqs', sqsProtocol()).send(sendMessageBatch, batch, PATIENCE_MS),
			() =>
				new SQSClient({ ...plain(), useQueueUrlAsEndpoint: false, md5: false }).send(
					new SendMessageBatchCommand(batch),
				),
		],
		[
			'KMS',
			() => clientOf('kms', kmsProtocol()).send(decrypt, sealed, PATIENCE_MS),
			() => new KMSClient(plain()).send(new DecryptCommand(sealed)),
		],
		[
			'Secrets Manager',
			() => clientOf('secretsmanager', secretsProtocol()).send(getSecretValue, { SecretId: 's' }, PATIENCE_MS),
			() => new SecretsManagerClient(plain()).send(new GetSecretValueCommand({ SecretId: 's' })),
		],
		[
			'SES',
			() => clientOf('ses', sesProtocol()).send(sendEmail, mail, PATIENCE_MS),
			() => new SESv2Client(plain()).send(new SendEmailCommand(mail)),
		],
		[
			'the list of SES',
			() => clientOf('ses', sesProtocol()).send(getSuppressedDestination, listed, PATIENCE_MS),
			() => new SESv2Client(plain()).send(new GetSuppressedDestinationCommand(listed)),
		],
	])('to %s equals that of the SDK’s own client', async (_service, ours, theirs) => {
		server.behave(says(200, '{}'));
		await ours();
		await theirs();
		const [first, second] = server.asked;
		expect(meant(first)).toEqual(meant(second));
	});

	it('is signed as in AWS’s own test suite (post-vanilla)', async () => {
		const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
		const host = 'example.amazonaws.com';
		const request = { method: 'POST', protocol: 'https:', hostname: host, path: '/', query: {}, headers: { host } };
		const signer = new SignatureV4({
			service: 'service',
			region: 'us-east-1',
			credentials,
			applyChecksum: false,
			sha256: NodeSha256,
		});
		const { headers } = await signer.sign(request, { signingDate: new Date('2015-08-30T12:36:00Z') });
		expect(headers['authorization']).toBe(
			'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, ' +
				'Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
		);
	});

	it('is signed over its body and the headers that AWS requires', async () => {
		server.behave(says(200, '{}'));
		await dynamo().send(getItem, key, PATIENCE_MS);
		const [asked] = server.asked;
		const signed = /SignedHeaders=(\S+),/.exec(asked?.headers.authorization ?? '')?.[1]?.split(';') ?? [];
		expect(signed).toEqual(['content-type', 'host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']);
		const credentials = { accessKeyId: 'test', secretAccessKey: 'test', sessionToken: 'token' };
		const given = { service: 'dynamodb', region: testAws.AWS_REGION, credentials, applyChecksum: false };
		const at = String(asked?.headers['x-amz-date']).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z');
		const headers = Object.fromEntries(signed.map((name) => [name, String(asked?.headers[name])]));
		const request = {
			method: 'POST',
			protocol: 'http:',
			hostname: '',
			path: '/',
			query: {},
			headers,
			body: asked?.body,
		};
		const again = await new SignatureV4({ ...given, sha256: Sha256 }).sign(request, { signingDate: new Date(at) });
		expect(again.headers['authorization']).toBe(asked?.headers.authorization);
	});

	it('goes to the same endpoint as the SDK’s', () => {
		for (const region of ['us-east-1', 'eu-central-2', 'us-gov-west-1']) {
			const { endpoint: _, ...anywhere } = plain();
			const at = { ...anywhere, region };
			const own = { Region: region, UseFIPS: false, UseDualStack: false };
			const theirs = [
				['dynamodb', new DynamoDBClient(at).config.endpointProvider(own)],
				['sqs', new SQSClient(at).config.endpointProvider(own)],
				['kms', new KMSClient(at).config.endpointProvider(own)],
				['secretsmanager', new SecretsManagerClient(at).config.endpointProvider(own)],
				['email', new SESv2Client(at).config.endpointProvider(own)],
			] as const;
			for (const [name, { url }] of theirs) {
				expect(new URL(awsEndpoint(name, { ...testAws, AWS_REGION: region })).href).toBe(url.href);
			}
		}
	});

	it('goes to AWS_ENDPOINT_URL if its service has no variable of its own', async () => {
		server.behave(says(200, '{}'));
		const env = { ...testAws, AWS_ENDPOINT_URL: server.url };
		const aws = awsClient({ name: 'dynamodb', endpoint: undefined, protocol: dynamoProtocol() }, env);
		expect(await aws.send(getItem, key, PATIENCE_MS)).toMatchObject({ outcome: 'ok' });
		const elsewhere = { ...testAws, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
		const own = awsClient({ name: 'dynamodb', endpoint: server.url, protocol: dynamoProtocol() }, elsewhere);
		expect(await own.send(getItem, key, PATIENCE_MS)).toMatchObject({ outcome: 'ok' });
	});
});

describe('a response', () => {
	const json = { 'content-type': 'application/x-amz-json-1.0' };
	const error = (type: string, status = 400) => says(status, JSON.stringify({ __type: type, message: 'm' }), json);
	const reset: Behaviour = (response) => void response.socket?.destroy();
	const silent: Behaviour = () => undefined;
	const head = { ...json, 'content-length': '100' };
	const silentBody: Behaviour = (response) => void response.writeHead(200, head).write('{"Item":');
	const cut: Behaviour = (response) =>
		void response.writeHead(200, head).write('{"Item":', () => response.socket?.destroy());

	it.each<[string, Behaviour, object]>([
		['200 that is no JSON', says(200, 'all good'), { outcome: 'unclear', code: 'http_200' }],
		['200 that is cut short', cut, { outcome: 'unclear', code: 'ECONNRESET' }],
		['200 whose body never ends', silentBody, { outcome: 'unclear', code: 'timeout' }],
		['silence', silent, { outcome: 'unclear', code: 'timeout' }],
		['a reset', reset, { outcome: 'unclear', code: 'ECONNRESET' }],
		['an error that says nothing', says(400, '{}', json), { outcome: 'unclear', code: 'http_400' }],
		['an error that is null', says(400, 'null', json), { outcome: 'unclear', code: 'http_400' }],
		['403 in HTML', says(403, '<html>Forbidden</html>'), { outcome: 'unclear', code: 'http_403' }],
		['413 without a body', says(413, ''), { outcome: 'unclear', code: 'http_413' }],
		['a redirect', says(302, '', { location: 'http://127.0.0.1:9/' }), { outcome: 'unclear', code: 'http_302' }],
		['502 in HTML', says(502, '<html>'), { outcome: 'unclear', code: 'http_502' }],
		['503 without a body', says(503, ''), { outcome: 'unclear', code: 'http_503' }],
		['a fault of theirs', error('InternalServerError', 500), { outcome: 'unclear', code: 'InternalServerError' }],
		[
			'throttling, which is not waited for here',
			error('ProvisionedThroughputExceededException'),
			{ outcome: 'refused', code: 'ProvisionedThroughputExceededException' },
		],
	])('is reported as what it is, after one request: %s', async (_name, behaviour, expected) => {
		server.behave(behaviour);
		expect(await dynamo().send(getItem, key, 1500)).toMatchObject(expected);
		expect(server.asked).toHaveLength(1);
	});
});

describe('a request whose signature is refused', () => {
	const json = { 'content-type': 'application/x-amz-json-1.0' };
	const refusal = (code: string) => says(403, JSON.stringify({ __type: `com.amazon.coral.service#${code}` }), json);
	const entries = [{ Id: '0', MessageBody: '{}' }];
	const batch = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/1/q', Entries: entries };
	const never = () => false;
	const services: readonly [string, () => Promise<{ outcome: string }>][] = [
		['DynamoDB', () => sendToAws(dynamo(), getItem, key, VISITOR_BUDGET, never)],
		[
			'KMS',
			() =>
				sendToAws(clientOf('kms', kmsProtocol()), decrypt, { CiphertextBlob: Buffer.from('s') }, VISITOR_BUDGET, never),
		],
		[
			'Secrets Manager',
			() =>
				sendToAws(
					clientOf('secretsmanager', secretsProtocol()),
					getSecretValue,
					{ SecretId: 's' },
					VISITOR_BUDGET,
					never,
				),
		],
		['SQS', () => sendToAws(clientOf('sqs', sqsProtocol()), sendMessageBatch, batch, VISITOR_BUDGET, never)],
	];
	const codes = ['InvalidSignatureException', 'RequestExpired', 'RequestTimeTooSkewed', 'RequestInTheFuture'];

	it.each(services)('by %s is sent again with a new signature', async (_service, send) => {
		for (const code of codes) {
			let tries = 0;
			server.behave((...exchange) => (tries++ === 0 ? refusal(code) : says(200, '{}'))(...exchange));
			expect([code, (await send()).outcome, tries]).toEqual([code, 'ok', 2]);
		}
	});

	it.each(services)('by %s at every try is reported with the code of the refusal', async (_service, send) => {
		server.behave(refusal('InvalidSignatureException'));
		expect(await send()).toMatchObject({ outcome: 'refused', code: 'InvalidSignatureException' });
		expect(server.asked).toHaveLength(VISITOR_BUDGET.tries);
	});

	it.each(['AccessDeniedException', 'UnrecognizedClientException', 'ExpiredTokenException', 'IncompleteSignature'])(
		'is the only one that is sent again: %s is reported at once',
		async (code) => {
			server.behave(refusal(code));
			expect(await sendToAws(dynamo(), getItem, key, VISITOR_BUDGET, never)).toMatchObject({
				outcome: 'refused',
				code,
			});
			expect(server.asked).toHaveLength(1);
		},
	);
});
