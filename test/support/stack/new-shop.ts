import type { DeskRole } from '../../../shared/domain/workspaces/desk-person.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { createWorkspace } from '../../../shared/use-cases/workspaces/create-workspace.ts';

type Settings = Parameters<typeof createWorkspace>[0];
type Deps = Parameters<typeof createWorkspace>[1] & Parameters<typeof changePeople>[2];

/** Creates shops with a desk, on a running stack or in memory. `operator`: the dependencies of an operator's commands. */
export function shopMaker(operator: () => Promise<Deps>) {
	let shops = 0;

	async function invite(id: string, address: string, role: DeskRole): Promise<void> {
		await changePeople(id, { change: 'invite', address, role }, await operator());
	}
	/** Creates a shop with an owner, a member and a team. `changes`: settings that differ from the usual ones. */
	async function newShop(region = 'US', changes: Partial<Settings> = {}) {
		shops += 1;
		const name = `Shop ${shops}`;
		const [allowed_origin = ''] = changes.origins ?? [`https://shop-${shops}.example`];
		const owner = `owner-${shops}@shop.example`;
		const member = `member-${shops}@shop.example`;
		const made = await createWorkspace(
			{
				name,
				region,
				time_zone: 'Europe/Berlin',
				origins: [allowed_origin],
				allowed_regions: ['US'],
				team: ['Ida Wells:+13125550101'],
				team_email: owner,
				...changes,
			},
			await operator(),
		);
		if ('refused' in made) throw new Error(made.refused);
		const { id, workspace_key } = made.workspace;
		await invite(id, owner, 'owner');
		await invite(id, member, 'member');
		return { id, name, workspace_key, allowed_origin, owner, member };
	}
	return { invite, newShop };
}
export type Shop = Awaited<ReturnType<ReturnType<typeof shopMaker>['newShop']>>;
