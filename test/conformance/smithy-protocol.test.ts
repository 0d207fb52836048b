import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { errorTypeRegistries, SendEmail$, type SendEmailCommand } from '@aws-sdk/client-sesv2';
import { AwsRestJsonProtocol } from '@aws-sdk/core/protocols';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plainConfig } from '../../shared/adapters/aws/client/account.ts';
import { awsClient } from '../../shared/adapters/aws/client/client.ts';
import { operation } from '../../shared/adapters/aws/client/operation.ts';
import { decrypt, kmsProtocol } from '../../shared/adapters/aws/keys/kms.ts';
import { dynamoProtocol, getItem, transactWriteItems } from '../../shared/adapters/dynamodb/client.ts';
import { sendMessageBatch, sqsProtocol } from '../../shared/adapters/sqs/queues.ts';
import { testAws } from '../support/aws/stand-ins.ts';
import { type Scripted, says, startScripted } from '../support/scripted-server.ts';

// Smithy's protocol tests of AWS's protocols through our client, by their ids (smithy-lang/smithy, smithy-aws-protocol-tests).
// Their shapes are invented; here the same bytes stand in operations of services that the product asks.

let server: Scripted;
beforeAll(async () => {
	server = await startScripted(says(200, '{}'));
});
afterAll(() => server.stop());

const PATIENCE_MS = 5000;
type Protocol = Parameters<typeof awsClient>[0]['protocol'];
const clientOf = (name: string, protocol: Protocol) => awsClient({ name, endpoint: server.url, protocol }, testAws);

const key = { TableName: 't', Key: { pk: { S: 'a' } } };
const put = { Put: { TableName: 't', Item: { pk: { S: 'a' } } } };
const getAnItem = () => clientOf('dynamodb', dynamoProtocol()).send(getItem, key, PATIENCE_MS);
const transact = () =>
	clientOf('dynamodb', dynamoProtocol()).send(transactWriteItems, { TransactItems: [put] }, PATIENCE_MS);
const decryptBytes = () =>
	clientOf('kms', kmsProtocol()).send(decrypt, { CiphertextBlob: Buffer.from('sealed') }, PATIENCE_MS);
const sendMessages = () =>
	clientOf('sqs', sqsProtocol()).send(sendMessageBatch, { QueueUrl: 'http://q', Entries: [] }, PATIENCE_MS);

/** restJson1, which SES speaks; the product asks it through the SDK's own client. */
const restJson = () => new AwsRestJsonProtocol({ defaultNamespace: 'com.amazonaws.sesv2', errorTypeRegistries });
const sendEmail = operation<SendEmailCommand>(SendEmail$);
const sendMail = () => clientOf('ses', restJson()).send(sendEmail, { Content: {} }, PATIENCE_MS);

const asks = { getAnItem, transact, decryptBytes, sendMessages, sendMail } as const;
type Ask = keyof typeof asks;
const types: Readonly<Record<Ask, string>> = {
	getAnItem: 'application/x-amz-json-1.0',
	transact: 'application/x-amz-json-1.0',
	sendMessages: 'application/x-amz-json-1.0',
	decryptBytes: 'application/x-amz-json-1.1',
	sendMail: 'application/json',
};

async function answered(ask: Ask, status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
	server.behave(says(status, body, { 'content-type': types[ask], ...headers }));
	return asks[ask]();
}

/** What the output holds beside the SDK's `$metadata`. */
const outputOf = (result: Awaited<ReturnType<(typeof asks)[Ask]>>): object => {
	if (result.outcome !== 'ok') throw new Error(`${result.outcome}: ${result.code}`);
	const { $metadata: _, ...output } = result.output;
	return output;
};

describe('an answer of success', () => {
	const item = (value: object) => JSON.stringify({ Item: { a: value } });
	it.each<[string, Ask, string, object]>([
		['AwsJson10ServiceRespondsWithNoPayload', 'getAnItem', '', {}],
		['AwsJson10HandlesEmptyOutputShape', 'getAnItem', '{}', {}],
		['AwsJson10HandlesUnexpectedJsonOutput', 'getAnItem', '{"foo": true}', {}],
		['handles_empty_output_shape', 'decryptBytes', '{}', {}],
		['handles_unexpected_json_output', 'decryptBytes', '{"foo": true}', {}],
		['AwsJson11StructuresDontDeserializeNullValues', 'decryptBytes', '{"KeyId": null}', {}],
		['AwsJson10DeserializeStringUnionValue', 'getAnItem', item({ S: 'foo' }), { Item: { a: { S: 'foo' } } }],
		['AwsJson10DeserializeBooleanUnionValue', 'getAnItem', item({ BOOL: true }), { Item: { a: { BOOL: true } } }],
		['AwsJson10DeserializeListUnionValue', 'getAnItem', item({ SS: ['a', 'b'] }), { Item: { a: { SS: ['a', 'b'] } } }],
		[
			'AwsJson10DeserializeMapUnionValue',
			'getAnItem',
			item({ M: { foo: { S: 'bar' } } }),
			{ Item: { a: { M: { foo: { S: 'bar' } } } } },
		],
		[
			'AwsJson10DeserializeBlobUnionValue',
			'getAnItem',
			item({ B: 'Zm9v' }),
			{ Item: { a: { B: Uint8Array.from(Buffer.from('foo')) } } },
		],
		['RestJsonGreetingWithErrorsNoPayload', 'sendMail', '', {}],
		['RestJsonGreetingWithErrors', 'sendMail', '{}', {}],
	])('%s', async (_id, ask, body, output) => {
		expect(outputOf(await answered(ask, 200, body))).toEqual(output);
	});

	/** AWS sends neither. The SDK leaves both in what it reads, so the field that is set is found beside them. */
	it.each<[string, object]>([
		['AwsJson10DeserializeAllowNulls', { S: 'foo', N: null, B: null, M: null, L: null, NULL: null, BOOL: null }],
		['AwsJson10DeserializeIgnoreType', { S: 'foo', __type: 'aws.protocoltests#UnionInputOutput' }],
	])('%s is read as by the SDK’s own client', async (_id, value) => {
		const ours = outputOf(await answered('getAnItem', 200, item(value)));
		const { $metadata: _, ...theirs } = await new DynamoDBClient(plainConfig(server.url, testAws)).send(
			new GetItemCommand(key),
		);
		expect(ours).toEqual(theirs);
		expect(ours).toMatchObject({ Item: { a: { S: 'foo' } } });
	});
});

