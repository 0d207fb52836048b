import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import { roleOf } from '../../../local/aws/roles.ts';
import { type Gateway, startGateway } from '../../../local/gateway/gateway.ts';
import { batchesAtOnce, messagesDone } from '../../../local/lambda/event-sources.ts';
import { type InvokeResult, type LocalFunction, localFunction } from '../../../local/lambda/functions.ts';
import { checkTypes, resolver, resourcesOf, type Template } from '../../../local/template.ts';
import { raw } from '../../support/raw-request.ts';
import { eventually } from '../../support/stack/api.ts';

const directory = mkdtempSync(join(tmpdir(), 'call-back-platform-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const around = {
	queueUrl: (name: string) => `http://queues/${name}`,
	publicKey: (key: string) => `public half of ${key}`,
	apiUrl: 'http://localhost:1',
};

const placeholder = (name: string) => `$${'{'}${name}}`;

describe('the reader of the template', () => {
	const template: Template = {
		Resources: {
			Work: { Type: 'AWS::SQS::Queue' },
			Data: { Type: 'AWS::DynamoDB::Table' },
			Number: { Type: 'AWS::KMS::Key' },
			Half: { Type: 'Custom::NumberPublicKey', Properties: { KeyId: { Ref: 'Number' } } },
		},
	};
	const resolve = resolver(template, around);

	it.each([
		['a queue by its address', { Ref: 'Work' }, 'http://queues/Work'],
		['an ARN', { 'Fn::GetAtt': ['Data', 'Arn'] }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Data'],
		['the public half of a key', { 'Fn::GetAtt': ['Half', 'PublicKey'] }, 'public half of Number'],
		['a join', { 'Fn::Join': [':', ['arn', { Ref: 'AWS::Partition' }, { Ref: 'Data' }]] }, 'arn:aws:Data'],
		['a substitution', { 'Fn::Sub': `${placeholder('AWS::Region')}/${placeholder('Data')}` }, 'us-east-1/Data'],
	])('reads, as CloudFormation does, %s', (_, value, expected) => {
		expect(resolve(value)).toEqual(expected);
	});

	it.each([
		['a function that it does not know', { 'Fn::Cidr': ['10.0.0.0/8'] }, 'Fn::Cidr is not interpreted'],
		['a condition', { 'Fn::If': ['Live', 1, 2] }, 'Fn::If is not interpreted'],
		['a substitution of an attribute', { 'Fn::Sub': placeholder('Data.Arn') }, 'no resource Data.Arn'],
		['a substitution with its own variables', { 'Fn::Sub': [placeholder('A'), { A: '1' }] }, 'Fn::Sub with variables'],
		['a resource that is not there', { Ref: 'Gone' }, 'no resource Gone'],
		['an attribute without meaning here', { 'Fn::GetAtt': ['Data', 'StreamArn'] }, 'no attribute StreamArn'],
	])('refuses %s, by name', (_, value, words) => {
		expect(() => resolve(value)).toThrow(words);
	});

	it('refuses a resource type that it neither runs nor ignores', () => {
		expect(() => checkTypes(template)).not.toThrow();
		const more = { ...template, Resources: { ...template.Resources, Store: { Type: 'AWS::EC2::Instance' } } };
		expect(() => checkTypes(more)).toThrow('Store: AWS::EC2::Instance cannot be run on one machine');
		expect(resourcesOf(template, 'Custom::NumberPublicKey', resolve)).toEqual([
			{ id: 'Half', properties: { KeyId: 'Number' }, metadata: {} },
		]);
	});
});

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data';
const IDENTITY = (name: string) => `arn:aws:ses:us-east-1:000000000000:identity/${name}`;
const sender = { StringEquals: { 'ses:FromAddress': 'a@shop.example' } };
const role = (...statements: readonly object[]) => {
	const Policies = [
		{ PolicyDocument: { Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })) } },
	];
	return roleOf({ id: 'Role', properties: { Policies }, metadata: {} });
};
const leading = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: '#' } });

