import * as cdk from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Records why findings of the AWS Solutions checks are accepted for a construct. `reasons` has the reason for each finding,
 * by its id. Older versions of the CDK cannot record reasons, but the checks that read the reasons do not run in these
 * versions either.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
	if (!('Validations' in cdk)) return;
	for (const [id, reason] of Object.entries(reasons)) cdk.Validations.of(construct).acknowledge({ id, reason });
}
