import { join } from 'node:path';
import { CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionFacts } from '../workers.ts';

/** Permissions and environment together, because neither is useful without the other. */
export type Grant = {
	readonly statements: readonly PolicyStatement[];
	readonly environment: Readonly<Record<string, string>>;
};

/** A grant of variables, and of the permissions that they need. */
export const variables = (environment: Grant['environment'], statements: Grant['statements'] = []): Grant => ({
	statements,
	environment,
});

type ServiceFunctionProps = FunctionFacts & {
	/** Directory of all bundles; the function's own is below it. */
	readonly bundles: string;
	/** The function's name: its file in functions/, its bundle, its row in function-roles.ts. */
	readonly name: string;
	readonly grant: Grant;
	readonly log_retention: RetentionDays;
	/** The function's messages invoke it again; our deadlines and schedules end such chains. */
	readonly follows_itself: boolean;
	/** Its reserved executions, which are also its maximum; undefined: it shares the account's. */
	readonly reserved_concurrency?: number | undefined;
};

/** One Lambda function with its own role, which allows the actions of its grant and writing its own log. */
export class ServiceFunction extends Construct {
	readonly name: string;
	readonly lambda: lambda.Function;
	readonly logGroup: LogGroup;
	readonly reserved_concurrency: number | undefined;

	constructor(scope: Construct, props: ServiceFunctionProps) {
		super(scope, props.name);
		this.name = props.name;
		this.reserved_concurrency = props.reserved_concurrency;
		this.logGroup = new LogGroup(this, 'Logs', {
			retention: props.log_retention,
			removalPolicy: RemovalPolicy.DESTROY,
		});
		const log = new PolicyStatement({
			actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
			resources: [this.logGroup.logGroupArn],
		});
		const role = new Role(this, 'Role', {
			assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
			inlinePolicies: { access: new PolicyDocument({ statements: [log, ...props.grant.statements] }) },
		});
		this.lambda = new lambda.Function(this, 'Function', {
			runtime: lambda.Runtime.NODEJS_24_X,
			architecture: lambda.Architecture.ARM_64,
			code: lambda.Code.fromAsset(join(props.bundles, props.name)),
			handler: 'index.handler',
			description: props.description,
			timeout: Duration.seconds(props.timeout_seconds),
			memorySize: props.memory_mb,
			environment: props.grant.environment,
			role,
			...(props.reserved_concurrency !== undefined && { reservedConcurrentExecutions: props.reserved_concurrency }),
			// Otherwise Lambda takes a chain of 16 invocations (a call of two hours, a webhook's retries) for a runaway loop and
			// stops it.
			recursiveLoop: props.follows_itself ? lambda.RecursiveLoop.ALLOW : lambda.RecursiveLoop.TERMINATE,
			logGroup: this.logGroup,
			loggingFormat: lambda.LoggingFormat.JSON,
			applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
			// Start and report lines of every invocation would cost more than the function's own line.
			systemLogLevelV2: lambda.SystemLogLevel.WARN,
		});
		const resource = this.lambda.node.defaultChild;
		// The local stack and the tests identify the function by this.
		if (CfnResource.isCfnResource(resource)) resource.addMetadata('function', props.name);
	}
}
