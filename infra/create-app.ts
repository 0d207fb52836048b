import { App, Validations } from 'aws-cdk-lib';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallBackStack } from './call-back-stack.ts';

/**
 * The CDK feature flags that its pinned version recommends for new applications. They are here and not in cdk.json, so that
 * the template is the same in the CDK's CLI, in a test and in the local stack.
 */
const context = {
	...recommended,
	// The local stack finds each function's bundle by it.
	'aws:cdk:enable-asset-metadata': true,
	// Keeps one statement for each verb of the store, so that a role reads like its row in function-access.ts.
	'@aws-cdk/aws-iam:minimizePolicies': false,
};

/** An app without a stack, with the AWS Solutions checks: synthesis throws on an unacknowledged finding. */
export function checkedApp(outdir?: string): App {
	const app = new App({ context, analyticsReporting: false, ...(outdir && { outdir }) });
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
	return app;
}

/** The whole deployment. */
export function createApp(props: { readonly bundles: string; readonly outdir?: string }): App {
	const app = checkedApp(props.outdir);
	new CallBackStack(app, 'CallBack', { bundles: props.bundles });
	return app;
}
