/**
 * How the CDK synthesises. Here and not in cdk.json, so that the template is the same whether the CDK CLI, a test or the
 * local stack runs the app.
 */
export const context = {
	// One machine finds each function's bundle by it.
	'aws:cdk:enable-asset-metadata': true,
	'@aws-cdk/core:enablePartitionLiterals': true,
	'@aws-cdk/core:target-partitions': ['aws'],
	'@aws-cdk/aws-iam:minimizePolicies': false,
	'@aws-cdk/core:validateSnapshotRemovalPolicy': true,
	'@aws-cdk/core:checkSecretUsage': true,
	'@aws-cdk/aws-kms:applyImportedAliasPermissionsToPrincipal': true,
};
