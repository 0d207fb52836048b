import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { readMember, type TeamWebhook, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import { numbersOf, refusalOfMembers, type TeamRefusal, teamAfter, typedMembers } from './team-members.ts';
import { withSettings } from './with-settings.ts';
import { originWrites } from './workspace-writes.ts';

type Deps = Pick<Ports, 'store' | 'sealer' | 'numbers' | 'macs'>;

/** The chat's URL is already sealed, for `teamWebhookOwner`. */
type WorkspaceChange = WorkspaceSettings & { readonly team_webhook?: TeamWebhook | null };

/**
 * Changes the given settings, in one transaction with the allowed origins and the sealed team numbers. The change applies
 * to later requests. A live call keeps its plan: it rings no member who has left the team, and the number that a member has
 * when the phone is dialled.
 */
export async function changeWorkspace(
	id: string,
	settings: WorkspaceChange,
	deps: Deps & EditContext,
): Promise<EditOutcome<TeamRefusal['refused']>> {
	const members = settings.team === undefined ? null : await typedMembers(id, settings.team.map(readMember), deps);
	if (members !== null && 'refused' in members) return { refused: members.refused };
	return editWorkspace(
		id,
		async (before) => {
			const team = members && teamAfter(before, await numbersOf(before, deps.store), members.typed);
			const after = { ...workspaceAfter(before, settings), ...team?.changes };
			const refusal = members && refusalOfMembers(members.typed, after);
			if (refusal !== null) return refusal;
			return { changes: after, writes: [...originWrites(id, before.origins, after.origins), ...(team?.writes ?? [])] };
		},
		deps,
	);
}

function workspaceAfter(before: Workspace, change: WorkspaceChange): Workspace {
	return {
		...withSettings(before, change),
		team_webhook: change.team_webhook === undefined ? before.team_webhook : change.team_webhook,
	};
}
