import * as z from 'zod/mini';
import { parseJson } from '../shared/adapters/telephony/provider-http.ts';
import type { Workspace } from '../shared/domain/workspaces/workspace.ts';
import { callerHashes } from '../shared/use-cases/workspaces/own-caller.ts';
import { numbersOf } from '../shared/use-cases/workspaces/team-members.ts';
import type { OpsDeps } from './connect.ts';

const Settings = z.object({ from: z.string() });

/** The caller number of a workspace without its own, which is the deployment's; null: no provider. `settings`: JSON. */
export function deployedCaller(settings: string): string | null {
	const read = Settings.safeParse(parseJson(settings));
	return read.success ? read.data.from : null;
}

/**
 * Whether calls of a workspace show a member's own number. That phone would seem to call itself, and networks refuse such
 * calls or send them to voicemail. `deployed`: the deployment's caller number.
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
