import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { startAwsProxy } from '../../../local/aws/aws-proxy.ts';
import { localKms } from '../../../local/aws/kms.ts';
import { openMailbox } from '../../../local/aws/mailbox.ts';
import { groupOf } from '../../../local/aws/message-groups.ts';
import { startQueues } from '../../../local/aws/queues.ts';
import { sqsQueues } from '../../../shared/adapters/sqs/queues.ts';
import { deliveryMessage } from '../../../shared/use-cases/webhooks/publish-event.ts';
import { samples } from '../../conformance/store/records.ts';
import { testAws } from '../../support/aws/stand-ins.ts';

const directory = mkdtempSync(join(tmpdir(), 'proxy-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const Key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });

it('the proxy keeps the group of a message, which the stand-in forgets', async () => {
	const queues = await startQueues(join(directory, 'queues'));
	const kms = localKms(join(directory, 'keys'));
	const mailbox = openMailbox(join(directory, 'mail.jsonl'));
	const dynamodb = { url: 'http://127.0.0.1:1' };
	const proxy = await startAwsProxy({ dynamodb, sqs: queues.at, kms, mailbox, roleOf: () => null });
	await queues.create([{ id: 'deliveries', properties: {}, metadata: {} }]);
	const QUEUE_URL_DELIVERIES = `${proxy.url}/000000000000/deliveries`;
	const sender = sqsQueues({ ...testAws, AWS_ENDPOINT_URL_SQS: proxy.url, QUEUE_URL_DELIVERIES });
	const { message } = deliveryMessage(samples.delivery);
	const messages = ['endpoint-1', null].map((group) => ({ message, delay_seconds: 0, group }));
	expect(await sender.send('deliveries', messages)).toEqual({ sent: 2, failed: 0 });
	const received = await queues.receive('deliveries', 10, AbortSignal.timeout(20_000));
	expect(new Set(received.map(groupOf))).toEqual(new Set(['endpoint-1', null]));
	expect(received.map(({ Body = '' }) => JSON.parse(Body))).toEqual([message, message]);
	await proxy.close();
	await queues.stop();
});

describe('the proxy answers as AWS’s services do', () => {
	const queue = (target: string, input: object) => ({ path: '/', target: `AmazonSQS.${target}`, input });

	it.each([
		['SQS, which has nothing to say, without a body', queue('DeleteMessage', { QueueUrl: 'q' }), '{}', 200, ''],
		[
			'SQS, which has, with its body',
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
			'its balancer for a service that is away',
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
	])('%s', async (_name, { path, target, input }, behind, status, body) => {
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
