import { Duration } from 'aws-cdk-lib';
import { type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logMetric } from './alarms/log-metric.ts';
import { type Platform, workerFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/** Delivers events to customers: one function on two queues, for first attempts and for retries. */
export class WebhookDelivery extends Construct {
	readonly function: ServiceFunction;
	/** Endpoints that the service disabled: after a 410, or after days without a success. */
	readonly switchedOff: Metric;

	constructor(scope: Construct, id: string, platform: Platform) {
		super(scope, id);
		this.function = workerFunction(this, 'deliver-webhook', platform);
		this.switchedOff = logMetric(this.function.logGroup, 'SwitchedOff', {
			name: 'EndpointsSwitchedOff',
			of: FilterPattern.stringValue('$.fact', '=', 'endpoint disabled'),
			read: { statistic: Stats.SUM, period: Duration.minutes(5) },
		});
	}
}
