import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { freePort } from '../../../local/aws/dynamodb.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import type { LocalQueues } from '../../../local/aws/queues.ts';
import type { Act } from '../../../local/aws/roles.ts';
import { slots } from '../../../local/lambda/functions.ts';
import { startPlatform } from '../../../local/platform.ts';
import { shutdownList } from '../../../local/shutdown.ts';
import type { Resource, Template } from '../../../local/template.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

// A template with a WebSocket API beside its HTTP API: functions post to connections under the roles of the template.

const FUNCTION = `
exports.connect = async ({ queryStringParameters: query }) => ({ statusCode: query?.call === 'known' ? 200 : 401 });
exports.tell = async ({ body, queryStringParameters: { id, service = 'execute-api', stage = 'live' } }) => {
	const { AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI: url, LIVE_URL } = process.env;
	const authorization = 'AWS4-HMAC-SHA256 Credential=' + AWS_ACCESS_KEY_ID + '/20260101/us-east-1/' + service + '/aws4_request, Signature=0';
	const answer = await fetch(url + '/' + stage + '/@connections/' + encodeURIComponent(id), { method: 'POST', headers: { authorization }, body: body === 'long' ? 'x'.repeat(131_073) : body });
	return { status: answer.status, error: answer.headers.get('x-amzn-errortype'), text: await answer.text(), LIVE_URL };
};`;

const join_ = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });

/** A function with a role of its own, which may post to the connections of `stage`. */
function functionWith(name: string, handler: string, stage: string): Record<string, Resource> {
	const Resource = join_(
		'arn:aws:execute-api:us-east-1:000000000000:',
		{ Ref: 'Live' },
		`/${stage}/POST/@connections/*`,
	);
	const Statement = [{ Effect: 'Allow', Action: 'execute-api:ManageConnections', Resource }];
	const Variables = { LIVE_URL: { 'Fn::GetAtt': ['Live', 'ApiEndpoint'] } };
	return {
		[`${name}Role`]: { Type: 'AWS::IAM::Role', Properties: { Policies: [{ PolicyDocument: { Statement } }] } },
		[name]: {
			Type: 'AWS::Lambda::Function',
			Metadata: { 'aws:asset:path': 'bundle', function: name },
			Properties: {
				Handler: `index.${handler}`,
				Timeout: 10,
				MemorySize: 128,
				Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] },
				Environment: { Variables },
			},
		},
	};
}

const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const invocationsOf = (name: string) =>
	join_('arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/', arnOf(name), '/invocations');

function route(api: string, RouteKey: string, name: string, IntegrationUri: unknown): Record<string, Resource> {
	const ApiId = { Ref: api };
	const Target = join_('integrations/', { Ref: `${name}Integration` });
	return {
		[`${name}Integration`]: {
			Type: 'AWS::ApiGatewayV2::Integration',
			Properties: { ApiId, IntegrationType: 'AWS_PROXY', IntegrationUri },
		},
		[`${name}Route`]: { Type: 'AWS::ApiGatewayV2::Route', Properties: { ApiId, RouteKey, Target } },
	};
}

const template: Template = {
	Resources: {
		Http: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
		Live: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'WEBSOCKET' } },
		Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { ApiId: { Ref: 'Live' }, StageName: 'live' } },
		...functionWith('Connect', 'connect', 'none'),
		...functionWith('Tell', 'tell', 'live'),
		...functionWith('Other', 'tell', 'other'),
		...route('Live', '$connect', 'Connect', invocationsOf('Connect')),
		...route('Http', 'POST /tell', 'Tell', arnOf('Tell')),
		...route('Http', 'POST /other', 'Other', arnOf('Other')),
	},
};

const directory = temporaryDirectory('live-');
const shutdown = shutdownList();
const heard: Act[] = [];
let port: number;

