import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../local/aws/dynamodb.ts';
import { localCertificates } from '../../../local/certificates.ts';
import type { Stack } from '../../../local/stack.ts';
import { type OpsDeps, operatorDeps, readOperatorEnv } from '../../../ops/connect.ts';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { Attempt, DeliveryStatus } from '../../../shared/domain/webhooks/delivery.ts';
import { newDelivery } from '../../../shared/domain/webhooks/delivery-machine.ts';
import { type Event, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint.ts';
import { deliveryMessage } from '../../../shared/use-cases/webhooks/event-outbox.ts';
import { operatorAt } from '../../support/operator.ts';
import { samples } from '../../support/sample-records.ts';
import { call, eventually } from '../../support/stack/api.ts';
import { testStack } from '../../support/stack/stack.ts';

// Tests the dead-letter queue of a running stack. Operators must see what it contains. A redrive must send no event twice and
// make no phone ring, whether our command or SQS's own redrive runs. The same holds if the redrive is repeated, or if it is
// killed half-way.

let stack: Stack;
let ops: OpsDeps;
let env: ReturnType<typeof readOperatorEnv>;
let directory: string;
let receiver: ReturnType<typeof createServer>;
let url: string;
/** The ids of the received events, in order of arrival. */
const posts: string[] = [];

beforeAll(async () => {
	directory = mkdtempSync(join(tmpdir(), 'call-back-receiver-'));
	const certificates = await localCertificates(directory);
	receiver = createServer({ key: certificates.key_pem, cert: certificates.cert_pem }, (request, response) => {
		posts.push(String(request.headers['webhook-id']));
		request.resume().on('end', () => response.writeHead(204).end());
	});
	const port = await freePort();
	receiver.listen(port, '127.0.0.1');
	await once(receiver, 'listening');
	url = `https://localhost:${port}/hook`;
	stack = await testStack({ allow_webhook_hosts: [`localhost:${port}`], trust: certificates.ca_file });
	env = readOperatorEnv(JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8')));
	ops = await operatorDeps(env);
});
afterAll(async () => {
	await stack.stop();
	receiver.closeAllConnections();
	receiver.close();
	rmSync(directory, { recursive: true, force: true });
});

async function endpointAt(status: 'enabled' | 'disabled' = 'enabled'): Promise<WebhookEndpoint> {
	const headers = { authorization: `Bearer ${stack.api_key}` };
	const made = await call(stack.base_url, '/webhook-endpoints', { headers, body: { url, events: ['call.completed'] } });
	expect(made.status).toBe(201);
	const path = `/webhook-endpoints/${made.json.data.id}`;
	if (status === 'disabled') await call(stack.base_url, path, { headers, method: 'PATCH', body: { status } });
	const key = { workspace_id: stack.workspace_id, id: made.json.data.id };
	const endpoint = await ops.store.get('webhook_endpoint', key);
	if (endpoint === null) throw new Error('no endpoint');
	return endpoint;
}

const failure: Attempt = { ...samples.delivery_attempt.attempt, number: 3, error: 'http_status', response_status: 500 };
let made = 0;
/**
 * Stores an event and its delivery in this state, after three failed attempts. If the delivery is in the state `failed`, the
 * sweep sends a message about it to the dead-letter queue.
 */
async function happened(endpoint: WebhookEndpoint, status: DeliveryStatus = 'failed'): Promise<Event> {
	made += 1;
	const now = Date.now() - 60_000 + made;
	const created_at = new Date(now).toISOString();
	const event = makeEvent({
		id: derivedId(now, 'event', String(made)),
		workspace_id: stack.workspace_id,
		subject_id: derivedId(now, 'call', String(made)),
		kind: 'call.completed',
		sequence: 1,
		created_at,
		data: { id: 'x' },
	});
	const due_at = status === 'failed' ? created_at : null;
	const item = {
		...newDelivery(event, endpoint, now),
		status,
		attempt_count: 3,
		schedule_position: 3,
		next_attempt_at: null,
		last_attempt: failure,
		due_at,
	};
	await ops.store.commit([
		{ op: 'put', record: 'event', item: event, guard: { if: 'absent' } },
		{ op: 'put', record: 'delivery', item, guard: { if: 'absent' } },
	]);
	return event;
}
const deliveryOf = async (event: Event, endpoint: WebhookEndpoint) => {
	const id = derivedId(Date.parse(event.created_at), event.id, endpoint.id);
	const delivery = await ops.store.get('delivery', { id });
	if (delivery === null) throw new Error('no delivery');
	return delivery;
};
const statusOf = async (event: Event, endpoint: WebhookEndpoint) => (await deliveryOf(event, endpoint)).status;

/** Marks the delivery as succeeded, as if the customer had already retried it. */
async function succeededMeanwhile(event: Event, endpoint: WebhookEndpoint): Promise<void> {
	const delivery = await deliveryOf(event, endpoint);
	const item = { ...delivery, version: delivery.version + 1, status: 'succeeded' as const, due_at: null };
	const guard = { if: 'version', version: delivery.version } as const;
	const outcome = await ops.store.commit([{ op: 'put', record: 'delivery', item, guard }]);
	if (!outcome.committed) await succeededMeanwhile(event, endpoint);
}

type Sqs = Record<string, unknown>;
async function sqs(operation: string, input: Sqs): Promise<Sqs> {
	const response = await fetch(env.AWS_ENDPOINT_URL_SQS ?? '', {
		method: 'POST',
		headers: {
			'content-type': 'application/x-amz-json-1.0',
			'x-amz-target': `AmazonSQS.${operation}`,
			authorization: `AWS4-HMAC-SHA256 Credential=${env.AWS_ACCESS_KEY_ID}/20261121/us-east-1/sqs/aws4_request`,
		},
		body: JSON.stringify(input),
	});
	expect([operation, response.status]).toEqual([operation, 200]);
	// For an operation without output, SQS responds with an empty body.
	return JSON.parse((await response.text()) || '{}') as Sqs;
}
const queues = {
	dead: () => env.QUEUE_URL_DEAD_LETTERS ?? '',
	sources: () => [
		env.QUEUE_URL_DELIVERIES,
		env.QUEUE_URL_RETRIES,
		env.QUEUE_URL_DIAL_LEGS,
		env.QUEUE_URL_HANG_UP_LEGS,
		env.QUEUE_URL_CALL_TIMERS,
	],
};
const put = (QueueUrl: string | undefined, message: object | string) =>
	sqs('SendMessage', { QueueUrl, MessageBody: typeof message === 'string' ? message : JSON.stringify(message) });
const depthOf = async (QueueUrl: string | undefined): Promise<number> => {
	const { Attributes } = await sqs('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] });
	const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes as Record<string, string>;
	return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
};
/** Whether a consumer would receive a message now. The check hides no message. */
const offersAny = async (QueueUrl: string | undefined): Promise<boolean> => {
	const { Messages } = await sqs('ReceiveMessage', { QueueUrl, WaitTimeSeconds: 1, VisibilityTimeout: 0 });
	return Messages !== undefined;
};
const depthIs = (count: number) =>
	eventually(`${count} dead letters`, async () => ((await depthOf(queues.dead())) === count ? true : null));

/** Runs an operator's command until it ends. */
async function operator(...words: readonly string[]) {
	const { out, ...said } = await operatorAt(ops)(...words);
	return { ...said, out: JSON.parse(out || 'null') as Sqs };
}
/** Runs a command in a process, and sends the process a signal as soon as `when` is true. */
async function operatorStopped(
	signal: NodeJS.Signals,
	when: (progress: string) => boolean,
	...words: readonly string[]
) {
	const command = ['ops/main.ts', ...words, '--state-dir', stack.state_dir];
	const child: ChildProcess = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
	let out = '';
	child.stdout?.on('data', (chunk: Buffer) => {
		out += chunk.toString('utf8');
	});
	let progress = '';
	child.stderr?.on('data', (chunk: Buffer) => {
		progress += chunk.toString('utf8');
	});
	const gone = once(child, 'close');
	await eventually('the moment has come', async () => (when(progress) ? true : null));
	child.kill(signal);
	await gone;
	return out;
}
const postsOf = (events: readonly Event[]): number[] =>
	events.map(({ id }) => posts.filter((posted) => posted === id).length);
const arrived = (events: readonly Event[]) =>
	eventually('all arrived', async () => (postsOf(events).every((count) => count > 0) ? true : null));
/** Waits until the queues for deliveries and for retries are empty. */
const quiet = () =>
	eventually('the queues are empty', async () => {
		const depths = await Promise.all([env.QUEUE_URL_DELIVERIES, env.QUEUE_URL_RETRIES].map(depthOf));
		return depths.every((depth) => depth === 0) ? true : null;
	});
const dialed = (callId: string): boolean => {
	const file = join(stack.state_dir, 'phones.jsonl');
	return existsSync(file) && readFileSync(file, 'utf8').includes(callId);
};

/** A call whose dial was requested ten minutes ago. The service would dial now only because of an old message. */
async function forgottenCall() {
	made += 1;
	const at = new Date(Date.now() - 600_000).toISOString();
	const id = derivedId(Date.now(), 'call', String(made));
	const leg_id = derivedId(Date.now(), 'leg', String(made));
	const [leg] = samples.call.legs;
	if (leg === undefined) throw new Error('no leg');
	const created = { rank: 'created', role: 'agent', member: 'm1', cause: null, provider_id: null } as const;
	const times = { created_at: at, dialed_at: null, ended_at: null, heard_at: null };
	const item = {
		...samples.call,
		id,
		workspace_id: stack.workspace_id,
		created_at: at,
		due_at: null,
		legs: [{ ...leg, ...created, ...times, id: leg_id }],
	};
	await ops.store.commit([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }]);
	return { call_id: id, leg_id };
}

beforeEach(() => sqs('PurgeQueue', { QueueUrl: queues.dead() }));

describe('the dead-letter queue', () => {
	it('shows an operator the kind and reason of each message and what a replay would do, and no private data', async () => {
		const endpoint = await endpointAt();
		const event = await happened(endpoint);
		await depthIs(1);
		await put(queues.dead(), 'call +12025550199 now');
		await put(queues.dead(), await forgottenCall());
		const { code, out } = await operator('dlq', 'list');
		expect(code).toBe(0);
		const messages = out['messages'] as Sqs[];
		expect(messages).toContainEqual(
			expect.objectContaining({
				kind: 'exhausted_delivery',
				endpoint_id: endpoint.id,
				delivery_id: (await deliveryOf(event, endpoint)).id,
				reason: 'http_status (500)',
				attempts: 3,
				replay_would: 'replay',
			}),
		);
		expect(messages).toContainEqual(expect.objectContaining({ kind: 'unreadable', replay_would: 'keep' }));
		expect(messages).toContainEqual(expect.objectContaining({ kind: 'leg', replay_would: 'drop: stale_dial' }));
		expect(JSON.stringify(out)).not.toContain('5550199');

		const dry = await operator('dlq', 'replay', '--dry-run');
		expect(dry.out).toMatchObject({ dry_run: true, replayed: 1, dropped_stale_dial: 1, kept_unreadable: 1, left: 3 });
		expect(await statusOf(event, endpoint)).toBe('failed');
		await operator('dlq', 'replay', '--drop-unreadable');
		await arrived([event]);
		expect(await depthOf(queues.dead())).toBe(0);
	});

	it('is replayed across a kill, a Ctrl-C and a second run, and nothing is posted twice', async () => {
		const endpoint = await endpointAt();
		const events: Event[] = [];
		for (let n = 0; n < 24; n += 1) events.push(await happened(endpoint));
		await depthIs(24);
		const [quick, ...rest] = events;
		if (quick === undefined) throw new Error('no event');
		await succeededMeanwhile(quick, endpoint);
		const replayedSoFar = async () =>
			(await Promise.all(events.map((event) => statusOf(event, endpoint)))).filter((status) => status !== 'failed')
				.length;
		const posted = () => postsOf(events).filter((count) => count > 0).length;
		await operatorStopped('SIGKILL', () => posted() >= 3, 'dlq', 'replay', '--rate', '4');
		expect(await replayedSoFar()).toBeLessThan(24);
		const said = await operatorStopped(
			'SIGINT',
			(progress) => progress.includes(' of about '),
			'dlq',
			'replay',
			'--rate',
			'4',
		);
		expect(JSON.parse(said)).toMatchObject({ stopped: true });
		expect(await replayedSoFar()).toBeLessThan(24);
		// The messages that the killed run had hidden become visible only when their hold ends.
		await eventually('the queue is empty', async () => {
			if ((await depthOf(queues.dead())) === 0) return true;
			if (await offersAny(queues.dead())) await operator('dlq', 'replay', '--rate', '100');
			return null;
		});
		await arrived(rest);
		const again = await operator('dlq', 'replay');
		expect(again.out).toMatchObject({ seen: 0 });
		await quiet();
		expect(postsOf(events)).toEqual([0, ...rest.map(() => 1)]);
	});
});

describe('a redrive by SQS itself,', () => {
	/** Does the same as StartMessageMoveTask: receives messages, sends them unchanged to another queue, and deletes them. */
	async function moveAll(to: string | undefined): Promise<void> {
		for (;;) {
			const taken = await sqs('ReceiveMessage', {
				QueueUrl: queues.dead(),
				MaxNumberOfMessages: 10,
				WaitTimeSeconds: 1,
			});
			const messages = (taken['Messages'] ?? []) as { Body: string; ReceiptHandle: string }[];
			if (messages.length === 0) return;
			for (const { Body, ReceiptHandle } of messages) {
				await put(to, Body);
				await sqs('DeleteMessage', { QueueUrl: queues.dead(), ReceiptHandle });
			}
		}
	}

	it('to each queue, even twice, posts no succeeded delivery again, restarts failed deliveries once, and dials no phone', async () => {
		const endpoint = await endpointAt();
		const failed = await happened(endpoint);
		const quick = await happened(endpoint);
		await depthIs(2);
		await succeededMeanwhile(quick, endpoint);
		const forgotten = await forgottenCall();
		const pointers = await Promise.all(
			[failed, quick].map(async (event) => deliveryMessage(await deliveryOf(event, endpoint)).message),
		);
		for (const source of [...queues.sources(), ...queues.sources()]) {
			await moveAll(source);
			for (const pointer of pointers) {
				await put(queues.dead(), pointer);
				await put(queues.dead(), { ...pointer, exhausted: true });
			}
			await put(queues.dead(), forgotten);
			await put(queues.dead(), { call_id: forgotten.call_id, at: null });
		}
		await arrived([failed]);
		await eventually('it is noted', async () => ((await statusOf(failed, endpoint)) === 'succeeded' ? true : null));
		// A message in the wrong queue fails there, and is received again later.
		await eventually('a message of each kind was looked at', async () => {
			const logs = ['dial-leg', 'hang-up-leg', 'deliver-webhook'].map((name) =>
				readFileSync(join(stack.state_dir, 'logs', `${name}.log`), 'utf8'),
			);
			return logs.every((log) => /message (handled|failed)/.test(log)) ? true : null;
		});
		expect(postsOf([failed, quick])).toEqual([1, 0]);
		expect((await deliveryOf(failed, endpoint)).generation).toBe(2);
		expect(dialed(forgotten.call_id)).toBe(false);
		await operator('dlq', 'replay');
		expect(dialed(forgotten.call_id)).toBe(false);
	});
});

describe('an endpoint, as an operator sees it,', () => {
	const at = ({ id }: WebhookEndpoint) => ['--workspace', stack.workspace_id, '--endpoint', id];
	const request = ({ id }: WebhookEndpoint, path: string, method: string, body: object) => {
		const headers = { authorization: `Bearer ${stack.api_key}` };
		return call(stack.base_url, `/webhook-endpoints/${id}${path}`, { headers, method, body });
	};
	const recover = (endpoint: WebhookEndpoint, more: object = {}) => {
		const since = new Date(Date.now() - 3_600_000).toISOString();
		return request(endpoint, '/recover', 'POST', { since, ...more });
	};

	it('shows its health and the advice; a recovery sends its failed and held deliveries once', async () => {
		const endpoint = await endpointAt();
		const events = [await happened(endpoint), await happened(endpoint, 'held'), await happened(endpoint, 'succeeded')];
		const before = await operator('endpoint', 'status', ...at(endpoint));
		expect(before.out).toMatchObject({
			status: 'enabled',
			breaker: 'closed',
			failing_since: null,
			deliveries: { pending: 0, failed: 1, held: 1, succeeded: 1 },
			last_attempt: { error: 'http_status', response_status: 500 },
		});
		expect(before.out['what_to_do']).toMatch(/recover/);
		expect((await recover(endpoint, { dry_run: true })).json.data).toMatchObject({ matched: 2, queued: 0 });
		expect((await recover(endpoint)).json.data).toMatchObject({ matched: 2, queued: 2 });
		await arrived(events.slice(0, 2));
		await eventually('all is noted', async () => {
			const { out } = await operator('endpoint', 'status', ...at(endpoint));
			return (out['deliveries'] as Sqs)['succeeded'] === 3 ? true : null;
		});
		expect((await recover(endpoint)).json.data).toMatchObject({ matched: 0, queued: 0 });
		expect(postsOf(events)).toEqual([1, 1, 0]);
	});
});
