import { formatToken, LINK_SECRET_BYTES } from '../../domain/kernel/link-token.ts';
import { withSecret } from '../../domain/leads/callback-link.ts';
import type { Ports } from '../../ports/ports.ts';
import { change } from '../kernel/change.ts';
import type { EditContext } from '../workspaces/change-workspace.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'ids'> & Pick<EditContext, 'line'>;
type CallBackResult = { readonly token: string } | { readonly refused: 'not_found' | 'not_callable' };

/**
 * Makes one more one-time link for a waiting lead, as a message to the team has it. Its page rings a member and then the
 * visitor, and its use ends all links of the lead. `not_callable`: the lead is closed, was called, or its person was erased.
 */
export async function callBack(workspace_id: string, lead_id: string, deps: Deps): Promise<CallBackResult> {
	const { store, clock, ids } = deps;
	const read = () =>
		Promise.all([store.get('callback_lead', { id: lead_id }), store.get('callback_link', { lead_id })]);
	return change<Awaited<ReturnType<typeof read>>, CallBackResult>(
		{
			read,
			decide: ([lead, link]) => {
				if (lead?.workspace_id !== workspace_id) return { result: { refused: 'not_found' } };
				const { number_hash, status } = lead;
				if (number_hash === undefined || status !== 'pending' || (link !== null && link.used_at !== null))
					return { result: { refused: 'not_callable' } };
				const secret = ids.random(LINK_SECRET_BYTES);
				const item = withSecret(link, { lead_id, workspace_id, number_hash }, secret, clock.now());
				const guard = link === null ? ({ if: 'absent' } as const) : ({ if: 'version', version: link.version } as const);
				return {
					result: { token: formatToken(lead_id, secret) },
					writes: { link: { op: 'put', record: 'callback_link', item, guard }, line: deps.line ?? [] },
				};
			},
		},
		store,
	);
}
