import { FORMER_TAG, OWN_TAG, STACK_TAG } from '../../infra/tags.ts';
import type { Template } from './synthesised.ts';

// The actions that CloudFormation performs on the resources of a template. They come from the `handlers` in the schema of each
// resource type (https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html, read on 2026-11-26
// in the schemas of 2026-08-07). Actions for properties that the template does not use are left out.

/** One action on one resource, as IAM sees it. */
export type Need = {
	readonly type: string;
	readonly action: string;
	readonly resource: string;
	readonly context: Readonly<Record<string, string>>;
};

type Row = {
	/** The resource's ARN. If CloudFormation chooses the resource's name, that name begins with the name of the stack. */
	readonly on: string;
	/** Actions to create, read, change and delete the resource. */
	readonly always: string;
	/** Actions that are needed only if a resource of this type has the property. */
	readonly with?: Readonly<Record<string, string>>;
	/** ARNs of other resources on which CloudFormation has to act when it handles this resource, each with the actions. */
	readonly also?: readonly (readonly [on: string, actions: string])[];
};

const PLACE = 'eu-central-1:111122223333';
const STACK = 'CallBack';
const ROLE = 'arn:aws:iam::111122223333:role/CallBack-ApiRole-Ab12';
const GATEWAY_ROLE =
	'arn:aws:iam::111122223333:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway';
const LAMBDA = `arn:aws:lambda:${PLACE}:function:CallBack-ApiFunction-Ab12`;
const API = 'arn:aws:apigateway:eu-central-1::/apis/abc123';
const DOMAIN = 'arn:aws:apigateway:eu-central-1::/domainnames/calls.shop.example';
/**
 * No handler lists these actions, but AWS refused a tagged API without them
 * (https://github.com/hashicorp/terraform-provider-aws/issues/16023).
 */
const tagsOf = (path: string): readonly [string, string] => [
	`arn:aws:apigateway:eu-central-1::/tags/arn%3Aaws%3Aapigateway%3Aeu-central-1%3A%3A%2Fv2%2F${path}`,
	'apigateway:POST PUT GET DELETE',
];
/** The path of a collection, and the action that adds an item to it. */
const collection = (path: string): readonly [string, string] => [
	`arn:aws:apigateway:eu-central-1::/${path}`,
	'apigateway:POST',
];
const LOGS = `arn:aws:logs:${PLACE}:log-group:CallBack-ApiLogs-Ab12`;
const ACCESS_LOGS = `arn:aws:logs:${PLACE}:log-group:/aws/vendedlogs/apis/CallBack`;
const BUCKET = 'arn:aws:s3:::callback-widgetfiles-ab12';
const QUEUE = `arn:aws:sqs:${PLACE}:CallBack-QueuesDeliveries-Ab12`;
export const OUR_KEY = `arn:aws:kms:${PLACE}:key/00000000-0000-0000-0000-000000000001`;
const DISTRIBUTION = 'arn:aws:cloudfront::111122223333:distribution/E1';
const API_GATEWAY = 'apigateway:POST PUT PATCH GET DELETE';