/** FooError in its spellings. Smithy answers with 500; with 400 it shows that the code is the same. */
describe.each<[string, Ask]>([
	['AwsJson10', 'getAnItem'],
	['AwsJson11', 'decryptBytes'],
	['RestJson', 'sendMail'],
])('an error known by its code: %sFooError', (_protocol, ask) => {
	const uri = 'http://internal.amazon.com/coral/com.amazon.coral.validate/';
	const errorType = (value: string) => ['', { 'x-amzn-errortype': value }] as const;
	const inBody = (body: object) => [JSON.stringify(body), {}] as const;
	const details = [{ __type: 'com.amazon.internal#ErrorDetails', reason: 'Some reason' }];
	it.each([
		['UsingXAmznErrorType', errorType('FooError')],
		['UsingXAmznErrorTypeWithUri', errorType(`FooError:${uri}`)],
		['UsingXAmznErrorTypeWithUriAndNamespace', errorType(`aws.protocoltests#FooError:${uri}`)],
		['UsingXAmznErrorTypeWithUriAndDifferentNamespace', errorType(`aws.different.namespace#FooError:${uri}`)],
		['UsingCode', inBody({ code: 'FooError' })],
		['UsingCodeAndNamespace', inBody({ code: 'aws.protocoltests#FooError' })],
		['UsingCodeUriAndNamespace', inBody({ code: `aws.protocoltests#FooError:${uri}` })],
		['WithDunderType', inBody({ __type: 'FooError' })],
		['WithDunderTypeAndNamespace', inBody({ __type: 'aws.protocoltests#FooError' })],
		['WithDunderTypeAndDifferentNamespace', inBody({ __type: 'aws.different.namespace#FooError' })],
		['WithDunderTypeUriAndNamespace', inBody({ __type: `aws.protocoltests#FooError:${uri}` })],
		['WithNestedTypeProperty', inBody({ __type: 'aws.protocoltests#FooError', ErrorDetails: details })],
	])('%s', async (_id, [body, headers]) => {
		expect(await answered(ask, 500, body, headers)).toEqual({ outcome: 'unclear', code: 'FooError' });
		expect(await answered(ask, 400, body, headers)).toMatchObject({ outcome: 'refused', code: 'FooError' });
	});
});

describe('an error with fields', () => {
	const canceled = 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException';
	const disabled = 'com.amazonaws.kms#DisabledException';
	const missing = 'com.amazonaws.sqs#QueueDoesNotExist';
	const of = (__type: string, fields: object = {}) => JSON.stringify({ __type, ...fields });
	const query = { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' };
	const reasons = { CancellationReasons: [{ Code: 'None' }] };
	it.each<[string, Ask, string, Readonly<Record<string, string>>, string, object]>([
		['AwsJson10ComplexError', 'transact', of(canceled, reasons), {}, 'TransactionCanceledException', reasons],
		['AwsJson10EmptyComplexError', 'transact', of(canceled), {}, 'TransactionCanceledException', {}],
		[
			'AwsJson10InvalidGreetingError',
			'getAnItem',
			of('a#InternalServerError', { message: 'Hi' }),
			{},
			'InternalServerError',
			{ message: 'Hi' },
		],
		[
			'AwsJson11ComplexError',
			'decryptBytes',
			of(disabled, { message: 'Hi' }),
			{},
			'DisabledException',
			{ message: 'Hi' },
		],
		['AwsJson11EmptyComplexError', 'decryptBytes', of(disabled), {}, 'DisabledException', {}],
		[
			'QueryCompatibleAwsJson10NoCustomCodeError',
			'sendMessages',
			of(missing, { message: 'Hi' }),
			{},
			'QueueDoesNotExist',
			{ message: 'Hi' },
		],
		[
			'QueryCompatibleAwsJson10CustomCodeError',
			'sendMessages',
			of(missing),
			query,
			'QueueDoesNotExist',
			{ Error: { Code: 'AWS.SimpleQueueService.NonExistentQueue', Type: 'Sender' } },
		],
		[
			'RestJsonInvalidGreetingError',
			'sendMail',
			'{"message": "Hi"}',
			{ 'x-amzn-errortype': 'MessageRejected' },
			'MessageRejected',
			{ message: 'Hi' },
		],
		[
			'RestJsonEmptyComplexErrorWithNoMessage',
			'sendMail',
			'{}',
			{ 'x-amzn-errortype': 'MessageRejected' },
			'MessageRejected',
			{},
		],
	])('%s', async (_id, ask, body, headers, code, fields) => {
		const answer = await answered(ask, 400, body, headers);
		expect(answer).toMatchObject({ outcome: 'refused', code, error: fields });
	});
});
