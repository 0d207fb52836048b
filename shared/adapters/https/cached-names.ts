import { answerCache } from '../system/answer-cache.ts';
import type { Resolve } from './resolve.ts';

/** The same time as for connections: the first delivery after it finds a receiver that has moved. */
const FRESH_MS = 4000;
/** The size of the cache, because a deliver function serves many hosts. */
const MOST_NAMES = 1000;

/**
 * Looks up a host's addresses once for all deliveries of the next 4 s, by the wall clock: other clocks stop in a frozen
 * container.
 */
export function cachedNames(resolve: Resolve, now: () => number = Date.now): Resolve {
	const cache = answerCache<readonly string[]>({ most: MOST_NAMES, fresh_ms: FRESH_MS, now });
	return (host) => cache(host, () => resolve(host));
}
