import { handOver } from '../../domain/notices/hand-over.ts';
import type { AboutHandover } from '../../domain/notices/team-notice.ts';
import { deskAddress, hasAccepted } from '../../domain/workspaces/desk-person.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { newNoticeWrite, sendNotices } from '../notices/new-notices.ts';
import { type EditContext, type EditOutcome, editWorkspace } from '../workspaces/edit-workspace.ts';
import { countHandover, countInvitation, sendLink } from './desk-links.ts';

type NoticeSettings = Pick<Workspace, 'team_email' | 'tells_missed_calls' | 'missed_calls_to'>;
type Deps = Pick<Ports, 'store' | 'ids' | 'clock' | 'queues'> & EditContext;

/**
 * Changes where the team's messages go. If the owner of the new address has not agreed yet, the address gets one mail with a
 * link to agree. That mail counts as an invitation. Until the owner agrees, messages go to the old address. After the
 * address has changed, the desk's owners and the old address get a mail.
 */
export async function changeNotices(
	id: string,
	{ team_email, ...missedCalls }: NoticeSettings,
	by: string,
	deps: Deps,
): Promise<EditOutcome<'invited_enough' | 'desk_invited_enough'>> {
	const workspace = await deps.store.get('workspace', { id });
	if (workspace === null) return { refused: 'not_found' };
	const asked = isKnown(team_email, workspace) ? null : team_email;
	const refusal = await countChange(workspace, asked, team_email, by, deps);
	if (refusal !== null) return { refused: refusal };
	let notices: readonly AboutHandover[] = [];
	const outcome = await editWorkspace<never>(
		id,
		(before) => {
			const nowMs = deps.clock.now();
			const asked_at = new Date(nowMs).toISOString();
			if (asked !== null) return { changes: { ...missedCalls, team_email_asked: { address: asked, by, asked_at } } };
			const changes = { ...missedCalls, team_email, team_email_asked: null };
			const fact = { change: 'notices', about: team_email, by } as const;
			const handover = handOver(before, changes, fact, deps.ids.next(nowMs), nowMs);
			notices = handover.notices;
			return { changes: { ...changes, ...handover.changes }, writes: notices.map(newNoticeWrite) };
		},
		deps,
	);
	if (!('workspace' in outcome)) return outcome;
	await sendNotices(notices, deps.queues);
	if (asked !== null) await sendLink(invitationTo(asked, id, by), deps);
	return outcome;
}

const invitationTo = (address: string, workspace_id: string, invited_by: string) =>
	({ address: deskAddress(address), reason: 'invitation', workspace_id, invited_by, purpose: 'notices' }) as const;

/** Counts a change before it is made. Null if the change is allowed. Saving the current setting again does not count. */
async function countChange(
	workspace: Workspace,
	asked: string | null,
	teamEmail: string | null,
	by: string,
	deps: Deps,
): Promise<'invited_enough' | 'desk_invited_enough' | null> {
	if (asked !== null) return countInvitation(invitationTo(asked, workspace.id, by), deps);
	return teamEmail === workspace.team_email ? null : countHandover(workspace.id, deps);
}

/**
 * Whether messages may go to this address without a mail that first asks for consent. True if there is no address, if the
 * address already gets the messages, or if it is the address of a person who has opened the desk.
 */
function isKnown(teamEmail: string | null, workspace: Workspace): boolean {
	if (teamEmail === null) return true;
	const address = deskAddress(teamEmail);
	const isCurrent = address === deskAddress(workspace.team_email ?? '');
	return isCurrent || workspace.desk.some((person) => person.address === address && hasAccepted(person));
}
