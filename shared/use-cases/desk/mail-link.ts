import { type DeskLink, linkAfterMail } from '../../domain/desk/desk-link.ts';
import { formatToken, LINK_SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { localeOf } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
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
 * Mails a link to its address, if the address belongs to a desk. The secret is committed as a hash before the mail is sent.
 * A mail that fails is not tried again: the person asks for another one.
 */
export async function mailLink({ desk_link_id: id }: DeskLinkMessage, deps: Deps): Promise<void> {
	const { store, clock, ids, log, notifier } = deps;
	const link = await store.get('desk_link', { id });
	if (link === null || link.used_at !== null || Date.parse(link.expires_at) <= clock.now()) return;
	const [workspace] = await desksOf(link.address, store);
	if (workspace === undefined) return log.info('no desk', {});
	if (notifier === null) return log.warn('no link mailed', { workspace_id: workspace.id, code: 'no_sender' });
	const secret = ids.random(LINK_SECRET_BYTES);
	const item = linkAfterMail(link, secret);
	const guard = { if: 'version', version: link.version } as const;
	const { committed } = await store.commit([{ op: 'put', record: 'desk_link', item, guard }]);
	// Another process mails it.
	if (!committed) return;
	const outcome = await notifier.tell(
		mailOf(link, workspace, `${deps.link_base_url}/desk/links/${formatToken(id, secret)}`),
	);
	if (outcome.notified === 'sent') return log.info('link mailed', { workspace_id: workspace.id });
	log.warn('no link mailed', { workspace_id: workspace.id, code: outcome.code });
}

function mailOf({ address, reason, expires_at }: DeskLink, workspace: Workspace, url: string) {
	const locale = localeOf(workspace);
	return { to: address, workspace_name: workspace.name, locale, reason, desk_link: { url, expires_at } };
}
