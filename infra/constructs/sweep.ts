import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { type Platform, serviceFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';
import { workerSeconds } from './work-queues.ts';

/** The net under every message: each minute, whatever is due. A run that fails is not repeated, the next one is near. */
export class Sweep extends Construct {
	readonly functions: readonly ServiceFunction[];

	constructor(scope: Construct, id: string, platform: Platform) {
		super(scope, id);
		const sweep = serviceFunction(this, 'sweep', platform, {
			description: 'Takes up whatever is due',
			timeout_seconds: workerSeconds.sweep,
			memory_mb: 1024,
		});
		const target = new LambdaFunction(sweep.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) });
		new Rule(this, 'EveryMinute', { schedule: Schedule.rate(Duration.minutes(1)), targets: [target] });
		this.functions = [sweep];
	}
}
