import { type Call, isTerminal } from './call.ts';

/** The public status route answers for this long after a call's end. */
const READABLE_AFTER_END_MS = 3_600_000;

/** How soon a widget that waits should ask again, by the call's age. */
const WAITING: readonly { readonly until_ms: number; readonly poll_after_ms: number }[] = [
	{ until_ms: 30_000, poll_after_ms: 1500 },
	{ until_ms: 60_000, poll_after_ms: 2500 },
	{ until_ms: Number.POSITIVE_INFINITY, poll_after_ms: 4000 },
];
const CONNECTED_POLL_AFTER_MS = 10_000;

/** `poll_after_ms`: milliseconds until the widget should ask again; null once there is nothing more to learn. */
export function pollInterval(call: Pick<Call, 'status' | 'created_at'>, now_ms: number): number | null {
	if (isTerminal(call.status)) return null;
	if (call.status === 'connected') return CONNECTED_POLL_AFTER_MS;
	const age_ms = now_ms - Date.parse(call.created_at);
	return WAITING.find(({ until_ms }) => age_ms < until_ms)?.poll_after_ms ?? null;
}

/** Whether the public status route still answers for the call: until one hour after its end. */
export function statusIsReadable(call: Pick<Call, 'completed_at'>, now_ms: number): boolean {
	return call.completed_at === null || now_ms - Date.parse(call.completed_at) < READABLE_AFTER_END_MS;
}
