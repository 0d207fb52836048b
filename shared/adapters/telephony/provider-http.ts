import { Agent as HttpAgent, request as plainRequest } from 'node:http';
import { Agent as HttpsAgent, request as tlsRequest } from 'node:https';
import type { Clock } from '../../ports/clock.ts';
import { wholeAnswer } from '../https/whole-answer.ts';

/** Longer responses are cut off; no expected response is nearly as long. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/** The common dependencies of every provider, in addition to its settings. */
export type ProviderOptions = {
	/** The public address that callbacks go to, ending in /v1. */
	readonly public_base_url: string;
	readonly clock: Clock;
	/** Where the provider's REST API is. */
	readonly api_url: string;
};

export type HttpCall = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	/** The time limit for everything, from the name look-up to the last byte of the response. */
	readonly timeout_ms: number;
};

export type HttpAnswer =
	| {
			readonly answer: 'response';
			readonly status: number;
			/** Whole seconds, of a Retry-After in seconds. */
			readonly retry_after_seconds: number | null;
			readonly body: string;
	  }
	/** The connection failed, so the server has not seen the request. */
	| { readonly answer: 'not_sent' }
	/** Time-out or reset: the server may or may not have acted on it. */
	| { readonly answer: 'lost' };

/** Failures of name look-up and connection, which happen before the first byte of a request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

const plain = { send: plainRequest, agent: new HttpAgent({ keepAlive: true }) };
const secure = { send: tlsRequest, agent: new HttpsAgent({ keepAlive: true }) };

/**
 * Sends one request. A look-up uses a kept connection: if that died while the function was frozen, the look-up is repeated
 * on a new connection. All other requests use a new connection from the start, because after a dial on a dead connection it
 * would be unknown whether the provider received it.
 */
export async function callHttp(call: HttpCall): Promise<HttpAnswer> {
	const began_ms = performance.now();
	const asked = await sendOnce(call, call.method === 'GET');
	if (asked !== 'kept connection was dead') return asked;
	const timeout_ms = Math.max(1, call.timeout_ms - (performance.now() - began_ms));
	const again = await sendOnce({ ...call, timeout_ms }, false);
	return again === 'kept connection was dead' ? { answer: 'lost' } : again;
}

/** `keep`: over a kept connection; otherwise over its own, which is closed after the answer. */
async function sendOnce(call: HttpCall, keep: boolean): Promise<HttpAnswer | 'kept connection was dead'> {
	const { send, agent } = call.url.protocol === 'http:' ? plain : secure;
	const length = call.body === null ? {} : { 'content-length': String(Buffer.byteLength(call.body)) };
	const request = send(call.url, {
		method: call.method,
		headers: { ...call.headers, ...length },
		agent: keep && agent,
	});
	request.end(call.body ?? undefined);
	const received = await wholeAnswer(request, call.timeout_ms, MAX_RESPONSE_BYTES);
	if (!('failed' in received)) {
		if (!keep) request.destroy();
		const { statusCode = 0, headers } = received.answer;
		const retry_after_seconds = wholeSeconds(headers['retry-after']);
		return { answer: 'response', status: statusCode, retry_after_seconds, body: received.body.toString('utf8') };
	}
	const { failed, answer } = received;
	if (request.reusedSocket && answer === null && failed !== 'timeout') return 'kept connection was dead';
	return { answer: NOT_CONNECTED.has(failed) ? 'not_sent' : 'lost' };
}

function wholeSeconds(header: string | undefined): number | null {
	return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** Why a request failed: the provider's own code if there is one, otherwise what happened to the request. */
export function codeOfFailure(answer: HttpAnswer, codeIn: (body: string) => string | null): string {
	if (answer.answer !== 'response') return answer.answer;
	const code = codeIn(answer.body);
	return code !== null && /^[\w.-]{1,40}$/.test(code) ? code : `http_${answer.status}`;
}

/** Parses a body as JSON; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
