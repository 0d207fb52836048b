import { formatToken, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { callIdsOf, endOfSecret, withSecret } from '../../domain/notices/callback-link.ts';
import type { AboutLead } from '../../domain/notices/team-notice.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';
import type { LeadContent } from '../../ports/team-notifier.ts';
import { asRead } from '../kernel/unit-of-work.ts';
import type { NoticePlan } from './notice-plan.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'ids'> & {
	/** The address of the API, ending in /v1. */
	readonly link_base_url: string;
};

/**
 * The message about a lead, with a new link to call back. The hash of the link's secret is committed together with the
 * claim of the notice, before the message is sent. If the team has already handled or dismissed the lead, no message is
 * sent.
 */
export async function planLead(
	{ lead_id, workspace_id }: Pick<AboutLead, 'lead_id' | 'workspace_id'>,
	{ store, clock, ids, link_base_url }: Deps,
): Promise<NoticePlan<LeadContent>> {
	const [lead, before] = await Promise.all([
		store.get('callback_lead', { id: lead_id }),
		store.get('callback_link', { lead_id }),
	]);
	if (lead?.status !== 'pending') return { tell: false, status: 'canceled', code: 'not_wanted' };
	// The team has already used the link, so it needs no message. It got the link from an earlier try whose result was lost,
	// from the message on the other channel, or at the desk.
	if (before !== null && (before.used_at !== null || callIdsOf(before).length > 0))
		return { tell: false, status: 'sent', code: 'used' };
	const secret = ids.random(SECRET_BYTES);
	const url = `${link_base_url}/callback-links/${formatToken(lead_id, secret)}`;
	const item = withSecret(before, { lead_id, workspace_id }, secret, clock.now());
	const writes: Write[] = [{ op: 'put', record: 'callback_link', item, guard: asRead(before) }];
	return { tell: true, about: { lead, link: { url, expires_at: endOfSecret(item, secret) ?? '' } }, writes };
}