const ROWS: Readonly<Record<string, Row>> = {
	'AWS::ApiGatewayV2::Api': { on: API, always: API_GATEWAY, also: [collection('apis'), tagsOf('apis%2Fabc123')] },
	'AWS::ApiGatewayV2::ApiMapping': { on: `${DOMAIN}/apimappings`, always: API_GATEWAY },
	'AWS::ApiGatewayV2::DomainName': {
		on: DOMAIN,
		always: API_GATEWAY,
		// No handler lists this action, but API Gateway creates its role with the first certificate of an account (read on 2026-11-28
		// in https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html).
		also: [
			[GATEWAY_ROLE, 'iam:CreateServiceLinkedRole'],
			collection('domainnames'),
			tagsOf('domainnames%2Fcalls.shop.example'),
		],
	},
	'AWS::ApiGatewayV2::Integration': {
		on: `${API}/integrations`,
		always: API_GATEWAY,
		// No handler lists this action, but IAM requires it when a service is given a role. That this also holds for the property
		// CredentialsArn is an assumption.
		also: [[ROLE, 'iam:PassRole']],
	},
	'AWS::ApiGatewayV2::Route': { on: `${API}/routes`, always: API_GATEWAY },
	'AWS::ApiGatewayV2::Stage': {
		on: `${API}/stages`,
		always: API_GATEWAY,
		also: [
			[
				'*',
				'logs:CreateLogDelivery GetLogDelivery UpdateLogDelivery DeleteLogDelivery ListLogDeliveries ' +
					'PutResourcePolicy DescribeResourcePolicies',
			],
		],
	},
	'AWS::CloudFront::Distribution': {
		on: DISTRIBUTION,
		always: 'cloudfront:CreateDistribution GetDistribution GetDistributionConfig UpdateDistribution DeleteDistribution',
		with: { Tags: 'cloudfront:ListTagsForResource TagResource UntagResource' },
	},
	'AWS::CloudFront::OriginAccessControl': {
		on: 'arn:aws:cloudfront::111122223333:origin-access-control/E1',
		always:
			'cloudfront:CreateOriginAccessControl GetOriginAccessControl UpdateOriginAccessControl DeleteOriginAccessControl',
	},
	'AWS::CloudFront::ResponseHeadersPolicy': {
		on: 'arn:aws:cloudfront::111122223333:response-headers-policy/E1',
		always:
			'cloudfront:CreateResponseHeadersPolicy GetResponseHeadersPolicy UpdateResponseHeadersPolicy DeleteResponseHeadersPolicy',
	},
	'AWS::CloudWatch::Alarm': {
		on: `arn:aws:cloudwatch:${PLACE}:alarm:CallBack-MonitoringOverdue-Ab12`,
		always: 'cloudwatch:PutMetricAlarm DescribeAlarms DeleteAlarms',
		with: { Tags: 'cloudwatch:ListTagsForResource TagResource UntagResource' },
	},
	'AWS::CloudWatch::Dashboard': {
		on: 'arn:aws:cloudwatch::111122223333:dashboard/CallBack-eu-central-1',
		always: 'cloudwatch:PutDashboard GetDashboard DeleteDashboards',
		with: { Tags: 'cloudwatch:ListTagsForResource TagResource UntagResource' },
	},
	'AWS::DynamoDB::Table': {
		on: `arn:aws:dynamodb:${PLACE}:table/CallBack-DataTable-Ab12`,
		always:
			'dynamodb:CreateTable DescribeTable UpdateTable DeleteTable DescribeContributorInsights ' +
			'DescribeKinesisStreamingDestination GetResourcePolicy DescribeTimeToLive DescribeContinuousBackups',
		with: {
			Tags: 'dynamodb:ListTagsOfResource TagResource UntagResource',
			TimeToLiveSpecification: 'dynamodb:UpdateTimeToLive',
			PointInTimeRecoverySpecification: 'dynamodb:UpdateContinuousBackups',
			SSESpecification: 'kms:CreateGrant Decrypt DescribeKey',
		},
	},
	'AWS::Events::Rule': {
		on: `arn:aws:events:${PLACE}:rule/CallBack-SweepEveryMinute-Ab12`,
		always: 'events:PutRule DescribeRule PutTargets RemoveTargets ListTargetsByRule DeleteRule',
		with: { Tags: 'events:ListTagsForResource TagResource UntagResource' },
	},
	'AWS::IAM::Role': {
		on: ROLE,
		always:
			'iam:CreateRole GetRole GetRolePolicy ListRolePolicies ListAttachedRolePolicies PutRolePolicy ' +
			'DeleteRolePolicy UpdateAssumeRolePolicy DeleteRole',
		with: { Tags: 'iam:TagRole UntagRole', PermissionsBoundary: 'iam:PutRolePermissionsBoundary' },
	},
	'AWS::KMS::Key': {
		on: OUR_KEY,
		always: 'kms:CreateKey DescribeKey EnableKey DisableKey GetKeyPolicy GetKeyRotationStatus ScheduleKeyDeletion',
		with: {
			Tags: 'kms:ListResourceTags TagResource UntagResource',
			Description: 'kms:UpdateKeyDescription',
			EnableKeyRotation: 'kms:EnableKeyRotation DisableKeyRotation',
			KeyPolicy: 'kms:PutKeyPolicy',
		},
	},
	'AWS::Lambda::EventInvokeConfig': {
		on: LAMBDA,
		always:
			'lambda:PutFunctionEventInvokeConfig GetFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
	},
	'AWS::Lambda::EventSourceMapping': {
		on: `arn:aws:lambda:${PLACE}:event-source-mapping:ab12`,
		always: 'lambda:CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping',
		with: { Tags: 'lambda:ListTags TagResource UntagResource' },
	},
	'AWS::Lambda::Function': {
		on: LAMBDA,
		always:
			'lambda:CreateFunction GetFunction GetFunctionConfiguration GetFunctionCodeSigningConfig ' +
			'GetFunctionScalingConfig GetRuntimeManagementConfig UpdateFunctionCode UpdateFunctionConfiguration ' +
			'DeleteFunction',
		with: {
			Tags: 'lambda:ListTags TagResource UntagResource',
			RecursiveLoop: 'lambda:GetFunctionRecursionConfig PutFunctionRecursionConfig',
			ReservedConcurrentExecutions: 'lambda:PutFunctionConcurrency DeleteFunctionConcurrency',
		},
		also: [
			[ROLE, 'iam:PassRole'],
			['arn:aws:s3:::cdk-hnb659fds-assets-111122223333-eu-central-1/abc.zip', 's3:GetObject'],
		],
	},
	'AWS::Lambda::Permission': { on: LAMBDA, always: 'lambda:AddPermission GetPolicy RemovePermission' },
	'AWS::Logs::LogGroup': {
		on: LOGS,
		always: 'logs:CreateLogGroup DeleteLogGroup GetDataProtectionPolicy',
		with: {
			Tags: 'logs:ListTagsForResource TagResource UntagResource',
			RetentionInDays: 'logs:PutRetentionPolicy DeleteRetentionPolicy',
		},
		also: [
			['*', 'logs:DescribeLogGroups DescribeIndexPolicies'],
			// IAM writes the ARN of a log group with or without `:*` at its end.
			...[ACCESS_LOGS, `${ACCESS_LOGS}:*`].map(
				(on) => [on, 'logs:CreateLogGroup PutRetentionPolicy TagResource DeleteLogGroup'] as const,
			),
		],
	},
	'AWS::Logs::MetricFilter': {
		on: LOGS,
		always: 'logs:PutMetricFilter DescribeMetricFilters DeleteMetricFilter',
		also: [[ACCESS_LOGS, 'logs:PutMetricFilter']],
	},
	// IAM accepts no resource for these actions.
	'AWS::Logs::QueryDefinition': {
		on: '*',
		always: 'logs:PutQueryDefinition DescribeQueryDefinitions DeleteQueryDefinition',
	},
	'AWS::S3::Bucket': {
		on: BUCKET,
		always: 's3:CreateBucket ListBucket DeleteBucket',
		with: {
			Tags: 's3:GetBucketTagging PutBucketTagging TagResource UntagResource ListTagsForResource',
			VersioningConfiguration: 's3:GetBucketVersioning PutBucketVersioning',
			BucketEncryption: 's3:GetEncryptionConfiguration PutEncryptionConfiguration',
			LifecycleConfiguration: 's3:GetLifecycleConfiguration PutLifecycleConfiguration',
			PublicAccessBlockConfiguration: 's3:GetBucketPublicAccessBlock PutBucketPublicAccessBlock',
		},
	},
	'AWS::S3::BucketPolicy': { on: BUCKET, always: 's3:GetBucketPolicy PutBucketPolicy DeleteBucketPolicy' },
	'AWS::SQS::Queue': {
		on: QUEUE,
		always: 'sqs:CreateQueue GetQueueAttributes GetQueueUrl SetQueueAttributes DeleteQueue',
		with: { Tags: 'sqs:ListQueueTags TagQueue UntagQueue' },
	},
	'AWS::SQS::QueuePolicy': { on: QUEUE, always: 'sqs:SetQueueAttributes' },
	'Custom::NumberPublicKey': { on: LAMBDA, always: 'lambda:InvokeFunction' },
	'Custom::PublishedWidget': { on: LAMBDA, always: 'lambda:InvokeFunction' },
	// This entry is no resource. It is the rule with which the template checks the bootstrap.
	bootstrap: {
		on: `arn:aws:ssm:${PLACE}:parameter/cdk-bootstrap/hnb659fds/version`,
		always: 'ssm:GetParameters',
	},
};

