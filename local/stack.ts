import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startAwsProxy } from './aws-proxy.ts';
import { buildAndSynth } from './build-and-synth.ts';
import { localCertificates } from './certificates.ts';
import { startConsole } from './console-server.ts';
import { demoWorkspace } from './demo.ts';
import { createTable, freePort, startDynamo } from './dynamodb.ts';
import { startEventSources } from './event-sources.ts';
import { type LocalFunction, localFunction } from './functions.ts';
import { routesOf, startGateway } from './gateway.ts';
import { startInbox } from './inbox.ts';
import { localKms } from './kms.ts';
import { LocalError } from './operator-words.ts';
import type { StackOptions } from './options.ts';
import { startPhoneNetwork } from './phone-network/start.ts';
import { startQueues } from './queues.ts';
import { type Role, roleOf } from './roles.ts';
import { startSchedules } from './schedules.ts';
import { ACCOUNT, checkTypes, REGION, resolver, resourcesOf } from './template.ts';

/** What `.local/stack.json` holds. */
export type StackFacts = {
	readonly base_url: string;
	readonly console_url: string;
	readonly demo_url: string;
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly allowed_origin: string;
	readonly inbox_url: string;
};
export type Stack = StackFacts & { readonly state_dir: string; stop(): Promise<void> };

/** Instances of one function on one machine, at most. */
const CONCURRENCY = 4;
const INBOX = 'demo';

/** Things to stop, last started first; also when starting fails half-way. */
function shutdownList() {
	const steps: (() => unknown)[] = [];
	return {
		add: (step: () => unknown): void => void steps.unshift(step),
		async run(): Promise<void> {
			for (const step of steps.splice(0)) await step();
		},
	};
}

async function portsOf(options: StackOptions): Promise<readonly [number, number, number]> {
	if (options.port !== 0) return [options.port, options.port + 1, options.port + 2];
	return [await freePort(), await freePort(), await freePort()];
}

/** A secret of this machine, made at the first run. */
function secretFile(file: string): string {
	if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
	return readFileSync(file, 'utf8');
}

function trustFile(state_dir: string, inbox_ca: string, own: string | null): string {
	const file = join(state_dir, 'trusted.pem');
	let further = '';
	try {
		further = own === null ? '' : readFileSync(own, 'utf8');
	} catch {
		throw new LocalError(`--trust ${own}: the file cannot be read`);
	}
	writeFileSync(file, `${inbox_ca}\n${further}`);
	return file;
}

