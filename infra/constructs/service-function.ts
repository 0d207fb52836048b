import { join } from 'node:path';
import { CfnResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { FunctionFacts } from '../workers.ts';

/** Permissions together with environment variables, because neither is useful without the other. */
export type Grant = {
	readonly statements: readonly PolicyStatement[];
	readonly environment: Readonly<Record<string, string>>;
};

/** A grant that consists of variables and of the permissions that they need. */
export const variables = (environment: Grant['environment'], statements: Grant['statements'] = []): Grant => ({
	statements,
	environment,
});

type ServiceFunctionProps = FunctionFacts & {
	/** The directory of all bundles. The function's own bundle is in a folder of this directory. */
	readonly bundles: string;
	/** The name of the function. Its file in functions/, its bundle and its row in function-roles.ts have the same name. */
	readonly name: string;
	readonly grant: Grant;
	readonly log_retention: RetentionDays;
	/** True if the function's messages invoke it again. The service's own deadlines and schedules end such chains. */
	readonly follows_itself: boolean;
	/**
	 * How many executions are reserved for the function. The function cannot have more concurrent executions than this
	 * number. If undefined, the function shares the account's executions.
	 */
	readonly reserved_concurrency?: number | undefined;
};

/**
 * A Lambda function with a role of its own. The role allows what the function's grant contains, and writing the function's
 * log.
 */
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
			// Without ALLOW, Lambda would take a chain of 16 invocations for an endless loop, and would stop the chain. A
			// call of two hours or the retries of a webhook make such chains.
			recursiveLoop: props.follows_itself ? lambda.RecursiveLoop.ALLOW : lambda.RecursiveLoop.TERMINATE,
			logGroup: this.logGroup,
			loggingFormat: lambda.LoggingFormat.JSON,
			applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
			// Without this level, Lambda would add start and report lines to each invocation, which would cost more than the
			// function's own line.
			systemLogLevelV2: lambda.SystemLogLevel.WARN,
		});
		const resource = this.lambda.node.defaultChild;
		// The local stack and the tests recognise the function by this metadata.
		if (CfnResource.isCfnResource(resource)) resource.addMetadata('function', props.name);
	}
}
