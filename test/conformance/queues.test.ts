import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { deadLetterQueue } from '../../ops/dead-letters/queue.ts';
import { type Loss, sqsQueues } from '../../shared/adapters/sqs/queues.ts';
import { TIMED_BY_MESSAGE_MS } from '../../shared/domain/kernel/wake-up.ts';
import type { QueuesEnv } from '../../shared/env.ts';
import type { Queues } from '../../shared/ports/queues.ts';
import { MAX_DELAY_SECONDS } from '../../shared/ports/queues.ts';
import { deliveryMessage } from '../../shared/use-cases/webhooks/event-outbox.ts';
import { type Fault, loseAnswer, loseRequest, refuse, startWire, type Wire } from '../support/aws/faulty-wire.ts';
import { type SqsStandIn, startSqs, testAws } from '../support/aws/stand-ins.ts';
import { samples } from '../support/sample-records.ts';

let sqs: SqsStandIn;
let wire: Wire;
let queues: Queues;
let name: string;
let env: QueuesEnv;
beforeAll(async () => {
	sqs = await startSqs();
});
afterAll(() => sqs.stop());
beforeEach(async () => {
	name = `queue-${Math.random().toString(36).slice(2)}`;
	wire = await startWire(sqs.endpoint);
	const { queueUrl } = sqs.server.createQueue(name);
	env = { ...testAws, AWS_ENDPOINT_URL_SQS: wire.endpoint, QUEUE_URL_DELIVERIES: queueUrl };
	queues = sqsQueues(env);
});
afterEach(() => wire.stop());

const message = (n: number, delay_seconds = 0, group: string | null = null) => ({
	message: { ...deliveryMessage(samples.delivery).message, delivery_id: `d${n}` },
	delay_seconds,
	group,
});
it('messages have delays of whole seconds from 0 to 900, as SQS requires, for every wait', () => {
	const delays = [-5000, 0, 1, 1000, 1001, 900_000, 900_001, 3_600_000];
	const asked = delays.map((waitMs) => deliveryMessage(samples.delivery, waitMs).delay_seconds);
	expect(asked).toEqual([0, 0, 1, 1, 2, 900, 900, 900]);
	// For waits up to `TIMED_BY_MESSAGE_MS`, the service relies on a delayed message, so SQS has to support such a delay.
	expect(TIMED_BY_MESSAGE_MS / 1000).toBeLessThanOrEqual(MAX_DELAY_SECONDS);
});

const many = (count: number) => Array.from({ length: count }, (_, n) => message(n));
const arrived = () =>
	(sqs.server.inspectQueue(name)?.messages.ready ?? []).map(({ body }) => JSON.parse(body).delivery_id).sort();

it('a queue sends messages as JSON, each with its delay', async () => {
	expect(await queues.send('deliveries', [message(1), message(2, 900)])).toEqual({ sent: 2, failed: 0 });
	const { ready, delayed } = sqs.server.inspectQueue(name)?.messages ?? { ready: [], delayed: [] };
	expect(ready.map(({ body }) => JSON.parse(body))).toEqual([message(1).message]);
	const waits = delayed.map(({ delayUntil = 0 }) => Math.round((delayUntil - Date.now()) / 1000));
	expect(waits).toEqual([900]);
});

it('a queue message names its group if it has one, so that SQS shares the queue fairly among groups', async () => {
	await queues.send('deliveries', [message(1, 0, 'endpoint-1'), message(2)]);
	const { Entries: entries } = JSON.parse(wire.seen[0]?.body ?? '');
	expect(entries.map((entry: { MessageGroupId?: string }) => entry.MessageGroupId)).toEqual(['endpoint-1', undefined]);
});

it('a queue sends more than ten messages in batches of ten', async () => {
	expect(await queues.send('deliveries', many(25))).toEqual({ sent: 25, failed: 0 });
	expect(new Set(arrived()).size).toBe(25);
	expect(wire.seen).toHaveLength(3);
});

it('the stand-in for the queues listens on the loopback interface only, where no other machine finds it', async () => {
	const own = Object.values(networkInterfaces())
		.flat()
		.filter((each) => each?.family === 'IPv4' && !each.internal);
	for (const each of own) {
		const elsewhere = sqs.endpoint.replace('127.0.0.1', each?.address ?? '');
		await expect(fetch(elsewhere, { method: 'POST' })).rejects.toThrow('fetch failed');
	}
	expect(new URL(sqs.endpoint).hostname).toBe('127.0.0.1');
});

it('a queue sends no batch without a message', async () => {
	expect(await queues.send('deliveries', [])).toEqual({ sent: 0, failed: 0 });
	expect(wire.seen).toHaveLength(0);
});

