import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { table as definition } from '../../../shared/adapters/dynamodb/table.ts';
import type { WorkQueueName } from '../../../shared/ports/registry.ts';
import { isWorker } from '../../function-access.ts';
import { workerRows } from '../../workers.ts';
import type { DataTable } from '../data-table.ts';
import type { HttpApi } from '../http-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Sweep } from '../sweep.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import { type WorkQueues, workQueueNames } from '../work-queues.ts';
import type { Raise } from './alarm.ts';

/** The alarm fires at this age of the oldest message. Messages of timers and retries wait up to 900 s on purpose. */
const OLD: Readonly<Record<WorkQueueName, { readonly seconds: number; readonly impact: string }>> = {
	'dial-legs': { seconds: 30, impact: 'Visitors wait for a ring that comes late or not at all.' },
	'hang-up-legs': { seconds: 120, impact: 'Phones keep ringing, or lines stay open, after their call is over.' },
	'call-timers': { seconds: 1200, impact: 'Unanswered calls end late.' },
	deliveries: { seconds: 120, impact: 'Customers receive events late.' },
	'team-notices': { seconds: 1200, impact: 'Teams hear late of visitors who want to be called back.' },
	retries: { seconds: 1800, impact: 'Events that failed once reach customers later than promised.' },
};

/** The sweep runs every minute and leaves unfinished work to the next run. */
const OVERDUE_MS = 300_000;

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

export function alarmsOfQueues(raise: Raise, { queues }: WorkQueues): void {
	raise(
		'dead-letters',
		queues['dead-letters'].metricApproximateNumberOfMessagesVisible({
			period: MINUTE,
			statistic: Stats.MAXIMUM,
		}),
		{
			impact: 'The service gave up on work: a webhook is exhausted, or a worker failed on a message five times.',
			runbook: 'dead-letters',
			threshold: 1,
			periods: 1,
		},
	);
	for (const name of workQueueNames) {
		raise(
			`age-of-${name}`,
			queues[name].metricApproximateAgeOfOldestMessage({ period: MINUTE, statistic: Stats.MAXIMUM }),
			{
				impact: OLD[name].impact,
				runbook: name === 'deliveries' || name === 'retries' ? 'stuck-deliveries' : 'a-queue-grows-old',
				threshold: OLD[name].seconds,
				periods: 3,
			},
		);
	}
}

/** Each worker fails by itself. A route that fails is a 5xx of the API, which has its own alarm. */
export function alarmsOfWorkers(raise: Raise, functions: readonly ServiceFunction[]): void {
	for (const { name, lambda } of functions) {
		if (!isWorker(name)) throw new Error(`${name} is no worker`);
		raise(`errors-of-${name}`, lambda.metricErrors({ period: FIVE_MINUTES }), {
			impact: workerRows[name].impact,
			runbook: 'a-function-fails',
			threshold: 3,
			periods: 1,
		});
	}
	// Without a dimension the metric is that of all functions of the account in the region, which share its concurrency.
	const throttles = { namespace: 'AWS/Lambda', metricName: 'Throttles', period: FIVE_MINUTES, statistic: Stats.SUM };
	raise('throttles', new Metric(throttles), {
		impact: 'Functions of the account wait for their turn: visitors are answered late or 503, and work is late.',
		runbook: 'a-function-is-throttled',
		threshold: 1,
		periods: 3,
	});
}

export function alarmsOfApi(raise: Raise, { gateway }: HttpApi): void {
	raise('api-5xx', gateway.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }), {
		impact: 'Visitors cannot ask for a call, or customers cannot manage theirs.',
		runbook: 'the-api-answers-5xx',
		threshold: 5,
		periods: 1,
	});
	raise('api-latency', gateway.metricLatency({ period: FIVE_MINUTES, statistic: Stats.percentile(99) }), {
		impact: 'Visitors wait for seconds before anything happens.',
		runbook: 'the-api-is-slow',
		threshold: 3000,
		periods: 3,
	});
}

export function alarmsOfTable(raise: Raise, { table }: DataTable): void {
	const { tableName: TableName } = table;
	// A table's metrics do not include its indexes, and a throttled index also holds up the table's writes.
	const indexes = Object.values(definition.indexes).map(({ name }) => ({ TableName, GlobalSecondaryIndexName: name }));
	for (const metricName of ['ReadThrottleEvents', 'WriteThrottleEvents']) {
		for (const dimensionsMap of [{ TableName }, ...indexes]) {
			const of = 'GlobalSecondaryIndexName' in dimensionsMap ? `-of-${dimensionsMap.GlobalSecondaryIndexName}` : '';
			const metric = new Metric({
				namespace: 'AWS/DynamoDB',
				metricName,
				dimensionsMap,
				period: FIVE_MINUTES,
				statistic: Stats.SUM,
			});
			raise(`${metricName}${of}`, metric, {
				impact: 'Requests are answered 503, and work is late.',
				runbook: 'the-table-is-throttled',
				threshold: 10,
				periods: 3,
			});
		}
	}
}

export function alarmsOfDelivery(raise: Raise, { switchedOff }: WebhookDelivery): void {
	raise('endpoints-switched-off', switchedOff, {
		impact: 'A customer receives no events until they fix their endpoint and enable it.',
		runbook: 'exhausted-endpoints',
		threshold: 1,
		periods: 1,
	});
}

export function alarmsOfSweep(raise: Raise, { function: { lambda }, late }: Sweep): void {
	raise('overdue', late, {
		impact: 'Events reach customers late, or calls end late: work falls due faster than it is processed.',
		runbook: 'work-is-overdue',
		threshold: OVERDUE_MS,
		periods: 3,
	});
	raise('sweep-runs', lambda.metricInvocations({ period: FIVE_MINUTES }), {
		impact: 'Lost messages are not recovered: calls never end, events are never delivered.',
		runbook: 'the-sweep-stands-still',
		threshold: 0,
		periods: 2,
		falling: true,
	});
}
