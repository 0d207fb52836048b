import { Duration } from 'aws-cdk-lib';
import { type Metric, Stats, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logMetric } from './alarms/log-metric.ts';
import { type Platform, workerFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/**
 * The safety net for lost messages: processes overdue work every minute. A failed run is not retried: the next one is a
 * minute away.
 */
export class Sweep extends Construct {
	readonly function: ServiceFunction;
	/** How long the most overdue work had been due, in milliseconds; the function logs it in each run. */
	readonly late: Metric;

	constructor(scope: Construct, id: string, platform: Platform) {
		super(scope, id);
		this.function = workerFunction(this, 'sweep', platform);
		// EventBridge invokes it asynchronously. By default Lambda would retry a failed run twice and keep a throttled event
		// for six hours, so that a queue of sweeps would follow an outage.
		this.function.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
		const target = new LambdaFunction(this.function.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) });
		new Rule(this, 'EveryMinute', { schedule: Schedule.rate(Duration.minutes(1)), targets: [target] });
		this.late = logMetric(this.function.logGroup, 'Late', {
			name: 'SweepLate',
			of: FilterPattern.stringValue('$.fact', '=', 'swept'),
			value: '$.late_ms',
			unit: Unit.MILLISECONDS,
			read: { statistic: Stats.MAXIMUM, period: Duration.minutes(1) },
		});
	}
}
