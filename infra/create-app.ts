import { App, Validations } from 'aws-cdk-lib';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallBackStack } from './call-back-stack.ts';

/**
 * How the CDK synthesises: as it recommends for new applications of its pinned version. Here and not in cdk.json, so that
 * the template is the same whether the CDK's CLI, a test or the local stack runs the app.
 */
const context = {
	...recommended,
	// One machine finds each function's bundle by it.
	'aws:cdk:enable-asset-metadata': true,
	// One statement for each verb of the store: a reader finds in a role what function-access.ts says.
	'@aws-cdk/aws-iam:minimizePolicies': false,
};

/** The whole deployment, held to the AWS Solutions checks: synthesis throws on a finding that is not acknowledged. */
export function createApp(props: { readonly bundles: string; readonly outdir?: string }): App {
	const app = new App({ context, analyticsReporting: false, ...(props.outdir && { outdir: props.outdir }) });
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
	new CallBackStack(app, 'CallBack', { bundles: props.bundles });
	return app;
}
