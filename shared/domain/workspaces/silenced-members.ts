import { createHash } from 'node:crypto';
import type { CallingRules } from './callable-number.ts';

// The numbers of a team are sealed, so whether the rules let a member's phone ring is judged when a rule or a number changes,
// and kept with the rules that it was judged by.

/** The members whose phones the rules do not let ring. It holds while the workspace has the same rules. */
export type Silenced = {
	/** The fingerprint of the rules (see `rulesPrint`). */
	readonly by: string;
	/** With the mask of the number: the verdict does not apply once the member has another number. */
	readonly members: readonly Member[];
};
type Member = { readonly id: string; readonly phone_masked: string };

export type TeamRules = CallingRules & { readonly region: string };

const setOf = (list: readonly string[]): readonly string[] => [...new Set(list)].sort();

/** A fingerprint of the rules. Equal rules have equal fingerprints. */
export function rulesPrint({ region, allowed_regions, allowed_prefixes, refused_prefixes }: TeamRules): string {
	const rules = [setOf([region, ...allowed_regions]), setOf(allowed_prefixes), setOf(refused_prefixes)];
	return createHash('sha256').update(JSON.stringify(rules)).digest('base64url').slice(0, 22);
}

type Ruled = TeamRules & { readonly silenced?: Silenced };

/** Whether the workspace's rules are known to keep a member's phone from ringing. */
export function isSilenced({ id, phone_masked }: Member, { silenced, ...rules }: Ruled): boolean {
	if (silenced === undefined || silenced.members.length === 0 || silenced.by !== rulesPrint(rules)) return false;
	return silenced.members.some((each) => each.id === id && each.phone_masked === phone_masked);
}

/** The members whose phones may ring, as far as it is known, in the order of ringing. */
export const ringableMembers = <M extends Member>(workspace: Ruled & { readonly team: readonly M[] }): readonly M[] =>
	workspace.team.filter((member) => !isSilenced(member, workspace));
