import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { operatorDeps, readOperatorEnv } from '../ops/connect.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { DOCS_PORT } from '../tools/docs-site/site.ts';
import type { Used } from './aws/aws-proxy.ts';
import { freePort, startDynamo } from './aws/dynamodb.ts';
import { localKms } from './aws/kms.ts';
import { type Mailbox, openMailbox } from './aws/mailbox.ts';
import { startQueues } from './aws/queues.ts';
import type { AwsAction, Role } from './aws/roles.ts';
import { buildAndSynth } from './build-and-synth.ts';
import { type Certificates, localCertificates } from './certificates.ts';
import type { StackFacts } from './console/page/wire.ts';
import { copyPages } from './console/server/build-pages.ts';
import { demoDepartments } from './console/server/departments.ts';
import { followLogs } from './console/server/function-logs.ts';
import { type Inbox, startInbox } from './console/server/inbox.ts';
import type { Running } from './console/server/recent.ts';
import { consoleActions, consoleRoutes } from './console/server/routes.ts';
import { startConsole } from './console/server/server.ts';
import { demoWorkspace } from './demo.ts';
import { readDemo } from './demo-file.ts';
import { diskFault } from './disk.ts';
import { openForDebuggers } from './inspect.ts';
import { removeLeftovers } from './leftovers.ts';
import type { StackOptions } from './options.ts';
import { ownerOnly } from './owner-only.ts';
import { type PhoneNetwork, startPhoneNetwork } from './phone-network/start.ts';
import { type PlatformOptions, startPlatform } from './platform.ts';
import { type Shutdown, shutdownList } from './shutdown.ts';
import { answers, claimState } from './single.ts';
import { checkState, deleteState, markState } from './state-form.ts';
import { type Template, withVariables } from './template.ts';
import { writeOnce, writeWhole } from './write-whole.ts';

export type Stack = StackFacts & { readonly state_dir: string; stop(): Promise<void> };
type WatchedStack = Stack & {
	/** Resolves with a message if a part that the stack needs ends by itself. */
	readonly broken: Promise<string>;
};

/**
 * What callers of `startStack` may add: two weeks of calls in the demo workspace, and a function that is called when a step
 * begins. Tests may also add a faulty template, and functions that observe the requests of each role.
 */
export type StackOverrides = {
	readonly with_history?: boolean;
	readonly onStep?: (text: string) => void;
	readonly alter?: (template: Template) => Template;
	readonly onAct?: (role: Role, act: AwsAction) => void;
	readonly used?: Used;
	/**
	 * The most instances of each function that answers requests. With only one, the function's requests wait for each other.
	 */
	readonly answerers?: number;
};

const INBOX = 'demo';
const TABLE_DIED =
	'The table’s stand-in (dynoxide) has ended, so the stack stops. What it stored is kept: run npm start again.';
/**
 * The time budgets of adapters are multiplied by this number, because this machine may be slow. A function that answers
 * visitors then waits up to 9 s for a result, which is less than the function's time-out of 10 s.
 */
const PATIENCE = 3;

/**
 * Resolves when everything runs. If something fails, stops all parts and throws an `OperatorError` that tells the user what
 * to do.
 */
