// The owner of a sealed number. A visitor's number belongs to its call or lead, which also identifies the evidence of
// consent; a team member's number belongs to the workspace and the member's position.

export const callOwner = (call_id: string): string => `call#${call_id}`;
export const leadOwner = (lead_id: string): string => `lead#${lead_id}`;
export const memberOwner = (workspace_id: string, member: number): string => `team#${workspace_id}#${member}`;

/** The record that a visitor's number belongs to. */
export function subjectOf(owner: string): { readonly kind: 'call' | 'lead'; readonly id: string } {
	const [kind, id = ''] = owner.split('#');
	return { kind: kind === 'call' ? 'call' : 'lead', id };
}
