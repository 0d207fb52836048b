import * as z from 'zod/mini';
import { parseJson } from '../shared/adapters/telephony/provider-http.ts';
import type { Workspace } from '../shared/domain/workspaces/workspace.ts';
import { callerHashes, numbersOf } from '../shared/use-cases/workspaces/team-members.ts';
import type { OpsDeps } from './connect.ts';

const Settings = z.object({ from: z.string() });

/**
 * The deployment's caller number. A workspace shows this number if it has none of its own. Null if no phone provider
 * is set up. `settings` is JSON.
 */
export function deployedCaller(settings: string): string | null {
	const read = Settings.safeParse(parseJson(settings));
	return read.success ? read.data.from : null;
}

/**
 * Whether the calls of a workspace show the number of one of its own members. That member's phone would seem to call
 * itself, and networks refuse such calls or send them to voicemail. `deployed` is the deployment's caller number.
 */
export async function callsItself(
	workspace: Workspace,
	deployed: string | null,
	{ store, macs }: Pick<OpsDeps, 'store' | 'macs'>,
): Promise<boolean> {
	if (workspace.team.length === 0) return false;
	const hashes = await callerHashes(workspace, deployed, macs);
	return (
		hashes.length > 0 && (await numbersOf(workspace, store)).some(({ number_hash }) => hashes.includes(number_hash))
	);
}
