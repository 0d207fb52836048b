import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, queueVariables, type WorkQueueName } from '../../shared/ports/registry.ts';
import type { FunctionName, Worker } from '../function-roles.ts';
import { workerRows } from '../workers.ts';
import { type Grant, type ServiceFunction, variables } from './service-function.ts';

export type { QueueName } from '../../shared/ports/registry.ts';

type WorkQueue = {
	readonly worker: Worker;
	readonly batch: number;
	/** How many executions of the worker may run at the same time. */
	readonly concurrency: number;
};

/**
 * One row for each queue. Retries have a queue of their own, so that many retries never delay a first attempt. Dials are
 * handled one by one, so that a failure affects only one call.
 */
export const workQueues: Readonly<Record<WorkQueueName, WorkQueue>> = {
	'dial-legs': { worker: 'dial-leg', batch: 1, concurrency: 100 },
	'hang-up-legs': { worker: 'hang-up-leg', batch: 5, concurrency: 50 },
	'call-timers': { worker: 'call-timer', batch: 10, concurrency: 50 },
	deliveries: { worker: 'deliver-webhook', batch: 10, concurrency: 200 },
	retries: { worker: 'deliver-webhook', batch: 10, concurrency: 50 },
	// A new SES account may send only one message a second.
	'team-notices': { worker: 'notify-team', batch: 5, concurrency: 2 },
};

export const workQueueNames = Object.keys(workQueues).filter((name): name is WorkQueueName =>
	Object.hasOwn(workQueues, name),
);

/** How many times a message is tried before SQS moves it to the dead-letter queue. */
const RECEIVES = 5;

/** The queues for work that happens after a response: one for each kind of work, and a dead-letter queue. */
export class WorkQueues extends Construct {
	readonly queues: Readonly<Record<QueueName, Queue>>;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		const deadLetters = new Queue(this, 'dead-letters', {
			encryption: QueueEncryption.SQS_MANAGED,
			enforceSSL: true,
			retentionPeriod: Duration.days(14),
			// The setting that SQS uses by default. The setting is written out here, because otherwise CT.SQS.PR.1 of
			// Control Tower would take this queue for a work queue. The work queues cannot be listed here, because each
			// work queue already names this queue, and CloudFormation refuses circular references.
			redriveAllowPolicy: { redrivePermission: RedrivePermission.ALLOW_ALL },
		});
		const queue = (name: WorkQueueName): Queue =>
			new Queue(this, name, {
				encryption: QueueEncryption.SQS_MANAGED,
				enforceSSL: true,
				// Lambda recommends six times the function's time-out, so that messages do not reappear while a throttled
				// poller still holds the messages.
				visibilityTimeout: Duration.seconds(6 * workerRows[workQueues[name].worker].timeout_seconds),
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

	sending(to: readonly QueueName[]): Grant {
		const resources = to.map((name) => this.queues[name].queueArn);
		const send = new PolicyStatement({ actions: ['sqs:SendMessage'], resources });
		const urls = Object.fromEntries(to.map((name) => [queueVariables[name], this.queues[name].queueUrl]));
		return variables(urls, to.length === 0 ? [] : [send]);
	}

	/** Permission to consume the queues of this function. */
	receiving(name: FunctionName): Grant {
		const resources = this.workedOffBy(name).map((queue) => this.queues[queue].queueArn);
		const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
		return variables({}, resources.length === 0 ? [] : [new PolicyStatement({ actions, resources })]);
	}

	/**
	 * Whether a message that the function consumes can lead to another message for the function itself, directly or through
	 * other workers.
	 */
	leadsBack(name: FunctionName, sends: readonly QueueName[]): boolean {
		return this.workedOffBy(name).length > 0 && sends.some((queue) => queue !== 'dead-letters');
	}

	/**
	 * Connects the worker with its queues. If only some messages of a batch fail, SQS redelivers only the failed messages.
	 */
	feed(worker: ServiceFunction): void {
		for (const name of this.workedOffBy(worker.name)) {
			new EventSourceMapping(worker, name, {
				target: worker.lambda,
				eventSourceArn: this.queues[name].queueArn,
				batchSize: workQueues[name].batch,
				// Without this limit, SQS could invoke the worker too often. Lambda would throttle some invocations, and
				// each of these would count as a failed try of a message.
				maxConcurrency: worker.reserved_concurrency ?? workQueues[name].concurrency,
				reportBatchItemFailures: true,
			});
		}
	}

	private workedOffBy(name: string): readonly WorkQueueName[] {
		return workQueueNames.filter((queue) => workQueues[queue].worker === name);
	}
}
