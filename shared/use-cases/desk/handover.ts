import { newPutBackLink } from '../../domain/desk/desk-link.ts';
import { formatSecret, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { type AboutHandover, type Handover, pendingNotice } from '../../domain/notices/team-notice.ts';
import {
	afterHandover,
	isHandover,
	mayBeUndone,
	toldOfHandover,
	UNDO_MS,
	undoable,
} from '../../domain/workspaces/handover.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import { noticeMessage } from '../notices/notice-message.ts';
import type { NoticePlan } from '../notices/notice-plan.ts';

// A desk is handed over if its owners change, or if the address that gets the team's messages changes. Everyone who was an
// owner before, and the old address, get a mail with a link that undoes the change.

type Fact = Pick<Handover, 'change' | 'about' | 'by' | 'role'>;
export type HandoverDeps = Pick<Ports, 'ids' | 'clock' | 'queues'>;
type Consequences = {
	readonly changes: Pick<Workspace, 'before_handover'>;
	readonly notices: readonly AboutHandover[];
};
const NOTHING: Consequences = { changes: {}, notices: [] };

/**
 * What follows from a change of a desk: the state that the link can restore, and the notices to the people who had the desk
 * before. `fact` is null if an operator made the change: then no mail is sent, and no link can undo the change.
 */
export function handOver(
	before: Workspace,
	changes: Partial<Workspace>,
	fact: Fact | null,
	{ ids, clock }: Pick<HandoverDeps, 'ids' | 'clock'>,
): Consequences {
	const nowMs = clock.now();
	if (!isHandover(before, { ...before, ...changes })) return NOTHING;
	if (fact === null) return before.before_handover ? { ...NOTHING, changes: { before_handover: null } } : NOTHING;
	const base = afterHandover(before, nowMs);
	const occasion = ids.next(nowMs);
	const at = new Date(nowMs).toISOString();
	const notices = toldOfHandover(base).map((to, place) => ({
		...pendingNotice(`handover#${occasion}#${place}`, 'mail', before.id, nowMs),
		handover: { ...fact, to, at },
		lead_id: '' as const,
	}));
	return { changes: { before_handover: base }, notices };
}

export const noticeWrites = (notices: readonly AboutHandover[]): readonly Write[] =>
	notices.map((item) => ({ op: 'put', record: 'team_notice', item, guard: { if: 'absent' } }));

/** Sends the notices at once. If a message is lost, the sweep sends its notice later. */
export async function sendNotices(
	notices: readonly AboutHandover[],
	{ queues }: Pick<HandoverDeps, 'queues'>,
): Promise<void> {
	if (notices.length === 0) return;
	await queues.send(
		'team-notices',
		notices.map((notice) => noticeMessage(notice)),
	);
}

type Planning = Pick<Ports, 'store' | 'clock' | 'ids'> & {
	/** The address of the API, ending in /v1. */
	readonly link_base_url: string;
};

/** Plans the mail about a handover. The mail has a link that undoes the handover, as long as that is possible. */
export async function planHandover(
	{ workspace_id, handover }: AboutHandover,
	{ store, clock, ids, link_base_url }: Planning,
): Promise<NoticePlan> {
	const workspace = await store.get('workspace', { id: workspace_id });
	if (workspace === null) return { tell: false, status: 'canceled', code: 'not_wanted' };
	const nowMs = clock.now();
	const expiresMs = Date.parse(handover.at) + UNDO_MS;
	const isOpen = undoable(workspace, nowMs) !== null && mayBeUndone(workspace, nowMs) && nowMs < expiresMs;
	if (!isOpen) return { tell: true, about: { handover, put_back: null }, writes: [] };
	const secret = ids.random(SECRET_BYTES);
	const expires_at = new Date(expiresMs).toISOString();
	const item = newPutBackLink({ address: handover.to, workspace_id }, secret, expires_at, nowMs);
	const put_back = { url: `${link_base_url}/desk/links/${formatSecret(secret)}`, expires_at };
	const write = { op: 'put', record: 'desk_link', item, guard: { if: 'absent' } } as const;
	return { tell: true, about: { handover, put_back }, writes: [write] };
}
