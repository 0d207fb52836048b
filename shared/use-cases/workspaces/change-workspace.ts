import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import type { TeamWebhook, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { change } from '../kernel/change.ts';
import { withSettings } from './with-settings.ts';
import { originWrites, teamOf, teamWrites } from './workspace-writes.ts';

type Deps = Pick<Ports, 'store' | 'sealer' | 'numbers'>;

/** The chat's URL is already sealed, for `teamWebhookOwner`. */
type WorkspaceChange = WorkspaceSettings & { readonly team_webhook?: TeamWebhook | null };

export type ChangeWorkspaceOutcome =
	| { readonly workspace: Workspace }
	| { readonly refused: 'not_found' | 'team_number_invalid' | 'changed_meanwhile' };

/** The additions of a person who edits a workspace: a check, and a line in the desk's history. */
export type EditContext = {
	/** Whether the person has seen the current state; otherwise the change is refused. */
	readonly hasSeen?: (current: Workspace) => boolean;
	/** A line of the audit list, written in the same transaction. */
	readonly line?: Write;
};

/**
 * Changes the given settings, in one transaction with the allowed origins and the sealed team numbers. The change applies
 * to later requests. A live call keeps its plan: it rings the number that a position in the team has at that time.
 */
export async function changeWorkspace(
	id: string,
	settings: WorkspaceChange,
	deps: Deps & EditContext,
): Promise<ChangeWorkspaceOutcome> {
	const team = settings.team === undefined ? null : teamOf(settings.team, deps);
	if (team !== null && 'refused' in team) return { refused: team.refused };
	return change<Workspace | null, ChangeWorkspaceOutcome>(
		{
			read: () => deps.store.get('workspace', { id }),
			decide: (before) => {
				if (before === null) return { result: { refused: 'not_found' } };
				if (deps.hasSeen?.(before) === false) return { result: { refused: 'changed_meanwhile' } };
				const item = workspaceAfter(
					before,
					settings,
					team === null ? before.team : keepOffTimes(team.members, before.team),
				);
				const guard = { if: 'version', version: before.version } as const;
				return {
					result: { workspace: item },
					writes: {
						workspace: { op: 'put', record: 'workspace', item, guard },
						origins: originWrites(id, before.origins, item.origins),
						team: team === null ? [] : teamWrites(id, before.team, team),
						line: deps.line ?? [],
					},
				};
			},
		},
		deps.store,
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
		version: before.version + 1,
		team_webhook: change.team_webhook === undefined ? before.team_webhook : change.team_webhook,
	};
}