export async function startStack(options: StackOptions, overrides: StackOverrides = {}): Promise<WatchedStack> {
	const shutdown = shutdownList();
	let broken: string | null = null;
	const { promise: breaks, resolve: reportBreak } = Promise.withResolvers<string>();
	const onBreak = (fault: string): void => {
		broken = fault;
		reportBreak(fault);
	};
	const { with_history = false, onStep = () => undefined } = overrides;
	try {
		const release = await claimState(resolve(options.state_dir));
		shutdown.add(release);
		await removeLeftovers(tmpdir(), Date.now());
		const prepared = await prepare(options);
		// The ports are opened before anything is built. So if another stack is running, the error comes early.
		onStep('Opening the console and the webhook inbox');
		const consoleAndPhones = await startConsoleAndPhones(options, prepared, shutdown);
		const operator = await startTemplate(options, { ...overrides, onBreak }, prepared, consoleAndPhones, shutdown);
		writeWhole(prepared.file('operator.json'), JSON.stringify(operator, null, '\t'));
		const isKept = readDemo(prepared.file('demo.json')) !== null;
		const filled = with_history ? 'Filling the demo shop with two weeks of calls' : 'Making the demo shop';
		onStep(isKept ? 'Opening the demo shop of the last start' : filled);
		const demo = await demoWorkspace(prepared.state_dir, operator, prepared, with_history);
		consoleAndPhones.inbox.expect(INBOX, demo.inbox_secret);
		const { inbox_secret: _secret, ...publicDemo } = demo;
		const { base_url, console_url, console_key, listen_url } = prepared;
		const facts = {
			base_url,
			console_url,
			console_key,
			listen_url,
			demo_url: `${console_url}/demo`,
			desk_url: `${base_url}/desk/pages/today`,
			...publicDemo,
		};
		consoleAndPhones.show({ facts, deps: await operatorDeps(readOperatorEnv(operator)) });
		writeWhole(prepared.file('stack.json'), `${JSON.stringify(facts, null, '\t')}\n`);
		return { ...facts, state_dir: prepared.state_dir, broken: breaks, stop: () => shutdown.run() };
	} catch (error) {
		await shutdown.run();
		const fault = broken ?? diskFault(error);
		throw fault === null ? error : new OperatorError(fault);
	}
}

type PreparedStack = Awaited<ReturnType<typeof prepare>>;

/** Prepares the state directory and four consecutive ports, or any free ones. `npm run listen` uses the last of the ports. */
async function prepare({ state_dir: stateDirectory, fresh, port: wantedPort }: StackOptions) {
	const state_dir = resolve(stateDirectory);
	checkState(state_dir, fresh);
	if (fresh) deleteState(state_dir);
	const file = (name: string): string => join(state_dir, name);
	mkdirSync(state_dir, { recursive: true });
	markState(state_dir);
	ownerOnly(state_dir);
	mkdirSync(file('logs'), { recursive: true });
	const any = wantedPort === 0;
	const port = any ? await freePort() : wantedPort;
	if (!any) await refuseTaken(wantedPort);
	const console_port = any ? await freePort() : wantedPort + 1;
	const inbox_port = any ? await freePort() : wantedPort + 2;
	const listen_port = any ? await freePort() : wantedPort + 3;
	const console_url = `http://localhost:${console_port}`;
	return {
		state_dir,
		file,
		port,
		console_port,
		inbox_port,
		listen_port,
		console_url,
		console_key: secretFile(file('console.secret')),
		allowed_origin: console_url,
		base_url: `http://localhost:${port}/v1`,
		inbox_url: `https://localhost:${inbox_port}/inbox/${INBOX}`,
		listen_url: `https://localhost:${listen_port}`,
	};
}

/** Refuses to start if another program uses one of the ports. The error names that port. */
async function refuseTaken(first: number): Promise<void> {
	for (const [n, use] of ['the API', 'the console', 'the webhook inbox'].entries()) {
		const port = first + n;
		if (!(await answers({ host: 'localhost', port }))) continue;
		const advice = `npm start takes four ports from --port on: choose others, such as --port ${first + 100}.`;
		throw new OperatorError(`Port ${port}, for ${use}, is in use by another program. ${advice}`);
	}
}

type ConsoleAndPhones = {
	readonly inbox: Inbox;
	readonly phones: PhoneNetwork;
	readonly mailbox: Mailbox;
	readonly certificates: Certificates;
	readonly secret: string;
	show(running: Running): void;
};

/** The parts that people see: the inbox, the phone network and the console. */
async function startConsoleAndPhones(
	options: StackOptions,
	prepared: PreparedStack,
	shutdown: Shutdown,
): Promise<ConsoleAndPhones> {
	const { file } = prepared;
	const certificates = await localCertificates(prepared.state_dir);
	const inbox = await startInbox(prepared.inbox_port, certificates, file('inbox.jsonl'));
	shutdown.add(() => inbox.close());
	const secret = secretFile(file('phone-network.secret'));
	const phones = await startPhoneNetwork({
		speed: options.speed,
		secret,
		state_file: file('phone-network.json'),
		log_file: file('phones.jsonl'),
	});
	shutdown.add(() => phones.close());
	const mailbox = openMailbox(file('mail.jsonl'));
	let shownRunning: Running | null = null;
	const show = (running: Running): void => {
		shownRunning = running;
	};
	const pagesFolder = file('pages');
	await copyPages(pagesFolder);
	const running = (): Running | null => shownRunning;
	const logs = followLogs(file('logs'));
	const departments = demoDepartments(inbox, INBOX);
	const routes = consoleRoutes({ inbox, inbox_name: INBOX, phones, mailbox, logs, departments, running });
	const content = {
		routes,
		key: prepared.console_key,
		api_origin: new URL(prepared.base_url).origin,
		actions: consoleActions({ running, mailbox, departments }),
		pages: pagesFolder,
		docs_site: `http://localhost:${DOCS_PORT}`,
		letter: (id: string) => mailbox.mails().find((mail) => mail.id === id)?.html ?? null,
	};
	const pages = await startConsole(prepared.console_port, content);
	shutdown.add(() => pages.close());
	return { inbox, phones, mailbox, certificates, secret, show };
}