/** The tags of every resource in a stack whose owner has set no tags. */
const TAGS = {
	[OWN_TAG.key]: OWN_TAG.value,
	[STACK_TAG]: STACK,
	[FORMER_TAG.key]: FORMER_TAG.value,
};

/** The condition keys of a request, as AWS documents them for each action. */
function contextOf(action: string, type: string): Readonly<Record<string, string>> {
	if (action === 'iam:PassRole') {
		const service = type === 'AWS::ApiGatewayV2::Integration' ? 'apigateway' : 'lambda';
		return { 'iam:PassedToService': `${service}.amazonaws.com` };
	}
	if (action === 'iam:CreateServiceLinkedRole') return { 'iam:AWSServiceName': 'ops.apigateway.amazonaws.com' };
	if (action.startsWith('iam:'))
		return { 'iam:PermissionsBoundary': 'arn:aws:iam::111122223333:policy/CallBackBoundary' };
	if (action.endsWith('EventSourceMapping')) return { 'lambda:FunctionArn': LAMBDA };
	if (action === 'kms:CreateGrant' || action === 'kms:Decrypt') {
		return { 'kms:ViaService': 'dynamodb.eu-central-1.amazonaws.com' };
	}
	// When a request creates or tags a resource, the tags are in the request. For any other request, the tags are on the
	// resource.
	const of = /:(CreateKey|CreateDistribution|TagResource)$/.test(action) ? 'aws:RequestTag' : 'aws:ResourceTag';
	return Object.fromEntries(Object.entries(TAGS).map(([key, value]) => [`${of}/${key}`, value]));
}

