import { afterAll, describe, expect, it } from '@jest/globals';
import { NestedStack, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Alarm, Dashboard, GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CallBack } from '../../infra/call-back.ts';
import { serviceMetrics } from '../../infra/constructs/alarms/metrics.ts';
import type { CallBackProps } from '../../infra/properties.ts';
import { bareApp, stubBundles } from './synthesised.ts';

// Tests the construct as an app outside of this repository uses it: its attributes, its tags, and its removal.

// Switches off the check of templates against AWS's schemas: it would take two thirds of the time, and no test here needs it.
process.env['CDK_VALIDATION'] = 'false';
const bundles = await stubBundles();
afterAll(() => bundles.remove());

const shop = (props: StackProps = {}) => new Stack(bareApp(), 'Shop', props);
const service = (stack: Stack, props: CallBackProps = {}) => new CallBack(stack, 'Calls', props, bundles.dir);
const certificate = (stack: Stack, region: string) =>
	Certificate.fromCertificateArn(stack, region, `arn:aws:acm:${region}:111122223333:certificate/${region}`);
const EU = { env: { account: '111122223333', region: 'eu-central-1' } };

describe('an app that uses the attributes of the construct', () => {
	it('makes its own DNS records', () => {
		const stack = shop(EU);
		const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId: 'Z1', zoneName: 'shop.example' });
		const calls = service(stack, {
			domainName: 'calls.shop.example',
			certificate: certificate(stack, 'eu-central-1'),
			widgetDomainName: 'widget.shop.example',
			widgetCertificate: certificate(stack, 'us-east-1'),
		});
		const target = RecordTarget.fromAlias(calls.apiAliasTarget);
		new ARecord(stack, 'Api', { zone, recordName: 'calls', target });
		const files = RecordTarget.fromAlias(new CloudFrontTarget(calls.distribution));
		new ARecord(stack, 'Widget', { zone, recordName: 'widget', target: files });
		const template = Template.fromStack(stack);
		const [domain = ''] = Object.keys(template.findResources('AWS::ApiGatewayV2::DomainName'));
		template.hasResourceProperties('AWS::Route53::RecordSet', {
			Name: 'calls.shop.example.',
			AliasTarget: {
				DNSName: { 'Fn::GetAtt': [domain, 'RegionalDomainName'] },
				HostedZoneId: { 'Fn::GetAtt': [domain, 'RegionalHostedZoneId'] },
			},
		});
		template.hasResourceProperties('AWS::Route53::RecordSet', {
			Name: 'widget.shop.example.',
			AliasTarget: { DNSName: { 'Fn::GetAtt': [Match.stringLikeRegexp('Distribution'), 'DomainName'] } },
		});
		expect(calls.apiDomain?.name).toBeDefined();
	});

	it('gets an error if there is no domain for a record', () => {
		const calls = service(shop());
		expect(calls.apiDomain).toBeUndefined();
		expect(() => calls.apiAliasTarget).toThrow(
			'Shop/Calls has no domain to point to: give domainName and certificate.',
		);
	});

	it('makes its own alarms, dashboard and grants', () => {
		const stack = shop();
		const calls = service(stack);
		const role = new Role(stack, 'Reporter', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
		calls.table.grantReadData(role);
		calls.queue('dead-letters').grantConsumeMessages(role);
		calls.function('dial-leg').grantInvoke(role);
		new Alarm(stack, 'Quiet', { metric: calls.metric('CallsAccepted'), threshold: 0, evaluationPeriods: 12 });
		const left = [calls.metric('RefusedKeys', { label: 'keys' }), calls.function('sweep').metricDuration()];
		const right = [calls.api.metricCount(), calls.queue('retries').metricApproximateAgeOfOldestMessage()];
		new Dashboard(stack, 'Ours', { widgets: [[new GraphWidget({ left, right })]] });
		const template = Template.fromStack(stack);
		template.hasResourceProperties('AWS::CloudWatch::Alarm', {
			Namespace: 'Shop',
			MetricName: 'CallsAccepted',
			Statistic: 'Sum',
			Period: 300,
			Threshold: 0,
		});
		const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
		const text = JSON.stringify(policy);
		for (const action of ['dynamodb:Query', 'kms:Decrypt', 'sqs:ReceiveMessage', 'lambda:InvokeFunction'])
			expect(text).toContain(action);
	});

	it('finds exactly the metrics that the log filters of the service make', () => {
		const stack = shop();
		const calls = service(stack);
		const made = Object.values(Template.fromStack(stack).findResources('AWS::Logs::MetricFilter')).flatMap(
			({ Properties }) => Properties.MetricTransformations,
		);
		expect([...new Set(made.map(({ MetricName }) => MetricName))].sort()).toEqual(Object.keys(serviceMetrics).sort());
		expect(new Set(made.map(({ MetricNamespace }) => MetricNamespace))).toEqual(new Set(['Shop']));
		expect(calls.metric('SweepLate')).toMatchObject({ namespace: 'Shop', statistic: 'Maximum' });
	});

	it.each([
		['queue', 'dead-letter', 'Shop/Calls has no queue "dead-letter": expected one of call-timers, dead-letters,'],
		['function', 'dial', 'Shop/Calls has no function "dial": expected one of '],
		['metric', 'Calls', 'Shop/Calls has no metric "Calls": expected one of CallsAccepted, LimitsSpent,'],
		['metric', 'constructor', 'Shop/Calls has no metric "constructor"'],
	])('gets an error for an unknown %s (%s), which lists the existing names', (kind, name, sentence) => {
		const calls: object = service(shop());
		const method = Reflect.get(calls, kind);
		expect(() => Reflect.apply(method, calls, [name])).toThrow(sentence);
	});
});

