import { isTerminal } from '../../domain/calls/call.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { StoreBusy } from '../../ports/store.ts';
import type { CallDeps } from './advance-call.ts';
import { requestStatus } from './request-status.ts';

/** Shows the end of a conversation to the page that waits for it, if there is one. */
export async function showEnd(
	before: CallRecord,
	after: CallRecord,
	{ pages, store, clock, speed }: CallDeps,
): Promise<void> {
	if (pages === undefined || before.connected_at === null || isTerminal(before.status) || !isTerminal(after.status)) {
		return;
	}
	const watch = await store.get('page_watch', { call_id: after.id }).catch(unlessBusy);
	if (watch === null) return;
	await pages.show(watch.connection_id, { data: requestStatus(after, { now_ms: clock.now(), speed }) });
}

/** The call has ended all the same, and the page polls. */
function unlessBusy(error: unknown): null {
	if (error instanceof StoreBusy) return null;
	throw error;
}
