import { type RequestSource, windowCounts } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { requestSource } from '../workspaces/keyed-hash.ts';

/** How long a process refuses by its memory alone, so that a raised limit takes effect after a minute. */
const REMEMBERED_MS = 60_000;
/** The number of spent windows that a process remembers. */
const MOST_REMEMBERED = 1000;

/** The windows that this process knows to be spent: their requests are refused without the table. */
export type SpentWindows = {
	remember(workspace: Workspace, counter: string): void;
	/** The workspace with this key, if a window of a request from this address is known to be spent. */
	refusing(workspace_key: string, source_ip: string): Promise<Workspace | null>;
};

export function spentWindows({ macs, clock }: Pick<Ports, 'macs' | 'clock'>): SpentWindows {
	const workspaces = new Map<string, Workspace>();
	const until = new Map<string, number>();
	/** Workspaces share the counter of an address, and each has its own limit. */
	const nameOf = (workspace: Workspace, counter: string): string => `${workspace.id} ${counter}`;
	return {
		remember(workspace, counter) {
			if (until.size >= MOST_REMEMBERED) {
				until.clear();
				workspaces.clear();
			}
			workspaces.set(workspace.workspace_key, workspace);
			until.set(nameOf(workspace, counter), clock.now() + REMEMBERED_MS);
		},
		async refusing(workspace_key, source_ip) {
			const workspace = workspaces.get(workspace_key);
			if (workspace === undefined) return null;
			const source = await requestSource(macs, workspace.id, source_ip);
			const now_ms = clock.now();
			const counts = windowsOf(workspace, source, now_ms);
			return counts.some(({ counter }) => (until.get(nameOf(workspace, counter)) ?? 0) > now_ms) ? workspace : null;
		},
	};
}

/**
 * Counts one request in the windows of its address, its network and its workspace; false if one of them is exhausted. It
 * raises each counter separately: a refused request also counts, and needs no transaction.
 */
export async function spendWindow(
	workspace: Workspace,
	source: RequestSource,
	{ store, clock, windows }: Pick<Ports, 'store' | 'clock'> & { readonly windows: SpentWindows },
): Promise<boolean> {
	const counts = windowsOf(workspace, source, clock.now());
	const outcomes = await Promise.all(counts.map((count) => store.count(count)));
	const exhausted_windows = counts.filter((_, position) => outcomes[position]?.counted === false);
	for (const { counter } of exhausted_windows) windows.remember(workspace, counter);
	return exhausted_windows.length === 0;
}

function windowsOf(workspace: Workspace, source: RequestSource, now_ms: number) {
	return windowCounts({ ...source, workspace_id: workspace.id, limits: limitsOf(workspace) }, now_ms);
}
