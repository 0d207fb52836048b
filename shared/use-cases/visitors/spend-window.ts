import { type RequestSource, windowCounts } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';

/**
 * Counts one request in the windows of its address, its network and its workspace; false if one of them is exhausted. It
 * raises each counter separately: a refused request also counts, and needs no transaction. A request that is not `proven`
 * finds the workspace's window spent at half of it, and then takes nothing of it.
 */
export async function spendWindow(
	workspace: Workspace,
	source: RequestSource,
	proven: boolean,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<boolean> {
	const requester = { ...source, workspace_id: workspace.id, limits: limitsOf(workspace) };
	const counts = windowCounts(requester, proven, clock.now());
	const counted = await Promise.all(counts.map((count) => store.count(count)));
	return counted.every((each) => each.counted);
}
