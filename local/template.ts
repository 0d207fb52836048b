// Reads the synthesised template in the same way as CloudFormation. Supports only the intrinsic functions and the resource
// types that the stack uses. If the template has another function or type, an error names it.

import { OperatorError } from '../ops/operator-error.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Resource = {
	readonly Type: string;
	readonly Properties?: Properties;
	readonly Metadata?: Readonly<Record<string, unknown>>;
};
export type Template = {
	readonly Resources: Readonly<Record<string, Resource>>;
	readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
};

export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

export type Addresses = {
	readonly queueUrl: (name: string) => string;
	readonly publicKey: (keyId: string) => string;
	readonly apiUrl: string;
};

/**
 * The value of `Ref` to a resource. On the local stack, the value is the URL of a queue, or the id of any other resource.
 */
function refOf(id: string, { Type }: Resource, { queueUrl }: Addresses): string {
	return Type === 'AWS::SQS::Queue' ? queueUrl(id) : id;
}

const ARNS: Readonly<Record<string, (id: string) => string>> = {
	'AWS::DynamoDB::Table': (id) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${id}`,
	'AWS::SQS::Queue': (id) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${id}`,
	'AWS::Lambda::Function': (id) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${id}`,
	'AWS::KMS::Key': (id) => `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`,
	'AWS::IAM::Role': (id) => `arn:aws:iam::${ACCOUNT}:role/${id}`,
	'AWS::Logs::LogGroup': (id) => `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${id}:*`,
	'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id}`,
	'AWS::Events::Rule': (id) => `arn:aws:events:${REGION}:${ACCOUNT}:rule/${id}`,
};

const PSEUDO: Readonly<Record<string, string>> = {
	'AWS::AccountId': ACCOUNT,
	'AWS::Region': REGION,
	'AWS::Partition': 'aws',
	'AWS::StackName': 'CallBack',
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type ResolveValue = (value: unknown) => unknown;

type References = {
	readonly ref: (name: string) => unknown;
	readonly attribute: (id: string, name: string) => string;
};

function references(template: Template, around: Addresses, resolve: ResolveValue): References {
	const resourceOf = (id: string): Resource => {
		const resource = template.Resources[id];
		if (resource === undefined) throw new Error(`the template has no resource ${id}`);
		return resource;
	};
	return {
		ref(name) {
			return PSEUDO[name] ?? refOf(name, resourceOf(name), around);
		},
		attribute(id, name) {
			const resource = resourceOf(id);
			if (name === 'Arn') {
				const arn = ARNS[resource.Type];
				if (arn !== undefined) return arn(id);
			}
			if (name === 'ApiEndpoint') return around.apiUrl;
			if (name === 'PublicKey') return around.publicKey(String(resolve(resource.Properties?.['KeyId'])));
			// No request needs the domain name of the distribution: the console serves the files of the widget, and
			// local/overrides.ts has their address.
			if (name === 'DomainName') return 'localhost';
			if (name === 'QueueName') return id;
			throw new Error(`${resource.Type} has no attribute ${name} on one machine`);
		},
	};
}

type Intrinsics = Readonly<Record<string, (value: unknown) => unknown>>;

function intrinsics({ ref, attribute }: References, resolve: ResolveValue): Intrinsics {
	const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
	return {
		Ref: (value) => ref(String(value)),
		'Fn::GetAtt': (value) => (Array.isArray(value) ? attribute(String(value[0]), String(value[1])) : undefined),
		'Fn::Join'(value) {
			const [separator, parts] = list(value);
			return list(parts)
				.map((part) => String(resolve(part)))
				.join(String(separator));
		},
		'Fn::Sub'(value) {
			if (typeof value !== 'string')
				throw new Error('Fn::Sub with variables of its own is not interpreted on one machine');
			return value.replace(/\$\{([^}]+)\}/g, (_, name: string) => String(ref(name)));
		},
	};
}

export function resolver(template: Template, around: Addresses): ResolveValue {
	const functions = intrinsics(references(template, around, resolve), resolve);
	function resolve(value: unknown): unknown {
		if (Array.isArray(value)) return value.map(resolve);
		if (!isRecord(value)) return value;
		const [[name, argument] = [], ...more] = Object.entries(value);
		if (name !== undefined && more.length === 0) {
			const intrinsic = functions[name];
			if (intrinsic !== undefined) return intrinsic(argument);
			if (name.startsWith('Fn::') || name === 'Condition') throw new Error(`${name} is not interpreted on one machine`);
		}
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item)] as const));
	}
	return resolve;
}

/** Types of resources that the local stack leaves out, because they matter only on AWS. */
const ELSEWHERE = new Set([
	'AWS::SQS::QueuePolicy',
	'AWS::Logs::LogGroup',
	'AWS::Logs::MetricFilter',
	'AWS::Logs::QueryDefinition',
	'AWS::Lambda::Permission',
	'AWS::CloudWatch::Alarm',
	'AWS::CloudWatch::Dashboard',
	'AWS::CDK::Metadata',
	// The console serves the widget on the local stack, so these types are not needed.
	'AWS::S3::Bucket',
	'AWS::S3::BucketPolicy',
	'AWS::CloudFront::Distribution',
	'AWS::CloudFront::OriginAccessControl',
	'AWS::CloudFront::ResponseHeadersPolicy',
	'Custom::PublishedWidget',
]);
/** Types of resources that the local stack runs. */
const HERE = new Set([
	'AWS::DynamoDB::Table',
	'AWS::SQS::Queue',
	'AWS::Lambda::Function',
	'AWS::Lambda::EventSourceMapping',
	'AWS::ApiGatewayV2::Api',
	'AWS::ApiGatewayV2::Stage',
	'AWS::ApiGatewayV2::Route',
	'AWS::ApiGatewayV2::Integration',
	'AWS::Events::Rule',
	'AWS::Lambda::EventInvokeConfig',
	'AWS::IAM::Role',
	'AWS::KMS::Key',
	'Custom::NumberPublicKey',
]);

export type NamedResource = { readonly id: string; readonly properties: Properties; readonly metadata: Properties };

export type All = (type: string) => readonly NamedResource[];

/**
 * The template with other values for some variables of its functions. The values are replaced here because the template is built
 * before the addresses of the stack on this machine are known.
 */
export function withVariables(template: Template, values: Readonly<Record<string, string>>): Template {
	const replaced = (variables: unknown): Properties =>
		isRecord(variables)
			? Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, values[name] ?? value] as const))
			: {};
	const resources = Object.entries(template.Resources).map(([id, resource]): [string, Resource] => {
		const environment = resource.Properties?.['Environment'];
		if (!isRecord(environment)) return [id, resource];
		const Environment = { Variables: replaced(environment['Variables']) };
		return [id, { ...resource, Properties: { ...resource.Properties, Environment } }];
	});
	return { ...template, Resources: Object.fromEntries(resources) };
}

export function resourcesOf(template: Template, type: string, resolve: ResolveValue): readonly NamedResource[] {
	return Object.entries(template.Resources)
		.filter(([, resource]) => resource.Type === type)
		.map(([id, resource]) => {
			const properties = resolve(resource.Properties ?? {});
			return { id, properties: isRecord(properties) ? properties : {}, metadata: resource.Metadata ?? {} };
		});
}

/** Throws if the template has a type of resource that the local stack neither runs nor leaves out. */
export function checkTypes(template: Template): void {
	for (const [id, { Type }] of Object.entries(template.Resources)) {
		if (!HERE.has(Type) && !ELSEWHERE.has(Type)) throw new OperatorError(`${id}: ${Type} cannot be run on one machine`);
	}
}
