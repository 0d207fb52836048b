import type { DeskLink, LinkPurpose } from '../../domain/desk/desk-link.ts';
import { handOver } from '../../domain/notices/hand-over.ts';
import { deskAddress } from '../../domain/workspaces/desk-person.ts';
import { mayBeUndone, putBackTo, undoable } from '../../domain/workspaces/handover.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { asRead, type Proposal } from '../kernel/unit-of-work.ts';
import { newNoticeWrite, sendNotices } from '../notices/new-notices.ts';
import { addressWrites } from '../workspaces/edit-workspace.ts';
import { auditEntry } from './audit-entry.ts';

// Some mailed links do not open a desk. With one kind of link, the owner of an address agrees to get the team's messages.
// The other kind restores a desk after a handover.

export type PurposeDeps = Pick<Ports, 'ids' | 'clock' | 'queues'>;
export type DeskLinkRefusal =
	| { readonly refused: 'link_not_valid' | 'link_expired' }
	/**
	 * `session_id`: the session that began when the link was used. Absent if no session began, or if an earlier release did
	 * not store the session.
	 */
	| { readonly refused: 'link_used'; readonly session_id?: string | undefined };
export type LinkWithPurpose = {
	readonly purpose: LinkPurpose;
	readonly link: DeskLink;
	readonly workspace: Workspace;
};
export type ServedLink = { readonly served: LinkPurpose; readonly workspace: Workspace };

/** Whether this address still has to agree to get the workspace's messages. */
export const isAskedOf = ({ team_email_asked: asked }: Workspace, address: string): boolean =>
	!!asked && deskAddress(asked.address) === address;

/**
 * Checks whether a link can still do what it is for. If so, returns the link with its purpose and its workspace. Otherwise,
 * returns the reason. The caller has already checked that the link was not used and has not expired.
 */
export async function findPurpose(
	link: DeskLink,
	purpose: LinkPurpose,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<LinkWithPurpose | DeskLinkRefusal> {
	const workspace = link.invited_to === null ? null : await store.get('workspace', { id: link.invited_to });
	if (workspace === null) return { refused: 'link_not_valid' };
	if (purpose === 'notices' && isAskedOf(workspace, link.address)) return { purpose, link, workspace };
	const nowMs = clock.now();
	const isOpen = undoable(workspace, nowMs) !== null && mayBeUndone(workspace, nowMs);
	if (purpose === 'put_back' && isOpen) return { purpose, link, workspace };
	const { put_back_at = '' } = workspace;
	return { refused: purpose === 'put_back' && put_back_at >= link.created_at ? 'link_used' : 'link_expired' };
}

export function linkUsed(link: DeskLink, nowMs: number): Write {
	const item = { ...link, version: link.version + 1, used_at: new Date(nowMs).toISOString() };
	return { op: 'put', record: 'desk_link', item, guard: asRead(link) };
}

/** Does what a link is for. Each link does this only once. */
export function serve(
	{ purpose, link, workspace }: LinkWithPurpose,
	workspaceId: string,
	deps: PurposeDeps,
): Proposal<ServedLink | DeskLinkRefusal> {
	if (workspace.id !== workspaceId) return { result: { refused: 'link_not_valid' } };
	return purpose === 'notices' ? agree(link, workspace, deps) : putBack(link, workspace, deps);
}

/** The owner of the address agrees to get the team's messages. The old recipients get a mail about the change. */
function agree(link: DeskLink, workspace: Workspace, deps: PurposeDeps): Proposal<ServedLink | DeskLinkRefusal> {
	const { team_email_asked: asked } = workspace;
	if (!asked) return { result: { refused: 'link_expired' } };
	const nowMs = deps.clock.now();
	const changes = { team_email: asked.address, team_email_asked: null };
	const fact = { change: 'notices_agreed', about: asked.address, by: asked.by } as const;
	const handover = handOver(workspace, changes, fact, deps.ids.next(nowMs), nowMs);
	const after = { ...workspace, ...changes, ...handover.changes };
	return {
		result: { served: 'notices', workspace: after },
		writes: { ...used('notices_agreed', link, after, deps), notices: handover.notices.map(newNoticeWrite) },
		afterwards: () => sendNotices(handover.notices, deps.queues),
	};
}

/** Restores the desk as it was before the handover and ends all of its sessions. */
function putBack(link: DeskLink, workspace: Workspace, deps: PurposeDeps): Proposal<ServedLink | DeskLinkRefusal> {
	const nowMs = deps.clock.now();
	const before = undoable(workspace, nowMs);
	if (before === null) return { result: { refused: 'link_expired' } };
	const after = { ...workspace, ...putBackTo(before, nowMs) };
	return {
		result: { served: 'put_back', workspace: after },
		writes: {
			...used('put_back', link, after, deps),
			addresses: addressWrites(workspace.id, workspace.desk, after.desk),
		},
	};
}

/**
 * The writes that are the same for both kinds of links: the link is marked as used, the workspace changes, and the audit
 * list gets an entry.
 */
function used(change: 'notices_agreed' | 'put_back', link: DeskLink, after: Workspace, deps: PurposeDeps) {
	const { id: workspace_id, version } = after;
	const item = { ...after, version: version + 1 };
	return {
		link: linkUsed(link, deps.clock.now()),
		workspace: { op: 'put', record: 'workspace', item, guard: { if: 'version', version } },
		entry: auditEntry({ workspace_id, address: link.address, change, about: null }, deps),
	} as const;
}
