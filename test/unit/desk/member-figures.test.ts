import { expect, it } from '@jest/globals';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import { callTally } from '../../../shared/domain/calls/tally.ts';
import type { DeskRole } from '../../../shared/domain/workspaces/desk-person.ts';
import { formerMembers } from '../../../shared/domain/workspaces/workspace.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { numbersPage } from '../../../shared/http/desk/numbers/numbers-page.ts';
import { changeTeam } from '../../../shared/use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');
const HOUR_MS = 3_600_000;

/**
 * A shop with three members: Ida, Jonas and one without a name. `ended` stores a call that rang some of them, and that one of
 * them may have taken.
 */
async function shop() {
	const store = memoryStore();
	const { deps, workspace: fresh } = frontDesk(store, NOW_MS);
	const { id } = fresh();
	await store.commit([put('workspace', { ...fresh(), id, team: [], members_added: 0 })]);
	const team = ['Ida:+12025550110', 'Jonas:+12025550111', '+12025550112'];
	await changeWorkspace(id, { team }, deps);
	const ended = async (hoursAgo: number, rung: readonly string[], taker: string | null) => {
		const atMs = NOW_MS - hoursAgo * HOUR_MS;
		const at = new Date(atMs).toISOString();
		const legs = rung.map((member) => ({ ...newLeg('call', 'agent', member, atMs), dialed_at: at }));
		const winner_leg_id = legs.find(({ member }) => member === taker)?.id ?? null;
		const call = { ...samples.call, workspace_id: id, created_at: at, legs, winner_leg_id };
		await store.commit([callTally({ ...call, status: 'completed', failure_reason: null }, atMs)]);
	};
	const rows = async (days = 7, role: DeskRole = 'owner') => {
		const workspace = await store.get('workspace', { id });
		const person = { address: 'ida@shop.example', role, sessions_from: '' };
		const view = viewOf({ workspace, person, secret: new Uint8Array(32) } as never, NOW_MS, { days: `${days}` });
		const [, table = ''] =
			/<h2>Each member.*?<\/h2>.*?<tbody>(.*?)<\/tbody>/s.exec((await numbersPage(view, deps)).markup) ?? [];
		const found = [...table.matchAll(/<bdi>(.*?)<\/bdi><\/th>\n<td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td>/gs)];
		return found.map(([, name = '', ...figures]) => [name.replace(/<[^>]+>/g, ''), ...figures].join(' '));
	};
	const change = { ended, rows, remove: (member: string) => changeTeam(id, { change: 'remove', id: member }, deps) };
	return { ...change, write: (members: readonly string[]) => changeWorkspace(id, { team: [...members] }, deps) };
}

it('each member is shown with the calls that rang this member and the calls that this member answered on the chosen days, even if there are none', async () => {
	const { ended, rows } = await shop();
	await ended(1, ['m1', 'm2'], 'm1');
	await ended(2, ['m1'], null);
	await ended(10 * 24, ['m1', 'm2'], 'm2');
	expect(await rows()).toEqual(['Ida 2 1 50%', 'Jonas 1 0 0%', '+1 ••• ••• ••12 0 0 –']);
	expect(await rows(30)).toEqual(['Ida 3 1 33%', 'Jonas 2 1 50%', '+1 ••• ••• ••12 0 0 –']);
	expect(await rows(7, 'member')).toEqual([]);
});

it('a member who has left is shown by the latest name, however the team was changed', async () => {
	const { ended, rows, remove, write } = await shop();
	await ended(1, ['m1', 'm2', 'm3'], 'm2');
	await remove('m2');
	await write(['Ida Wells:+12025550110', 'Mia:+12025550119']);
	expect(await rows()).toEqual(['Ida Wells 1 0 0%', 'Mia 0 0 –', 'Jonas 1 1 100%', '+1 ••• ••• ••12 1 0 0%']);
});

it('the latest twenty members who have left keep their names; a member who left earlier is shown as a former member', async () => {
	const { ended, rows } = await shop();
	await ended(1, ['m9'], 'm9');
	expect(await rows()).toContain('A former member 1 1 100%');
	const member = (nth: number) => ({ id: `m${nth}`, name: `Nr ${nth}`, phone_masked: '' });
	const team = Array.from({ length: 15 }, (_, nth) => member(nth + 1));
	const former_members = Array.from({ length: 15 }, (_, nth) => member(nth + 100));
	const after = formerMembers({ team, former_members }, []).former_members ?? [];
	expect([after.length, after[0]?.id, after.at(-1)]).toEqual([20, 'm110', member(15)]);
	expect(formerMembers({ team, former_members }, team.toReversed())).toEqual({});
});
