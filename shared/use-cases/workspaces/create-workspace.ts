import type { WorkspaceSettings } from '../../contract/workspaces/workspace.ts';
import { newWorkspace } from '../../domain/workspaces/new-workspace.ts';
import { readMember, WORKSPACE_KEY_PREFIX, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { originWrites } from './edit-workspace.ts';
import { refusalOfMembers, type TeamRefusal, teamAfter, typedMembers } from './team-members.ts';
import { withSettings } from './with-settings.ts';

/**
 * By default, a workspace calls only numbers of its own region. `like`: settings to start with, such as the settings of
 * another workspace.
 */
export type CreateWorkspaceInput = WorkspaceSettings & {
	readonly name: string;
	readonly region: string;
	readonly time_zone: string;
	readonly like?: WorkspaceSettings;
};
export type CreateWorkspaceOutcome = { readonly workspace: Workspace } | TeamRefusal;

/**
 * Creates a workspace with its public key, its origins and its team, in one transaction. The team's numbers are encrypted
 * before they are stored. A schema has already checked the settings, so only the team's numbers are checked here.
 */
export async function createWorkspace(
	{ like = {}, ...input }: CreateWorkspaceInput,
	deps: Pick<Ports, 'store' | 'clock' | 'ids' | 'sealer' | 'numbers' | 'macs'>,
): Promise<CreateWorkspaceOutcome> {
	const id = deps.ids.next();
	const members = await typedMembers(id, (input.team ?? []).map(readMember), deps);
	if ('refused' in members) return members;
	const blank = newWorkspace({
		id,
		name: input.name,
		region: input.region,
		time_zone: input.time_zone,
		workspace_key: `${WORKSPACE_KEY_PREFIX}${Buffer.from(deps.ids.random(18)).toString('base64url')}`,
		created_at: new Date(deps.clock.now()).toISOString(),
	});
	const team = teamAfter(blank, [], members.typed);
	const workspace = { ...withSettings(withSettings(blank, like), input), ...team.changes };
	const refusal = refusalOfMembers(members.typed, workspace);
	if (refusal !== null) return refusal;
	const guard = { if: 'absent' } as const;
	const outcome = await deps.store.commit([
		{ op: 'put', record: 'workspace', item: workspace, guard },
		{ op: 'put', record: 'workspace_key', item: { workspace_key: workspace.workspace_key, workspace_id: id }, guard },
		...originWrites(id, [], workspace.origins),
		...team.writes,
	]);
	if (!outcome.committed) throw new Error('a fresh workspace id was taken');
	return { workspace };
}
