import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';

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

/**
 * One request on a connection of its own. A kept connection may have died while the function was frozen; a dial that
 * meets one cannot know whether it was heard, and is lost.
 */
export function callHttp(call: HttpCall): Promise<HttpAnswer> {
	const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
	const send = call.url.protocol === 'http:' ? plainRequest : tlsRequest;
	const length = call.body === null ? {} : { 'content-length': String(Buffer.byteLength(call.body)) };
	const request = send(call.url, { method: call.method, headers: { ...call.headers, ...length }, agent: false });
	const timer = setTimeout(() => request.destroy(), call.timeout_ms);
	const settle = (answer: HttpAnswer): void => {
		clearTimeout(timer);
		resolve(answer);
		request.destroy();
	};
	request.on('error', (error) => {
		const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
		settle({ answer: NOT_CONNECTED.has(code) ? 'not_sent' : 'lost' });
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
			settle({ answer: 'response', status: response.statusCode ?? 0, retry_after_seconds, body });
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
