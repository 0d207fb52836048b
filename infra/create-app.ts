import { App, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import { CallBack } from './call-back.ts';
import { type Deployment, readDeployment } from './deployment.ts';
import type { CallBackProps } from './properties.ts';

/**
 * The CDK feature flags that the pinned version of the CDK recommends for new applications. The flags are here and not in
 * cdk.json, so that the CDK's CLI, the tests and the local stack all make the same template.
 */
const context = {
	...recommended,
	// With this flag, the local stack finds the bundle of each function.
	'aws:cdk:enable-asset-metadata': true,
	// Keeps one statement for each operation of the store, so that a role can be compared with its row in
	// function-roles.ts.
	'@aws-cdk/aws-iam:minimizePolicies': false,
};

/** An app without a stack, with the AWS Solutions checks. If a finding is not acknowledged, synthesis throws an error. */
export function checkedApp(outdir?: string): App {
	const app = new App({ context, analyticsReporting: false, ...(outdir && { outdir }) });
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
	return app;
}

type AppProps = { readonly bundles: string; readonly outdir?: string; readonly deployment?: Deployment };

/** The app that deploys the service from a clone. */
export function createApp({ bundles, outdir, deployment = readDeployment() }: AppProps): App {
	const app = checkedApp(outdir);
	const { stackName, tags } = deployment;
	const stack = new Stack(app, stackName, {
		description: 'Call-Back Widget Service',
		terminationProtection: deployment.removalPolicy !== RemovalPolicy.DESTROY,
		tags,
	});
	// The CDK leaves the id `Default` out of the logical ids of the resources.
	new CallBack(stack, 'Default', propsOf(stack, deployment), bundles);
	return app;
}

/** The properties in the file, with resources in place of ARNs. */
function propsOf(stack: Stack, { stackName: _name, tags: _tags, ...planned }: Deployment): CallBackProps {
	const { telephony, certificate, widgetCertificate, alarmTopic, permissionsBoundary, ...plain } = planned;
	const certificateOf = (id: string, arn: string) => Certificate.fromCertificateArn(stack, id, arn);
	return {
		...plain,
		...(telephony && { telephony: telephonyOf(stack, telephony) }),
		...(certificate && { certificate: certificateOf('Certificate', certificate) }),
		...(widgetCertificate && { widgetCertificate: certificateOf('WidgetCertificate', widgetCertificate) }),
		...(alarmTopic && { alarmTopic: Topic.fromTopicArn(stack, 'AlarmTopic', alarmTopic) }),
		...(permissionsBoundary && {
			permissionsBoundary: ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', permissionsBoundary),
		}),
	};
}

function telephonyOf(stack: Stack, telephony: NonNullable<Deployment['telephony']>): CallBackProps['telephony'] {
	if (telephony.provider === 'simulator') return telephony;
	return { ...telephony, secret: Secret.fromSecretCompleteArn(stack, 'TelephonySecret', telephony.secret) };
}
