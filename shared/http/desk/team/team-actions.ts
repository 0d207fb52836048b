import * as z from 'zod/mini';
import { isDate } from '../../../domain/kernel/time-range.ts';
import { visibleLine } from '../../../domain/kernel/visible-line.ts';
import { MEMBER_ID_PATTERN, MOST_NAME_CHARACTERS } from '../../../domain/workspaces/workspace.ts';
import { testCall } from '../../../use-cases/desk/test-call.ts';
import { changeTeam } from '../../../use-cases/workspaces/change-team.ts';
import { putMemberBack as putBack } from '../../../use-cases/workspaces/put-member-back.ts';
import { switchMember } from '../../../use-cases/workspaces/switch-member.ts';
import {
	type Actor,
	type Audit,
	changesShop,
	defineAction,
	formOf,
	perPerson,
	saveSection,
	type Uses,
} from '../define-action.ts';
import { ringingSection } from './team-sections.ts';

const ofMember = z.object({ member_id: z.string().check(z.regex(MEMBER_ID_PATTERN)) });
type OfMember = z.infer<typeof ofMember>;

/** The audit of an action about a member. Its entry has the member's name, or the mask of the member's number. */
const changesMember: Audit<OfMember> = {
	with: ['workspace'],
	about: (form, by) => nameOf(form, by) || null,
};
function nameOf({ member_id }: OfMember, { workspace }: Actor): string {
	const { name, phone_masked } = workspace.team.find(({ id }) => id === member_id) ?? {};
	return visibleLine(name ?? phone_masked ?? '');
}

const newMember = z.object({
	member: z.string().check(z.trim(), z.maxLength(MOST_NAME_CHARACTERS)),
	phone: z.string().check(z.trim(), z.minLength(1)),
});

export const addMember = defineAction(formOf(newMember), {
	limit: perPerson,
	audit: { with: ['workspace'], about: ({ member }) => visibleLine(member) || null },
	run: ({ member, phone }, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs' | 'caller_number'>) => {
		const entered = { name: visibleLine(member) || null, number: phone };
		return changeTeam(workspace.id, { change: 'add', member: entered, home: workspace.region }, deps);
	},
});

/**
 * Changes a member's name or number. An empty number stays as it is. The entry has the member's name, and also the new name if
 * it is another one.
 */
export const editMember = defineAction(
	formOf(z.extend(ofMember, { member: newMember.shape.member, phone: z.string() })),
	{
		limit: perPerson,
		audit: {
			with: ['workspace'],
			about: (form, by) => {
				const names = new Set([nameOf(form, by), visibleLine(form.member)]);
				return [...names].filter((name) => name !== '').join(' → ') || null;
			},
		},
		run: (
			{ member_id: id, member, phone },
			{ workspace },
			deps: Uses<'sealer' | 'numbers' | 'macs' | 'caller_number'>,
		) => {
			const number = phone.trim() || null;
			const name = visibleLine(member) || null;
			return changeTeam(workspace.id, { change: 'edit', id, name, number, home: workspace.region }, deps);
		},
	},
);

export const removeMember = defineAction(formOf(ofMember), {
	limit: perPerson,
	audit: changesMember,
	run: ({ member_id: id }, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs' | 'caller_number'>) =>
		changeTeam(workspace.id, { change: 'remove', id }, deps),
});

/** Puts a removed member back. Only pages of the release 28086779 that are still open have the form for it. */
export const putMemberBack = defineAction(formOf(z.extend(ofMember, { before: z.optional(z.string()) })), {
	limit: perPerson,
	audit: changesShop,
	run: ({ member_id: member, before = null }, { workspace }, deps: Uses<'macs' | 'caller_number'>) =>
		putBack(workspace.id, { member, before }, deps),
});

export const moveMemberUp = defineAction(formOf(ofMember), {
	limit: perPerson,
	audit: changesMember,
	run: ({ member_id: id }, { workspace }, deps: Uses<'sealer' | 'numbers' | 'macs' | 'caller_number'>) =>
		changeTeam(workspace.id, { change: 'move_up', id }, deps),
});

/** Switches a member off until tomorrow, or until the date `back`. */
export const switchMemberOff = defineAction(
	formOf(z.extend(ofMember, { back: z.optional(z.string().check(z.refine(isDate))) })),
	{
		limit: perPerson,
		audit: changesMember,
		run: ({ member_id, back = null }, { workspace }, deps: Uses) =>
			switchMember(workspace.id, ({ id }) => id === member_id, { on: false, back }, deps),
	},
);

export const switchMemberOn = defineAction(formOf(ofMember), {
	limit: perPerson,
	audit: changesMember,
	run: ({ member_id }, { workspace }, deps: Uses) =>
		switchMember(workspace.id, ({ id }) => id === member_id, { on: true }, deps),
});

export const saveRinging = saveSection(ringingSection);

export const placeTestCall = defineAction(formOf(ofMember), {
	limit: perPerson,
	audit: changesMember,
	next: () => ({ link: 'today?saved=test_called' }),
	run: ({ member_id }, { workspace }, deps: Uses<'queues' | 'speed' | 'can_dial'>) =>
		testCall(workspace.id, member_id, deps),
});
