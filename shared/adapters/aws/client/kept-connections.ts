import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/types';
import { wholeAnswer } from '../../https/whole-answer.ts';

/** A complete response, or the reason why there is none (`timeout`, or the code of Node's error). */
export type Received = HttpResponse | { readonly failed: string };

/**
 * Sends requests to one host over kept connections: each once, with a time limit that includes the last byte of the
 * response.
 */
export function keptConnections({ protocol }: URL): (request: HttpRequest, timeout_ms: number) => Promise<Received> {
	const secure = protocol === 'https:';
	const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
	const start = secure ? overHttps : overHttp;
	return async ({ method, hostname, port, path, headers, body }, timeout_ms) => {
		const request = start({ method, host: hostname, port, path, headers, agent });
		request.end(body);
		const received = await wholeAnswer(request, timeout_ms);
		if (!('failed' in received)) return responseOf(received.answer, received.body);
		if (request.reusedSocket) dropIdle(agent);
		return { failed: received.failed };
	};
}

/**
 * While a function is frozen, the server closes all its connections, and a thawed process does not notice. So when one kept
 * connection turns out to be dead, drop all of them: trying each would use up the request's budget.
 */
function dropIdle({ freeSockets }: HttpAgent | HttpsAgent): void {
	for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, body: Buffer): HttpResponse {
	const single = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	return new HttpResponse({ statusCode, headers: Object.fromEntries(single), body });
}
