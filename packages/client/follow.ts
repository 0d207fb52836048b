import { ApiError, NoAnswerError } from './errors.ts';
import type { Filters, Page, WebhookEvent } from './operations.ts';
import { type CallOptions, pause } from './transport.ts';

export type FollowOptions = Pick<Filters<'list-events'>, 'event' | 'limit'> &
	CallOptions & {
		/** Continue after this cursor. Pass the last `cursor` that you stored. */
		readonly cursor?: string | null;
		/** Where to begin if there is no cursor. By default, with the oldest event, from 30 days ago. */
		readonly from?: string | Date;
		/** How many milliseconds to wait between two requests if there is nothing new (default 10,000). */
		readonly interval_ms?: number;
	};
export type FollowedEvents = {
	/**
	 * The events, oldest first. Empty in two cases: if there is no event when you begin to follow, and when an hour has passed
	 * without one.
	 */
	readonly events: readonly WebhookEvent[];
	/** The cursor after `events`. Store it when you have processed them. */
	readonly cursor: string;
};
type List = (query: Filters<'list-events'>, call: CallOptions) => Promise<Page<WebhookEvent>>;

const INTERVAL_MS = 10_000;
/**
 * A cursor is refused after 30 days. So after an hour without events, the follower gets an empty page with a new cursor to store.
 */
const IDLE_MS = 3_600_000;

type NotNow = { readonly passes_in_ms: number };

/**
 * Returns the next page. If the API cannot answer now, or the connection broke, returns how long to wait at least. Throws
 * errors that waiting does not solve.
 */
async function pageOrPause(
	answer: Promise<Page<WebhookEvent>>,
	signal?: AbortSignal,
): Promise<Page<WebhookEvent> | NotNow> {
	try {
		return await answer;
	} catch (error) {
		if (signal?.aborted || error instanceof NoAnswerError) return { passes_in_ms: 0 };
		const passes = error instanceof ApiError && (error.status === 429 || error.status >= 500);
		if (!passes) throw error;
		return { passes_in_ms: (error.retry_after_seconds ?? 0) * 1000 };
	}
}

/** Like `pause`, but if the signal aborts, it ends without an error. */
const rest = (waitMs: number, signal?: AbortSignal): Promise<unknown> => pause(waitMs, signal).catch(() => undefined);

/**
 * Follows the feed of events: yields each page of events and waits for the next ones. It retries after temporary failures,
 * and ends when the signal aborts. It throws any other error, such as `cursor_expired`.
 */
export const followerOver =
	(list: List) =>
	(options: FollowOptions = {}): AsyncGenerator<FollowedEvents, void> =>
		follow(list, options);

async function* follow(list: List, options: FollowOptions): AsyncGenerator<FollowedEvents, void> {
	const { cursor: start, from, interval_ms = INTERVAL_MS, event, limit = 100, ...call } = options;
	const { signal } = call;
	let cursor = start ?? null;
	let yieldedAtMs = Number.NEGATIVE_INFINITY;
	while (!signal?.aborted) {
		const place = cursor === null ? { from } : { cursor };
		const page = await pageOrPause(list({ event, limit, order: 'asc', ...place }, call), signal);
		if ('passes_in_ms' in page) {
			await rest(Math.max(interval_ms, page.passes_in_ms), signal);
			continue;
		}
		// This is never null, because a feed always returns a cursor for later events. The check is only for the type.
		if (page.next_cursor === null) return;
		cursor = page.next_cursor;
		if (page.data.length > 0 || Date.now() - yieldedAtMs >= IDLE_MS) {
			yield { events: page.data, cursor };
			yieldedAtMs = Date.now();
		}
		if (!page.has_more) await rest(interval_ms, signal);
	}
}
