import { lowestIdAt } from '../kernel/id.ts';
import { EVENT_RETENTION_SECONDS } from './event.ts';

// The feed of a workspace's events: oldest first, ordered by id, that is, by the clock of the function that made each event.
// An event is committed a moment after it was made, and appears in the table's index a moment after that. So a reader gets
// only events that are some seconds old. When another event appears in the index, it always comes after the events that the
// reader has already got.

/** The last try to commit an event must begin within this time after the event was made (see `mayStillCommit`). */
export const COMMIT_MS = 10_000;
/**
 * How long that last try may take: its own time limit of 3 seconds, and as much again for a transaction that DynamoDB
 * completes after the time limit.
 */
export const LAST_TRY_MS = 6_000;
/** How far the clocks of two functions can be apart. On Lambda, they differ by milliseconds. */
export const CLOCKS_MS = 2_000;
/** How far the index can be behind the table. Usually, it is less than a second behind. */
export const INDEX_MS = 12_000;

/** The feed ends this many seconds before now. */
export const SETTLING_SECONDS = (COMMIT_MS + LAST_TRY_MS + CLOCKS_MS + INDEX_MS) / 1000;

/**
 * Whether a try to commit an event may still begin. Without this limit, a worker that retries a busy table could commit an
 * event a minute late.
 */
export const mayStillCommit = (madeMs: number, nowMs: number): boolean => nowMs < madeMs + COMMIT_MS;

/** The end of the feed. No event that appears later has an id below this id. */
export const feedEnd = (nowMs: number): string => lowestIdAt(nowMs - SETTLING_SECONDS * 1000);

/** The smallest id that an event within the retention time can have. */
export const oldestRetained = (nowMs: number): string => lowestIdAt(nowMs - EVENT_RETENTION_SECONDS * 1000);
