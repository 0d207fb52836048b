import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { rulesPrint } from '../../domain/workspaces/silenced-members.ts';
import { type BusinessHours, readMember, type TeamWebhook, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace, originWrites } from './edit-workspace.ts';
import { judgeTeam, silencedBy } from './judge-team.ts';
import { numbersOf, refusalOfMembers, type TeamRefusal, teamAfter, typedMembers } from './team-members.ts';
import { withSettings } from './with-settings.ts';

type Deps = Pick<Ports, 'store' | 'sealer' | 'numbers' | 'macs'>;

/**
 * The URL of the chat in `team_webhook` is already encrypted, for the owner `teamWebhookOwner`. `hours_before`: the opening hours
 * that were entered when a team chose to be always open.
 */
type WorkspaceChange = WorkspaceSettings & {
	readonly team_webhook?: TeamWebhook | null;
	readonly hours_before?: BusinessHours | undefined;
};

/**
 * Changes the given settings, in one transaction with the allowed origins and the encrypted numbers of the team. The change
 * applies to later requests. A live call keeps its plan. But it rings no member who has left the team, and if a member's
 * number has changed, it dials the new number. If the rules about callable numbers change, the transaction also stores the
 * members whose numbers are no longer allowed, so that no call is planned for them.
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
			const verdict = await judged(after, members !== null, deps);
			const writes = [...originWrites(id, before.origins, after.origins), ...(team?.writes ?? [])];
			return { changes: { ...after, ...verdict }, writes };
		},
		deps,
	);
}

/**
 * Which members may not be rung under the workspace's rules. The members are checked again only if the rules have changed,
 * or if no result is stored yet. `isTyped`: the numbers were entered in this change and have been checked, so all of them
 * are allowed.
 */
async function judged(after: Workspace, isTyped: boolean, deps: Deps): Promise<Pick<Workspace, 'silenced'>> {
	if (isTyped) return { silenced: silencedBy(after, []) };
	if (after.silenced?.by === rulesPrint(after)) return {};
	return { silenced: silencedBy(after, (await judgeTeam(after, deps)).silenced) };
}

function workspaceAfter(before: Workspace, { hours_before, ...change }: WorkspaceChange): Workspace {
	const kept = change.business_hours === null ? (hours_before ?? before.business_hours) : null;
	return {
		...withSettings(before, change),
		team_webhook: change.team_webhook === undefined ? before.team_webhook : change.team_webhook,
		...(kept && { hours_before: kept }),
	};
}
