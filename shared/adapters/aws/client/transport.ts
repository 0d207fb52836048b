import { Agent as HttpAgent, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { HttpResponse } from '@smithy/core/protocols';
import type { HttpRequest } from '@smithy/types';
import { wholeAnswer } from '../../https/whole-answer.ts';

/**
 * Sends requests to one host over kept connections: each once, with a time limit that includes the last byte of the
 * response. `failed`: the reason why there is no complete response (`timeout`, or the code of Node's error).
 */
export function keptConnections({ protocol }: URL) {
	const secure = protocol === 'https:';
	const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
	const start = secure ? overHttps : overHttp;
	return async ({ method, hostname, port, path, headers, body }: HttpRequest, timeout_ms: number) => {
		const request = start({ method, host: hostname, port, path, headers, agent });
		request.end(body);
		const transmission = await wholeAnswer(request, timeout_ms);
		if (!('failed' in transmission)) {
			const { statusCode = 0, headers } = transmission.answer;
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

/** AWS accepts signatures that are up to 5 minutes off; the SDK corrects its clock from 4 minutes on. */
const LARGEST_SKEW_MS = 240_000;

/** AWS's time: the machine's clock, corrected by the `Date` header of AWS's responses. */
export function serverClock() {
	let ahead_ms = 0;
	return {
		now: () => new Date(Date.now() + ahead_ms),
		/** Compares the clocks. True if ours was wrong, so that the caller can sign again. */
		correct({ headers }: HttpResponse): boolean {
			const skew_ms = Date.parse(headers['date'] ?? '') - Date.now();
			if (!(Math.abs(skew_ms - ahead_ms) >= LARGEST_SKEW_MS)) return false;
			ahead_ms = skew_ms;
			return true;
		},
	};
}
