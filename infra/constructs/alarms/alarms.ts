import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import { table as definition } from '../../../shared/adapters/dynamodb/table.ts';
import type { Route, Surface } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import type { WorkQueueName } from '../../../shared/ports/registry.ts';
import { workers } from '../../function-roles.ts';
import { alarmQueries } from '../../log-queries.ts';
import { workerRows } from '../../workers.ts';
import { functionLink, functionsLink, queueLink, tableLink } from '../console-links.ts';
import type { DataTable } from '../data-table.ts';
import { type HttpApi, routeKey } from '../http-api.ts';
import { type WorkQueues, workQueueNames, workQueues } from '../work-queues.ts';
import type { Workers } from '../workers.ts';
import type { Raise } from './alarm.ts';
import { type ServiceMetric, serviceMetrics } from './metrics.ts';

/**
 * The alarm fires if the oldest message of the queue is this old. Some messages of timers, notices and retries wait up to
 * 900 s on purpose.
 */
const OLD: Readonly<Record<WorkQueueName, { readonly seconds: number; readonly impact: string }>> = {
	'dial-legs': { seconds: 30, impact: 'Visitors wait for a ring that comes late or not at all.' },
	'hang-up-legs': { seconds: 120, impact: workerRows['hang-up-leg'].impact },
	'call-timers': { seconds: 1200, impact: workerRows['call-timer'].impact },
	deliveries: { seconds: 120, impact: workerRows['deliver-webhook'].impact },
	'team-notices': { seconds: 1200, impact: workerRows['notify-team'].impact },
	retries: { seconds: 1800, impact: 'Events that failed once reach customers later than promised.' },
};

/**
 * An alarm fires if work is this late. A shorter delay is normal, because the sweep runs every minute and leaves unfinished work
 * to its next run.
 */
const OVERDUE_MS = 300_000;
/**
 * Thresholds for refused requests in five minutes. If a provider's clock is wrong, or one client has an old key, the number
 * of refused requests stays below these thresholds.
 */
const REFUSED_CALLBACKS = 20;
const REFUSED_KEYS = 100;

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

export function alarmsOfQueues(raise: Raise, { queues }: WorkQueues): void {
	const inMinutes = { period: MINUTE, statistic: Stats.MAXIMUM };
	raise('dead-letters', queues['dead-letters'].metricApproximateNumberOfMessagesVisible(inMinutes), {
		impact: 'The service gave up on work: a webhook is exhausted, or a worker failed on a message five times.',
		runbook: 'dead-letters',
		query: alarmQueries.failuresOf('deliver-webhook'),
		place: queueLink(queues['dead-letters']),
		threshold: 1,
		periods: 1,
	});
	for (const name of workQueueNames) {
		raise(`age-of-${name}`, queues[name].metricApproximateAgeOfOldestMessage(inMinutes), {
			impact: OLD[name].impact,
			runbook: name === 'deliveries' || name === 'retries' ? 'stuck-deliveries' : 'a-queue-grows-old',
			query: alarmQueries.failuresOf(workQueues[name].worker),
			place: queueLink(queues[name]),
			threshold: OLD[name].seconds,
			periods: 3,
		});
	}
}

/**
 * Alarms of the workers: one for the errors of each worker, one for throttled functions, and two for the sweep. Routes have
 * no alarms for their errors, because their failures are 5xx responses of the API, and one alarm covers these.
 */
export function alarmsOfWorkers(raise: Raise, { functions }: Workers): void {
	for (const name of workers) {
		raise(`errors-of-${name}`, functions[name].lambda.metricErrors({ period: FIVE_MINUTES }), {
			impact: workerRows[name].impact,
			runbook: 'a-function-fails',
			query: alarmQueries.failuresOf(name),
			place: functionLink(functions[name].lambda),
			threshold: 3,
			periods: 1,
		});
	}
	// Without a dimension, the metric covers all functions of the account in the region. All these functions share the
	// account's concurrency.
	const throttles = { namespace: 'AWS/Lambda', metricName: 'Throttles', period: FIVE_MINUTES, statistic: Stats.SUM };
	raise('throttles', new Metric(throttles), {
		impact: 'Functions of the account wait for their turn: visitors are answered late or 503, and work is late.',
		runbook: 'a-function-is-throttled',
		place: functionsLink(),
		threshold: 1,
		periods: 3,
	});
	const { lambda, logGroup } = functions.sweep;
	const swept = FilterPattern.stringValue('$.fact', '=', 'swept');
	raise('overdue', logMetric(logGroup, 'SweepLate', swept, '$.late_ms').with({ period: MINUTE }), {
		impact: 'Events reach customers late, or calls end late: work falls due faster than it is processed.',
		runbook: 'work-is-overdue',
		query: alarmQueries.runsOfTheSweep,
		place: functionLink(lambda),
		threshold: OVERDUE_MS,
		periods: 3,
	});
	raise('sweep-runs', lambda.metricInvocations({ period: FIVE_MINUTES }), {
		impact: 'Lost messages are not recovered: calls never end, events are never delivered.',
		runbook: 'the-sweep-stands-still',
		query: alarmQueries.runsOfTheSweep,
		place: functionLink(lambda),
		threshold: 0,
		periods: 2,
		falling: true,
	});
}

