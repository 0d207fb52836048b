import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { numberHashes } from '../access/keyed-hash.ts';

/**
 * Every hash that may represent the number that a workspace's calls show. If a member had this number, calls would come from
 * the member's own phone: networks refuse such calls or send them to voicemail. `deployed`: the deployment's number, which
 * counts if the workspace has none of its own; null if there is none.
 */
export async function callerHashes(
	{ id, caller_number }: Pick<Workspace, 'id' | 'caller_number'>,
	deployed: string | null,
	macs: Ports['macs'],
): Promise<readonly string[]> {
	const caller = caller_number ?? deployed;
	return caller === null ? [] : numberHashes(macs, id, caller);
}
