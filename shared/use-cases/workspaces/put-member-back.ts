import { formerMemberOwner, memberOwner } from '../../domain/kernel/phone-number.ts';
import { MOST_MEMBERS } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import { type EditContext, type EditOutcome, editWorkspace } from './edit-workspace.ts';
import { judgeNumber } from './judge-team.ts';
import { callerHashes, numbersOf } from './team-members.ts';

type Deps = Pick<Ports, 'store' | 'clock' | 'macs'> & EditContext & { readonly caller_number: string | null };
type Refusal =
	| 'member_unknown'
	| 'team_full'
	| 'team_number_twice'
	| 'team_number_calls_itself'
	| 'team_number_not_callable';

const guard = { if: 'always' } as const;

/**
 * Undoes the removal of a member, if the member was removed with release 28086779. The member comes back with its id, its
 * place in the team and, if it was switched off, the time until which it is off. That release kept the number of a removed
 * member for an hour, and its pages have a button that undoes the removal. The current release keeps no such number and has
 * no such button, so the next release will not have this function (docs/decisions/0087). `before` is the id of the member
 * who comes next in the team. If `before` is null, or if no member has that id, the member comes last.
 */
export async function putMemberBack(
	id: string,
	{ member, before }: { readonly member: string; readonly before: string | null },
	deps: Deps,
): Promise<EditOutcome<Refusal>> {
	const formerKey = { owner: formerMemberOwner(id, member) };
	return editWorkspace<Refusal>(
		id,
		async (workspace) => {
			const { team, former_members = [] } = workspace;
			const former = former_members.find((each) => each.id === member);
			const number = await deps.store.get('team_number', formerKey);
			const isRetained = (number?.expires_at_epoch_s ?? 0) * 1000 > deps.clock.now();
			if (number === null || !isRetained || former === undefined) return { refused: 'member_unknown' };
			if (team.length >= MOST_MEMBERS) return { refused: 'team_full' };
			const others = await numbersOf(workspace, deps.store);
			if (others.some(({ number_hash }) => number_hash === number.number_hash)) return { refused: 'team_number_twice' };
			const callers = await callerHashes(workspace, deps.caller_number, deps.macs);
			if (callers.includes(number.number_hash)) return { refused: 'team_number_calls_itself' };
			// Check the number again, because the rules may have changed since it was entered.
			const verdict = await judgeNumber(number, workspace, deps.macs);
			if (verdict === 'silenced') return { refused: 'team_number_not_callable' };
			const place = team.findIndex((each) => each.id === before);
			const item = { ...number, owner: memberOwner(id, member), expires_at_epoch_s: null };
			return {
				changes: { team: team.toSpliced(place === -1 ? team.length : place, 0, former) },
				writes: [
					{ op: 'put', record: 'team_number', item, guard },
					{ op: 'remove', record: 'team_number', key: formerKey, guard },
				],
			};
		},
		deps,
	);
}
