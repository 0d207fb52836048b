import { Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { DataTable } from '../data-table.ts';
import type { HttpApi } from '../http-api.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Sweep } from '../sweep.ts';
import type { WebhookDelivery } from '../webhook-delivery.ts';
import { type WorkQueues, workQueueNames } from '../work-queues.ts';
import { alarmsOfAbuse } from './abuse-alarms.ts';
import { alarmsOf } from './alarm.ts';
import {
	alarmsOfApi,
	alarmsOfDelivery,
	alarmsOfQueues,
	alarmsOfSweep,
	alarmsOfTable,
	alarmsOfWorkers,
} from './alarms.ts';

export type MonitoringProps = {
	readonly api: HttpApi;
	readonly table: DataTable;
	readonly queues: WorkQueues;
	readonly workers: readonly ServiceFunction[];
	readonly delivery: WebhookDelivery;
	readonly sweep: Sweep;
	/** Accepted call requests in an hour at which an alarm fires. */
	readonly calls_per_hour: number;
	/** The topic that alarms notify, if any. */
	readonly topic: ITopic | undefined;
};

/** All alarms and one dashboard. */
export class Monitoring extends Construct {
	constructor(scope: Construct, id: string, props: MonitoringProps) {
		super(scope, id);
		const { api, workers, sweep } = props;
		const raise = alarmsOf(this, props.topic);
		alarmsOfQueues(raise, props.queues);
		alarmsOfWorkers(raise, [...workers, sweep.function]);
		alarmsOfApi(raise, api);
		alarmsOfAbuse(raise, api, props.calls_per_hour);
		alarmsOfTable(raise, props.table);
		alarmsOfDelivery(raise, props.delivery);
		alarmsOfSweep(raise, sweep);
		const { stackName, region } = Stack.of(this);
		// CloudFormation's own name does not begin with the stack's, by which infra/policies know it.
		const dashboardName = `${stackName}-${region}`;
		new Dashboard(this, 'Dashboard', { dashboardName, defaultInterval: Duration.hours(3), widgets: rows(props) });
	}
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
	new GraphWidget({ title, left, right, width: 12 });

function rows({ api, table, queues, workers, sweep }: MonitoringProps): GraphWidget[][] {
	const { gateway } = api;
	// A route that fails is in the gateway's errors. A dashboard with more than 50 metrics is never free.
	const working = [...workers, sweep.function];
	const workQueues = workQueueNames.map((name) => ({ name, queue: queues.queues[name] }));
	const deadLetters = queues.queues['dead-letters'].metricApproximateNumberOfMessagesVisible();
	return [
		[
			graph('Requests, refusals and failures', [
				gateway.metricCount(),
				gateway.metricClientError(),
				gateway.metricServerError(),
			]),
			graph('Latency', [
				gateway.metricLatency({ statistic: Stats.percentile(50), label: 'p50' }),
				gateway.metricLatency({ statistic: Stats.percentile(99), label: 'p99' }),
			]),
		],
		[
			graph(
				'Waiting messages',
				workQueues.map(({ name, queue }) => queue.metricApproximateNumberOfMessagesVisible({ label: name })),
				[deadLetters],
			),
			graph(
				'Age of the oldest message',
				workQueues.map(({ name, queue }) => queue.metricApproximateAgeOfOldestMessage({ label: name })),
			),
		],
		[
			graph(
				'Errors of workers',
				working.map(({ name, lambda }) => lambda.metricErrors({ label: name })),
			),
			graph(
				'Duration of workers, p99',
				workers.map(({ name, lambda }) => lambda.metricDuration({ label: name, statistic: Stats.percentile(99) })),
			),
		],
		[
			graph('Units of the table', [
				table.table.metricConsumedReadCapacityUnits(),
				table.table.metricConsumedWriteCapacityUnits(),
			]),
			graph(
				'Concurrent executions of functions',
				workers.map(({ name, lambda }) =>
					lambda.metric('ConcurrentExecutions', { label: name, statistic: Stats.MAXIMUM }),
				),
			),
		],
	];
}
