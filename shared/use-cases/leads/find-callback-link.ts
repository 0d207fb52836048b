import { parseToken } from '../../domain/kernel/link-token.ts';
import type { CallbackLead, LeadStatus } from '../../domain/leads/callback-lead.ts';
import { type CallbackLink, endOfSecret } from '../../domain/notices/callback-link.ts';
import { localeOf, type TeamLocale } from '../../domain/workspaces/language.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Store } from '../../ports/store.ts';

/** The request that a link answers: a lead, or a call that the team missed. */
export type LinkRequest = Omit<CallbackLead, 'version' | 'updated_at' | 'workspace_id'> & Pick<CallbackLink, 'of'>;

export type OpenLink = {
	readonly link: CallbackLink;
	/** When the secret in this link expires. */
	readonly expires_at: string;
	readonly lead: LinkRequest;
	readonly workspace: Workspace;
};
/** `locale` is the locale of the team. If the link is not valid, the team is unknown. */
export type LinkRefusal =
	| { readonly refused: 'link_not_valid' }
	| { readonly refused: 'link_used' | 'link_expired'; readonly at: string; readonly locale: TeamLocale }
	| {
			readonly refused: 'lead_closed';
			readonly lead_status: Exclude<LeadStatus, 'pending'>;
			readonly locale: TeamLocale;
	  };

const NOT_VALID = { refused: 'link_not_valid' } as const;

/**
 * Finds the link of a token. This changes nothing, because programs such as mail scanners and previews also open links. If
 * the token is not one that we have sent, the answer does not show whether the lead exists.
 */
export async function findCallbackLink(
	token: string,
	{ store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<OpenLink | LinkRefusal> {
	const parts = parseToken(token);
	const link = parts === null ? null : await store.get('callback_link', { lead_id: parts.id });
	const expires_at = parts && link && endOfSecret(link, parts.secret);
	if (link === null || expires_at === null) return NOT_VALID;
	const [lead, workspace] = await Promise.all([
		askedBy(link, store),
		store.get('workspace', { id: link.workspace_id }),
	]);
	if (lead === null || workspace === null) return NOT_VALID;
	const locale = localeOf(workspace);
	if (link.used_at !== null) return { refused: 'link_used', at: link.used_at, locale };
	if (Date.parse(expires_at) <= clock.now()) return { refused: 'link_expired', at: expires_at, locale };
	if (lead.status !== 'pending') return { refused: 'lead_closed', lead_status: lead.status, locale };
	return { link, expires_at, lead, workspace };
}

async function askedBy({ of, lead_id: id }: CallbackLink, store: Pick<Store, 'get'>): Promise<LinkRequest | null> {
	if (of === undefined) return store.get('callback_lead', { id });
	const call = await store.get('call', { id });
	if (call === null) return null;
	const { visitor_name: name, reference = null } = call;
	return { ...call, of, name, reference, note: null, status: 'pending' };
}
