import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';

const directory = mkdtempSync(join(tmpdir(), 'proxy-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });

describe('the proxy', () => {
	const queue = (target: string, input: object) => ({ path: '/', target: `AmazonSQS.${target}`, input });

	it.each([
		['SQS without a body, if it has nothing to say', queue('DeleteMessage', { QueueUrl: 'q' }), '{}', 200, ''],
		[
			'SQS with a body, if it has something to say',
			queue('ReceiveMessage', { QueueUrl: 'q' }),
			'{"Messages":[]}',
			200,
			'{"Messages":[]}',
		],
		[
			'SQS with a refusal of a delay that it cannot keep',
			queue('SendMessageBatch', { QueueUrl: 'q', Entries: [{ DelaySeconds: 900 }, { DelaySeconds: 901 }] }),
			'{}',
			400,
			expect.stringContaining('InvalidParameterValue'),
		],
		[
			'the load balancer of a service that is away',
			queue('ReceiveMessage', { QueueUrl: 'q' }),
			null,
			503,
			expect.stringMatching(/^<html>/),
		],
		[
			'DynamoDB with an empty object',
			{ path: '/', target: 'DynamoDB_20120810.PutItem', input: { TableName: 'Data', Item: Key('CALL#1') } },
			'{}',
			200,
			'{}',
		],
	])('responds like %s', async (_name, { path, target, input }, behind, status, body) => {
		const standIn = createServer((request, response) => {
			request.resume().on('end', () => (behind === null ? response.destroy() : response.end(behind)));
		});
		await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
		const { port } = standIn.address() as { port: number };
		const url = `http://127.0.0.1:${port}`;
		const kms = localKms(join(directory, 'keys'));
		const mailbox = openMailbox(join(directory, 'mail.jsonl'));
		const proxy = await startAwsProxy({ dynamodb: { url }, sqs: { url }, kms, mailbox, roleOf: () => null });
		const headers = {
			'x-amz-target': target,
			authorization: 'AWS4-HMAC-SHA256 Credential=K/20260101/us-east-1/x/aws4_request',
		};
		const response = await fetch(proxy.url + path, { method: 'POST', headers, body: JSON.stringify(input) });
		expect([response.status, await response.text()]).toEqual([status, body]);
		const refused = await fetch(`${proxy.url}/v2/email/outbound-emails`, {
			method: 'POST',
			headers: { authorization: headers.authorization },
			body: '{}',
		});
		expect(refused.headers.get('x-amzn-errortype')).toMatch(/^BadRequestException:http:\/\//);
		await proxy.close();
		standIn.close();
	});
});
