import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallBackStack } from './call-back-stack.ts';

/**
 * How the CDK synthesises. Here and not in cdk.json, so that the template is the same whether the CDK's CLI, a test or
 * the local stack runs the app.
 */
const context = {
	// One machine finds each function's bundle by it.
	'aws:cdk:enable-asset-metadata': true,
	'@aws-cdk/core:enablePartitionLiterals': true,
	'@aws-cdk/core:target-partitions': ['aws'],
	'@aws-cdk/core:checkSecretUsage': true,
};

/** The whole deployment, held to the AWS Solutions checks: synthesis throws on a finding that is not acknowledged. */
export function createApp(props: { readonly bundles: string; readonly outdir?: string }): App {
	const app = new App({ context, analyticsReporting: false, ...(props.outdir && { outdir: props.outdir }) });
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
	new CallBackStack(app, 'CallBack', { bundles: props.bundles });
	return app;
}