describe('the construct', () => {
	it.each(['cn-north-1', 'us-gov-west-1', 'eusc-de-east-1', 'us-isob-east-1'])('refuses the region %s', (region) => {
		const stack = shop({ env: { account: '111122223333', region } });
		expect(() => service(stack)).toThrow(`Shop/Calls: the service does not run in ${region}: it needs CloudFront`);
	});

	it.each([{}, { env: { region: 'ap-southeast-7' } }, EU])('accepts any other region, known or not: %j', (props) => {
		expect(() => service(shop(props))).not.toThrow();
	});

	it('warns in a nested stack, where operators’ programs do not find it', () => {
		const stack = shop();
		service(new NestedStack(stack, 'Nested'));
		const warning = Match.stringLikeRegexp('The service is in a nested stack');
		expect(Annotations.fromStack(stack).findWarning('*', warning)).toHaveLength(1);
	});
});

describe('tags', () => {
	type Resources = Record<
		string,
		{ Type: string; Properties?: { Tags?: readonly { Key: string; Value: string }[] | Record<string, string> } }
	>;
	const tagsIn = (stack: Stack) => {
		const { Resources }: { Resources: Resources } = Template.fromStack(stack).toJSON() as never;
		return Object.values(Resources).flatMap(({ Type, Properties: { Tags: tags } = {} }) => {
			if (tags === undefined) return [];
			const pairs = Array.isArray(tags) ? tags.map(({ Key, Value }) => [Key, Value] as const) : Object.entries(tags);
			return [{ Type, tags: new Map(pairs) }];
		});
	};
	const valuesOf = (stack: Stack, key: string) => [...new Set(tagsIn(stack).map(({ tags }) => tags.get(key)))];
	const owners: readonly [string, (stack: Stack, calls: CallBack) => void][] = [
		['the app', (stack) => Tags.of(stack.node.root).add('application', 'shop')],
		['the stack', (stack) => Tags.of(stack).add('application', 'shop')],
		['the construct', (_, calls) => Tags.of(calls).add('application', 'shop')],
	];

	it('name the service and the stack on every resource, and keep the tag of earlier releases', () => {
		const stack = shop();
		service(stack);
		expect(tagsIn(stack).length).toBeGreaterThan(150);
		expect(valuesOf(stack, 'call-back:application')).toEqual(['call-back']);
		expect(valuesOf(stack, 'call-back-stack')).toEqual(['Shop']);
		expect(valuesOf(stack, 'application')).toEqual(['call-back']);
	});

	it.each(owners)('keep the value that an owner gives `application` on %s', (_, add) => {
		const stack = shop();
		add(stack, service(stack));
		expect(valuesOf(stack, 'application')).toEqual(['shop']);
		expect(valuesOf(stack, 'call-back:application')).toEqual(['call-back']);
	});

	it('leave `application` to CloudFormation, which puts it on each resource, if the stack’s properties have it', () => {
		const stack = shop({ tags: { application: 'shop' } });
		service(stack);
		expect(valuesOf(stack, 'application')).toEqual([undefined]);
	});

	it('cause a warning about earlier policies only if there is a boundary and an owner gives `application` another value', () => {
		const warnings = (props: StackProps, add: (stack: Stack) => void, bounded: boolean) => {
			const stack = shop(props);
			const boundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'CallBackBoundary');
			service(stack, bounded ? { permissionsBoundary: boundary } : {});
			add(stack);
			return Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('The tag application has')).length;
		};
		const mine = (stack: Stack) => Tags.of(stack).add('application', 'shop');
		const nothing = () => {};
		expect([
			warnings({}, mine, true),
			warnings({ tags: { application: 'shop' } }, nothing, true),
			warnings({}, mine, false),
			warnings({}, nothing, true),
		]).toEqual([1, 1, 0, 0]);
	});
});

describe('the deletion of a stack', () => {
	const HOLDS = ['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket', 'AWS::Logs::LogGroup'];
	const policiesOf = (props: CallBackProps) => {
		const stack = shop();
		service(stack, props);
		const { Resources }: { Resources: Record<string, { Type: string; DeletionPolicy?: string }> } = Template.fromStack(
			stack,
		).toJSON() as never;
		return { stack, made: Object.values(Resources).filter(({ DeletionPolicy }) => DeletionPolicy !== undefined) };
	};

	it('keeps table, keys and files, which nothing may delete by mistake', () => {
		for (const props of [{}, { removalPolicy: RemovalPolicy.RETAIN }]) {
			const { stack, made } = policiesOf(props);
			const kept = made.filter(({ DeletionPolicy }) => DeletionPolicy !== 'Delete').map(({ Type }) => Type);
			expect([...new Set(kept)].sort()).toEqual(['AWS::DynamoDB::Table', 'AWS::KMS::Key', 'AWS::S3::Bucket']);
			const template = Template.fromStack(stack);
			template.hasResourceProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: true });
			template.hasResourceProperties('Custom::PublishedWidget', { Empties: Match.absent() });
		}
	});

	it('deletes everything if the stage is temporary', () => {
		const { stack, made } = policiesOf({ removalPolicy: RemovalPolicy.DESTROY });
		expect(made.filter(({ DeletionPolicy }) => DeletionPolicy !== 'Delete')).toEqual([]);
		expect([...new Set(made.map(({ Type }) => Type))].filter((type) => HOLDS.includes(type)).sort()).toEqual(
			[...HOLDS].sort(),
		);
		const template = Template.fromStack(stack);
		template.hasResourceProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: false });
		template.allResourcesProperties('AWS::KMS::Key', { PendingWindowInDays: 7 });
		template.hasResourceProperties('Custom::PublishedWidget', { Empties: 'true' });
	});
});
