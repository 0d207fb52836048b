import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ScreenedVisitor } from './screen-visitor.ts';
import { spendWindow } from './spend-window.ts';
import { wasSuppressed } from './suppress-number.ts';

/**
 * Uses up one request of the window, and answers whether this visitor is let in: not where the window is spent, nor where the
 * number was suppressed under a key that was replaced since. Nothing about the number is read in a spent window, so that the time of a
 * refusal there says nothing about it.
 */
export async function admitsVisitor(
	workspace: Workspace,
	{ source, e164 }: Pick<ScreenedVisitor, 'source' | 'e164'>,
	deps: Pick<Ports, 'store' | 'clock' | 'macs'>,
): Promise<boolean> {
	if (!(await spendWindow(workspace, source, deps))) return false;
	return !(await wasSuppressed({ workspace_id: workspace.id, e164 }, deps));
}
