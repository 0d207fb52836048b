import { limitNames, type WorkspaceLimits } from '../../shared/domain/access/limits.ts';

/** Limits of a workspace in which every limit has the same value. */
export function everyLimit(limit: number): WorkspaceLimits {
	return Object.fromEntries(limitNames.map((name) => [name, limit])) as WorkspaceLimits;
}
