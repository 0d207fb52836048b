import { maskPhone, memberOwner } from '../../domain/kernel/phone-number.ts';
import { readMember, type TeamMember, type Workspace } from '../../domain/workspaces/workspace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Write } from '../../ports/store.ts';

type Deps = Pick<Ports, 'sealer' | 'numbers'>;
/** The members without their numbers, and the sealed number of each. */
type Team = { readonly members: Workspace['team']; readonly sealed: readonly string[] };

/**
 * Parses the team's members, in this order, each in the format of `readMember`; `value` is the first one without a number.
 */
export function teamOf(
	members_text: readonly string[],
	{ sealer, numbers }: Deps,
): Team | { readonly refused: 'team_number_invalid'; readonly value: string } {
	const members: TeamMember[] = [];
	const sealed_numbers: string[] = [];
	for (const value of members_text) {
		const { name, number } = readMember(value);
		const phone = numbers.parse(number);
		if ('refused' in phone) return { refused: 'team_number_invalid', value };
		members.push({ ...(name !== null && { name }), phone_masked: maskPhone(phone.e164) });
		sealed_numbers.push(sealer.sealNumber(phone.e164));
	}
	return { members, sealed: sealed_numbers };
}

const guard = { if: 'always' } as const;

/** Writes each number under its member's position, and removes the positions that a smaller team no longer has. */
export function teamWrites(workspace_id: string, before: Workspace['team'], { sealed }: Team): readonly Write[] {
	const removedPlaces = before.map((_, member) => member).slice(sealed.length);
	return [
		...sealed.map((number, member) => writeNumber(workspace_id, member, number)),
		...removedPlaces.map((member): Write => {
			return { op: 'remove', record: 'team_number', key: { owner: memberOwner(workspace_id, member) }, guard };
		}),
	];
}

/** Writes the sealed number of a place in the team. */
export function writeNumber(workspace_id: string, place: number, sealed: string): Write {
	const item = { owner: memberOwner(workspace_id, place), sealed, expires_at_epoch_s: null };
	return { op: 'put', record: 'team_number', item, guard };
}

/** Writes the records in which a preflight looks up whether any workspace allows an origin. */
export function originWrites(
	workspace_id: string,
	before: readonly string[],
	after: readonly string[],
): readonly Write[] {
	const newOrigins = [...new Set(after)].filter((origin) => !before.includes(origin));
	const oldOrigins = before.filter((origin) => !after.includes(origin));
	return [
		...newOrigins.map((origin): Write => {
			return { op: 'put', record: 'allowed_origin', item: { origin, workspace_id }, guard };
		}),
		...oldOrigins.map((origin): Write => {
			return { op: 'remove', record: 'allowed_origin', key: { origin, workspace_id }, guard };
		}),
	];
}