async function startTemplate(
	options: StackOptions,
	{
		alter = (template) => template,
		onAct,
		used,
		answerers,
		onStep = () => undefined,
		onBreak,
	}: StackOverrides & { readonly onBreak: (fault: string) => void },
	prepared: PreparedStack,
	{ phones, mailbox, secret, certificates }: ConsoleAndPhones,
	shutdown: Shutdown,
) {
	onStep('Starting the table and the queues');
	const starting = Promise.all([startDynamo(prepared.file('dynamodb.db')), startQueues(prepared.file('queues'))]);
	const [dynamo, queues] = await starting;
	shutdown.add(() => dynamo.stop());
	void dynamo.died.then(() => onBreak(TABLE_DIED));
	shutdown.add(() => queues.stop());
	const { template, assets, code } = await buildAndSynth(prepared.state_dir, onStep);
	if (options.inspect !== null) await openForDebuggers(options.inspect, template, assets);
	onStep(`Deploying ${Object.keys(template.Resources).length} resources on this machine`);
	// The template does not output the settings of the simulator, because they contain its secret.
	const TELEPHONY_SETTINGS = JSON.stringify({ url: phones.url, secret });
	const own = { PUBLIC_BASE_URL: prepared.base_url, DOCS_URL: `${prepared.console_url}/docs`, TELEPHONY_SETTINGS };
	const settings: PlatformOptions = {
		template: withVariables(alter(template), own),
		assets,
		code,
		dynamo,
		queues,
		kms: localKms(prepared.file('keys')),
		mailbox,
		port: prepared.port,
		speed: options.speed,
		overrides: overridesOf(options, prepared, certificates),
		log_directory: prepared.file('logs'),
		inspect: options.inspect,
		onAct,
		used,
		answerers,
	};
	const operator = await startPlatform(settings, shutdown);
	return { ...operator, ...settings.overrides, TELEPHONY_SETTINGS, PUBLIC_BASE_URL: prepared.base_url };
}

/** The settings that only the local stack may change. local/overrides.ts reads them in the functions. */
function overridesOf(options: StackOptions, prepared: PreparedStack, { ca_pem }: Certificates): Record<string, string> {
	const { speed, retry_schedule, allow_webhook_hosts, trust } = options;
	const ownHosts = [prepared.inbox_port, prepared.listen_port].map((port) => `localhost:${port}`);
	return {
		LOCAL_WIDGET_SCRIPT: `${prepared.console_url}/widget/widget.js`,
		LOCAL_SPEED: String(speed),
		LOCAL_PATIENCE: String(PATIENCE),
		...(retry_schedule !== null && { LOCAL_RETRY_SCHEDULE: retry_schedule }),
		LOCAL_ALLOWED_WEBHOOK_HOSTS: [...ownHosts, ...allow_webhook_hosts].join(','),
		LOCAL_TRUSTED_CA_FILE: trustFile(prepared.file('trusted.pem'), ca_pem, trust),
	};
}

function secretFile(file: string): string {
	writeOnce(file, () => randomBytes(24).toString('hex'));
	return readFileSync(file, 'utf8');
}

function trustFile(file: string, inboxCa: string, own: string | null): string {
	writeWhole(file, `${inboxCa}\n${own === null ? '' : ownAuthorities(own)}`);
	return file;
}

function ownAuthorities(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		throw new OperatorError(`--trust ${file}: the file cannot be read`);
	}
}
