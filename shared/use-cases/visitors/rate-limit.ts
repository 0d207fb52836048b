import { type RequestSource, windowCounts } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

/**
 * Counts one request in the windows of its address, its network and its workspace; false if one of them is exhausted. It
 * raises each counter separately: a refused request also counts, and needs no transaction.
 */
export async function countRequest(
	workspace: Workspace,
	source: RequestSource,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const counts = windowCounts({ ...source, workspace_id: workspace.id, limits: limitsOf(workspace) }, clock.now());
	const outcomes = await Promise.all(counts.map((count) => store.count(count)));
	return outcomes.every(({ counted }) => counted);
}