it('a queue retries once, and only the messages that were not accepted', async () => {
	wire.fail(async ({ body }, forward) => {
		const answer = JSON.parse((await forward()).body);
		expect(JSON.parse(body).Entries).toHaveLength(3);
		const [lost, ...taken] = answer.Successful;
		return {
			status: 200,
			body: JSON.stringify({ Successful: taken, Failed: [{ Id: lost.Id, Code: 'InternalError', SenderFault: false }] }),
		};
	});
	expect(await queues.send('deliveries', many(3))).toEqual({ sent: 3, failed: 0 });
	expect(JSON.parse(wire.seen[1]?.body ?? '').Entries.map(({ Id }: { Id: string }) => Id)).toEqual(['0']);
});

it('a queue retries once after a lost response: a duplicate is better than a lost message', async () => {
	wire.fail(loseAnswer);
	expect(await queues.send('deliveries', many(1))).toEqual({ sent: 1, failed: 0 });
	expect(arrived()).toEqual(['d0', 'd0']);
});

it.each([
	['a delay above 900 s', message(1, 901), 'delay_seconds: an integer from 0 to 900, not 901'],
	['a negative delay', message(1, -1), 'delay_seconds: an integer from 0 to 900, not -1'],
	['a delay in fractions of a second', message(1, 0.5), 'delay_seconds: an integer from 0 to 900, not 0.5'],
	['a delay that is no number', message(1, Number.NaN), 'delay_seconds: an integer from 0 to 900, not NaN'],
	['no body', { ...message(1), message: undefined as never }, 'body: a JSON object'],
])('a queue refuses a message with %s before it sends any', async (_, wrong, why) => {
	await expect(queues.send('deliveries', [message(0), wrong])).rejects.toThrow(`message to deliveries: ${why}`);
	expect(wire.seen).toHaveLength(0);
});

it('a queue never throws when SQS fails, and counts the lost messages', async () => {
	wire.fail(refuse('AccessDenied'), refuse('AccessDenied'));
	expect(await queues.send('deliveries', many(2))).toEqual({ sent: 0, failed: 2 });
	wire.fail(loseRequest, loseRequest);
	expect(await queues.send('deliveries', many(2))).toEqual({ sent: 0, failed: 2 });
	expect(await queues.send('retries', many(2))).toEqual({ sent: 0, failed: 2 });
	await wire.stop();
	expect(await queues.send('deliveries', many(2))).toEqual({ sent: 0, failed: 2 });
	wire = await startWire(sqs.endpoint);
});

it('a queue reports how many messages were lost, and the code of the error', async () => {
	const lost: Loss[] = [];
	const url = sqs.server.createQueue(name).queueUrl;
	const env = { ...testAws, AWS_ENDPOINT_URL_SQS: wire.endpoint, QUEUE_URL_DELIVERIES: url };
	const counted = sqsQueues(env, (each) => lost.push(each));
	wire.failAll(refuse('AccessDeniedException'));
	await counted.send('deliveries', many(12));
	wire.failAll(loseRequest);
	await counted.send('deliveries', many(1));
	const failed = JSON.stringify({ Successful: [], Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }] });
	wire.failAll(async () => ({ status: 200, body: failed }));
	await counted.send('deliveries', many(1));
	await counted.send('retries', many(3));
	expect(lost).toEqual([
		{ queue: 'deliveries', count: 12, code: 'AccessDeniedException' },
		{ queue: 'deliveries', count: 1, code: 'ECONNRESET' },
		{ queue: 'deliveries', count: 1, code: 'InternalError' },
		{ queue: 'retries', count: 3, code: 'NoQueueUrl' },
	]);
});

describe('a dead letter', () => {
	const letters = () =>
		deadLetterQueue({
			...testAws,
			AWS_ENDPOINT_URL_SQS: wire.endpoint,
			QUEUE_URL_DEAD_LETTERS: sqs.server.createQueue(name).queueUrl,
		});
	const letter = { id: 'm', receipt: 'r', body: '{}', sent_at_ms: 0 };

	it.each(['ReceiptHandleIsInvalid', 'MessageNotInflight', 'InvalidParameterValue', 'InvalidParameterValueException'])(
		'that another process holds in the meantime is skipped (%s)',
		async (code) => {
			wire.fail(refuse(code), refuse(code));
			await letters().drop(letter);
			await letters().release(letter);
		},
	);

	it('is counted even if SQS throttles the first requests', async () => {
		wire.fail(refuse('RequestThrottled'), refuse('ThrottlingException'));
		expect(await letters().depth()).toBe(0);
	});

	it('can be deleted, and made visible again, although SQS answers without a body', async () => {
		const empty: Fault = async () => ({ status: 200, body: '' });
		wire.fail(empty, empty, empty);
		await letters().drop(letter);
		await letters().release(letter);
		expect(await letters().take(1, 30)).toEqual([]);
		expect(wire.seen).toHaveLength(3);
	});

	it.each(['AccessDeniedException', 'QueueDoesNotExist', 'InvalidParameterValue'])(
		'is not reported as missing when SQS refuses the request to receive it (%s)',
		async (code) => {
			wire.fail(refuse(code));
			await expect(letters().take(1, 30)).rejects.toThrow(`sqs: ReceiveMessage failed with ${code}`);
		},
	);
});
