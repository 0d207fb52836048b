import { type Call, isTerminal } from './call.ts';

/** The public status route answers for this long after a call's end. */
const READABLE_AFTER_END_MS = 3_600_000;

/** While it waits, a widget asks again after half of what it has waited: lively at first, when the phones begin to ring. */
const WAITING_MS = { share: 1 / 2, least: 1500, most: 5000 } as const;
/**
 * A visitor who talks does not look at the page: the widget asks again after as long as the talk has lasted. What ends is
 * seen by one who comes back to the page, for the widget asks when the page is shown again, or touched (`widget/request/pace.ts`).
 */
const TALKING_MS = { share: 1, least: 20_000, most: 240_000 } as const;

type Pace = { readonly share: number; readonly least: number; readonly most: number };

function paceOf({ share, least, most }: Pace, since: string, now_ms: number): number {
	return Math.round(Math.min(most, Math.max(least, (now_ms - Date.parse(since)) * share)));
}

/** `poll_after_ms`: milliseconds until the widget should ask again; null once there is nothing more to learn. */
export function pollInterval(
	{ status, created_at, connected_at }: Pick<Call, 'status' | 'created_at' | 'connected_at'>,
	now_ms: number,
): number | null {
	if (isTerminal(status)) return null;
	return connected_at === null ? paceOf(WAITING_MS, created_at, now_ms) : paceOf(TALKING_MS, connected_at, now_ms);
}

/** Whether the public status route still answers for the call: until one hour after its end. */
export function statusIsReadable(call: Pick<Call, 'completed_at'>, now_ms: number): boolean {
	return call.completed_at === null || now_ms - Date.parse(call.completed_at) < READABLE_AFTER_END_MS;
}