function actionsIn(text: string): readonly string[] {
	const [service = '', names = ''] = text.split(':');
	return names.split(' ').flatMap((name) => (name === '' ? [] : [`${service}:${name}`]));
}

/** Everything that CloudFormation's role needs for a template. Throws if a resource type has no row here. */
export function needsOf({ Resources }: Template): readonly Need[] {
	const all = [...Object.values(Resources), { Type: 'bootstrap', Properties: {} }];
	const needs = [...new Set(all.map(({ Type }) => Type))].flatMap((type) => {
		const row = ROWS[type];
		if (row === undefined) throw new Error(`no row for ${type}: add what CloudFormation does with it`);
		const properties = new Set(
			all.flatMap(({ Type, Properties }) => (Type === type ? Object.keys(Properties ?? {}) : [])),
		);
		const used = Object.entries(row.with ?? {}).filter(([name]) => properties.has(name));
		const pairs = [
			...[row.always, ...used.map(([, actions]) => actions)].map((actions): readonly [string, string] => [
				row.on,
				actions,
			]),
			...(row.also ?? []),
		];
		return pairs.flatMap(([on, text]) =>
			actionsIn(text).map((action) => ({
				type,
				action,
				resource: resourceOf(action, on),
				context: contextOf(action, type),
			})),
		);
	});
	return needs;
}

/**
 * Actions that create a resource and that IAM cannot restrict to an ARN, because AWS chooses the ARN only when it creates the
 * resource.
 */
const WITHOUT_RESOURCE: ReadonlySet<string> = new Set([
	'kms:CreateKey',
	'lambda:CreateEventSourceMapping',
	'cloudfront:CreateDistribution',
	'cloudfront:CreateOriginAccessControl',
	'cloudfront:CreateResponseHeadersPolicy',
]);

function resourceOf(action: string, on: string): string {
	if (WITHOUT_RESOURCE.has(action)) return '*';
	// DynamoDB uses our key for the table, so the KMS actions that the table needs are actions on our key.
	return action.startsWith('kms:') ? OUR_KEY : on;
}
