import { Annotations, AspectPriority, Aspects, CfnResource, Stack, TagManager, Tags } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';

/**
 * The tag of the service. Keys, distributions and APIs have no names, so the policies in infra/policies recognise the
 * service's keys, distributions and APIs by this tag.
 */
export const OWN_TAG = { key: 'call-back:application', value: 'call-back' } as const;
/** The tag by which the policies recognise the stack. */
export const STACK_TAG = 'call-back-stack';
/**
 * The tag with which earlier releases marked the service. Policies that operators have installed compare this tag. So the
 * tag stays, unless the owner sets a tag with the same name.
 */
export const FORMER_TAG = { key: 'application', value: 'call-back' } as const;

/** Dashboards have no tags here, because cfn-lint 1.51 refuses tags of dashboards. */
const EXCEPT = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };
/**
 * The priority of a tag of ours. If a tag is set twice, the CDK uses the value with the higher priority. The owner's
 * `Tags.of(stack).add(...)` has the priority 100, so the owner's value is used.
 */
const GIVES_WAY = 50;

/** Tags every resource below the construct. If a tag changes, no resource is replaced. */
export function tagAsOurs(scope: Construct): void {
	const stack = Stack.of(scope);
	Tags.of(scope).add(OWN_TAG.key, OWN_TAG.value, EXCEPT);
	Tags.of(scope).add(STACK_TAG, stack.stackName, EXCEPT);
	// CloudFormation adds the stack's tags to each resource, unless the resource has a tag with the same name.
	const isOwners = FORMER_TAG.key in stack.tags.tagValues();
	if (!isOwners) Tags.of(scope).add(FORMER_TAG.key, FORMER_TAG.value, { ...EXCEPT, priority: GIVES_WAY });
}

/**
 * Warns if the owner's value replaces the value of the former tag. Policies and boundaries of earlier releases compare that
 * value. If such policies are in force, the functions can no longer decrypt.
 */
export function warnOfFormerPolicies(scope: Construct): void {
	let isWarned = false;
	const visit = (node: IConstruct): void => {
		if (isWarned || !CfnResource.isCfnResource(node) || node.cfnResourceType !== 'AWS::KMS::Key') return;
		if (TagManager.of(node)?.tagValues()[FORMER_TAG.key] === FORMER_TAG.value) return;
		isWarned = true;
		Annotations.of(scope).addWarningV2(
			'@call-back/cdk:former-policies',
			`The tag ${FORMER_TAG.key} has a value that you set. Policies and boundaries from before 1.0.0 recognise ` +
				`our keys by the tag ${FORMER_TAG.key}: ${FORMER_TAG.value}, so they refuse these keys. ` +
				'Replace them with those in policies/ before you deploy.',
		);
	};
	Aspects.of(scope).add({ visit }, { priority: AspectPriority.READONLY });
}
