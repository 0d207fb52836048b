import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { methodsOfRoute, VERSION_PREFIX } from '../../../shared/contract/route.ts';
import { routes } from '../../../shared/contract/routes.ts';
import type { QueueName } from '../../../shared/ports/registry.ts';
import type { Stage } from './stage.ts';

// Loads the functions as Lambda does. Passes each request to the function of its route, and each message to its queue's worker.

type Handler = (event: object, context: object) => Promise<unknown>;
const handlers = new Map<string, Handler>();
const WORKERS: Readonly<Record<Exclude<QueueName, 'dead-letters'>, string>> = {
	'dial-legs': 'dial-leg',
	'hang-up-legs': 'hang-up-leg',
	'call-timers': 'call-timer',
	deliveries: 'deliver-webhook',
	retries: 'deliver-webhook',
	'team-notices': 'notify-team',
};

const SETTINGS = {
	AWS_REGION: 'eu-central-1',
	AWS_ACCESS_KEY_ID: 'x',
	AWS_SECRET_ACCESS_KEY: 'x',
	TABLE_NAME: 'world',
	NUMBER_PUBLIC_KEY: 'x',
	SEALING_KEY_ID: 'x',
	SECRET_KEY_ID: 'x',
	MAC_KEY_ID: 'x',
	TELEPHONY_PROVIDER: 'simulator',
	TELEPHONY_SETTINGS: '{}',
	CALLER_NUMBER: '',
	PUBLIC_BASE_URL: 'https://api.example/v1',
	MAIL_SENDER: 'team@api.example',
	DOCS_URL: 'https://docs.example',
	WIDGET_SCRIPT: 'https://widget.example/widget.js',
};

/** Loads every function once. Their ports always belong to the world that is being played. */
export async function loadFunctions(): Promise<void> {
	Object.assign(process.env, SETTINGS);
	const root = join(import.meta.dirname, '../../../functions');
	for (const file of globSync(['api/*/*.ts', 'workers/*.ts'], { cwd: root })) {
		const loaded: { readonly handler: Handler } = await import(join(root, file));
		handlers.set(basename(file, '.ts'), loaded.handler);
	}
}

function handlerOf(name: string): Handler {
	const handler = handlers.get(name);
	if (handler === undefined) throw new Error(`there is no function ${name}`);
	return handler;
}

/** Whether the worker handled the message. If it did not, SQS would deliver the message again. */
export async function work(queue: QueueName, body: string): Promise<boolean> {
	if (queue === 'dead-letters') return true;
	const answer = await handlerOf(WORKERS[queue])({ Records: [{ messageId: '1', body }] }, {});
	const { batchItemFailures } = answer as { readonly batchItemFailures: readonly unknown[] };
	return batchItemFailures.length === 0;
}

export const sweepTable = (): Promise<unknown> => handlerOf('sweep')({}, {});

export type Asked = {
	readonly method: string;
	/** The path below /v1, with its query. */
	readonly path: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly cookies?: readonly string[];
	readonly body?: string;
};
export type FunctionResponse = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};

const table = routes.map((route) => ({
	name: route.operation,
	methods: methodsOfRoute(route) as readonly string[],
	pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** Whether a shop refuses a call for now, because it has no members or because its rules allow no member's phone to ring. */
const isRefusal = ({ status, body }: FunctionResponse): boolean =>
	status === 503 && /"reason":"no_(team|agent_callable)"/.test(body);

/** Sends a request to its route. Null if the process died before it responded. */
export async function ask(
	stage: Stage,
	who: string,
	{ method, path, headers = {}, cookies = [], body }: Asked,
): Promise<FunctionResponse | null> {
	const [target = '', query] = path.split('?');
	const route = table.find(({ methods, pattern }) => methods.includes(method) && pattern.test(target));
	if (route === undefined) throw new Error(`there is no route for ${method} ${target}`);
	const event = {
		rawPath: `${VERSION_PREFIX}${target}`,
		headers: { 'content-type': 'application/json', ...headers },
		cookies,
		pathParameters: { ...route.pattern.exec(target)?.groups },
		queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
		...(body !== undefined && { body }),
		isBase64Encoded: false,
		requestContext: { requestId: 'request', http: { method, sourceIp: '192.0.2.1' } },
	};
	const { process, done } = stage.run(`${who} at ${route.name}`, () => handlerOf(route.name)(event, {}));
	try {
		const answer = (await done) as { statusCode: number; headers: Record<string, string>; body?: string };
		if (process.dead) return null;
		const said = { status: answer.statusCode, headers: answer.headers, body: answer.body ?? '' };
		if (said.status >= 500 && !process.hurt && !isRefusal(said))
			stage.broken('a request fails only by a fault', `${route.name} ${said.body}`);
		return said;
	} catch (error) {
		if (!process.dead) stage.broken('a function answers', `${route.name}: ${String(error)}`);
		return null;
	}
}
