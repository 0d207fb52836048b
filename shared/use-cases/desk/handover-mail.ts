import { newPutBackLink } from '../../domain/desk/desk-link.ts';
import { formatSecret, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import type { AboutHandover } from '../../domain/notices/team-notice.ts';
import { mayBeUndone, UNDO_MS, undoable } from '../../domain/workspaces/handover.ts';
import type { Ports } from '../../ports/ports.ts';
import type { NoticePlan } from '../notices/notice-plan.ts';

type Planning = Pick<Ports, 'store' | 'clock' | 'ids'> & {
	/** The address of the API, ending in /v1. */
	readonly link_base_url: string;
};

/**
 * Plans the mail about a handover, which is a change of a desk's owners or of its address for messages. The mail has a link
 * that undoes the handover, as long as that is possible.
 */
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
