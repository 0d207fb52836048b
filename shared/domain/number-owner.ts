import type { Call } from './call.ts';
import type { Leg } from './leg.ts';

// Whose a sealed number is. A visitor's belongs to the call or lead it was given for, which also names the evidence of
// consent; a team member's to the workspace and the member's place.

export const callOwner = (call_id: string): string => `call#${call_id}`;
export const leadOwner = (lead_id: string): string => `lead#${lead_id}`;
export const memberOwner = (workspace_id: string, member: number): string => `team#${workspace_id}#${member}`;

/** Whose number a leg rings. A call that came of a lead rings the lead's. */
export function ownerOf(call: Pick<Call, 'id' | 'workspace_id' | 'lead_id'>, { member }: Pick<Leg, 'member'>): string {
	if (member !== null) return memberOwner(call.workspace_id, member);
	return call.lead_id === undefined ? callOwner(call.id) : leadOwner(call.lead_id);
}

/** What a visitor's number was given for. */
export function subjectOf(owner: string): { readonly kind: 'call' | 'lead'; readonly id: string } {
	const [kind, id = ''] = owner.split('#');
	return { kind: kind === 'call' ? 'call' : 'lead', id };
}
