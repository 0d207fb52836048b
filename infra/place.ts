import { Annotations, Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Partitions in which the service cannot run. In China, the European Sovereign Cloud and the isolated regions (`iso`),
 * AWS's hosts do not end in amazonaws.com. GovCloud has no CloudFront.
 */
const OTHER_PARTITIONS = /^(cn|eusc|us-gov|us-iso\w*|eu-iso\w*)-/;

/** Throws if the service cannot run in its stack's region. Warns if operators' programs could not find it in that stack. */
export function checkPlace(scope: Construct): void {
	const { region, nestedStackParent } = Stack.of(scope);
	if (!Token.isUnresolved(region) && OTHER_PARTITIONS.test(region))
		throw new Error(
			`${scope.node.path}: the service does not run in ${region}: it needs CloudFront, and AWS’s hosts at amazonaws.com.`,
		);
	if (nestedStackParent !== undefined)
		Annotations.of(scope).addWarningV2(
			'@call-back/cdk:nested-stack',
			'The service is in a nested stack. cdk deploy --outputs-file does not write the outputs of nested stacks, so ' +
				'ops, smoke and preflight do not find it. Give it a stack of its own.',
		);
}
