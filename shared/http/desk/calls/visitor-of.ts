import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { isErased } from '../../../use-cases/desk/to-call-back.ts';
import type { PageDeps, View } from '../kit/view.ts';

/**
 * The name of the visitor of a call or lead, or the masked number if the visitor gave no name. Null if the workspace has no
 * such call or lead, or if the visitor's data was erased.
 */
export async function visitorOf(id: string, { at }: View, { store }: PageDeps): Promise<string | null> {
	const [call, lead] = await Promise.all([store.get('call', { id }), store.get('callback_lead', { id })]);
	const asked = call ?? lead;
	if (asked?.workspace_id !== at.workspace.id || isErased(asked)) return null;
	const name = 'legs' in asked ? asked.visitor_name : asked.name;
	return visibleLine(name ?? '') || readableMask(asked.visitor_phone_masked);
}
