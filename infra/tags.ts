import { Annotations, AspectPriority, Aspects, CfnResource, Stack, TagManager, Tags } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';

/** Our own tag. Keys, distributions and APIs have no names, so the policies of infra/policies recognise ours by it. */
export const OWN_TAG = { key: 'call-back:application', value: 'call-back' } as const;
/** The tag by which the policies recognise the stack. */
export const STACK_TAG = 'call-back-stack';
/** The former tag. Policies that operators installed compare it, so it stays unless the owner sets a tag with that name. */
export const FORMER_TAG = { key: 'application', value: 'call-back' } as const;

/** cfn-lint 1.51 refuses tags of dashboards. */
const EXCEPT = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };
/** Lower than the priority of `Tags.of(stack).add(...)`, which is 100: an owner's value wins, wherever it is set. */
const GIVES_WAY = 50;

/** Tags every resource below the construct. No resource is replaced when one of its tags changes. */
export function tagAsOurs(scope: Construct): void {
	const stack = Stack.of(scope);
	Tags.of(scope).add(OWN_TAG.key, OWN_TAG.value, EXCEPT);
	Tags.of(scope).add(STACK_TAG, stack.stackName, EXCEPT);
	// CloudFormation adds the stack's tags to each resource, unless the resource has one with the same name.
	const isOwners = FORMER_TAG.key in stack.tags.tagValues();
	if (!isOwners) Tags.of(scope).add(FORMER_TAG.key, FORMER_TAG.value, { ...EXCEPT, priority: GIVES_WAY });
}

/**
 * Warns if the owner's value replaces the former tag's. Former policies and boundaries compare it: under them, the functions
 * could no longer decrypt.
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