describe('the proxy in front of the stand-ins', () => {
	it('passes on allowed requests, answers AccessDenied to others, and refuses unknown access keys', async () => {
		const seen: (string | undefined)[] = [];
		const table = createServer((request, response) => {
			seen.push(request.headers.authorization);
			request.resume().on('end', () => response.end('{"Item":{}}'));
		});
		await new Promise<void>((resolve) => table.listen(0, '127.0.0.1', resolve));
		const { port } = table.address() as { port: number };
		const roles = {
			READER: role({ Action: 'dynamodb:GetItem', Resource: TABLE, Condition: leading('CALL#*') }),
			MAILER: role({ Action: 'ses:SendEmail', Resource: IDENTITY('a@shop.example'), Condition: sender }),
			SANDBOXED: role({ Action: 'ses:SendEmail', Resource: IDENTITY('*'), Condition: sender }),
			ALL: null,
		};
		const url = `http://127.0.0.1:${port}`;
		const roleByKey = (key: string) => roles[key as keyof typeof roles];
		const kms = localKms(join(directory, 'keys'));
		const mailbox = openMailbox(join(directory, 'mail.jsonl'));
		const proxy = await startAwsProxy({ dynamodb: { url }, sqs: { url }, kms, mailbox, roleOf: roleByKey });
		const ask = async (key: string, target: string, input: object) => {
			const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/x/aws4_request, Signature=0`;
			const headers = { 'x-amz-target': target, authorization };
			const response = await fetch(proxy.url, { method: 'POST', headers, body: JSON.stringify(input) });
			const answer = (await response.json()) as Readonly<Record<string, unknown>>;
			return [response.status, answer] as const;
		};
		const get = (pk: string) => ({ TableName: 'Data', Key: Key(pk) });
		expect(await ask('READER', 'DynamoDB_20120810.GetItem', get('CALL#1'))).toEqual([200, { Item: {} }]);
		const [status, denied] = await ask('READER', 'DynamoDB_20120810.GetItem', get('LEAD#1'));
		expect([status, denied['__type']]).toEqual([400, 'com.amazon.coral.service#AccessDeniedException']);
		expect(denied['Message']).toMatch(
			/Role\/local is not authorized to perform: dynamodb:GetItem on resource: arn:aws:/,
		);
		expect(await ask('READER', 'TrentService.GenerateMac', { KeyId: 'Mac' })).toMatchObject([
			400,
			{ __type: 'AccessDeniedException' },
		]);
		expect(await ask('ALL', 'TrentService.GenerateMac', { KeyId: 'Mac' })).toMatchObject([200, { KeyId: 'Mac' }]);
		expect(await ask('NOBODY', 'DynamoDB_20120810.GetItem', get('CALL#1'))).toEqual([
			400,
			{ __type: 'UnrecognizedClientException' },
		]);
		expect(seen).toEqual([expect.stringContaining('Credential=local/')]);
		// As in the sandbox of SES, the role also needs permission for the recipient's identity.
		const send = async (key: string, FromEmailAddress: string) => {
			const Simple = { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } };
			const mail = { FromEmailAddress, Destination: { ToAddresses: ['team@shop.example'] }, Content: { Simple } };
			const authorization = `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-east-1/ses/aws4_request, Signature=0`;
			const sent = { method: 'POST', headers: { authorization }, body: JSON.stringify(mail) };
			const response = await fetch(`${proxy.url}/v2/email/outbound-emails`, sent);
			return [response.status, response.headers.get('x-amzn-errortype'), await response.text()];
		};
		const refused = [
			403,
			expect.stringMatching(/^AccessDeniedException:http/),
			expect.stringContaining('identity/team@shop.example'),
		];
		expect(await send('MAILER', 'a@shop.example')).toEqual(refused);
		expect((await send('SANDBOXED', 'a@shop.example'))[0]).toBe(200);
		expect((await send('SANDBOXED', 'b@shop.example'))[0]).toBe(403);
		await proxy.close();
		table.close();
	});
});

const code = join(directory, 'code');
mkdirSync(code);

let made = 0;
/** Creates a function whose bundle is this source. */
function functionOf(source: string, properties: object = {}, concurrency = 1): LocalFunction & { log(): string } {
	made += 1;
	const bundle = join(directory, `function-${made}`);
	mkdirSync(bundle);
	writeFileSync(join(bundle, 'index.js'), source);
	const own = { Handler: 'index.handler', Timeout: 10, MemorySize: 128, ...properties };
	const created = localFunction({
		resource: { id: `Function${made}`, properties: own, metadata: { function: `function-${made}` } },
		directory: bundle,
		code_directory: code,
		environment: { AWS_REGION: 'us-east-1' },
		log_directory: directory,
		concurrency,
	});
	return { ...created, log: () => readFileSync(join(directory, `${created.name}.log`), 'utf8') };
}
async function with_<T>(run: LocalFunction, use: () => Promise<T>): Promise<T> {
	try {
		return await use();
	} finally {
		await run.stop();
	}
}

describe('a function', () => {
	it('is loaded once, stays warm, and handles one request at a time', async () => {
		const source = `let n = 0, now = 0; exports.handler = async () => {
			now += 1; await new Promise((done) => setTimeout(done, 20)); n += 1; now -= 1; return { n, now }; };`;
		const one = functionOf(source);
		await with_(one, async () => {
			const results = await Promise.all([one.invoke({}), one.invoke({}), one.invoke({})]);
			expect(results).toEqual([1, 2, 3].map((n) => ({ invoked: 'ok', result: { n, now: 0 } })));
		});
	});

	it('has only its own environment, and a context as on Lambda', async () => {
		const source = `exports.handler = async (event, context) => ({ event, env: process.env, arn: context.invokedFunctionArn,
			left: context.getRemainingTimeInMillis() });`;
		const one = functionOf(source, { Environment: { Variables: { TABLE_NAME: 'Data' } }, MemorySize: 256 });
		await with_(one, async () => {
			const { result } = (await one.invoke({ a: 1 })) as {
				result: { env: object; event: object; left: number; arn: string };
			};
			expect(result.env).toEqual({
				AWS_LAMBDA_FUNCTION_NAME: expect.stringMatching(/^Function/),
				AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
				AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
				AWS_REGION: 'us-east-1',
				TABLE_NAME: 'Data',
				TZ: 'UTC',
			});
			expect(result.event).toEqual({ a: 1 });
			expect(result.arn).toMatch(/^arn:aws:lambda:us-east-1:000000000000:function:Function/);
			expect(result.left).toBeGreaterThan(0);
		});
	});

	it('starts from code that an earlier instance compiled, or without it if that code is damaged or cannot be stored', async () => {
		const source = `const at = (error) => /index.js:(\\d+)/.exec(error.stack)[1];
			exports.handler = async () => at(new Error('second line'));`;
		const { log: _, ...one } = functionOf(source);
		const compiled = () => {
			const [file] = readdirSync(code).filter((name) => new RegExp(`^function-${made}-\\d+$`).test(name));
			return file === undefined ? null : { file: join(code, file), bytes: readFileSync(join(code, file)) };
		};
		const expectAnswer = async () => {
			expect(await one.invoke({})).toEqual({ invoked: 'ok', result: '2' });
			await one.stop();
		};
		expect(await one.invoke({})).toEqual({ invoked: 'ok', result: '2' });
		const { file, bytes } = await eventually('compiled code', async () => compiled());
		await one.stop();
		await expectAnswer();
		expect(compiled()?.bytes.equals(bytes)).toBe(true);
		writeFileSync(file, 'damaged');
		expect(await one.invoke({})).toEqual({ invoked: 'ok', result: '2' });
		await eventually('it is mended', async () => (compiled()?.bytes.length === bytes.length ? true : null));
		await one.stop();
		rmSync(code, { recursive: true });
		await expectAnswer();
		mkdirSync(code);
	});

	it('is stopped after its time-out, and starts over', async () => {
		const source = 'let n = 0; exports.handler = async ({ hang }) => { n += 1; while (hang); return n; };';
		const one = functionOf(source, { Timeout: 0.3 });
		await with_(one, async () => {
			const invoked: InvokeResult[] = [];
			for (const hang of [false, true, false]) invoked.push(await one.invoke({ hang }));
			expect(invoked).toEqual([{ invoked: 'ok', result: 1 }, { invoked: 'timed_out' }, { invoked: 'ok', result: 1 }]);
			expect(one.log()).toContain('timed out');
		});
	});

	it.each([
		['ends its process', 'process.exit(3)'],
		['throws where nobody catches', "setImmediate(() => { throw new Error('late') }); await new Promise(() => {})"],
		['needs more memory than it has', 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))'],
	])('that %s has crashed, and starts over', async (_, act) => {
		const one = functionOf(`exports.handler = async ({ bad }) => { if (bad) { ${act} } return 'well'; };`, {
			MemorySize: 32,
		});
		await with_(one, async () => {
			expect(await one.invoke({ bad: true })).toEqual({ invoked: 'crashed' });
			expect(await one.invoke({ bad: false })).toEqual({ invoked: 'ok', result: 'well' });
		});
	});

	it('reports the error that it throws, and its output goes to its log', async () => {
		const one = functionOf("exports.handler = async () => { console.log('said'); throw new TypeError('no'); };");
		await with_(one, async () => {
			expect(await one.invoke({})).toEqual({ invoked: 'error', error: 'TypeError' });
			await eventually('its log has both', async () => (/said\n.*TypeError: no/s.test(one.log()) ? true : null));
		});
	});

	it('whose Handler is not exported never runs', async () => {
		const one = functionOf('exports.other = async () => 1;');
		expect(await one.invoke({})).toEqual({ invoked: 'crashed' });
		await one.stop();
	});
});

describe('a batch of messages', () => {
	const batch = ['a', 'b', 'c'].map((MessageId) => ({ MessageId }));
	it.each([
		['nothing', null, 'abc'],
		['no failures', { batchItemFailures: [] }, 'abc'],
		['no list', { batchItemFailures: null }, 'abc'],
		['one failure', { batchItemFailures: [{ itemIdentifier: 'b' }] }, 'ac'],
		['a message that is not in it', { batchItemFailures: [{ itemIdentifier: 'z' }] }, ''],
		['something else', { batchItemFailures: [{ id: 'b' }] }, ''],
	])('is removed from its queue as the function reports: %s', (_, result, taken) => {
		expect(
			messagesDone(batch, result)
				.map(({ MessageId }) => MessageId)
				.join(''),
		).toBe(taken);
	});
});

it('a function processes at most a tenth of the batches that its sources allow on AWS, and at least two of each source', () => {
	const source = (FunctionName: string, MaximumConcurrency?: number) => ({
		id: 'Source',
		properties: {
			EventSourceArn: 'arn',
			FunctionName,
			...(MaximumConcurrency && { ScalingConfig: { MaximumConcurrency } }),
		},
		metadata: {},
	});
	const sources = [source('Deliver', 200), source('Deliver', 50), source('Dial', 101), source('Mail')];
	const batches = (name: string) => batchesAtOnce(sources, name);
	expect(['Deliver', 'Dial', 'Mail', 'Api'].map(batches)).toEqual([25, 11, 2, 0]);
});

/** A gateway with functions that respond at once. `seen`: the events that they received. */
async function gatewayOf(answers: Readonly<Record<string, InvokeResult>>) {
	const seen: Record<string, unknown>[] = [];
	const routes = Object.entries(answers).map(([routeKey, invoked]) => {
		const invoke = async (event: unknown) => {
			seen.push(event as Record<string, unknown>);
			return invoked;
		};
		return { routeKey, target: { name: routeKey, invoke, stop: async () => undefined } };
	});
	const gateway: Gateway = await startGateway(0, routes);
	return { ...gateway, url: `http://localhost:${gateway.port}`, seen };
}
const ok = (result: unknown): InvokeResult => ({ invoked: 'ok', result });

describe('the gateway', () => {
	it('passes a function the same event as API Gateway (payload format 2.0)', async () => {
		const gateway = await gatewayOf({ 'POST /v1/calls/{id}/notes': ok({ statusCode: 204 }) });
		const request = [
			'POST /v1/calls/a%20b/notes?tag=x&tag=y&q=a%26b&empty= HTTP/1.1',
			'Host: api.example',
			'User-Agent: test',
			'Cookie: a=1; b=2',
			'X-Many: one',
			'X-Many: two',
			'X-Forwarded-For: 203.0.113.9',
			'Content-Type: application/json',
			'Content-Length: 9',
			'Connection: close',
		];
		await raw(gateway.port, `${request.join('\r\n')}\r\n\r\n{"ö":1}\n`);
		const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/);
		expect(gateway.seen).toEqual([
			{
				version: '2.0',
				routeKey: 'POST /v1/calls/{id}/notes',
				rawPath: '/v1/calls/a b/notes',
				rawQueryString: 'tag=x&tag=y&q=a%26b&empty=',
				cookies: ['a=1', 'b=2'],
				headers: {
					host: 'api.example',
					'user-agent': 'test',
					'x-many': 'one,two',
					'content-type': 'application/json',
					'content-length': '9',
					connection: 'close',
					'x-forwarded-for': expect.stringMatching(/^203\.0\.113\.9, (127\.0\.0\.1|::1)$/),
					'x-forwarded-port': String(gateway.port),
					'x-forwarded-proto': 'http',
				},
				queryStringParameters: { tag: 'x,y', q: 'a&b', empty: '' },
				pathParameters: { id: 'a b' },
				requestContext: {
					accountId: '000000000000',
					apiId: 'local',
					domainName: 'api.example',
					domainPrefix: 'localhost',
					http: {
						method: 'POST',
						path: '/v1/calls/a b/notes',
						protocol: 'HTTP/1.1',
						sourceIp: address,
						userAgent: 'test',
					},
					requestId: expect.any(String),
					routeKey: 'POST /v1/calls/{id}/notes',
					stage: '$default',
					time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
					timeEpoch: expect.any(Number),
				},
				body: '{"ö":1}\n',
				isBase64Encoded: false,
			},
		]);
		await gateway.close();
	});

	it('passes binary bodies as base64, and omits fields that a request does not have', async () => {
		const gateway = await gatewayOf({ 'POST /a': ok({ statusCode: 204 }), 'GET /a': ok({ statusCode: 204 }) });
		const body = new Uint8Array([0x7b, 0xff, 0x7d]);
		await fetch(`${gateway.url}/a`, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
		await fetch(`${gateway.url}/a`);
		await fetch(`${gateway.url}/a`, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
		const [first, second, form] = gateway.seen;
		expect([first, form]).toMatchObject(['e/99', 'YT0x'].map((body) => ({ body, isBase64Encoded: true })));
		for (const name of ['body', 'cookies', 'queryStringParameters', 'pathParameters'])
			expect(second).not.toHaveProperty(name);
		await gateway.close();
	});

	it('chooses the most specific route, then $default, and otherwise answers 404 itself', async () => {
		const named = (name: string) => ok({ statusCode: 200, body: name });
		const routes = {
			'GET /v1/calls/{id}': named('parameter'),
			'GET /v1/calls/recent': named('fixed'),
			'GET /v1/{kind}/{id}': named('two parameters'),
		};
		const without = await gatewayOf(routes);
		const withDefault = await gatewayOf({ ...routes, $default: named('default') });
		const ask = async (url: string, method = 'GET') => await (await fetch(url, { method })).text();
		expect(await ask(`${without.url}/v1/calls/recent`)).toBe('fixed');
		expect(await ask(`${without.url}/v1/calls/1?x=/y`)).toBe('parameter');
		expect(await ask(`${without.url}/v1/calls/1`, 'PUT')).toBe('{"message":"Not Found"}');
		expect(await ask(`${without.url}/v1/leads/1`)).toBe('two parameters');
		expect(await ask(`${without.url}/v1/calls/`)).toBe('{"message":"Not Found"}');
		expect(await ask(`${withDefault.url}/v1/calls/1/2`)).toBe('default');
		await without.close();
		await withDefault.close();
	});

	it.each(['ANY /v1/calls', 'GET /v1/{path+}'])('refuses the route %s, which it cannot run', async (routeKey) => {
		await expect(gatewayOf({ [routeKey]: ok(null) })).rejects.toThrow(`${routeKey}: routes of any method or path`);
	});

	it.each<[string, InvokeResult, number, string]>([
		['the body and status that a function gives', ok({ statusCode: 201, body: 'made' }), 201, 'made'],
		['a body in base64', ok({ statusCode: 200, body: 'aGVsbG8=', isBase64Encoded: true }), 200, 'hello'],
		['any JSON without a status', ok({ a: 1 }), 200, '{"a":1}'],
		['a text without a status', ok('plain'), 200, 'plain'],
		['nothing', ok(null), 500, '{"message":"Internal Server Error"}'],
		['a status that is none', ok({ statusCode: 'fine', body: '' }), 500, '{"message":"Internal Server Error"}'],
		['a body that is no text', ok({ statusCode: 200, body: { a: 1 } }), 500, '{"message":"Internal Server Error"}'],
		['a function that threw', { invoked: 'error', error: 'TypeError' }, 500, '{"message":"Internal Server Error"}'],
		['a function that crashed', { invoked: 'crashed' }, 500, '{"message":"Internal Server Error"}'],
		['a function that timed out', { invoked: 'timed_out' }, 500, '{"message":"Internal Server Error"}'],
	])('answers for %s', async (_, invoked, status, text) => {
		const gateway = await gatewayOf({ $default: invoked });
		const response = await fetch(gateway.url);
		expect([response.status, await response.text()]).toEqual([status, text]);
		await gateway.close();
	});

	it('sends headers and cookies as the function returns them', async () => {
		const headers = { 'content-type': 'application/problem+json', 'x-a': 'b' };
		const gateway = await gatewayOf({
			$default: ok({ statusCode: 400, headers, cookies: ['a=1', 'b=2'], body: '{}' }),
		});
		const response = await fetch(gateway.url);
		expect(Object.fromEntries(response.headers)).toMatchObject(headers);
		expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
		await gateway.close();
	});
});