async function start(run: Template, wanted: number): Promise<void> {
	const nowhere = { url: 'http://127.0.0.1:1', stop: async () => undefined };
	const queues = { at: nowhere, create: async () => undefined } as unknown as LocalQueues;
	await startPlatform(
		{
			...{ template: run, assets: directory, dynamo: nowhere, queues, port: wanted, speed: 1 },
			...{ parameters: {}, overrides: {}, log_directory: directory, account: slots(10) },
			kms: localKms(join(directory, 'keys')),
			mailbox: openMailbox(join(directory, 'mail.jsonl')),
			heard: (_, act) => void heard.push(act),
		},
		shutdown,
	);
}

beforeAll(async () => {
	mkdirSync(join(directory, 'bundle'));
	writeFileSync(join(directory, 'bundle', 'index.js'), FUNCTION);
	port = await freePort();
	await start(template, port);
});
afterAll(async () => {
	await shutdown.run();
	rmSync(directory, { recursive: true, force: true });
});

const connectTo = (call: string) => new WebSocket(`ws://localhost:${port}/live?call=${call}`);

/** A client and its connection id, which only the answer to a message tells it. */
async function connected() {
	const client = connectTo('known');
	await once(client, 'open');
	const answered = once(client, 'message');
	client.send('who am I?');
	const { connectionId: id } = JSON.parse(String((await answered)[0]));
	return { client, id };
}

async function tell(id: string, body: string, { path = '/tell', more = '' } = {}) {
	const address = `http://localhost:${port}${path}?id=${encodeURIComponent(id)}${more}`;
	const answer = await fetch(address, { method: 'POST', body });
	return (await answer.json()) as Readonly<Record<'status' | 'error' | 'text' | 'LIVE_URL', unknown>>;
}

describe('a WebSocket API of the template', () => {
	it('opens the connections that its function accepts, and has a URL of its own', async () => {
		const { client, id } = await connected();
		const received = once(client, 'message');
		expect(await tell(id, '{"status":"completed"}')).toEqual({
			status: 200,
			error: null,
			text: '',
			LIVE_URL: `ws://localhost:${port}`,
		});
		expect(String((await received)[0])).toBe('{"status":"completed"}');
		const resource = `arn:aws:execute-api:us-east-1:000000000000:Live/live/POST/@connections/${id}`;
		expect(heard).toContainEqual({ action: 'execute-api:ManageConnections', resource, leading_keys: [] });
		client.close();
		await once(client, 'close');
		expect(await tell(id, '{}')).toMatchObject({ status: 410, error: 'GoneException', text: '' });
	});

	it('refuses the handshakes that its function refuses', async () => {
		const [, response] = await once(connectTo('unknown'), 'unexpected-response');
		response.resume();
		expect(response.statusCode).toBe(401);
	});

	it('takes messages only from a role that allows them, and only as the quotas say', async () => {
		const { client, id } = await connected();
		const denied = await tell(id, '{}', { path: '/other' });
		expect(denied).toMatchObject({ status: 403, error: 'ForbiddenException' });
		expect(denied.text).toMatch(
			/OtherRole.*execute-api:ManageConnections on resource: arn:aws:execute-api:.*:Live\/live/,
		);
		const wrong = await tell(id, '{}', { more: '&service=lambda' });
		expect(wrong).toMatchObject({ status: 403, text: expect.stringContaining("correct service: 'execute-api'") });
		expect(await tell(id, '{}', { more: '&stage=gone' })).toMatchObject({ status: 403, error: 'ForbiddenException' });
		expect(await tell(id, 'long')).toMatchObject({ status: 413, error: 'PayloadTooLargeException' });
		expect(await tell('A'.repeat(15), '{}')).toMatchObject({ status: 410, error: 'GoneException' });
		client.close();
	});

	it.each([
		['another route', route('Live', 'hello', 'Tell', invocationsOf('Tell')), 'Live: the route hello is not run'],
		['no $connect route', route('Http', '$default', 'Connect', arnOf('Connect')), 'Live: expected a $connect route'],
		[
			'a function instead of its invocations',
			route('Live', '$connect', 'Connect', arnOf('Connect')),
			'Connect: expected the ARN of a function',
		],
	])('is refused with %s', async (_, changed, words) => {
		const Resources = { ...template.Resources, ...changed };
		await expect(start({ Resources }, await freePort())).rejects.toThrow(words);
	});
});
