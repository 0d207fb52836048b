import { maskPhone } from '../../domain/kernel/phone-mask.ts';
import { memberOwner, type PhoneNumber } from '../../domain/kernel/phone-number.ts';
import type { Sealed } from '../../domain/kernel/sealed.ts';
import { beginningsOf, mayBeRung } from '../../domain/workspaces/callable-number.ts';
import type { EnteredMember, TeamMember, Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TeamNumber } from '../../ports/registry.ts';
import type { Store, Write } from '../../ports/store.ts';
import { beginningHashes, numberHashes } from '../access/keyed-hash.ts';

// Matches the members that a person has typed to the members of the team, and stores their numbers.

export type TypedMember = Pick<TeamMember, 'name' | 'phone_masked'> & {
	readonly sealed: Sealed;
	/** The number itself, which is held only in memory. */
	readonly phone: PhoneNumber;
	/** All hashes under which the number may be in the table. The hash of the current key comes first. */
	readonly number_hashes: readonly [string, ...string[]];
	readonly beginnings: readonly string[];
};
export type TeamRefusal = {
	readonly refused: 'team_number_invalid' | 'team_number_twice' | 'team_number_not_callable';
};

/**
 * Reads the numbers of members. No two members may have the same number. `home`: the region for whose numbers the country
 * code may be left out.
 */
export async function typedMembers(
	workspaceId: string,
	members: readonly EnteredMember[],
	{ sealer, numbers, macs }: Pick<Ports, 'sealer' | 'numbers' | 'macs'>,
	home?: string,
): Promise<{ readonly typed: readonly TypedMember[] } | TeamRefusal> {
	const typed: TypedMember[] = [];
	for (const { name, number } of members) {
		const phone = numbers.parse(number, home);
		if ('refused' in phone) return { refused: 'team_number_invalid' };
		const number_hashes = await numberHashes(macs, workspaceId, phone.e164);
		if (typed.some((other) => other.number_hashes[0] === number_hashes[0])) return { refused: 'team_number_twice' };
		const sealed = sealer.sealNumber(phone.e164);
		const beginnings = await beginningHashes(macs, number_hashes[0], phone.e164);
		const phone_masked = maskPhone(phone.e164);
		typed.push({ ...(name !== null && { name }), phone_masked, sealed, phone, number_hashes, beginnings });
	}
	return { typed };
}

/**
 * The refusal if the workspace's rules do not allow the phone of one of these members. Null if all of these phones are
 * allowed.
 */
export const refusalOfMembers = (typed: readonly TypedMember[], workspace: Workspace): TeamRefusal | null =>
	typed.every(({ phone }) => mayBeRung(phone, workspace)) ? null : { refused: 'team_number_not_callable' };

/**
 * All hashes that may stand for the number that a workspace's calls show. No member may have that number: the calls would
 * seem to come from the member's own phone, and networks refuse such calls or send them to voicemail. `deployed` is the
 * deployment's number, which is shown if the workspace has no number of its own. `deployed` is null if the deployment has
 * no number.
 */
export async function callerHashes(
	{ id, caller_number }: Pick<Workspace, 'id' | 'caller_number'>,
	deployed: string | null,
	macs: Ports['macs'],
): Promise<readonly string[]> {
	const caller = caller_number ?? deployed;
	return caller === null ? [] : numberHashes(macs, id, caller);
}

export async function numbersOf({ id, team }: Workspace, store: Pick<Store, 'get'>): Promise<readonly TeamNumber[]> {
	const numbers = await Promise.all(
		team.map((member) => store.get('team_number', { owner: memberOwner(id, member.id) })),
	);
	return numbers.flatMap((number) => number ?? []);
}

/**
 * The new team, made from the typed list. Each typed entry is first matched to a current member by its number. The typed
 * name may then be a new name. An entry that matches no number is matched by its name, if exactly one of the remaining
 * members has that name. The typed number is then a new number. An entry without a match is a new member. `numbers`: the
 * team's current numbers.
 */
export function teamAfter(
	{ id, team, members_added }: Workspace,
	numbers: readonly TeamNumber[],
	typed: readonly TypedMember[],
) {
	const memberOf = new Map<TypedMember, TeamMember>();
	const rest = (): readonly TeamMember[] => team.filter((member) => ![...memberOf.values()].includes(member));
	const hashOf = (member: TeamMember) => numbers.find(({ owner }) => owner === memberOwner(id, member.id))?.number_hash;
	for (const each of typed) {
		const same = team.find((member) => each.number_hashes.includes(hashOf(member) ?? ''));
		if (same !== undefined) memberOf.set(each, same);
	}
	const samePhone = new Set(memberOf.keys());
	for (const each of typed.filter((one) => !memberOf.has(one) && one.name !== undefined)) {
		const [same, ...more] = rest().filter(({ name }) => name === each.name);
		if (same !== undefined && more.length === 0) memberOf.set(each, same);
	}
	let added = members_added;
	const members = typed.map((each): TeamMember => {
		const { name, phone_masked } = each;
		const { id: member_id, off_until } = memberOf.get(each) ?? { id: `m${++added}` };
		return {
			id: member_id,
			...(name !== undefined && { name }),
			phone_masked,
			...(off_until !== undefined && { off_until }),
		};
	});
	const writes = [
		...rest().map((member) => removeNumber(id, member.id)),
		...typed.flatMap((each, nth) => (samePhone.has(each) ? [] : [writeNumber(id, members[nth]?.id ?? '', each)])),
	];
	return { changes: { team: members, members_added: added }, writes };
}

const guard = { if: 'always' } as const;

/** The write that stores a member's number. It replaces the member's former number. */
export function writeNumber(
	workspaceId: string,
	member: string,
	{ sealed, phone: { e164, region, type }, number_hashes: [number_hash], beginnings }: TypedMember,
): Write {
	const item = {
		owner: memberOwner(workspaceId, member),
		sealed,
		number_hash,
		region,
		type,
		beginnings,
		...(beginningsOf(e164).is_premium_exchange && ({ premium_exchange: true } as const)),
		expires_at_epoch_s: null,
	};
	return { op: 'put', record: 'team_number', item, guard };
}

/** The write that removes a member's number. After this write, no call rings the member. */
export function removeNumber(workspaceId: string, member: string): Write {
	return { op: 'remove', record: 'team_number', key: { owner: memberOwner(workspaceId, member) }, guard };
}
