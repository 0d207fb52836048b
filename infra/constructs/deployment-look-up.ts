import { CustomResource, Duration } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { ServiceFunction, variables } from './service-function.ts';

export type LookUpBasis = { readonly bundles: string; readonly log_retention: RetentionDays };
type LookUpProps = LookUpBasis & {
	/** The name of the function, which is also the name of its file in functions/setup/. */
	readonly name: string;
	readonly description: string;
	readonly statements: readonly PolicyStatement[];
	/** The custom resource for which CloudFormation invokes the function: its id, its type, and its properties. */
	readonly id: string;
	readonly kind: string;
	readonly properties: Readonly<Record<string, string>>;
};

/** This time is enough for the pauses in shared/messages/custom-resource.ts. */
const TIMEOUT_SECONDS = 120;
/** This time is enough for three runs and for Lambda's waits between them. CloudFormation's own limit is an hour. */
const GIVE_UP = Duration.minutes(10);

/**
 * Creates a function, and a custom resource for which CloudFormation invokes the function during a deployment if
 * `properties` are new or changed. Returns the function and the custom resource, which has the function's answer.
 */
export function deploymentLookUp(scope: Construct, props: LookUpProps) {
	const { statements, id, kind, properties, ...named } = props;
	const lookUp = new ServiceFunction(scope, {
		...named,
		description: `${props.name}: ${props.description}`,
		timeout_seconds: TIMEOUT_SECONDS,
		memory_mb: 512,
		grant: variables({}, statements),
		follows_itself: false,
	});
	const answer = new CustomResource(scope, id, {
		serviceToken: lookUp.lambda.functionArn,
		resourceType: `Custom::${kind}`,
		properties,
		serviceTimeout: GIVE_UP,
	});
	return { answer, lookUp };
}
