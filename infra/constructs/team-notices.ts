import { Validations } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type Platform, workerFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/** The worker that notifies teams of their leads and their webhook endpoints. */
export class TeamNotices extends Construct {
	readonly function: ServiceFunction;

	constructor(scope: Construct, id: string, platform: Platform) {
		super(scope, id);
		this.function = workerFunction(this, 'notify-team', platform);
		const reason =
			'In the SES sandbox the recipient is checked as well; ses:FromAddress keeps the role to the one sender.';
		const finding = 'Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*';
		Validations.of(this.function).acknowledge({ id: `AwsSolutions-IAM5[${finding}]`, reason });
		const list = 'The suppression list of an account has no ARN, and its entries are only read.';
		Validations.of(this.function).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason: list });
	}
}
