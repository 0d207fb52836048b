import { callOwner, leadOwner, memberOwner } from '../kernel/number-owner.ts';
import type { Call } from './call.ts';
import type { Leg } from './leg.ts';

/** The owner of the number that a leg rings. A call that answers a lead rings the lead's number. */
export function ownerOf(call: Pick<Call, 'id' | 'workspace_id' | 'lead_id'>, { member }: Pick<Leg, 'member'>): string {
	if (member !== null) return memberOwner(call.workspace_id, member);
	return call.lead_id === undefined ? callOwner(call.id) : leadOwner(call.lead_id);
}
