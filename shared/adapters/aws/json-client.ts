import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { type Credentials, signedHeaders } from './sign.ts';

/** The credentials of the environment, as Lambda sets them. */
export type AwsEnv = {
	readonly AWS_REGION: string;
	readonly AWS_ACCESS_KEY_ID: string;
	readonly AWS_SECRET_ACCESS_KEY: string;
	readonly AWS_SESSION_TOKEN?: string | undefined;
};
type AwsHost = {
	/** As it is signed. */
	readonly name: string;
	/** As its host begins; the name, unless it says otherwise. */
	readonly host?: string;
	/** Instead of AWS's own address. */
	readonly endpoint: string | undefined;
};
type AwsService = AwsHost & {
	readonly name: 'dynamodb' | 'sqs' | 'kms' | 'secretsmanager';
	/** Goes before the operation in `X-Amz-Target`. */
	readonly target: string;
	readonly json_version: '1.0' | '1.1';
};
type Operations = { readonly [operation: string]: { readonly input: object; readonly output: object } };

/** `refused`: AWS said no, by its code. `unclear`: no whole answer, or a 5xx; it may have been done or not. */
export type AwsAnswer<Output, Details> =
	| { readonly answer: 'ok'; readonly output: Output }
	| { readonly answer: 'refused'; readonly code: string; readonly details: Details }
	| { readonly answer: 'unclear'; readonly code: string };

/** One service of AWS, spoken to over one set of kept connections. Never retries and never throws. */
export type AwsClient<Ops extends Operations, Details> = {
	call<K extends keyof Ops & string>(
		operation: K,
		input: Ops[K]['input'],
		timeout_ms: number,
	): Promise<AwsAnswer<Ops[K]['output'], Details>>;
	/** Opens a first connection ahead of the first call. */
	connect(): void;
};

/** A client of AWS's JSON protocols (`X-Amz-Target`, one `POST /` for each operation). See docs/decisions for why not the SDK's. */
export function awsJsonClient<Ops extends Operations, Details = unknown>(
	service: AwsService,
	env: AwsEnv,
): AwsClient<Ops, Details> {
	const { url, send, post } = signedPosts(service, env);
	const type = `application/x-amz-json-${service.json_version}`;
	let opening: Promise<unknown> | null = null;
	return {
		async call(operation, input, timeout_ms) {
			await opening;
			const headers = { 'content-type': type, 'x-amz-target': `${service.target}.${operation}` };
			return answerOf(await post('/', headers, JSON.stringify(input), timeout_ms));
		},
		connect() {
			const ping = {
				method: 'GET',
				path: '/ping',
				headers: { host: url.host },
				body: '',
				timeout_ms: CONNECT_MS,
			} as const;
			// The first call waits for it and takes its connection: two handshakes at once would cost more than one.
			opening = send(ping).then(() => {
				opening = null;
			});
		},
	};
}

/** One POST to a path of a service that speaks AWS's REST protocol with JSON. Never retries and never throws. */
export function awsRestPost<Input extends object, Output>(
	service: AwsHost & { readonly host: string; readonly path: string },
	env: AwsEnv,
): (input: Input, timeout_ms: number) => Promise<AwsAnswer<Output, unknown>> {
	const { post } = signedPosts(service, env);
	const headers = { 'content-type': 'application/json' };
	return async (input, timeout_ms) => answerOf(await post(service.path, headers, JSON.stringify(input), timeout_ms));
}

function signedPosts(service: AwsHost, env: AwsEnv) {
	const host = `${service.host ?? service.name}.${env.AWS_REGION}.amazonaws.com`;
	const url = new URL(service.endpoint ?? `https://${host}`);
	const send = connection(url);
	const scope = { region: env.AWS_REGION, service: service.name };
	const credentials: Credentials = {
		access_key_id: env.AWS_ACCESS_KEY_ID,
		secret_access_key: env.AWS_SECRET_ACCESS_KEY,
		session_token: env.AWS_SESSION_TOKEN ?? null,
	};
	const post = (path: string, given: Headers, body: string, timeout_ms: number): Promise<Response> => {
		const headers = signedHeaders({ host: url.host, ...given }, body, credentials, scope, Date.now(), path);
		return send({ method: 'POST', path, headers, body, timeout_ms });
	};
	return { url, send, post };
}

/** AWS's endpoints answer a ping without a signature; whatever the answer, the connection stays open. */
const CONNECT_MS = 1000;
type Headers = Readonly<Record<string, string>>;
type Request = {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Headers;
	readonly body: string;
	readonly timeout_ms: number;
};
type Whole = {
	readonly status: number;
	readonly text: string;
	/** Where the REST protocol says which error it is. */
	readonly error_type: string | null;
};
type Response = Whole | { readonly failed: string };

function connection(url: URL): (request: Request) => Promise<Response> {
	const secure = url.protocol === 'https:';
	const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
	const start = secure ? overHttps : overHttp;
	return ({ method, path, headers, body, timeout_ms }) => {
		const length = { 'content-length': Buffer.byteLength(body) };
		const request = start({
			method,
			path,
			host: url.hostname,
			port: url.port,
			agent,
			headers: { ...headers, ...length },
		});
		request.end(body);
		return collected(request, timeout_ms).then((response) => {
			if ('failed' in response && request.reusedSocket) dropIdle(agent);
			return response;
		});
	};
}

/**
 * While a function is frozen the other side gives up all its connections, and a thawed process cannot tell. So once a
 * kept one turns out dead, no other is tried: the budget of a request would be spent on them.
 */
function dropIdle({ freeSockets }: HttpAgent | HttpsAgent): void {
	for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

/** The whole answer within the time, which runs from now to its last byte. */
function collected(request: ClientRequest, timeout_ms: number): Promise<Response> {
	return new Promise((resolve) => {
		const timer = setTimeout(() => finish({ failed: 'timeout' }), timeout_ms);
		const fail = (error: NodeJS.ErrnoException): void => finish({ failed: error.code ?? error.name });
		function finish(response: Response): void {
			clearTimeout(timer);
			resolve(response);
			if ('failed' in response) request.destroy();
		}
		request.on('error', fail);
		request.on('response', (message: IncomingMessage) => {
			const chunks: Buffer[] = [];
			message.on('data', (chunk: Buffer) => chunks.push(chunk));
			message.on('error', fail);
			message.on('end', () =>
				finish({
					status: message.statusCode ?? 0,
					text: Buffer.concat(chunks).toString('utf8'),
					error_type: message.headers['x-amzn-errortype']?.toString().split(':')[0] ?? null,
				}),
			);
		});
	});
}

/** The only place where AWS's word is taken for the shape of its answers. */
function parsed<T>(text: string): T {
	return JSON.parse(text);
}

function answerOf<Output, Details>(response: Response): AwsAnswer<Output, Details> {
	if ('failed' in response) return { answer: 'unclear', code: response.failed };
	const { status, text, error_type } = response;
	try {
		if (status === 200) return { answer: 'ok', output: parsed<Output>(text) };
		const details = parsed<Details & { readonly __type?: string }>(text);
		const code = details.__type?.split('#').pop() ?? error_type ?? `http_${status}`;
		return status >= 500 ? { answer: 'unclear', code } : { answer: 'refused', code, details };
	} catch {
		return { answer: 'unclear', code: `http_${status}` };
	}
}
