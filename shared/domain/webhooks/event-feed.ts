import { lowestIdAt } from '../kernel/id.ts';
import { EVENT_RETENTION_SECONDS } from './event.ts';

// The feed of a workspace's events: oldest first, by id, so by the clock of the function that made each event. An event is committed a
// moment after it was made, and is in the list's index a moment after that. Therefore the feed ends some seconds ago: then no event
// can come to stand before the end that a reader has seen.

/** The last try to commit an event begins so long after the event was made (see `mayStillCommit`). */
export const COMMIT_MS = 10_000;
/** That try ends so long after it began: its time limit of at most 3 seconds, and as much for a transaction that DynamoDB goes on with. */
export const LAST_TRY_MS = 6_000;
/** The clocks of the function that made the event and of the one that lists it differ by so much. On Lambda, it is milliseconds. */
export const CLOCKS_MS = 2_000;
/** The index trails the table by so much. Usually it is less than a second. */
export const INDEX_MS = 12_000;

/** The feed ends so many seconds ago. */
export const SETTLING_SECONDS = (COMMIT_MS + LAST_TRY_MS + CLOCKS_MS + INDEX_MS) / 1000;

/** Whether a try to commit an event may begin. Without this bound, a worker that retries a busy table could commit it a minute late. */
export const mayStillCommit = (madeMs: number, nowMs: number): boolean => nowMs < madeMs + COMMIT_MS;

/** The end of the feed: the exclusive upper bound of the ids that no later event can precede. */
export const feedEnd = (nowMs: number): string => lowestIdAt(nowMs - SETTLING_SECONDS * 1000);

/** The inclusive lower bound of the ids of events within their retention. */
export const oldestRetained = (nowMs: number): string => lowestIdAt(nowMs - EVENT_RETENTION_SECONDS * 1000);
