import { verifyWebhook } from '../../packages/client/webhooks.ts';
import type { EventStore } from './event-store.ts';

export type IncomingWebhook = {
	/** The bytes as received; anything else does not verify. */
	readonly body: string | Uint8Array;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * The part of a receiver that is the same in every framework: verify the request, store the event once, answer. Process
 * stored events afterwards: then a slow database or a crash causes a repeated delivery, never a lost event. Returns the
 * status to send.
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
	// Accept duplicate and stale events, too: the service retries after any other status.
	return 204;
}
