import { newDeskLink } from '../../domain/desk/desk-link.ts';
import { formatSecret, SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { deskAddress } from '../../domain/workspaces/desk-person.ts';
import type { Ports } from '../../ports/ports.ts';
import { asRead } from '../kernel/unit-of-work.ts';
import { auditEntry } from './audit-entry.ts';

type Printed =
	| { readonly url: string; readonly expires_at: string }
	| { readonly refused: 'not_found' | 'person_unknown' };

/**
 * Makes a link with which a person of a desk can sign in to the desk. An operator hands over the link, so no mail is sent.
 * The entry in the audit list is written in the same transaction. `link_base_url` is the address of the API, ending in /v1.
 */
export async function printLink(
	workspace_id: string,
	typed: string,
	{ store, clock, ids, link_base_url }: Pick<Ports, 'store' | 'clock' | 'ids'> & { readonly link_base_url: string },
): Promise<Printed> {
	const workspace = await store.get('workspace', { id: workspace_id });
	if (workspace === null) return { refused: 'not_found' };
	const address = deskAddress(typed);
	if (workspace.desk.every((person) => person.address !== address)) return { refused: 'person_unknown' };
	const secret = ids.random(SECRET_BYTES);
	const link = newDeskLink({ address, reason: 'sign_in' }, secret, clock.now());
	const outcome = await store.commit([
		{ op: 'put', record: 'desk_link', item: { ...link, invited_to: workspace_id }, guard: asRead(null) },
		auditEntry({ workspace_id, address, change: 'link_printed', about: null }, { clock, ids }),
	]);
	if (!outcome.committed) throw new Error('a fresh link was taken');
	return { url: `${link_base_url}/desk/links/${formatSecret(secret)}`, expires_at: link.expires_at };
}
