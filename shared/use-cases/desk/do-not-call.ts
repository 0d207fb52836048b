import type { Ports } from '../../ports/ports.ts';
import { suppressHash } from '../visitors/suppress-number.ts';
import type { EditContext } from '../workspaces/change-workspace.ts';

/** A call or a callback lead. */
export type Contact = { readonly of: 'call' | 'callback_lead'; readonly id: string };

/**
 * Never calls the number of a call or a lead of this workspace again. The number is found by its hash in the record; it is
 * neither opened nor shown. `not_callable`: the person was erased, or the record is from before the hash was kept.
 */
export async function doNotCall(
	workspace_id: string,
	{ of, id }: Contact,
	deps: Pick<Ports, 'store' | 'clock'> & Pick<EditContext, 'line'>,
): Promise<{ readonly suppressed: true } | { readonly refused: 'not_found' | 'not_callable' }> {
	const item = await deps.store.get(of, { id });
	if (item?.workspace_id !== workspace_id) return { refused: 'not_found' };
	if (item.number_hash === undefined) return { refused: 'not_callable' };
	await suppressHash(item.number_hash, deps);
	return { suppressed: true };
}
