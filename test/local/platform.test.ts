import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalFunction, localFunction } from '../../local/functions.ts';
import { matcher } from '../../local/gateway.ts';
import { httpEvent } from '../../local/http-event.ts';
import { dynamoActs, isAllowed, type Role } from '../../local/roles.ts';
import { rateMs } from '../../local/schedules.ts';
import { checkTypes, resolver, type Template } from '../../local/template.ts';

const template: Template = {
	Parameters: { Mode: { Default: 'on' }, Base: { Default: '' } },
	Conditions: { BaseGiven: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Base' }, ''] }] } },
	Resources: { Work: { Type: 'AWS::SQS::Queue' }, Things: { Type: 'AWS::DynamoDB::Table' } },
};
const around = { queueUrl: (name: string) => `http://q/${name}`, publicKey: () => 'PEM', apiUrl: 'http://api' };
const resolve = resolver(template, { ...around, parameters: {} });

describe('the template is read as CloudFormation reads it', () => {
	it.each([
		[{ Ref: 'Mode' }, 'on'],
		[{ Ref: 'Work' }, 'http://q/Work'],
		[{ Ref: 'AWS::Region' }, 'us-east-1'],
		[{ 'Fn::GetAtt': ['Things', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Things'],
		[{ 'Fn::Join': ['/', ['a', { Ref: 'Mode' }]] }, 'a/on'],
		[{ 'Fn::Sub': 'x-${AWS::AccountId}-${Mode}' }, 'x-000000000000-on'],
		[{ 'Fn::If': ['BaseGiven', 'yes', 'no'] }, 'no'],
		[{ list: [1, { Ref: 'AWS::NoValue' }], gone: { Ref: 'AWS::NoValue' } }, { list: [1] }],
	])('%j', (value, expected) => {
		expect(resolve(value)).toEqual(expected);
	});

	it('takes a parameter of this machine over its default', () => {
		const given = resolver(template, { ...around, parameters: { Base: 'http://localhost/v1' } });
		expect(given({ 'Fn::If': ['BaseGiven', { Ref: 'Base' }, 'no'] })).toBe('http://localhost/v1');
	});

	it('names what it cannot run, instead of leaving it out', () => {
		expect(() => resolve({ 'Fn::ImportValue': 'x' })).toThrow('Fn::ImportValue');
		expect(() => resolve({ Ref: 'Nobody' })).toThrow('Nobody');
		expect(() => checkTypes({ Resources: { Site: { Type: 'AWS::S3::Bucket' } } })).toThrow('Site: AWS::S3::Bucket');
	});
});

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/T';
const arn = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;
const leading = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
const allow = (Action: string, Condition = leading('CALL#*'), Resource = TABLE) => {
	return { Effect: 'Allow' as const, Action, Resource, Condition };
};
const role: Role = {
	name: 'r',
	statements: [
		allow('dynamodb:GetItem'),
		allow('dynamodb:PutItem'),
		allow('dynamodb:Query', leading('DUE#*'), `${TABLE}/index/by-due`),
	],
};
const may = (operation: string, input: object): boolean =>
	dynamoActs(operation, { ...input }, arn).every((act) => isAllowed(role, act));
const item = (pk: string) => ({ TableName: 'T', Item: { pk: { S: pk } } });

describe('a role lets through what its policies allow, and nothing else', () => {
	it.each([
		['GetItem', { TableName: 'T', Key: { pk: { S: 'CALL#1' } } }, true],
		['GetItem', { TableName: 'T', Key: { pk: { S: 'SEALED#call#1' } } }, false],
		['GetItem', { TableName: 'Other', Key: { pk: { S: 'CALL#1' } } }, false],
		['DeleteItem', { TableName: 'T', Key: { pk: { S: 'CALL#1' } } }, false],
		['Scan', { TableName: 'T' }, false],
		['TransactWriteItems', { TransactItems: [{ Put: item('CALL#1') }] }, true],
		['TransactWriteItems', { TransactItems: [{ Put: item('CALL#1') }, { Put: item('EVENT#1') }] }, false],
		['TransactWriteItems', { TransactItems: [{ Update: { TableName: 'T', Key: { pk: { S: 'CALL#1' } } } }] }, false],
		['BatchGetItem', { RequestItems: { T: { Keys: [{ pk: { S: 'CALL#1' } }] } } }, false],
		['Query', query('by-due', 'DUE#3'), true],
		['Query', query('by-due', 'call#w'), false],
		['Query', query('by-workspace', 'DUE#3'), false],
	])('%s %j: %s', (operation, input, expected) => {
		expect(may(operation, input)).toBe(expected);
	});

	it('a denial outweighs any permission', () => {
		const denying = {
			...role,
			statements: [...role.statements, { Effect: 'Deny' as const, Action: '*', Resource: '*' }],
		};
		const [act] = dynamoActs('PutItem', item('CALL#1'), arn);
		expect([act && isAllowed(role, act), act && isAllowed(denying, act)]).toEqual([true, false]);
	});
});

function query(IndexName: string, partition: string) {
	const KeyConditionExpression = '#shard = :shard AND #due <= :now';
	return {
		TableName: 'T',
		IndexName,
		KeyConditionExpression,
		ExpressionAttributeValues: { ':shard': { S: partition } },
	};
}

function request(rawHeaders: readonly string[], url: string): IncomingMessage {
	const parts: Partial<IncomingMessage> = {
		rawHeaders: [...rawHeaders],
		url,
		method: 'POST',
		httpVersion: '1.1',
		headers: {},
	};
	return { ...parts, socket: { remoteAddress: '::ffff:127.0.0.1' } } as unknown as IncomingMessage;
}

describe('a request reaches a function as HTTP API payload format 2.0', () => {
	const route = { routeKey: 'POST /v1/x/{id}', pathParameters: { id: '7' } };
	const now = new Date('2026-11-09T12:00:00.000Z');

	it('joins repeated headers and parameters, and lower-cases names', () => {
		const raw = request(
			['Host', 'h', 'X-A', '1', 'x-a', '2', 'Content-Type', 'application/json'],
			'/v1/x/7?a=1&a=2&b=',
		);
		const { requestContext, ...event } = JSON.parse(JSON.stringify(httpEvent(raw, Buffer.from('{"a":1}'), route, now)));
		expect(event).toEqual({
			version: '2.0',
			routeKey: 'POST /v1/x/{id}',
			rawPath: '/v1/x/7',
			rawQueryString: 'a=1&a=2&b=',
			headers: { host: 'h', 'x-a': '1,2', 'content-type': 'application/json' },
			queryStringParameters: { a: '1,2', b: '' },
			pathParameters: { id: '7' },
			body: '{"a":1}',
			isBase64Encoded: false,
		});
		expect(requestContext).toMatchObject({
			http: { method: 'POST', path: '/v1/x/7', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
			stage: '$default',
			time: '09/Nov/2026:12:00:00 +0000',
			timeEpoch: now.getTime(),
		});
	});

	it('hands bytes that are no text over in base64', () => {
		const raw = request(['Content-Type', 'application/json'], '/');
		expect(httpEvent(raw, Buffer.from([0x7b, 0xff]), route, now)).toMatchObject({
			body: 'e/8=',
			isBase64Encoded: true,
		});
	});

	it('goes to the most specific route, and to $default when none fits', () => {
		const target = { name: 'f', invoke: async () => ({ invoked: 'crashed' }) as const, stop: async () => undefined };
		const keys = ['GET /v1/{a}/{b}', 'GET /v1/calls/{id}', 'GET /v1/calls/mine', '$default'];
		const match = matcher(keys.map((routeKey) => ({ routeKey, target })));
		const chosen = (path: string, method = 'GET') => match(method, path)?.routeKey;
		expect(['/v1/calls/mine', '/v1/calls/x%20y', '/v1/other/1', '/v1/calls/'].map((path) => chosen(path))).toEqual([
			'GET /v1/calls/mine',
			'GET /v1/calls/{id}',
			'GET /v1/{a}/{b}',
			'$default',
		]);
		expect(match('GET', '/v1/calls/x%20y')?.pathParameters).toEqual({ id: 'x y' });
		expect(chosen('/v1/calls/mine', 'POST')).toBe('$default');
	});
});

describe('a function runs as on Lambda', () => {
	let directory: string;
	const started: LocalFunction[] = [];
	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'call-back-function-'));
	});
	afterAll(async () => {
		await Promise.all(started.map((made) => made.stop()));
		rmSync(directory, { recursive: true, force: true });
	});

	function functionOf(name: string, source: string, concurrency = 1): LocalFunction {
		mkdirSync(join(directory, name));
		writeFileSync(join(directory, name, 'index.js'), source);
		const properties = { Timeout: 0.3, MemorySize: 128, Environment: { Variables: { OWN: 'mine' } } };
		const made = localFunction({
			resource: { id: name, properties, metadata: { function: name } },
			directory: join(directory, name),
			environment: { GIVEN: 'too' },
			log_directory: directory,
			concurrency,
		});
		started.push(made);
		return made;
	}

	it('sees its own environment and nothing of ours', async () => {
		const made = functionOf('env', 'exports.handler = async () => process.env');
		const invoked = await made.invoke({});
		expect(invoked).toMatchObject({ invoked: 'ok', result: { OWN: 'mine', GIVEN: 'too' } });
		expect(JSON.stringify(invoked)).not.toContain('"PATH"');
	});

	it('is loaded once, and takes one request at a time', async () => {
		const made = functionOf(
			'count',
			'let n = 0; exports.handler = async () => { const mine = ++n; await 0; return [mine, n] }',
		);
		const all = await Promise.all([made.invoke({}), made.invoke({}), made.invoke({})]);
		expect(all.map((invoked) => invoked.invoked === 'ok' && invoked.result)).toEqual([
			[1, 1],
			[2, 2],
			[3, 3],
		]);
	});

	it('is ended at its time-out, and the next request gets a new one', async () => {
		const made = functionOf(
			'slow',
			'exports.handler = (event) => event.hang ? new Promise(() => {}) : Promise.resolve(1)',
		);
		expect(await made.invoke({ hang: true })).toEqual({ invoked: 'timed_out' });
		expect(await made.invoke({})).toEqual({ invoked: 'ok', result: 1 });
	});

	it('may throw or exit without taking anything else down', async () => {
		const source =
			'exports.handler = async (event) => { if (event.exit) process.exit(3); throw new TypeError("secret") }';
		const made = functionOf('crash', source);
		expect(await made.invoke({})).toEqual({ invoked: 'error', error: 'TypeError' });
		expect(await made.invoke({ exit: true })).toEqual({ invoked: 'crashed' });
		expect(await made.invoke({})).toEqual({ invoked: 'error', error: 'TypeError' });
		expect(readFileSync(join(directory, 'crash.log'), 'utf8')).toContain('TypeError');
	});
});

it('schedules are read as rates, and anything else is named', () => {
	expect([rateMs('rate(1 minute)'), rateMs('rate(2 hours)')]).toEqual([60_000, 7_200_000]);
	expect(() => rateMs('cron(0 0 * * ? *)')).toThrow('cron');
});
