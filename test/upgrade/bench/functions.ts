import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { methodsOfRoute, VERSION_PREFIX } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import type { QueueName } from '../../../shared/ports/registry.ts';

// Loads the functions as Lambda does. Passes each request to the function of its route, and each message to its queue's
// worker.

type Handler = (event: object, context: object) => Promise<unknown>;

const WORKERS: Readonly<Record<Exclude<QueueName, 'dead-letters'>, string>> = {
	'dial-legs': 'dial-leg',
	'hang-up-legs': 'hang-up-leg',
	'call-timers': 'call-timer',
	deliveries: 'deliver-webhook',
	retries: 'deliver-webhook',
	'team-notices': 'notify-team',
};

/** A request as a client sends it. `path` is the path after the host, with the query. */
export type Request = {
	readonly method: string;
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: readonly string[];
	readonly body?: string;
};
export type Response = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly cookies: readonly string[];
	readonly body: string;
};
type Answered = {
	readonly statusCode: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: readonly string[];
	readonly body?: string;
};

/** Loads every function. They read the environment variables of this process. */
export async function loadFunctions() {
	const handlers = new Map<string, Handler>();
	const root = join(import.meta.dirname, '../../../functions');
	for (const file of globSync(['api/*/*.ts', 'workers/*.ts'], { cwd: root })) {
		const loaded: { readonly handler: Handler } = await import(join(root, file));
		handlers.set(basename(file, '.ts'), loaded.handler);
	}
	const table = routes.map((route) => ({
		name: route.operation,
		methods: methodsOfRoute(route) as readonly string[],
		pattern: new RegExp(`^${VERSION_PREFIX}${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
	}));
	const run = (name: string, event: object): Promise<unknown> => {
		const handler = handlers.get(name);
		if (handler === undefined) throw new Error(`there is no function ${name}`);
		return handler(event, {});
	};
	return {
		async ask({ method, path, headers = {}, cookies = [], body }: Request): Promise<Response> {
			const [target = '', query] = path.split('?');
			const route = table.find(({ methods, pattern }) => methods.includes(method) && pattern.test(target));
			const event = {
				rawPath: target,
				headers: { host: 'api.example', ...headers },
				cookies,
				pathParameters: { ...route?.pattern.exec(target)?.groups },
				queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
				...(body !== undefined && { body }),
				isBase64Encoded: false,
				requestContext: { requestId: 'request', http: { method, path: target, sourceIp: '192.0.2.1' } },
			};
			const name = method === 'OPTIONS' ? 'preflight' : (route?.name ?? 'fallback');
			const answered = (await run(name, event)) as Answered;
			const { statusCode: status, headers: said = {}, cookies: set = [], body: text = '' } = answered;
			return { status, headers: said, cookies: set, body: text };
		},
		/** Whether the worker handled the message. If it did not, SQS would deliver the message again. */
		async work(queue: Exclude<QueueName, 'dead-letters'>, body: string): Promise<boolean> {
			const answer = await run(WORKERS[queue], { Records: [{ messageId: '1', body }] });
			const { batchItemFailures } = answer as { readonly batchItemFailures: readonly unknown[] };
			return batchItemFailures.length === 0;
		},
		sweep: () => run('sweep', {}),
	};
}
