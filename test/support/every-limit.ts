import { limitNames, type WorkspaceLimits } from '../../shared/domain/access/limits.ts';

/** The same for every limit of a workspace. */
export function everyLimit(limit: number): WorkspaceLimits {
	return Object.fromEntries(limitNames.map((name) => [name, limit])) as WorkspaceLimits;
}
