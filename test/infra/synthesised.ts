import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { cachedBuild } from '../../infra/bundle/build-cache.ts';
import { createApp } from '../../infra/create-app.ts';
import type { Deployment } from '../../infra/deployment.ts';
import { workers } from '../../infra/function-roles.ts';
import { routes } from '../../shared/contract/routes.ts';
import { putWidget } from '../support/kept-widget.ts';

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation defines the shape of a template; the assertions check it.
type Json = any;
export type Resource = {
	readonly Type: string;
	readonly Properties: Json;
	readonly Metadata?: Json;
	readonly DependsOn?: readonly string[];
	readonly DeletionPolicy?: string;
};
export type Template = {
	readonly Resources: Readonly<Record<string, Resource>>;
	readonly Outputs: Json;
	readonly Parameters: Json;
};
export type Statement = {
	readonly actions: readonly string[];
	/** The resources in readable form, such as `Data.Table` or `Data.Table/index/by-due`. */
	readonly resources: readonly string[];
	/** A request's leading key must have one of these prefixes. */
	readonly prefixes: readonly string[];
	/** Prefixes that a leading key may also have if another key of the same transaction has one of `prefixes`. */
	readonly beside: readonly string[];
	/** Whether a request without leading keys is allowed. */
	readonly keyless: boolean;
};
export type DeployedFunction = {
	readonly name: string;
	readonly properties: Json;
	readonly role: string;
	readonly statements: readonly Statement[];
	readonly variables: readonly string[];
};

/** The names of all functions that the stack should have. */
export const functionNames: readonly string[] = [
	...routes.map((route) => route.operation),
	'preflight',
	'fallback',
	...workers,
	'number-public-key',
	'publish-widget',
].sort();

/** Creates a directory with a one-line bundle for each function. */
export async function stubBundles(): Promise<{ readonly dir: string; readonly remove: () => void }> {
	const dir = mkdtempSync(join(tmpdir(), 'bundles-'));
	for (const name of functionNames) {
		mkdirSync(join(dir, name));
		writeFileSync(join(dir, name, 'index.js'), `exports.handler = async () => '${name}';\n`);
	}
	await putWidget(join(dir, 'publish-widget', 'widget'));
	return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/**
 * These settings halve the time. They leave out copies of the bundles and the line of code that created each resource, which no
 * test reads.
 */
const BARE = { 'aws:cdk:disable-asset-staging': true, 'aws:cdk:disable-stack-trace': true };

/** An app for stacks whose template a test reads. */
export const bareApp = (props: AppProps = {}): App =>
	new App({ analyticsReporting: false, ...props, context: { ...BARE, ...props.context } });

/** A deployment with every option except domains and reserved concurrency. */
export const whole: Deployment = {
	stackName: 'CallBack',
	tags: { team: 'phones' },
	telephony: {
		provider: 'twilio',
		accountSid: `AC${'0'.repeat(32)}`,
		callerNumber: '+13125550100',
		secret: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:call-back/twilio-AbCdEf',
	},
	docsUrl: 'https://docs.shop.example',
	mailSender: 'calls@shop.example',
	alarmTopic: 'arn:aws:sns:eu-central-1:111122223333:alarms',
	permissionsBoundary: 'arn:aws:iam::111122223333:policy/CallBackBoundary',
};
export const withDomain: Deployment = {
	...whole,
	domainName: 'calls.shop.example',
	certificate: 'arn:aws:acm:eu-central-1:111122223333:certificate/api',
	widgetDomainName: 'widget.shop.example',
	widgetCertificate: 'arn:aws:acm:us-east-1:111122223333:certificate/widget',
};
/** A deployment without any option. */
export const plain: Deployment = { stackName: 'CallBack', tags: {} };

/** The template of `whole`. */
export const deployedTemplate = (): Promise<Template> => synthesise(whole);

/** What is deployed: the template, its functions, and the function of each route. */
export async function deployed() {
	const template = await deployedTemplate();
	return { template, functions: functionsOf(template), routes: routesOf(template) };
}

/**
 * The template of a deployment. It is synthesised once for each state of the sources, because that takes seconds. Throws if
 * cdk-nag has a finding.
 */
export async function synthesise(deployment: Deployment): Promise<Template> {
	const file = (directory: string) => join(directory, 'template.json');
	const key = createHash('sha256').update(JSON.stringify(deployment)).digest('hex').slice(0, 8);
	const make = async (directory: string) =>
		writeFileSync(file(directory), JSON.stringify(await synthesiseNew(deployment)));
	const also = [relative(join(import.meta.dirname, '../..'), import.meta.filename)];
	return JSON.parse(readFileSync(file(await cachedBuild({ name: `template-${key}`, make, also })), 'utf8'));
}

async function synthesiseNew(deployment: Deployment): Promise<Template> {
	const bundles = await stubBundles();
	const outdir = mkdtempSync(join(tmpdir(), 'cdk-'));
	try {
		return createApp({ bundles: bundles.dir, outdir, deployment }).synth().getStackByName(deployment.stackName)
			.template;
	} finally {
		bundles.remove();
		rmSync(outdir, { recursive: true, force: true });
	}
}

const list = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);

