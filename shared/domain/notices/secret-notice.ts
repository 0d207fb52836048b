import { hasAccepted, isOwner } from '../workspaces/desk-person.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import { type AboutSecret, pendingNotice, type SecretMade } from './team-notice.ts';

/**
 * The notices about a new secret: one mail to each owner who has accepted the invitation to the desk. `occasion` is an id
 * that is different for each secret.
 */
export function secretNotices(
	{ id: workspace_id, desk }: Pick<Workspace, 'id' | 'desk'>,
	fact: Omit<SecretMade, 'at' | 'owner'>,
	occasion: string,
	nowMs: number,
): readonly AboutSecret[] {
	const at = new Date(nowMs).toISOString();
	return desk
		.filter((person) => isOwner(person) && hasAccepted(person))
		.map(({ address: owner }, place) => ({
			...pendingNotice(`secret#${occasion}#${place}`, 'mail', workspace_id, nowMs),
			made: { ...fact, at, owner },
		}));
}
