import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Fault, pass, startWire, type Wire } from '../../support/aws/faulty-wire.ts';
import { type DynamoStandIn, type SqsStandIn, startDynamo, startSqs } from '../../support/aws/stand-ins.ts';
import { call, eventually, visitorBody } from '../../support/stack/api.ts';
import { type StackProcess, startStackProcess } from '../../support/stack/stack-process.ts';

// Runs `npm start` with only AWS_ENDPOINT_URL, and without a variable for each service. People do this with an emulator of all
// of AWS.

let directory: string;
let dynamo: DynamoStandIn;
let sqs: SqsStandIn;
let everything: Wire;
let stack: StackProcess;
/** Passes a request on to the stand-in of its service. A request that still waits when the stand-in stops gets no response. */
const byService: Fault = (request) => {
	const isTable = String(request.headers['x-amz-target']).startsWith('DynamoDB_20120810.');
	return pass(isTable ? dynamo.endpoint : sqs.endpoint, request).catch(() => 'reset');
};

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-plain-'));
	dynamo = await startDynamo();
	sqs = await startSqs();
	everything = await startWire(sqs.endpoint);
	everything.failAll(byService);
	stack = await startStackProcess(join(directory, 'state'), ['--port', '0', '--speed', '20'], {
		AWS_ENDPOINT_URL: everything.endpoint,
	});
});
afterAll(async () => {
	await stack?.stop();
	await everything?.stop();
	await Promise.all([dynamo?.stop(), sqs?.stop()]);
	rmSync(directory, { recursive: true, force: true });
});

it('a stack with AWS_ENDPOINT_URL keeps its table and its queues there, and completes a call', async () => {
	const headers = { origin: stack.allowed_origin, 'idempotency-key': 'plain' };
	const body = visitorBody(stack, { phone: '+12025550101' });
	const asked = await call(stack.base_url, '/widget/call-requests', { body, headers });
	expect(asked.status).toBe(202);
	const read = { headers: { authorization: `Bearer ${stack.api_key}` } };
	const ended = await eventually('the call ends', async () => {
		const { data } = (await call(stack.base_url, `/calls/${asked.json.data.id}`, read)).json;
		return data.completed_at === null ? null : data;
	});
	expect(ended.status).toBe('completed');
	const operations = new Set(everything.seen.map(({ operation }) => operation));
	for (const one of ['TransactWriteItems', 'SendMessageBatch', 'ReceiveMessage', 'DeleteMessageBatch']) {
		expect(operations).toContain(one);
	}
});
