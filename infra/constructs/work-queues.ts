import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, queueVariables, type WorkQueueName, workQueueNames } from '../../shared/ports/registry.ts';
import type { FunctionName, Worker } from '../function-access.ts';
import type { Concurrency } from './concurrency.ts';
import type { Grant, ServiceFunction } from './service-function.ts';

/** Time-outs of the workers. A hang-up is tried again soon; the sweep ends before its next run. */
export const workerSeconds = {
	'dial-leg': 30,
	'hang-up-leg': 12,
	'call-timer': 30,
	'deliver-webhook': 60,
	'notify-team': 30,
	sweep: 55,
} as const satisfies Record<Worker, number>;

type WorkQueue = {
	/** The function that works it off. */
	readonly worker: Worker;
	/** Messages it takes at once. */
	readonly batch: number;
	/** Functions that work on it at the same time, at most. */
	readonly concurrency: number;
};

/**
 * One row per queue. Retries have a queue of their own, so a storm of them never delays a first attempt. People are
 * rung one by one: a failure then touches one call.
 */
const workQueues: Readonly<Record<WorkQueueName, WorkQueue>> = {
	'dial-legs': { worker: 'dial-leg', batch: 1, concurrency: 100 },
	'hang-up-legs': { worker: 'hang-up-leg', batch: 5, concurrency: 50 },
	'call-timers': { worker: 'call-timer', batch: 10, concurrency: 50 },
	deliveries: { worker: 'deliver-webhook', batch: 10, concurrency: 200 },
	retries: { worker: 'deliver-webhook', batch: 10, concurrency: 50 },
	// A new SES account may send one message a second.
	'team-notices': { worker: 'notify-team', batch: 5, concurrency: 2 },
};

/** Tries of a message before it is put aside. */
const RECEIVES = 5;

/** What happens after an answer was given: a queue for each kind of work, one for what could not be done. */
export class WorkQueues extends Construct {
	readonly queues: Readonly<Record<QueueName, Queue>>;

	private readonly concurrency: Concurrency;

	constructor(scope: Construct, id: string, props: { readonly concurrency: Concurrency }) {
		super(scope, id);
		this.concurrency = props.concurrency;
		const deadLetters = new Queue(this, 'dead-letters', {
			encryption: QueueEncryption.SQS_MANAGED,
			enforceSSL: true,
			retentionPeriod: Duration.days(14),
		});
		const queue = (name: WorkQueueName): Queue =>
			new Queue(this, name, {
				encryption: QueueEncryption.SQS_MANAGED,
				enforceSSL: true,
				// Six times the time-out of the function, so that a throttled poller gives nothing back too early.
				visibilityTimeout: Duration.seconds(6 * workerSeconds[workQueues[name].worker]),
				retentionPeriod: Duration.days(4),
				deadLetterQueue: { queue: deadLetters, maxReceiveCount: RECEIVES },
			});
		this.queues = {
			'dial-legs': queue('dial-legs'),
			'hang-up-legs': queue('hang-up-legs'),
			'call-timers': queue('call-timers'),
			deliveries: queue('deliveries'),
			retries: queue('retries'),
			'team-notices': queue('team-notices'),
			'dead-letters': deadLetters,
		};
	}

	/** Permission to send, and the queue's URL. */
	sending(to: readonly QueueName[]): Grant {
		if (to.length === 0) return { statements: [], environment: {} };
		const resources = to.map((name) => this.queues[name].queueArn);
		return {
			statements: [new PolicyStatement({ actions: ['sqs:SendMessage'], resources })],
			environment: Object.fromEntries(to.map((name) => [queueVariables[name], this.queues[name].queueUrl])),
		};
	}

	/** Permission to consume the function's own queues. */
	receiving(name: FunctionName): Grant {
		const resources = this.workedOffBy(name).map((queue) => this.queues[queue].queueArn);
		const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
		return { statements: resources.length === 0 ? [] : [new PolicyStatement({ actions, resources })], environment: {} };
	}

	/** Whether a message that the function consumes may lead to another that it consumes, directly or through other workers. */
	leadsBack(name: FunctionName, sends: readonly QueueName[]): boolean {
		return this.workedOffBy(name).length > 0 && sends.some((queue) => queue !== 'dead-letters');
	}

	/** Runs the worker on its queues. Of a batch, only what failed comes again. */
	feed(worker: ServiceFunction): void {
		for (const name of this.workedOffBy(worker.name)) {
			new EventSourceMapping(worker, name, {
				target: worker.lambda,
				eventSourceArn: this.queues[name].queueArn,
				batchSize: workQueues[name].batch,
				maxConcurrency: this.concurrency.ofQueue(worker.name, workQueues[name].concurrency),
				reportBatchItemFailures: true,
			});
		}
	}

	private workedOffBy(name: string): readonly WorkQueueName[] {
		return workQueueNames.filter((queue) => workQueues[queue].worker === name);
	}
}
