import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { numberHashes } from '../access/keyed-hash.ts';

/**
 * All hashes that may stand for the number that a workspace's calls show. No member may have that number: the calls would
 * seem to come from the member's own phone, and networks refuse such calls or send them to voicemail. `deployed` is the
 * deployment's number, which is shown if the workspace has no number of its own. `deployed` is null if the deployment has
 * no number.
 */
export async function callerHashes(
	{ id, caller_number }: Pick<Workspace, 'id' | 'caller_number'>,
	deployed: string | null,
	macs: Ports['macs'],
): Promise<readonly string[]> {
	const caller = caller_number ?? deployed;
	return caller === null ? [] : numberHashes(macs, id, caller);
}
