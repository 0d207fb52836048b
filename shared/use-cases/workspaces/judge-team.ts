import { memberOwner } from '../../domain/kernel/phone-number.ts';
import { type Beginnings, hasRefusedPrefix, isMembersLine } from '../../domain/workspaces/callable-number.ts';
import { rulesPrint, type Silenced, type TeamRules } from '../../domain/workspaces/silenced-members.ts';
import type { TeamMember, Workspace } from '../../domain/workspaces/workspace.ts';
import type { TeamNumber } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import type { Macs } from '../../ports/vault.ts';
import { beginningTest } from '../access/keyed-hash.ts';

// Decides whether a workspace's rules allow calls to the phones of its team, while the numbers stay encrypted.

/**
 * `unknown`: the rules refuse some beginnings of numbers, but the hashes of this number's beginnings are not stored, or
 * their key no longer exists. The number is then checked when it is dialed.
 */
type Verdict = 'rings' | 'silenced' | 'unknown';

/** Whether the rules of a workspace allow a stored number to be rung. */
export async function judgeNumber(number: TeamNumber, rules: TeamRules, macs: Macs): Promise<Verdict> {
	if (!isMembersLine(number, rules)) return 'silenced';
	const beginnings = await beginningsIn(number, macs);
	if (beginnings !== null) return hasRefusedPrefix(beginnings, rules) ? 'silenced' : 'rings';
	return rules.refused_prefixes.length === 0 ? 'rings' : 'unknown';
}

/**
 * The stored hashes of a number's beginnings. Null if no such hashes are stored, or if the key that made them no longer
 * exists.
 */
async function beginningsIn({ number_hash, beginnings = [], premium_exchange }: TeamNumber, macs: Macs) {
	const stored = new Set(beginnings);
	const hashesOf = await beginningTest(macs, number_hash);
	const begins = (prefix: string): boolean => hashesOf(prefix).some((hash) => stored.has(hash));
	const isReadable = Array.from('123456789').some((digit) => begins(`+${digit}`));
	return isReadable ? ({ begins, is_premium_exchange: premium_exchange === true } satisfies Beginnings) : null;
}

export type TeamVerdict = {
	readonly silenced: readonly TeamMember[];
	readonly unknown: readonly TeamMember[];
};

/**
 * Checks every member of a team by the workspace's rules. A member without a stored number is skipped, because no call
 * rings that member.
 */
export async function judgeTeam(
	workspace: Pick<Workspace, 'id' | 'team'> & TeamRules,
	{ store, macs }: { readonly store: Pick<Store, 'get'>; readonly macs: Macs },
): Promise<TeamVerdict> {
	const verdicts = await Promise.all(
		workspace.team.map(async (member) => {
			const number = await store.get('team_number', { owner: memberOwner(workspace.id, member.id) });
			return { member, verdict: number === null ? 'rings' : await judgeNumber(number, workspace, macs) } as const;
		}),
	);
	const those = (verdict: Verdict) => verdicts.flatMap((each) => (each.verdict === verdict ? [each.member] : []));
	return { silenced: those('silenced'), unknown: those('unknown') };
}

/**
 * `silenced`: the members whom the new rules silence, although the current rules do not. `unknown`: the members for whom it
 * is unknown whether the new rules silence them, although it is known for the current rules.
 */
export async function newlySilenced(
	before: Workspace,
	rules: Partial<TeamRules>,
	deps: Parameters<typeof judgeTeam>[1],
): Promise<TeamVerdict> {
	const after = { ...before, ...rules };
	if (rulesPrint(after) === rulesPrint(before)) return { silenced: [], unknown: [] };
	const now = await judgeTeam(before, deps);
	const then = await judgeTeam(after, deps);
	return {
		silenced: then.silenced.filter((member) => !now.silenced.includes(member)),
		unknown: then.unknown.filter((member) => !now.unknown.includes(member)),
	};
}

/** The result of `judgeTeam` in the form in which a workspace stores it. */
export const silencedBy = (rules: TeamRules, members: readonly TeamMember[]): Silenced => ({
	by: rulesPrint(rules),
	members: members.map(({ id, phone_masked }) => ({ id, phone_masked })),
});
