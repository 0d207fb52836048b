import { globSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { type GatewayRoute, matcher } from '../../local/gateway/gateway.ts';
import { httpEvent } from '../../local/gateway/http-event.ts';
import type { LocalFunction } from '../../local/lambda/functions.ts';
import { kmsMacs, kmsSecretVault } from '../../shared/adapters/aws/keys/kms.ts';
import { kmsNumberSealer } from '../../shared/adapters/aws/keys/number-vault.ts';
import { dynamoStore } from '../../shared/adapters/dynamodb/store.ts';
import { methodsOfRoute } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { functionStandIns } from '../support/aws/function-stand-ins.ts';
import { startProviderApi } from '../support/phones/phone-provider.ts';
import type { HostileAnswer } from './judge.ts';
import { PROVIDER_SECRET, type Provider, PUBLIC_BASE_URL, providers, settingsOf } from './providers.ts';
import type { HostileRequest } from './requests.ts';
import { ready } from './send.ts';
import { createWorld, type World } from './world.ts';

// Runs the API's functions in this process. Their requests to AWS go to the stand-ins of the local stack. Each function starts
// with environment variables for its settings, as on Lambda, and the local gateway's code turns requests into Lambda events.
// The functions need no processes of their own, so thousands of requests take only seconds.

export type Sent = { readonly answer: HostileAnswer; readonly world: World };
export type Target = {
	send(request: HostileRequest): Promise<Sent>;
	stop(): Promise<void>;
};
/** `renew` creates new records, because earlier requests may have used up the existing ones. */
export type InProcess = Target & { renew(): Promise<void> };

const REQUESTS_PER_WORLD = 400;

type Handler = (event: unknown, context: object) => Promise<unknown>;
type Result = { readonly statusCode: number; readonly headers: Record<string, string>; readonly body?: string };

/**
 * The routes of the template: those of the route table, a preflight route for each path of the widget, and a route for everything
 * else.
 */
function routeKeys(): readonly (readonly [routeKey: string, name: string])[] {
	const table = routes.flatMap((route) =>
		methodsOfRoute(route).map((method) => [`${method} /v1${route.path}`, route.operation] as const),
	);
	const widget = routes.filter(({ surface }) => surface === 'widget');
	const preflights = widget.map(({ path }) => [`OPTIONS /v1${path}`, 'preflight'] as const);
	return [...table, ...new Map(preflights), ['$default', 'fallback']];
}

/** Loads the functions with this provider. Each module is loaded again, because a function reads its settings when it starts. */
async function gatewayRoutes(provider: Provider): Promise<readonly GatewayRoute[]> {
	process.env['TELEPHONY_PROVIDER'] = provider;
	process.env['TELEPHONY_SETTINGS'] = JSON.stringify(settingsOf(provider));
	const handlers = new Map<string, Handler>();
	for (const file of globSync('*/*.ts', { cwd: join(import.meta.dirname, '../../functions/api') })) {
		const loaded = await import(`../../functions/api/${file}?provider=${provider}`);
		handlers.set(basename(file, '.ts'), loaded.handler);
	}
	return routeKeys().map(([routeKey, name]) => {
		const handler = handlers.get(name);
		if (handler === undefined) throw new Error(`functions/api has no ${name}`);
		const invoke: LocalFunction['invoke'] = async (event) => {
			return { invoked: 'ok', result: await handler(JSON.parse(JSON.stringify(event)), {}) };
		};
		return { routeKey, target: { name, invoke, stop: async () => undefined } };
	});
}

/** The request as node:http would parse it. */
function incoming({ method, target, headers }: HostileRequest): IncomingMessage {
	const cookie = headers.find(([name]) => name === 'cookie')?.[1];
	return {
		method,
		url: target,
		rawHeaders: headers.flat(),
		headers: { cookie },
		httpVersion: '1.1',
		socket: { remoteAddress: '127.0.0.1', localPort: 443 },
	} as unknown as IncomingMessage;
}

/** Keeps the functions' log out of the output of the tests. Adds its lines to `lines`, for a person who looks for a cause. */
async function quietly<T>(lines: string[], run: () => Promise<T>): Promise<T> {
	const write = process.stdout.write;
	process.stdout.write = (line: string | Uint8Array) => {
		lines.push(String(line));
		return true;
	};
	try {
		return await run();
	} finally {
		process.stdout.write = write;
	}
}

async function standIns() {
	const { env, stop } = await functionStandIns();
	const secrets = await startProviderApi(() => ({ status: 200, body: { SecretString: PROVIDER_SECRET } }));
	const settings = {
		CALLER_NUMBER: '+13125550100',
		PUBLIC_BASE_URL,
		WIDGET_SCRIPT: 'https://widget.example/widget.js',
		TELEPHONY_SECRET_ARN: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:telephony',
		AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
	};
	return {
		env: { ...env, ...settings },
		async stop() {
			await Promise.all([secrets.close(), stop()]);
		},
	};
}

/** Loads every function of the API into this process, with separate stand-ins, and creates two customers to attack. */
export async function functionsInProcess(): Promise<InProcess> {
	const { env, stop } = await standIns();
	Object.assign(process.env, env);
	const vault = kmsSecretVault(env);
	const deps = {
		store: dynamoStore(env),
		sealer: kmsNumberSealer(env),
		macs: kmsMacs(env),
		sealSecret: vault.sealSecret,
	};
	let world = await createWorld(deps);
	let sent = 0;
	const matchers = new Map<Provider, ReturnType<typeof matcher>>();
	for (const provider of providers) matchers.set(provider, matcher(await gatewayRoutes(provider)));
	async function renew(): Promise<void> {
		world = await createWorld(deps);
	}
	return {
		renew,
		async send(request) {
			sent += 1;
			// After this many requests, too many of the records are deleted, ended or used up.
			if (sent % REQUESTS_PER_WORLD === 0) await renew();
			const raw = ready(request, world);
			const route = matchers.get(raw.provider)?.(raw.method, raw.target.split('?', 1)[0] ?? '') ?? null;
			if (route === null) throw new Error('the table has no $default');
			const body = Buffer.from(raw.body ?? '', 'latin1');
			const event = httpEvent(incoming(raw), body, route, new Date());
			const log: string[] = [];
			const before = process.cpuUsage();
			const invoked = await quietly(log, () => route.target.invoke(event).catch((error: unknown) => ({ error })));
			const { user, system } = process.cpuUsage(before);
			const cpu_ms = (user + system) / 1000;
			if (!('result' in invoked)) {
				return {
					world,
					answer: { status: 0, headers: {}, text: '', cpu_ms, log: [...log, String(Object.values(invoked))] },
				};
			}
			const { statusCode, headers, body: text = '' } = JSON.parse(JSON.stringify(invoked.result)) as Result;
			return { world, answer: { status: statusCode, headers, text, log, cpu_ms } };
		},
		stop,
	};
}
