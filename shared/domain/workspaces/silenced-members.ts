import { createHash } from 'node:crypto';
import type { CallingRules } from './callable-number.ts';

// A member is silenced if the workspace's rules do not let the member's phone ring. The numbers of a team are encrypted, so
// this is decided when a rule or a number changes. The result is stored with the rules on which it was based.

/** The silenced members. The list is valid as long as the workspace has the same rules. */
export type Silenced = {
	/** The fingerprint of the rules (see `rulesPrint`). */
	readonly by: string;
	/**
	 * Each member has the mask of the number that was checked. A member who has another number now is not silenced by this
	 * list.
	 */
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

/** Whether it is known that the workspace's rules keep a member's phone from ringing. */
export function isSilenced({ id, phone_masked }: Member, { silenced, ...rules }: Ruled): boolean {
	if (silenced === undefined || silenced.members.length === 0 || silenced.by !== rulesPrint(rules)) return false;
	return silenced.members.some((each) => each.id === id && each.phone_masked === phone_masked);
}

/** The members who, as far as is known, may be rung, in the order of ringing. */
export const ringableMembers = <M extends Member>(workspace: Ruled & { readonly team: readonly M[] }): readonly M[] =>
	workspace.team.filter((member) => !isSilenced(member, workspace));
