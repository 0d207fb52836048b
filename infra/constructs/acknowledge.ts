import * as cdk from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Says why findings of the AWS Solutions checks are accepted for a construct: the reason for each, by its id. Older
 * versions of the CDK have no place for it, and then the checks that read it do not run.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
	if (!('Validations' in cdk)) return;
	for (const [id, reason] of Object.entries(reasons)) cdk.Validations.of(construct).acknowledge({ id, reason });
}
