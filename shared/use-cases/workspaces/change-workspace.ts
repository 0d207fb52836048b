import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { TeamWebhook, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import { withSettings } from './with-settings.ts';
import { originWrites, teamOf, teamWrites } from './workspace-writes.ts';

type Deps = Pick<Ports, 'store' | 'sealer' | 'numbers'>;

/** The chat's URL is already sealed, for `teamWebhookOwner`. */
type WorkspaceChange = WorkspaceSettings & { readonly team_webhook?: TeamWebhook | null };

/**
 * Changes the given settings, in one transaction with the allowed origins and the sealed team numbers. The change applies
 * to later requests. A live call keeps its plan: it rings the number that a position in the team has at that time.
 */
export async function changeWorkspace(
	id: string,
	settings: WorkspaceChange,
	deps: Deps & EditContext,
): Promise<EditOutcome<'team_number_invalid'>> {
	const team = settings.team === undefined ? null : teamOf(settings.team, deps);
	if (team !== null && 'refused' in team) return { refused: team.refused };
	return editWorkspace(
		id,
		(before) => {
			const members = team === null ? before.team : keepOffTimes(team.members, before.team);
			const after = workspaceAfter(before, settings, members);
			const numbers = team === null ? [] : teamWrites(id, before.team, team);
			return { changes: after, writes: [...originWrites(id, before.origins, after.origins), ...numbers] };
		},
		deps,
	);
}

/**
 * Keeps members off who were off before the team was replaced. Members are matched by name and masked number; each earlier
 * member matches once.
 */
function keepOffTimes(team: Workspace['team'], before: Workspace['team']): Workspace['team'] {
	const candidates = [...before];
	return team.map((member) => {
		const place = candidates.findIndex(
			({ name, phone_masked }) => name === member.name && phone_masked === member.phone_masked,
		);
		const [same] = place === -1 ? [] : candidates.splice(place, 1);
		return { ...member, ...(same?.off_until !== undefined && { off_until: same.off_until }) };
	});
}

function workspaceAfter(before: Workspace, change: WorkspaceChange, team: Workspace['team']): Workspace {
	return {
		...withSettings(before, change, team),
		team_webhook: change.team_webhook === undefined ? before.team_webhook : change.team_webhook,
	};
}