/**
 * An alarm for visitors who are refused because a limit of their whole workspace is full. Two functions log such refusals,
 * and both count in one metric.
 */
export function alarmOfSpentLimits(raise: Raise, { spending }: HttpApi): void {
	const spent = FilterPattern.stringValue('$.fact', '=', 'limit spent');
	const [metric] = spending.map(({ logGroup }) => logMetric(logGroup, 'LimitsSpent', spent));
	if (metric === undefined) throw new Error('no function spends limits');
	raise('limits-spent', metric.with({ period: FIVE_MINUTES }), {
		impact: 'A widget takes no calls, or no callbacks, because a limit of its workspace is full.',
		runbook: 'a-limit-is-spent',
		query: alarmQueries.spentLimits,
		threshold: 1,
		periods: 1,
	});
}

/**
 * Alarms for failures and slow responses of the API, and for signs of abuse in its log: forged callbacks, guessed keys, and
 * unusually many calls.
 */
export function alarmsOfApi(raise: Raise, { gateway, accessLog }: HttpApi, callsPerHour: number): void {
	raise('api-5xx', gateway.metricServerError({ period: FIVE_MINUTES, statistic: Stats.SUM }), {
		impact: 'Visitors cannot ask for a call, or customers cannot manage theirs.',
		runbook: 'the-api-answers-5xx',
		query: alarmQueries.failingRoutes,
		threshold: 5,
		periods: 1,
	});
	raise('api-latency', gateway.metricLatency({ period: FIVE_MINUTES, statistic: Stats.percentile(99) }), {
		impact: 'Visitors wait for seconds before anything happens.',
		runbook: 'the-api-is-slow',
		query: alarmQueries.slowRoutes,
		threshold: 3000,
		periods: 3,
	});
	const ofSurface = (surface: Surface) => routes.filter((route) => route.surface === surface);
	const requests = (name: ServiceMetric, status: string, of: readonly Route[], period = FIVE_MINUTES) =>
		logMetric(accessLog, name, answers(status, of)).with({ period });
	raise('refused-callbacks', requests('RefusedCallbacks', '403', ofSurface('provider')), {
		impact: 'Callbacks are forged, or the provider signs with another secret than ours and calls do not move on.',
		runbook: 'callbacks-are-refused',
		query: alarmQueries.refusedRoutes(403),
		threshold: REFUSED_CALLBACKS,
		periods: 1,
	});
	raise('refused-keys', requests('RefusedKeys', '401', ofSurface('server')), {
		impact: 'API keys are being guessed, or a customer uses one that is revoked.',
		runbook: 'api-keys-are-refused',
		query: alarmQueries.refusedRoutes(401),
		threshold: REFUSED_KEYS,
		periods: 1,
	});
	const placing = routes.filter(({ operation }) => operation === 'request-call');
	raise('calls-per-hour', requests('CallsAccepted', '202', placing, Duration.hours(1)), {
		impact: 'More calls are placed than expected: each costs money and rings a person.',
		runbook: 'many-calls',
		query: alarmQueries.callsOfWorkspaces,
		threshold: callsPerHour,
		periods: 1,
	});
}

/**
 * Alarms if requests to the table are throttled. Each index has an alarm of its own, because the metrics of a table do not
 * include its indexes, and throttled writes to an index delay the writes to the table.
 */
export function alarmsOfTable(raise: Raise, { table: { tableName: TableName } }: DataTable): void {
	const throttled = (metricName: string, index?: string): void => {
		const dimensionsMap = { TableName, ...(index !== undefined && { GlobalSecondaryIndexName: index }) };
		const of = { namespace: 'AWS/DynamoDB', metricName, dimensionsMap, period: FIVE_MINUTES, statistic: Stats.SUM };
		raise(index === undefined ? metricName : `${metricName}-of-${index}`, new Metric(of), {
			impact: 'Requests are answered 503, and work is late.',
			runbook: 'the-table-is-throttled',
			place: tableLink(TableName),
			threshold: 10,
			periods: 3,
		});
	};
	throttled('ReadThrottleEvents');
	throttled('WriteThrottleEvents');
	for (const { name } of Object.values(definition.indexes)) throttled('WriteThrottleEvents', name);
}

/** Selects the lines of the access log that have this status and one of these routes. */
function answers(status: string, of: readonly Route[]) {
	const isRoute = of.flatMap(({ method, path }) => FilterPattern.stringValue('$.route', '=', routeKey(method, path)));
	return FilterPattern.all(FilterPattern.stringValue('$.status', '=', status), FilterPattern.any(...isRoute));
}

/**
 * A metric that counts the lines of a log. `metricValue` is what each line adds: a number, or the field that contains the
 * number.
 */
function logMetric(
	log: LogGroup,
	metricName: ServiceMetric,
	filterPattern: ReturnType<typeof answers>,
	metricValue = '1',
): Metric {
	const metricNamespace = Stack.of(log).stackName;
	const filter = log.addMetricFilter(metricName, { filterPattern, metricNamespace, metricName, metricValue });
	return filter.metric({ statistic: serviceMetrics[metricName] });
}
