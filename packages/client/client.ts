import { callsOver } from './calling.ts';
import { followerOver } from './follow.ts';
import { methodsOver } from './methods.ts';
import { type ClientOptions, transport } from './transport.ts';

type Methods = ReturnType<typeof methodsOver>;
type Recover = Methods['webhookEndpoints']['recover'];
type Client = Methods & { readonly events: { readonly follow: ReturnType<typeof followerOver> } };

/** Sends requests to recover until the recovery is complete, and adds up their results. */
function wholeRecovery(recoverPart: Recover): Recover {
	return async (id, body, call) => {
		let all = await recoverPart(id, body, call);
		while (all.next_cursor) {
			const { matched, queued, next_cursor } = await recoverPart(id, { ...body, cursor: all.next_cursor }, call);
			all = { ...all, matched: all.matched + matched, queued: all.queued + queued, next_cursor };
		}
		return all;
	};
}

/**
 * Creates a client with one method for each operation of the server API. Methods return the resource itself; lists return
 * a page. They throw `ApiError` if the API refuses, and `NoAnswerError` if no response arrives.
 *
 * The client retries requests that were not processed or are safe to repeat, up to `max_retries` times. If the response has a
 * Retry-After, the client waits at least that long, but does not retry if that is more than 30 s. Without a Retry-After, it waits
 * with exponential back-off and jitter.
 */
export function callBackClient(options: ClientOptions): Client {
	const methods = methodsOver(callsOver(transport(options)));
	const { webhookEndpoints, events } = methods;
	return {
		...methods,
		webhookEndpoints: { ...webhookEndpoints, recover: wholeRecovery(webhookEndpoints.recover) },
		events: { ...events, follow: followerOver(events.list) },
	};
}
