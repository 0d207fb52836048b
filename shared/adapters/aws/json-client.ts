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
type AwsService = {
	/** As it is signed and as its host begins. */
	readonly name: 'dynamodb' | 'sqs' | 'kms' | 'secretsmanager';
	/** Goes before the operation in `X-Amz-Target`. */
	readonly target: string;
	readonly json_version: '1.0' | '1.1';
	/** Instead of AWS's own address. */
	readonly endpoint: string | undefined;
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
	const url = new URL(service.endpoint ?? `https://${service.name}.${env.AWS_REGION}.amazonaws.com`);
	const send = connection(url);
	const scope = { region: env.AWS_REGION, service: service.name };
	const credentials: Credentials = {
		access_key_id: env.AWS_ACCESS_KEY_ID,
		secret_access_key: env.AWS_SECRET_ACCESS_KEY,
		session_token: env.AWS_SESSION_TOKEN ?? null,
	};
	const type = `application/x-amz-json-${service.json_version}`;
	let opening: Promise<unknown> | null = null;
	return {
		async call(operation, input, timeout_ms) {
			await opening;
			const body = JSON.stringify(input);
			const unsigned = { host: url.host, 'content-type': type, 'x-amz-target': `${service.target}.${operation}` };
			const headers = signedHeaders(unsigned, body, credentials, scope, Date.now());
			const response = await send({ method: 'POST', path: '/', headers, body, timeout_ms });
			return 'status' in response ? read(response) : { answer: 'unclear', code: response.failed };
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

/** AWS's endpoints answer a ping without a signature; whatever the answer, the connection stays open. */
const CONNECT_MS = 1000;
type Request = {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly timeout_ms: number;
};
type Response = { readonly status: number; readonly text: string } | { readonly failed: string };

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
		const response = collected(request, timeout_ms);
		request.end(body);
		return response;
	};
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
				finish({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
			);
		});
	});
}

/** The only place where AWS's word is taken for the shape of its answers. */
function parsed<T>(text: string): T {
	return JSON.parse(text);
}

function read<Output, Details>(response: {
	readonly status: number;
	readonly text: string;
}): AwsAnswer<Output, Details> {
	try {
		if (response.status === 200) return { answer: 'ok', output: parsed<Output>(response.text) };
		const details = parsed<Details & { readonly __type?: string }>(response.text);
		const code = details.__type?.split('#').pop() ?? `http_${response.status}`;
		return response.status >= 500 ? { answer: 'unclear', code } : { answer: 'refused', code, details };
	} catch {
		return { answer: 'unclear', code: `http_${response.status}` };
	}
}
