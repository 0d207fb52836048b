import { type Call, isTerminal } from './call.ts';

/** The public status route answers for this long after a call's end. */
const READABLE_AFTER_END_MS = 3_600_000;

/**
 * Before the conversation, a widget polls after 3/5 of the time it has waited: frequently at first, when the phones start
 * to ring.
 */
const WAITING_MS = { share: 3 / 5, least: 1500, most: 5000 } as const;
/**
 * During the conversation, the visitor does not look at the page, so the widget polls after as long as the conversation has
 * lasted. A visitor who returns to the page sees the end at once, because the widget also polls when the page is shown
 * again or touched (`widget/request/pace.ts`). A page that is shown the end (`show-end.ts`) polls even less.
 */
const TALKING_MS = { share: 1, least: 60_000, most: 240_000 } as const;

/** The moment of a poll, and what sets its pace. */
export type PollMoment = {
	readonly now_ms: number;
	/** That of the phones: simulated people may talk faster. */
	readonly speed: number;
};

type Pace = { readonly share: number; readonly least: number; readonly most: number };

function paceOf({ share, least, most }: Pace, since: string, now_ms: number): number {
	return Math.round(Math.min(most, Math.max(least, (now_ms - Date.parse(since)) * share)));
}

/** `poll_after_ms`: milliseconds until the next poll; null once nothing can change any more. */
export function pollInterval(
	{ status, created_at, connected_at }: Pick<Call, 'status' | 'created_at' | 'connected_at'>,
	{ now_ms, speed }: PollMoment,
): number | null {
	if (isTerminal(status)) return null;
	if (connected_at === null) return paceOf(WAITING_MS, created_at, now_ms);
	const { share, least, most } = TALKING_MS;
	return paceOf({ share, least: least / speed, most: most / speed }, connected_at, now_ms);
}

/** Whether the public status route still answers for the call: until one hour after its end. */
export function statusIsReadable(call: Pick<Call, 'completed_at'>, now_ms: number): boolean {
	return call.completed_at === null || now_ms - Date.parse(call.completed_at) < READABLE_AFTER_END_MS;
}
