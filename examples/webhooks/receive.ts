import { verifyWebhook } from '../../client/webhooks.ts';
import type { EventStore } from './event-store.ts';

export type IncomingWebhook = {
	/** The bytes as received; anything else does not verify. */
	readonly body: string | Uint8Array;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * What a receiver does in every framework: verify, keep the event once, answer. The work
 * itself comes afterwards, from what was kept: a slow database or a crash then costs a repeated delivery, never an event.
 * Answers the status to send.
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
	const kept = await store.keep(event, Number(headers['service-sequence']) || 0);
	console.log(`${event.event} ${event.id}: ${kept}`);
	// A duplicate and a stale one are done, too: anything but a 2xx would bring them again.
	return 204;
}
