import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { resourcesIn } from '../ops/connect.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { startAwsProxy, type Used } from './aws/aws-proxy.ts';
import { createTable, type Dynamo } from './aws/dynamodb.ts';
import type { LocalKms } from './aws/kms.ts';
import type { Mailbox } from './aws/mailbox.ts';
import type { LocalQueues } from './aws/queues.ts';
import { type AwsAction, lacksToReceive, type Role, roleOf } from './aws/roles.ts';
import { routesOf, startGateway } from './gateway/gateway.ts';
import { batchesAtOnce, startEventSources } from './lambda/event-sources.ts';
import { type LocalFunction, localFunction } from './lambda/functions.ts';
import { startSchedules } from './lambda/schedules.ts';
import type { Shutdown } from './shutdown.ts';
import {
	ACCOUNT,
	type All,
	checkTypes,
	type NamedResource,
	REGION,
	resolver,
	resourcesOf,
	type Template,
} from './template.ts';

export type PlatformOptions = {
	readonly template: Template;
	readonly assets: string;
	/** The folder in which functions store their compiled code. */
	readonly code: string;
	readonly dynamo: Dynamo;
	readonly queues: LocalQueues;
	readonly kms: LocalKms;
	readonly mailbox: Mailbox;
	readonly port: number;
	readonly speed: number;
	/** Variables that every function gets in addition to its own. */
	readonly overrides: Readonly<Record<string, string>>;
	readonly log_directory: string;
	/** The function to which a debugger will attach. Null if there is none. */
	readonly inspect: string | null;
	readonly onAct?: ((role: Role, act: AwsAction) => void) | undefined;
	readonly used?: Used | undefined;
	/** Used in place of `ANSWERERS`. */
	readonly answerers?: number | undefined;
};

/**
 * The most instances of a function that reads no queue. There are few because the start of an instance costs as much
 * processor time as many requests to a running one.
 */
const ANSWERERS = 2;

type Credentials = Readonly<Record<string, string>>;

/** Runs everything in the template and returns the operators' environment. */
export async function startPlatform(options: PlatformOptions, shutdown: Shutdown) {
	const { template, dynamo, queues, kms, mailbox, port } = options;
	checkTypes(template);
	const roles = new Map<string, Role | null>();
	const roleByKey = (accessKeyId: string): Role | null | undefined => roles.get(accessKeyId);
	const proxy = await startAwsProxy({
		dynamodb: dynamo,
		sqs: queues.at,
		kms,
		mailbox,
		onAct: options.onAct,
		used: options.used,
		roleOf: roleByKey,
	});
	shutdown.add(() => proxy.close());
	const resolve = resolver(template, {
		queueUrl: (name) => `${proxy.url}/${ACCOUNT}/${name}`,
		publicKey: kms.publicKey,
		apiUrl: `http://localhost:${port}`,
	});
	const all: All = (type) => resourcesOf(template, type, resolve);
	for (const table of all('AWS::DynamoDB::Table')) await createTable(dynamo.url, table);
	await queues.create(all('AWS::SQS::Queue'));

	const credentials = (role: Role | null): Credentials => issueCredentials(role, roles, proxy.url);
	checkEventSources(all);
	const functions = startFunctions(options, all, credentials);
	shutdown.add(() => Promise.all([...functions.values()].map((each) => each.stop())));
	await connect(options, all, functions, shutdown);
	return { ...credentials(null), ...resourcesIn((name) => String(resolve(template.Outputs?.[name]?.Value) ?? '')) };
}

/** Makes an access key. As on Lambda, each role has its own key. If the role is null, the key is for the operator. */
function issueCredentials(role: Role | null, roles: Map<string, Role | null>, url: string): Credentials {
	const AWS_ACCESS_KEY_ID = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
	roles.set(AWS_ACCESS_KEY_ID, role);
	return {
		AWS_REGION: REGION,
		AWS_ACCESS_KEY_ID,
		AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex'),
		AWS_ENDPOINT_URL_DYNAMODB: url,
		AWS_ENDPOINT_URL_SQS: url,
		AWS_ENDPOINT_URL_KMS: url,
		AWS_ENDPOINT_URL_SESV2: url,
	};
}

function rolesOf(all: All): (resource: NamedResource) => Role {
	const roles = new Map(all('AWS::IAM::Role').map((role) => [`arn:aws:iam::${ACCOUNT}:role/${role.id}`, roleOf(role)]));
	return ({ properties }) => roles.get(String(properties['Role'])) ?? { name: 'none', statements: [] };
}

/** Refuses an event source whose function may not consume the queue. A deployment would refuse it, too. */
function checkEventSources(all: All): void {
	const roleFor = rolesOf(all);
	for (const { id, properties } of all('AWS::Lambda::EventSourceMapping')) {
		const target = all('AWS::Lambda::Function').find((each) => each.id === properties['FunctionName']);
		if (target === undefined) throw new OperatorError(`${id}: the template has no such function`);
		const lacking = lacksToReceive(roleFor(target), String(properties['EventSourceArn']));
		if (lacking !== null) throw new OperatorError(`${id}: the role of ${target.id} does not allow ${lacking}`);
	}
}

function startFunctions(
	{ assets, code, overrides, log_directory, inspect, answerers = ANSWERERS }: PlatformOptions,
	all: All,
	credentials: (role: Role) => Credentials,
): Map<string, LocalFunction> {
	const roleFor = rolesOf(all);
	const mappings = all('AWS::Lambda::EventSourceMapping');
	const functions = all('AWS::Lambda::Function').map((resource) => {
		const concurrency = batchesAtOnce(mappings, resource.id) || answerers;
		const role = roleFor(resource);
		const directory = join(assets, String(resource.metadata['aws:asset:path']));
		const environment = { ...credentials(role), ...overrides };
		const instance = localFunction({
			resource,
			directory,
			code_directory: code,
			is_inspected: resource.metadata['function'] === inspect,
			environment,
			log_directory,
			concurrency,
		});
		return [resource.id, instance] as const;
	});
	return new Map(functions);
}

async function connect(
	{ port, speed, queues }: PlatformOptions,
	all: All,
	functions: ReadonlyMap<string, LocalFunction>,
	shutdown: Shutdown,
): Promise<void> {
	const byId = (id: string): LocalFunction => {
		const match = functions.get(id);
		if (match === undefined) throw new Error(`the template has no function ${id}`);
		return match;
	};
	const byArn = (arn: string): LocalFunction => byId(arn.split(':').at(-1) ?? '');
	const routes = routesOf(all('AWS::ApiGatewayV2::Route'), all('AWS::ApiGatewayV2::Integration'), byArn);
	const gateway = await startGateway(port, routes);
	shutdown.add(() => gateway.close());
	const sources = startEventSources(all('AWS::Lambda::EventSourceMapping'), byId, queues);
	shutdown.add(() => sources.stop());
	const schedules = startSchedules({
		rules: all('AWS::Events::Rule'),
		configs: all('AWS::Lambda::EventInvokeConfig'),
		functionByArn: byArn,
		speed,
	});
	shutdown.add(() => schedules.stop());
}
