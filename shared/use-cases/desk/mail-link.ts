import { newDeskLink } from '../../domain/desk/desk-link.ts';
import { formatToken, LINK_SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DeskLinkMessage } from '../../ports/registry.ts';
import type { TeamNotifier } from '../../ports/team-notifier.ts';
import { desksOf } from './open-desk.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'ids' | 'log'> & {
	/** Sends mail; null if no sender is configured. */
	readonly notifier: TeamNotifier | null;
	/** The URL of the API, ending in /v1. */
	readonly link_base_url: string;
};

/**
 * Mails a link to an address, if the address belongs to a desk. The link is committed before the mail is sent. A mail that
 * fails is not tried again: the person asks for another one.
 */
export async function mailLink({ address, reason }: DeskLinkMessage, deps: Deps): Promise<void> {
	const { store, clock, ids, log, notifier } = deps;
	const [workspace] = await desksOf(address, store);
	if (workspace === undefined) return log.info('no desk', {});
	const about = { workspace_id: workspace.id };
	if (notifier === null) return log.warn('no link mailed', { ...about, code: 'no_sender' });
	const [id, secret] = [ids.next(clock.now()), ids.random(LINK_SECRET_BYTES)];
	const item = newDeskLink({ id, address }, reason, secret, clock.now());
	const outcome = await store.commit([{ op: 'put', record: 'desk_link', item, guard: { if: 'absent' } }]);
	if (!outcome.committed) throw new Error('a fresh link id was taken');
	const url = `${deps.link_base_url}/desk/links/${formatToken(id, secret)}`;
	const desk_link = { url, expires_at: item.expires_at };
	const [workspace_name, locale] = [workspace.name, localeOf(workspace)];
	const notification = await notifier.tell({ to: address, workspace_name, locale, reason, desk_link });
	if (notification.notified === 'sent') return log.info('link mailed', about);
	log.warn('no link mailed', { ...about, code: notification.code });
}
