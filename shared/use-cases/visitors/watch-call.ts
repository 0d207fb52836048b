import { type CallStatus, isTerminal } from '../../domain/calls/call.ts';
import type { Ports } from '../../ports/ports.ts';

/** No connection lasts longer than 2 hours (API Gateway, "Quotas for WebSocket APIs"). */
const KEPT_MS = 3 * 3_600_000;

export type WatchCallResult =
	| { readonly outcome: 'watching' | 'not_found' }
	| { readonly outcome: 'call_already_terminal'; readonly call_status: CallStatus };

/**
 * Notes that a page waits for the end of its call; the page that came last counts. The call is read after the note is written,
 * so either this sees that the call has ended, or the function that ends it sees the note.
 */
export async function watchCall(
	{ call_id, connection_id }: { readonly call_id: string; readonly connection_id: string },
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<WatchCallResult> {
	const expires_at_epoch_s = Math.ceil((clock.now() + KEPT_MS) / 1000);
	const item = { call_id, connection_id, expires_at_epoch_s };
	await store.commit([{ op: 'put', record: 'page_watch', item, guard: { if: 'always' } }]);
	const call = await store.get('call', { id: call_id });
	if (call === null) return { outcome: 'not_found' };
	const { status } = call;
	return isTerminal(status) ? { outcome: 'call_already_terminal', call_status: status } : { outcome: 'watching' };
}
