import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import { Agent as HttpAgent, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { ServiceException } from '@smithy/core/client';
import { HttpResponse } from '@smithy/core/protocols';
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { parseUrl } from '@smithy/core/transport';
import { SignatureV4 } from '@smithy/signature-v4';
import type {
	Checksum,
	ClientProtocol,
	MetadataBearer,
	OperationSchema,
	HttpRequest as Request,
	SourceData,
} from '@smithy/types';
import type { AwsEnv } from '../../../env.ts';
// The build of the local stack replaces this import with local/overrides.ts.
import { overrides } from '../../../overrides.ts';
import { timeLimit } from '../../clock.ts';
import { wholeResponse } from '../../https/whole-response.ts';
import { awsEndpoint, credentialsOf } from './account.ts';
import { isSignatureRefusal } from './failure.ts';
import type { AwsOperation } from './operation.ts';

/**
 * `refused`: AWS refused the request; `code` is AWS's error code. `unclear`: AWS did not clearly accept or refuse the
 * request (no complete response, a 5xx or an unknown error), so AWS may have performed the operation.
 */
export type AwsResult<Output> =
	| { readonly outcome: 'ok'; readonly output: Output }
	| { readonly outcome: 'refused'; readonly code: string; readonly error: ServiceException }
	| { readonly outcome: 'unclear'; readonly code: string };

/**
 * `name`: the service's name in signatures. The address is made from `host`, or from `name` if `host` is absent, unless
 * `endpoint` gives the whole address.
 */
type Service = {
	readonly name: string;
	readonly host?: string;
	readonly endpoint: string | undefined;
	readonly protocol: Protocol;
};
type Protocol = ClientProtocol<Request, HttpResponse>;

const streamCollector = async (body: Uint8Array) => body;
const coders = { base64Decoder: fromBase64, base64Encoder: toBase64, utf8Decoder: fromUtf8, utf8Encoder: toUtf8 };

/**
 * A client for operations of the SDK's model. The client sends each operation once, with a time limit. If AWS responds,
 * `send` never throws because of a response (ADR 0014).
 */
export function awsClient({ name, host = name, endpoint, protocol }: Service, env: AwsEnv) {
	const url = new URL(endpoint ?? awsEndpoint(host, env));
	const account = { region: env.AWS_REGION, credentials: credentialsOf(env) };
	const signer = new SignatureV4({ service: name, ...account, sha256: NodeSha256, applyChecksum: false });
	const transmit = pooledConnections(url);
	const place = parseUrl(url);
	const context = { ...coders, streamCollector, endpoint: async () => place };
	protocol.setSerdeContext(context);

	async function resultOf<Output extends MetadataBearer>(
		operation: OperationSchema,
		response: HttpResponse,
	): Promise<AwsResult<Output>> {
		try {
			return { outcome: 'ok', output: await protocol.deserializeResponse<Output>(operation, context, response) };
		} catch (error) {
			const isKnownError = error instanceof ServiceException && error.name !== 'Unknown';
			if (!isKnownError) return { outcome: 'unclear', code: `http_${response.statusCode}` };
			const { name: code } = error;
			return response.statusCode >= 500 ? { outcome: 'unclear', code } : { outcome: 'refused', code, error };
		}
	}
	return {
		async send<In extends object, Out extends MetadataBearer>(
			operation: AwsOperation<In, Out>,
			input: In,
			timeoutMs: number,
		): Promise<AwsResult<Out>> {
			const request = await protocol.serializeRequest(operation, input, context);
			request.headers['host'] = url.host;
			const transmission = await transmit(await signer.sign(request), timeoutMs);
			return 'failed' in transmission
				? { outcome: 'unclear', code: transmission.failed }
				: resultOf<Out>(operation, transmission);
		},
	};
}

export type AwsClient = ReturnType<typeof awsClient>;

/**
 * Turns the bytes of a secret into a key object. The SDK passes the bytes themselves to Node.js, which then takes several times
 * as long for a MAC as with a key object. A secret that is a text stays a text.
 */
function keyOf(secret: SourceData): KeyObject | string {
	if (typeof secret === 'string') return secret;
	const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(secret) ? secret : new Uint8Array(secret);
	return createSecretKey(new Uint8Array(buffer, byteOffset, byteLength));
}

export class NodeSha256 implements Checksum {
	#hash: Hash | Hmac;
	readonly #secret: SourceData | undefined;

	constructor(secret?: SourceData) {
		this.#secret = secret;
		this.#hash = this.#start();
	}
	update(chunk: Uint8Array): void {
		this.#hash.update(chunk);
	}
	async digest(): Promise<Uint8Array> {
		return this.#hash.digest();
	}
	reset(): void {
		this.#hash = this.#start();
	}
	#start(): Hash | Hmac {
		return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(this.#secret));
	}
}

/**
 * Sends requests to one host over connections that stay open. Each request is sent once. The time limit of a request
 * includes the last byte of the response. Without a complete response, `failed` is `timeout` or the code of Node's error.
 */
export function pooledConnections({ protocol }: URL) {
	const secure = protocol === 'https:';
	const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
	const start = secure ? overHttps : overHttp;
	return async ({ method, hostname, port, path, headers, body }: Request, timeoutMs: number) => {
		const request = start({ method, host: hostname, port, path, headers, agent });
		request.end(body);
		const transmission = await wholeResponse(request, timeoutMs);
		if (!('failed' in transmission)) {
			const { statusCode = 0, headers } = transmission.response;
			const single = Object.entries(headers).map(([name, value]) => [name, String(value)]);
			return new HttpResponse({ statusCode, headers: Object.fromEntries(single), body: transmission.body });
		}
		// While a function is frozen, the server closes all of the function's connections. When the function runs again,
		// the process does not notice this. So if one open connection turns out to be dead, drop all of them: trying each
		// would use up the time for the request.
		const dead = request.reusedSocket ? Object.values(agent.freeSockets).flat() : [];
		for (const socket of dead) socket?.destroy();
		return { failed: transmission.failed };
	};
}

/** How many times, and for how long, a caller tries to get one result. */
export type Budget = {
	readonly tries: number;
	readonly try_ms: number;
	/** After this time, no further try begins. */
	readonly total_ms: number;
};
/** The budget of a function whose response a client waits for. */
export const VISITOR_BUDGET: Budget = { tries: 3, try_ms: 1000, total_ms: 3000 };
/** The budget of a worker. No client waits for a worker. */
export const WORKER_BUDGET: Budget = { tries: 8, try_ms: 3000, total_ms: 20_000 };

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 200;

/**
 * Repeats a try until its result is clear, or until the budget is used up. Between tries, this function waits for a random
 * time: at most 25 ms after the first try, and at most 200 ms after later tries (exponential back-off with full jitter).
 * Returns the last result. A try with an unclear result may have succeeded, so the operation must be idempotent.
 */
export async function withinBudget<T>(
	budget: Budget,
	attempt: (tryMs: number) => Promise<T>,
	isClear: (result: T) => boolean,
): Promise<T> {
	const { patience } = overrides;
	let leftMs = budget.total_ms * patience;
	const endSeconds = process.uptime() + leftMs / 1000;
	for (let n = 1; ; n += 1) {
		const result = await attempt(Math.min(budget.try_ms * patience, leftMs));
		if (isClear(result) || n === budget.tries) return result;
		await pause(Math.random() * Math.min(FIRST_DELAY_MS * 2 ** (n - 1), LONGEST_DELAY_MS));
		leftMs = (endSeconds - process.uptime()) * 1000;
		if (leftMs <= 0) return result;
	}
}

export type AwsRefusal = Extract<AwsResult<never>, { outcome: 'refused' }>;

/** The code of a request that was not sent, because no time was left for it. */
const OUT_OF_TIME = 'out_of_time';

/**
 * Repeats a request until AWS answers clearly. Before each try, `inTime` returns whether the request may still be sent.
 * `passes` returns whether a refusal is temporary. The result is `unclear` if the budget is used up, if the function's time is
 * over, or if `inTime` returns false. The refusal of a signature is always temporary, because each try is signed again. If the
 * signature of the last try is refused, that refusal is the result. Nothing is sent after the function's time is over.
 * Otherwise, Lambda might freeze the function during the request, and the request would continue when the function runs again.
 */
export async function sendToAws<In extends object, Out extends MetadataBearer>(
	aws: AwsClient,
	operation: AwsOperation<In, Out>,
	input: In,
	budget: Budget,
	passes: (refusal: AwsRefusal) => boolean,
	inTime: () => boolean = () => true,
): Promise<AwsResult<Out>> {
	const attempt = async (tryMs: number): Promise<AwsResult<Out>> => {
		const leftMs = timeLimit.left_ms();
		if (leftMs <= 0 || !inTime()) return { outcome: 'unclear', code: OUT_OF_TIME };
		const result = await aws.send(operation, input, Math.min(tryMs, leftMs));
		return result.outcome === 'refused' && passes(result) ? { outcome: 'unclear', code: result.code } : result;
	};
	return withinBudget(budget, attempt, (result) => {
		if (result.outcome === 'unclear') return result.code === OUT_OF_TIME;
		return result.outcome === 'ok' || !isSignatureRefusal(result.code);
	});
}
