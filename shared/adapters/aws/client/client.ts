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
// The build of the local stack replaces it with local/overrides.ts.
import { overrides } from '../../../overrides.ts';
import { timeLimit } from '../../clock.ts';
import { wholeResponse } from '../../https/whole-response.ts';
import { awsEndpoint, credentialsOf } from './account.ts';
import { isSignatureRefusal } from './failure.ts';
import type { AwsOperation } from './operation.ts';

/** `refused`: with AWS's code. `unclear`: no complete response, or a 5xx; the operation may have happened. */
export type AwsResult<Output> =
	| { readonly outcome: 'ok'; readonly output: Output }
	| { readonly outcome: 'refused'; readonly code: string; readonly error: ServiceException }
	| { readonly outcome: 'unclear'; readonly code: string };

/** `name` is the service's name in signatures and, without a `host`, in host names; `endpoint` replaces AWS's own. */
type Service = {
	readonly name: string;
	readonly host?: string;
	readonly endpoint: string | undefined;
	readonly protocol: Protocol;
};
type Protocol = ClientProtocol<Request, HttpResponse>;

const streamCollector = async (body: Uint8Array) => body;
const coders = { base64Decoder: fromBase64, base64Encoder: toBase64, utf8Decoder: fromUtf8, utf8Encoder: toUtf8 };

/** Sends operations of the SDK's model once, with a time limit, and never throws for a response (ADR 0014). */
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

/** Returns a key object: with the bytes themselves, as the SDK passes them, Node.js takes several times as long. */
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
 * Sends requests to one host over kept connections: each once, with a time limit that includes the last byte of the
 * response. `failed`: `timeout`, or the code of Node's error.
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
		// While a function is frozen, the server closes all its connections, and a thawed process does not notice. So when one
		// kept connection turns out to be dead, drop all of them: trying each would use up the request's budget.
		const dead = request.reusedSocket ? Object.values(agent.freeSockets).flat() : [];
		for (const socket of dead) socket?.destroy();
		return { failed: transmission.failed };
	};
}

/** A caller's time budget for one result. */
export type Budget = {
	readonly tries: number;
	readonly try_ms: number;
	/** No try starts after this. */
	readonly total_ms: number;
};
/** For functions that a client waits for. */
export const VISITOR_BUDGET: Budget = { tries: 3, try_ms: 1000, total_ms: 3000 };
/** For workers, which no client waits for. */
export const WORKER_BUDGET: Budget = { tries: 8, try_ms: 3000, total_ms: 20_000 };

const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 200;

/**
 * Tries again with exponential back-off and full jitter (pauses of up to 25 to 200 ms) until the result is clear or the
 * budget is spent; returns the last result. An unclear try may nevertheless have succeeded, so the operation must be
 * idempotent.
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

/** The code of a request that was not sent, because its time or the function's is over. */
const OUT_OF_TIME = 'out_of_time';

/**
 * Asks until AWS answers clearly; `unclear`: the budget is spent, or the function’s time, or `inTime` is false. `passes`
 * names the transient refusals. A refused signature is always transient, because each try signs again; at the last try, it is
 * the result. Nothing is sent after the function’s time, because a frozen function would otherwise continue when it is
 * thawed.
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
