// Whose a sealed number is. A visitor's belongs to the call or lead it was given for, which also names the evidence of
// consent; a team member's to the workspace and the member's place.

export const callOwner = (call_id: string): string => `call#${call_id}`;
export const leadOwner = (lead_id: string): string => `lead#${lead_id}`;
export const memberOwner = (workspace_id: string, member: number): string => `team#${workspace_id}#${member}`;

/** What a visitor's number was given for. */
export function subjectOf(owner: string): { readonly kind: 'call' | 'lead'; readonly id: string } {
	const [kind, id = ''] = owner.split('#');
	return { kind: kind === 'call' ? 'call' : 'lead', id };
}
