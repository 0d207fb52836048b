import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import { changeTeam, type TeamChange } from '../../../shared/use-cases/workspaces/change-team.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

const change: fc.Arbitrary<TeamChange> = fc.oneof(
	fc.integer({ min: 100, max: 999 }).map((n) => ({ change: 'add' as const, member: `M${n}:+1202555${n}0` })),
	fc.record({ change: fc.constantFrom('remove' as const, 'move_up' as const), place: fc.nat({ max: 6 }) }),
);

/** Seals nothing, so that the test can see which number a place has. */
const sealer = { sealNumber: (number: string) => `sealed ${number}` as never };

it('every member keeps the number that was entered with the name, whatever moves and goes', async () => {
	const property = async (changes: readonly TeamChange[]): Promise<void> => {
		const store = memoryStore();
		const { deps, workspace: fresh } = frontDesk(store);
		const workspace = fresh({}, { team: [] });
		await store.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
		for (const each of changes) await changeTeam(workspace.id, each, { ...deps, sealer });
		const team = (await store.get('workspace', { id: workspace.id }))?.team ?? [];
		const numbers = await Promise.all(
			team.map((_, place) => store.get('team_number', { owner: memberOwner(workspace.id, place) })),
		);
		expect(numbers.map((number) => number?.sealed)).toEqual(
			team.map(({ name = '' }) => `sealed +1202555${name.slice(1)}0`),
		);
		expect(await store.get('team_number', { owner: memberOwner(workspace.id, team.length) })).toBeNull();
	};
	await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 25 }), property), { numRuns: 60 });
});

it('a member that is not there is not moved, and a team has at most 20', async () => {
	const store = memoryStore();
	const { deps, workspace: fresh } = frontDesk(store);
	const workspace = fresh({}, { team: [] });
	await store.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
	const all = { ...deps, sealer };
	expect(await changeTeam(workspace.id, { change: 'remove', place: 0 }, all)).toEqual({ refused: 'member_unknown' });
	for (let n = 0; n < 20; n += 1) await changeTeam(workspace.id, { change: 'add', member: `+120255501${10 + n}` }, all);
	const more = { change: 'add', member: '+12025550199' } as const;
	expect(await changeTeam(workspace.id, more, all)).toEqual({ refused: 'team_full' });
});
