import { Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, type IWidget, Stats, TextWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { savedQueries } from '../../log-queries.ts';
import type { DataTable } from '../data-table.ts';
import type { HttpApi } from '../http-api.ts';
import type { LogSources } from '../log-sources.ts';
import { type WorkQueues, workQueueNames } from '../work-queues.ts';
import type { Workers } from '../workers.ts';
import { alarmsOf } from './alarm.ts';
import { alarmOfSpentLimits, alarmsOfApi, alarmsOfQueues, alarmsOfTable, alarmsOfWorkers } from './alarms.ts';

export type MonitoringProps = {
	readonly api: HttpApi;
	readonly table: DataTable;
	readonly queues: WorkQueues;
	readonly workers: Workers;
	/** An alarm fires if this many call requests are accepted in an hour. */
	readonly calls_per_hour: number;
	readonly topic: ITopic | undefined;
	readonly logs: LogSources;
	/** The address of the documentation. Undefined if the documentation is not served. */
	readonly docs_url: string | undefined;
};

export class Monitoring extends Construct {
	constructor(scope: Construct, id: string, props: MonitoringProps) {
		super(scope, id);
		const raise = alarmsOf(this, props.topic, props);
		alarmsOfQueues(raise, props.queues);
		alarmsOfWorkers(raise, props.workers);
		alarmsOfApi(raise, props.api, props.calls_per_hour);
		alarmOfSpentLimits(raise, props.api);
		alarmsOfTable(raise, props.table);
		const { stackName, region } = Stack.of(this);
		// Without a name, CloudFormation would generate a name that does not begin with the stack's name. But
		// infra/policies recognises the dashboard by the stack's name at the beginning.
		const dashboardName = `${stackName}-${region}`;
		new Dashboard(this, 'Dashboard', { dashboardName, defaultInterval: Duration.hours(3), widgets: rows(props) });
	}
}

const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
	new GraphWidget({ title, left, right, width: 12 });

/**
 * Links to the saved queries and to the runbook. The dashboard does not run the queries itself, because each query would then
 * cost money whenever the dashboard is shown.
 */
function guide({ logs, docs_url }: MonitoringProps): TextWidget {
	const links = Object.values(savedQueries).map((query) => `- [${query.question}](${logs.linkTo(query, 24)})`);
	const runbook = docs_url === undefined ? [] : [`[Runbook](${docs_url}/runbook)`, ''];
	return new TextWidget({ markdown: [...runbook, ...links].join('\n'), width: 24, height: 6 });
}

/**
 * The rows of the dashboard. Routes have no rows. A failing route is visible in the gateway's errors, and only dashboards with
 * at most 50 metrics can be free.
 */
function rows(props: MonitoringProps): IWidget[][] {
	const { gateway } = props.api;
	const { table } = props.table;
	const { queues } = props.queues;
	const { workers } = props;
	const p = (percent: number, label = `p${percent}`) => ({ statistic: Stats.percentile(percent), label });
	const most = (label: string) => ({ statistic: Stats.MAXIMUM, label });
	const functions = Object.values(workers.functions);
	const waiting = workQueueNames.map((label) => queues[label].metricApproximateNumberOfMessagesVisible({ label }));
	const ages = workQueueNames.map((label) => queues[label].metricApproximateAgeOfOldestMessage({ label }));
	const errors = functions.map(({ name: label, lambda }) => lambda.metricErrors({ label }));
	const durations = functions.map(({ name, lambda }) => lambda.metricDuration(p(99, name)));
	const running = functions.map(({ name, lambda }) => lambda.metric('ConcurrentExecutions', most(name)));
	const requests = [gateway.metricCount(), gateway.metricClientError(), gateway.metricServerError()];
	const units = [table.metricConsumedReadCapacityUnits(), table.metricConsumedWriteCapacityUnits()];
	return [
		[guide(props)],
		[
			graph('Requests, refusals and failures', requests),
			graph(
				'Latency',
				[50, 99].map((n) => gateway.metricLatency(p(n))),
			),
		],
		[
			graph('Waiting messages', waiting, [queues['dead-letters'].metricApproximateNumberOfMessagesVisible()]),
			graph('Age of the oldest message', ages),
		],
		[graph('Errors of workers', errors), graph('Duration of workers, p99', durations)],
		[graph('Units of the table', units), graph('Concurrent executions of functions', running)],
	];
}
