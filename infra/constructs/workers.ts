import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Worker } from '../function-roles.ts';
import { workerRows } from '../workers.ts';
import { acknowledge } from './acknowledge.ts';
import { type Platform, serviceFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/** The functions that handle messages from queues, and the sweep. */
export class Workers extends Construct {
	readonly functions: Readonly<Record<Worker, ServiceFunction>>;

	/**
	 * `callbackReceivers`: the functions that get callbacks about legs. CloudFormation updates these functions before the
	 * function that dials, because they must understand the callback addresses that the new dial function gives out.
	 */
	constructor(scope: Construct, id: string, platform: Platform, callbackReceivers: readonly ServiceFunction[]) {
		super(scope, id);
		const worker = (name: Worker): ServiceFunction => {
			const created = serviceFunction(this, name, platform, workerRows[name]);
			platform.queues.feed(created);
			return created;
		};
		this.functions = {
			'dial-leg': worker('dial-leg'),
			'hang-up-leg': worker('hang-up-leg'),
			'call-timer': worker('call-timer'),
			'deliver-webhook': worker('deliver-webhook'),
			'notify-team': worker('notify-team'),
			sweep: worker('sweep'),
		};
		for (const { lambda } of callbackReceivers) this.functions['dial-leg'].lambda.node.addDependency(lambda);
		acknowledgeMail(this.functions['notify-team']);
		this.everyMinute(this.functions.sweep);
	}

	/**
	 * Runs the sweep every minute, in case messages are lost. EventBridge invokes the sweep asynchronously. By default,
	 * Lambda would retry a failed run twice and keep a throttled event for six hours, so that many sweeps would follow an
	 * outage. Here, Lambda does neither, because the next run comes within a minute.
	 */
	private everyMinute({ lambda }: ServiceFunction): void {
		const once = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
		lambda.configureAsyncInvoke(once);
		const targets = [new LambdaFunction(lambda, once)];
		new Rule(this, 'EveryMinute', { schedule: Schedule.rate(Duration.minutes(1)), targets });
	}
}

function acknowledgeMail(mailing: ServiceFunction): void {
	const identities = 'Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*';
	acknowledge(mailing, {
		[`AwsSolutions-IAM5[${identities}]`]:
			'In the SES sandbox the recipient is checked as well; ses:FromAddress keeps the role to the one sender.',
		'AwsSolutions-IAM5[Resource::*]': 'The suppression list of an account has no ARN, and its entries are only read.',
	});
}