/** A value of a template in short and readable form: a reference as its logical id without the hash, a join as one text. */
export function readable(value: Json): string {
	if (typeof value === 'string') return value;
	if (value.Ref) return String(value.Ref).replace(/[0-9A-F]{8}$/, '');
	if (value['Fn::GetAtt']) return readable({ Ref: value['Fn::GetAtt'][0] });
	if (value['Fn::Select']) return `${readable(value['Fn::Select'][1]['Fn::Split'][1])}[${value['Fn::Select'][0]}]`;
	if (value['Fn::Join']) return value['Fn::Join'][1].map(readable).join(value['Fn::Join'][0]);
	return JSON.stringify(value);
}

export function ofType(template: Template, type: string): [string, Resource][] {
	return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

function statementsOf(role: Resource): Statement[] {
	const policies: Json[] = role.Properties.Policies ?? [];
	return policies
		.flatMap((policy) => list(policy.PolicyDocument.Statement))
		.map(({ Action, Resource: resource, Condition }) => {
			const keys = (operator: string): string[] => list(Condition?.[operator]?.['dynamodb:LeadingKeys'] ?? []);
			const all = keys('ForAllValues:StringLike');
			const prefixes = Condition?.['ForAnyValue:StringLike'] ? keys('ForAnyValue:StringLike') : all;
			return {
				actions: list(Action),
				resources: list(resource).map(readable),
				prefixes,
				beside: all.filter((prefix) => !prefixes.includes(prefix)),
				keyless: keys('Null').includes('true'),
			};
		});
}

export function functionsOf(template: Template): DeployedFunction[] {
	return ofType(template, 'AWS::Lambda::Function')
		.map(([, { Properties: properties, Metadata }]) => {
			const role: string = properties.Role['Fn::GetAtt'][0];
			return {
				name: String(Metadata.function),
				properties,
				role,
				statements: statementsOf(template.Resources[role] as Resource),
				variables: Object.keys(properties.Environment?.Variables ?? {}).sort(),
			};
		})
		.sort((a, b) => a.name.localeCompare(b.name));
}

export type What = readonly [action: string, resource: string, prefix?: string];

/**
 * Whether a function has this permission. With a prefix, whether it has the permission for keys that begin with this prefix.
 */
export const can = ({ statements }: DeployedFunction, ...[action, resource, prefix]: What): boolean =>
	statements.some(
		({ actions, resources, prefixes }) =>
			actions.includes(action) &&
			resources.includes(resource) &&
			(prefix === undefined || prefixes.includes(`${prefix}*`)),
	);
export const whichCan = (functions: readonly DeployedFunction[], ...what: What): string[] =>
	functions.filter((candidate) => can(candidate, ...what)).map(({ name }) => name);

/** For each route's key: the name of its function. */
export function routesOf(template: Template): ReadonlyMap<string, string> {
	const functionBehind = (integration: string): string => {
		const uri = template.Resources[integration]?.Properties.IntegrationUri;
		const [of] = uri['Fn::GetAtt'];
		return String(template.Resources[of]?.Metadata.function);
	};
	return new Map(
		ofType(template, 'AWS::ApiGatewayV2::Route')
			.map(([, { Properties }]): [string, string] => [
				Properties.RouteKey,
				functionBehind(Properties.Target['Fn::Join'][1][1].Ref),
			])
			.sort(([a], [b]) => a.localeCompare(b)),
	);
}

/** Routes, roles and environments as text, whose diff is easy to read. */
export function summary(template: Template): string {
	const lines = ['# Routes', ...[...routesOf(template)].map(([key, name]) => `${key} -> ${name}`), '', '# Functions'];
	for (const { name, properties, statements, variables } of functionsOf(template)) {
		lines.push('', `## ${name} (${properties.Timeout} s, ${properties.MemorySize} MB)`);
		for (const { actions, resources, prefixes, beside, keyless } of statements) {
			if (actions[0]?.startsWith('logs:')) continue;
			const others = beside.length === 0 ? '' : ` beside [${beside.join(' ')}]`;
			const keys = prefixes.length === 0 ? '' : ` [${prefixes.join(' ')}]${others}`;
			const unknown = keyless ? ' without known keys' : '';
			// The file names of the widget change with each release.
			const on = resources.join(' ').replace(/widget\.[0-9a-f]{10}\./g, 'widget.<release>.');
			lines.push(`${actions.join(' ')} on ${on}${keys}${unknown}`);
		}
		lines.push(`env ${variables.join(' ') || 'none'}`);
	}
	return `${lines.join('\n')}\n`;
}
