import { lowestIdAt } from '../kernel/id.ts';
import { EVENT_RETENTION_SECONDS } from './event.ts';

// The feed of a workspace's events: oldest first, by id, so by the clock of the function that made each event. An event is
// committed a moment after it was made, and enters the list's index a moment after that. So the feed ends some seconds ago:
// later events then always come after the end that a reader has seen.

/** The last try to commit an event begins at most this long after the event was made (see `mayStillCommit`). */
export const COMMIT_MS = 10_000;
/**
 * That try ends at most this long after it began: its own time limit of 3 seconds, and as much for a transaction that
 * DynamoDB completes afterwards.
 */
export const LAST_TRY_MS = 6_000;
/** The most by which the clocks of two functions differ. On Lambda, it is milliseconds. */
export const CLOCKS_MS = 2_000;
/** The most by which the index trails the table. Usually it is less than a second. */
export const INDEX_MS = 12_000;

/** How many seconds ago the feed ends. */
export const SETTLING_SECONDS = (COMMIT_MS + LAST_TRY_MS + CLOCKS_MS + INDEX_MS) / 1000;

/** Whether a try to commit an event may begin. Without this bound, a worker that retries a busy table could commit it a minute late. */
export const mayStillCommit = (madeMs: number, nowMs: number): boolean => nowMs < madeMs + COMMIT_MS;

/** The end of the feed: the exclusive upper bound of the ids that no later event can precede. */
export const feedEnd = (nowMs: number): string => lowestIdAt(nowMs - SETTLING_SECONDS * 1000);

/** The inclusive lower bound of the ids of events within their retention. */
export const oldestRetained = (nowMs: number): string => lowestIdAt(nowMs - EVENT_RETENTION_SECONDS * 1000);
