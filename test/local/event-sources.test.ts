import { setImmediate } from 'node:timers/promises';
import type { Message } from '@aws-sdk/client-sqs';
import { expect, it } from '@jest/globals';
import { type After, startEventSources } from '../../local/lambda/event-sources.ts';
import type { InvokeResult, LocalFunction } from '../../local/lambda/functions.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:deliveries';

/** Runs everything that is due without advancing the clock. */
async function settle(): Promise<void> {
	for (let n = 0; n < 20; n += 1) await setImmediate();
}

/** A queue whose batches have one message each, a function whose invocations end only on command, and a stopped clock. */
function source(bodies: readonly string[], MaximumConcurrency: number) {
	const inQueue: Message[] = bodies.map((Body) => ({ MessageId: Body, Body }));
	const removed: string[] = [];
	const running = new Map<string, (result: InvokeResult) => void>();
	const timers = new Set<() => void>();
	const idle: (() => void)[] = [];
	const queues = {
		async receive(_queue: string, _count: number, signal: AbortSignal) {
			const next = inQueue.shift();
			if (next !== undefined) return [next];
			await new Promise<void>((resolve) => {
				idle.push(resolve);
				signal.addEventListener('abort', () => resolve());
			});
			const [late] = inQueue.splice(0, 1);
			return late === undefined ? [] : [late];
		},
		async remove(_queue: string, messages: readonly Message[]) {
			removed.push(...messages.map(({ Body = '' }) => Body));
		},
	};
	const target: LocalFunction = {
		name: 'deliver-webhook',
		invoke: (event) => {
			const { Records } = event as { Records: readonly { body: string }[] };
			return new Promise((resolve) => running.set(Records[0]?.body ?? '', resolve));
		},
		stop: async () => undefined,
	};
	const after: After = (_ms, run) => {
		timers.add(run);
		return () => timers.delete(run);
	};
	const properties = {
		EventSourceArn: QUEUE,
		FunctionName: 'DeliverWebhook',
		BatchSize: 1,
		ScalingConfig: { MaximumConcurrency },
	};
	const sources = startEventSources([{ id: 'deliveries', properties, metadata: {} }], () => target, queues, after);
	return {
		removed,
		running: () => [...running.keys()],
		idlePolls: () => idle.length,
		async passTime() {
			const due = [...timers];
			timers.clear();
			for (const run of due) run();
			await settle();
		},
		async end(body: string, result: InvokeResult = { invoked: 'ok', result: null }) {
			running.get(body)?.(result);
			running.delete(body);
			await settle();
		},
		async stop() {
			for (const end of running.values()) end({ invoked: 'crashed' });
			await sources.stop();
		},
	};
}

it('a queue gets more pollers, and goes on, while all of its usual pollers wait for slow receivers', async () => {
	const queue = source(['slow 1', 'slow 2', 'fast 1', 'fast 2'], 100);
	await settle();
	expect(queue.running()).toEqual(['slow 1', 'slow 2']);
	await queue.passTime();
	expect(queue.running()).toEqual(['slow 1', 'slow 2', 'fast 1', 'fast 2']);
	await queue.end('fast 1');
	await queue.end('fast 2');
	expect(queue.removed).toEqual(['fast 1', 'fast 2']);
	await queue.stop();
});

it('a batch that ends soon needs no other poller', async () => {
	const queue = source(['a', 'b', 'c', 'd'], 100);
	await settle();
	await queue.end('a');
	await queue.passTime();
	await queue.end('c');
	expect(queue.removed).toEqual(['a', 'c']);
	await queue.stop();
});

it('waiting batches use at most the share of AWS’s concurrency that this machine gives them', async () => {
	const bodies = Array.from({ length: 30 }, (_, n) => `slow ${n}`);
	const queue = source(bodies, 100);
	for (let n = 0; n < 30; n += 1) await queue.passTime();
	expect(queue.running()).toHaveLength(10);
	// When one batch ends, the next one starts.
	await queue.end('slow 0', { invoked: 'timed_out' });
	expect(queue.running()).toHaveLength(10);
	expect(queue.running()).toContain('slow 10');
	expect(queue.removed).toEqual([]);
	await queue.stop();
});

it('a queue has its usual number of pollers again when the waiting batches have ended', async () => {
	const slow = Array.from({ length: 6 }, (_, n) => `slow ${n}`);
	const queue = source(slow, 100);
	for (let n = 0; n < 6; n += 1) await queue.passTime();
	for (const body of slow) await queue.end(body);
	expect(queue.removed).toEqual(slow);
	expect(queue.idlePolls()).toBe(2);
	await queue.stop();
});

it('a queue that may have two batches on AWS may have two on this machine, slow or not', async () => {
	const queue = source(['slow 1', 'slow 2', 'c'], 2);
	for (let n = 0; n < 3; n += 1) await queue.passTime();
	expect(queue.running()).toEqual(['slow 1', 'slow 2']);
	await queue.stop();
});