/**
 * Starts the deployed template on this machine and answers when everything runs. Throws `LocalError` in words for
 * whoever started it; nothing is left running then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
	const shutdown = shutdownList();
	try {
		return await start(options, shutdown);
	} catch (error) {
		await shutdown.run();
		throw error;
	}
}

async function start(options: StackOptions, shutdown: ReturnType<typeof shutdownList>): Promise<Stack> {
	const state_dir = resolve(options.state_dir);
	if (options.fresh) rmSync(state_dir, { recursive: true, force: true });
	mkdirSync(join(state_dir, 'logs'), { recursive: true });
	const in_state = (name: string): string => join(state_dir, name);
	const [port, console_port, inbox_port] = await portsOf(options);
	const base_url = `http://localhost:${port}/v1`;
	const allowed_origin = `http://localhost:${console_port}`;

	// The ports first: whoever has a stack running already should hear it at once, and before anything is built.
	const certificates = await localCertificates(state_dir);
	const inbox = await startInbox(inbox_port, certificates, in_state('inbox.jsonl'));
	shutdown.add(() => inbox.close());
	const inbox_url = `https://localhost:${inbox_port}/inbox/${INBOX}`;
	const secret = secretFile(in_state('phone-network.secret'));
	const phones = await startPhoneNetwork({
		port: 0,
		speed: options.speed,
		secret,
		state_file: in_state('phone-network.json'),
		log_file: in_state('phones.jsonl'),
	});
	shutdown.add(() => phones.close());
	const facts = (): StackFacts | null => stackFacts;
	let stackFacts: StackFacts | null = null;
	const consoleServer = await startConsole(
		console_port,
		{ inbox: (name) => inbox.received(name || INBOX), phones: () => phones.log(), stack: facts },
		{ '/widget/': resolve('dist/widget'), '/': resolve(import.meta.dirname, 'console') },
	);
	shutdown.add(() => consoleServer.close());

	const kms = localKms(in_state('keys'));
	const [{ template, assets }, dynamo, queues] = await Promise.all([
		buildAndSynth(state_dir),
		startDynamo(in_state('dynamodb.db')),
		startQueues(in_state('queues')),
	]);
	shutdown.add(() => dynamo.stop());
	shutdown.add(() => queues.stop());
	checkTypes(template);
	const roles = new Map<string, Role | null>();
	const proxy = await startAwsProxy({
		dynamodb_url: dynamo.url,
		sqs_url: queues.url,
		kms,
		roleOf: (access_key_id) => roles.get(access_key_id),
	});
	shutdown.add(() => proxy.close());

	const resolveValue = resolver(template, {
		parameters: {
			PublicBaseUrl: base_url,
			TelephonyProvider: 'simulator',
			TelephonySettings: JSON.stringify({ url: phones.url, secret }),
		},
		queueUrl: (name) => `${proxy.url}/${ACCOUNT}/${name}`,
		publicKey: kms.publicKey,
		apiUrl: `http://localhost:${port}`,
	});
	const all = (type: string) => resourcesOf(template, type, resolveValue);
	for (const table of all('AWS::DynamoDB::Table')) await createTable(dynamo.url, table);
	await queues.create(all('AWS::SQS::Queue'));

	const credentials = (role: Role | null): Record<string, string> => {
		const AWS_ACCESS_KEY_ID = `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`;
		roles.set(AWS_ACCESS_KEY_ID, role);
		return {
			AWS_REGION: REGION,
			AWS_ACCESS_KEY_ID,
			AWS_SECRET_ACCESS_KEY: randomBytes(20).toString('hex'),
			AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
			AWS_ENDPOINT_URL_SQS: proxy.url,
			AWS_ENDPOINT_URL_KMS: proxy.url,
		};
	};
	const overrides = {
		LOCAL_SPEED: String(options.speed),
		...(options.retry_schedule !== null && { LOCAL_RETRY_SCHEDULE: options.retry_schedule }),
		LOCAL_ALLOWED_WEBHOOK_HOSTS: [`localhost:${inbox_port}`, ...options.allow_webhook_hosts].join(','),
		LOCAL_TRUSTED_CA_FILE: trustFile(state_dir, certificates.ca_pem, options.trust),
	};
	const roleByArn = new Map(
		all('AWS::IAM::Role').map((role) => [`arn:aws:iam::${ACCOUNT}:role/${role.id}`, roleOf(role)]),
	);
	const functions = new Map<string, LocalFunction>();
	for (const resource of all('AWS::Lambda::Function')) {
		const role = roleByArn.get(String(resource.properties['Role'])) ?? { name: 'none', statements: [] };
		const directory = join(assets, String(resource.metadata['aws:asset:path']));
		const environment = { ...credentials(role), ...overrides };
		const made = localFunction({
			resource,
			directory,
			environment,
			log_directory: in_state('logs'),
			concurrency: CONCURRENCY,
		});
		functions.set(resource.id, made);
	}
	shutdown.add(() => Promise.all([...functions.values()].map((made) => made.stop())));
	const functionById = (id: string): LocalFunction => {
		const found = functions.get(id);
		if (found === undefined) throw new Error(`the template has no function ${id}`);
		return found;
	};
	const functionByArn = (arn: string): LocalFunction => functionById(arn.split(':').at(-1) ?? '');

	const routes = routesOf(all('AWS::ApiGatewayV2::Route'), all('AWS::ApiGatewayV2::Integration'), functionByArn);
	const gateway = await startGateway(port, routes);
	shutdown.add(() => gateway.close());
	const sources = startEventSources(all('AWS::Lambda::EventSourceMapping'), functionById, queues);
	shutdown.add(() => sources.stop());
	const schedules = startSchedules(all('AWS::Events::Rule'), functionByArn, options.speed);
	shutdown.add(() => schedules.stop());

	const operator = operatorEnvironment((name) => resolveValue(template.Outputs?.[name]?.Value), credentials(null));
	writeFileSync(in_state('operator.json'), JSON.stringify(operator, null, '\t'), { mode: 0o600 });
	const demo = await demoWorkspace(state_dir, operator, { base_url, allowed_origin, inbox_url });
	inbox.expect(INBOX, demo.inbox_secret);
	const { workspace_id, workspace_key, api_key } = demo;
	stackFacts = {
		base_url,
		console_url: allowed_origin,
		demo_url: `${allowed_origin}/demo`,
		workspace_id,
		workspace_key,
		api_key,
		allowed_origin: demo.allowed_origin,
		inbox_url: demo.inbox_url,
	};
	writeFileSync(in_state('stack.json'), `${JSON.stringify(stackFacts, null, '\t')}\n`, { mode: 0o600 });
	return { ...stackFacts, state_dir, stop: () => shutdown.run() };
}

/** What the operator's commands read: the functions' own variables, with every queue and key. */
function operatorEnvironment(output: (name: string) => unknown, credentials: Record<string, string>) {
	const text = (name: string): string => String(output(name) ?? '');
	return {
		AWS_REGION: '',
		AWS_ACCESS_KEY_ID: '',
		AWS_SECRET_ACCESS_KEY: '',
		...credentials,
		TABLE_NAME: text('TableName'),
		NUMBER_KEY_ID: text('NumberKeyId'),
		SECRET_KEY_ID: text('SecretKeyId'),
		MAC_KEY_ID: text('MacKeyId'),
		QUEUE_URL_DIAL_LEGS: text('QueueUrldiallegs'),
		QUEUE_URL_HANG_UP_LEGS: text('QueueUrlhanguplegs'),
		QUEUE_URL_CALL_TIMERS: text('QueueUrlcalltimers'),
		QUEUE_URL_DELIVERIES: text('QueueUrldeliveries'),
		QUEUE_URL_RETRIES: text('QueueUrlretries'),
		QUEUE_URL_DEAD_LETTERS: text('QueueUrldeadletters'),
	};
}
