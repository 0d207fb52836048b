import { limitsOf } from '../../domain/access/limits.ts';
import { dailyCount, isFull, workspaceWindowCount } from '../../domain/access/rate-limit.ts';
import type { SpentReason, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

/** A limit of a workspace's calls that is reached: which limit it is, and when it resets (ISO 8601). */
export type SpentLimit = { readonly reason: SpentReason; readonly again_at: string };

/**
 * The limit that keeps a workspace from placing a call now. Null if no such limit is reached. If several limits are reached,
 * this is the limit that resets last.
 */
export async function spentLimit(
	{ id: workspace_id, limits: own }: Pick<Workspace, 'id' | 'limits'>,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<SpentLimit | null> {
	const nowMs = clock.now();
	const quota = { workspace_id, limits: limitsOf({ limits: own }) };
	const limits = [
		{ reason: 'daily_limit', ...dailyCount(quota, nowMs) },
		{ reason: 'window_limit', ...workspaceWindowCount('calls', quota, nowMs) },
	] as const;
	const used = await Promise.all(limits.map(({ count }) => store.used(count.counter)));
	const full = limits.find(({ count }, position) => isFull(count, used[position] ?? {}));
	if (full === undefined) return null;
	const againMs = nowMs + full.refusal.retry_after_seconds * 1000;
	return { reason: full.reason, again_at: new Date(againMs).toISOString() };
}
