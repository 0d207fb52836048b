import { SEEN_SECONDS, SEEN_STEP_MS, type SiteUse } from '../../domain/workspaces/site-use.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import { errorFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';

/**
 * Records that an allowed site has shown the widget, at most once a day. If storing this record fails, the failure is
 * logged, and a later request stores the record.
 */
export async function noteSite(
	{ id: workspace_id }: Pick<Workspace, 'id'>,
	origin: string,
	{ store, clock, log }: Pick<Ports, 'store' | 'clock' | 'log'>,
): Promise<void> {
	const nowMs = clock.now();
	const key = { workspace_id, origin };
	try {
		const before = await store.get('site_use', key);
		if (before !== null && nowMs < Date.parse(before.seen_at) + SEEN_STEP_MS) return;
		const expires_at_epoch_s = Math.floor(nowMs / 1000) + SEEN_SECONDS;
		const item = { ...key, seen_at: new Date(nowMs).toISOString(), expires_at_epoch_s };
		await store.commit([{ op: 'put', record: 'site_use', item, guard: { if: 'always' } }]);
	} catch (error) {
		log.warn('site not noted', { workspace_id, ...errorFields(error) });
	}
}

type Seen = { readonly origin: string; readonly seen_at: SiteUse['seen_at'] | null };

/**
 * For each site of a workspace, the day on which it last showed the widget. Null if the site has not shown the widget
 * lately.
 */
export function sitesSeen({ id, origins }: Workspace, { store }: Pick<Ports, 'store'>): Promise<readonly Seen[]> {
	const sites = origins.map(async (origin) => {
		const use = await store.get('site_use', { workspace_id: id, origin });
		return { origin, seen_at: use?.seen_at ?? null };
	});
	return Promise.all(sites);
}
