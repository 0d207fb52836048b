import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { maskPhone } from '../../../shared/domain/kernel/phone-mask.ts';
import { isOn, type TeamMember } from '../../../shared/domain/workspaces/workspace.ts';
import { changeTeam } from '../../../shared/use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { switchMember } from '../../../shared/use-cases/workspaces/switch-member.ts';
import * as ports from './ports.ts';
import type { Act } from './scenario.ts';
import { Died, type Stage } from './stage.ts';

// The owner of the shop, who changes the team at any time.

type TeamAct = Extract<Act, { readonly act: 'change the team' }>;

/** Each name is used only once, so a name identifies a person. */
export const nameOf = (nth: number): string => `member-${nth}`;

export function newOwner(stage: Stage, workspaceId: string) {
	const deps = {
		store: stage.store,
		clock: ports.systemClock,
		sealer: ports.kmsNumberSealer(),
		numbers: phoneNumbers,
		macs: ports.kmsMacs(),
		caller_number: null,
	};
	let names = stage.team_numbers.length;
	/** The masked numbers of a world all differ, so a mask identifies a number. */
	const numberOf = ({ phone_masked }: TeamMember): string =>
		stage.team_numbers.find((number) => maskPhone(number) === phone_masked) ?? '';
	const typed = ({ name = '' }: TeamMember, number: string): string => `${name}:${number}`;

	async function change({ how, nth }: TeamAct): Promise<unknown> {
		const workspace = await stage.store.get('workspace', { id: workspaceId });
		const { team = [] } = workspace ?? {};
		const number = stage.team_numbers[nth % stage.team_numbers.length] ?? '';
		const member = team[nth % Math.max(1, team.length)];
		names += 1;
		if (how === 'add') {
			return changeTeam(workspaceId, { change: 'add', member: { name: nameOf(names), number } }, deps);
		}
		if (member === undefined) return null;
		const on = isOn(member, stage.time.now());
		const others = team.filter((each) => each !== member && isOn(each, stage.time.now()));
		// In a calm world, there is always a member whose phone can ring.
		if (stage.kind === 'calm' && on && others.length === 0 && (how === 'remove' || how === 'switch')) return null;
		const replaced = (text: string) =>
			changeWorkspace(
				workspaceId,
				{ team: team.map((each) => (each === member ? text : typed(each, numberOf(each)))) },
				deps,
			);
		switch (how) {
			case 'remove':
			case 'move_up':
				return changeTeam(workspaceId, { change: how, id: member.id }, deps);
			case 'rename':
				return replaced(`${nameOf(names)}:${numberOf(member)}`);
			case 'change the number':
				return replaced(typed(member, number));
			case 'switch':
				return switchMember(
					workspaceId,
					({ id }) => id === member.id,
					on ? { on: false, back: null } : { on: true },
					deps,
				);
		}
	}
	let earlier: Promise<unknown> = Promise.resolve();
	/**
	 * In a calm world, the owner waits for each change before making the next. Two changes at the same time could switch off the
	 * last two members.
	 */
	const inTurn = (act: TeamAct): Promise<unknown> => {
		if (stage.kind !== 'calm') return change(act);
		earlier = earlier.then(() => change(act));
		return earlier;
	};
	return async (act: TeamAct): Promise<void> => {
		const { process, done } = stage.run('the owner', () => inTurn(act));
		await done.catch((error: unknown) => {
			if (!process.hurt && !(error instanceof Died)) throw error;
		});
	};
}
