import { verifyWebhook } from '../../packages/client/webhooks.ts';
import type { EventStore } from './event-store.ts';

export type IncomingWebhook = {
	/** The bytes as they were received. The signature does not match a body that was parsed and written again. */
	readonly body: string | Uint8Array;
	/** The names are in lower case. */
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * The part of a receiver that is the same in every framework: it verifies the request, stores the event once, and answers.
 * Process the stored events later, outside of the request: then a crash or a slow step of the processing can at most cause a
 * repeated delivery, and never loses an event. Returns the status to send.
 */
export async function receiveWebhook(
	{ body, headers }: IncomingWebhook,
	{ secret, store }: { readonly secret: string; readonly store: EventStore },
): Promise<204 | 400> {
	const result = verifyWebhook({ body, header: headers['service-signature'], secret });
	if (!result.verified) {
		console.warn(`webhook refused: ${result.error}. ${result.hint}`);
		return 400;
	}
	const { event } = result;
	const verdict = await store.keep(event, Number(headers['service-sequence']) || 0);
	console.log(`${event.event} ${event.id}: ${verdict}`);
	// Answer duplicate and stale events with 204, too, because the service retries after any other status.
	return 204;
}
