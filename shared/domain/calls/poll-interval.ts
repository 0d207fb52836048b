import { type Call, isTerminal } from './call.ts';

/** For how long after the end of a call the public status route still answers. */
const READABLE_AFTER_END_MS = 3_600_000;

/**
 * Milliseconds until the next poll, by the time since the request. Polls are frequent at first, while the phones begin to
 * ring.
 */
const WAITING = [
	{ until_ms: 30_000, poll_ms: 1000 },
	{ until_ms: 60_000, poll_ms: 2500 },
	{ until_ms: Number.POSITIVE_INFINITY, poll_ms: 4000 },
] as const;
/**
 * Milliseconds until the next poll, by the time since both people were connected. People in a conversation rarely look at
 * the page, so polls are rare. Polls are more frequent at the beginning, because some conversations end at once. A widget
 * also polls when its page is shown again or touched (`packages/widget/request/pace.ts`).
 */
const TALKING = [
	{ until_ms: 20_000, poll_ms: 5000 },
	{ until_ms: 120_000, poll_ms: 15_000 },
	{ until_ms: Number.POSITIVE_INFINITY, poll_ms: 20_000 },
] as const;

/** When the poll happens, and how fast the phones run. */
export type PollMoment = {
	readonly now_ms: number;
	/** The speed of the phones. Simulated people may talk faster than real people. */
	readonly speed: number;
};

type Pace = readonly { readonly until_ms: number; readonly poll_ms: number }[];

const paceAt = (pace: Pace, waitedMs: number): number => pace.find(({ until_ms }) => waitedMs < until_ms)?.poll_ms ?? 0;

/**
 * Milliseconds until the next poll, for the field `poll_after_ms` of the response. Null once nothing can change any more.
 */
export function pollInterval(
	{ status, created_at, connected_at }: Pick<Call, 'status' | 'created_at' | 'connected_at'>,
	{ now_ms, speed }: PollMoment,
): number | null {
	if (isTerminal(status)) return null;
	if (connected_at === null) return paceAt(WAITING, now_ms - Date.parse(created_at));
	return Math.round(paceAt(TALKING, (now_ms - Date.parse(connected_at)) * speed) / speed);
}

/** Whether the public status route still answers for the call. The route answers until one hour after the call's end. */
export function statusIsReadable(call: Pick<Call, 'completed_at'>, nowMs: number): boolean {
	return call.completed_at === null || nowMs - Date.parse(call.completed_at) < READABLE_AFTER_END_MS;
}
