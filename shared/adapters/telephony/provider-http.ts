import { Agent as HttpAgent, request as plainRequest } from 'node:http';
import { Agent as HttpsAgent, request as tlsRequest } from 'node:https';

/** Longer answers are cut off: nothing we read from a provider comes near. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export type HttpCall = {
	readonly method: 'GET' | 'POST' | 'DELETE';
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | null;
	/** For everything, from the name look-up to the last byte of the answer. */
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
	/** No connection came about, so the server has not seen the request. */
	| { readonly answer: 'not_sent' }
	/** Time-out or reset: the server may or may not have acted on it. */
	| { readonly answer: 'lost' };

/** Failures of name look-up and connection: they come before the first byte of a request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

const kept = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

/**
 * One request. A question goes over a kept connection: should that have died while the function was frozen, it is asked
 * again on a connection of its own. Everything else has its own from the start, for a dial that meets a dead one cannot
 * know whether it was heard, and is lost.
 */
export async function callHttp(call: HttpCall): Promise<HttpAnswer> {
	const began_ms = performance.now();
	const asked = call.method === 'GET' ? await sendOnce(call, keptFor(call.url)) : await sendOnce(call, false);
	if (asked !== 'kept connection was dead') return asked;
	const timeout_ms = Math.max(1, call.timeout_ms - (performance.now() - began_ms));
	const again = await sendOnce({ ...call, timeout_ms }, false);
	return again === 'kept connection was dead' ? { answer: 'lost' } : again;
}

function keptFor({ protocol }: URL): HttpAgent {
	return protocol === 'http:' ? kept['http:'] : kept['https:'];
}

/** `agent`: what keeps the connection; false: it is closed after the answer. */
function sendOnce(call: HttpCall, agent: HttpAgent | false): Promise<HttpAnswer | 'kept connection was dead'> {
	const { promise, resolve } = Promise.withResolvers<HttpAnswer | 'kept connection was dead'>();
	const send = call.url.protocol === 'http:' ? plainRequest : tlsRequest;
	const length = call.body === null ? {} : { 'content-length': String(Buffer.byteLength(call.body)) };
	const request = send(call.url, { method: call.method, headers: { ...call.headers, ...length }, agent });
	const timer = setTimeout(() => settle({ answer: 'lost' }), call.timeout_ms);
	const settle = (answer: HttpAnswer | 'kept connection was dead', whole = false): void => {
		clearTimeout(timer);
		resolve(answer);
		if (!whole || agent === false) request.destroy();
	};
	request.on('error', (error) => {
		const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
		if (request.reusedSocket) settle('kept connection was dead');
		else settle({ answer: NOT_CONNECTED.has(code) ? 'not_sent' : 'lost' });
	});
	request.on('close', () => settle({ answer: 'lost' }));
	request.on('response', (response) => {
		const chunks: Buffer[] = [];
		let size = 0;
		response.on('data', (chunk: Buffer) => {
			chunks.push(chunk);
			size += chunk.byteLength;
			if (size > MAX_RESPONSE_BYTES) settle({ answer: 'lost' });
		});
		response.on('error', () => settle({ answer: 'lost' }));
		response.on('end', () => {
			const retry_after_seconds = wholeSeconds(response.headers['retry-after']);
			const body = Buffer.concat(chunks).toString('utf8');
			settle({ answer: 'response', status: response.statusCode ?? 0, retry_after_seconds, body }, true);
		});
	});
	request.end(call.body ?? undefined);
	return promise;
}

function wholeSeconds(header: string | undefined): number | null {
	return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null;
}

/** Why a request did not get what it asked for: the provider's own code where it gives one, else what became of it. */
export function codeOfFailure(answer: HttpAnswer, codeIn: (body: string) => string | null): string {
	if (answer.answer !== 'response') return answer.answer;
	const code = codeIn(answer.body);
	return code !== null && /^[\w.-]{1,40}$/.test(code) ? code : `http_${answer.status}`;
}

/** A body as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
