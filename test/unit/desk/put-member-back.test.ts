import { beforeEach, expect, it } from '@jest/globals';
import { formerMemberOwner, memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import type { TeamMember } from '../../../shared/domain/workspaces/workspace.ts';
import { fingerprintFor } from '../../../shared/http/desk/sections.ts';
import { changeTeam } from '../../../shared/use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { putMemberBack } from '../../../shared/use-cases/workspaces/put-member-back.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

// Someone may still have a page of the release 28086779 open. It has a button that undoes a removal which that release made.

const store = memoryStore();
const { deps, workspace: fresh, now } = frontDesk(store);
const { id } = fresh();
const all = { ...deps, sealer: { sealNumber: (number: string) => `sealed ${number}` as never } };
const jonas: TeamMember = {
	id: 'm2',
	name: 'Jonas',
	phone_masked: '+1********02',
	off_until: '2099-01-01T00:00:00.000Z',
};
/** Another member. The release 28086779 removed Noor before it removed Jonas. */
const noor: TeamMember = { id: 'm9', name: 'Noor', phone_masked: '+1********09' };

const workspaceNow = () => store.get('workspace', { id });
const namesNow = async () => (await workspaceNow())?.team.map(({ name }) => name);
const numberOf = (owner: string) => store.get('team_number', { owner });
const undo = (before: string | null = null) => putMemberBack(id, { member: 'm2', before }, all);

/** The team of Ida, Jonas and Mei, after release 28086779 has removed Jonas. That release keeps his number for an hour. */
beforeEach(async () => {
	await store.commit([put('workspace', { ...fresh({}, { team: [], members_added: 0 }), id }, always)]);
	await changeWorkspace(id, { team: ['Ida:+12025550101', 'Jonas:+12025550102', 'Mei:+12025550103'] }, all);
	const number = await numberOf(memberOwner(id, 'm2'));
	await changeTeam(id, { change: 'remove', id: 'm2' }, all);
	const after = await workspaceNow();
	if (number === null || after === null) throw new Error('no such team');
	const expires_at_epoch_s = Math.floor(now.ms / 1000) + 3600;
	await store.commit([
		put('team_number', { ...number, owner: formerMemberOwner(id, 'm2'), expires_at_epoch_s }, always),
		put('workspace', { ...after, former_members: [noor, jonas] }, always),
	]);
});

it('a removed member comes back once, as the same member: in the same position, with the number, and still switched off', async () => {
	expect(await undo('m3')).toHaveProperty('workspace');
	expect(await namesNow()).toEqual(['Ida', 'Jonas', 'Mei']);
	expect((await workspaceNow())?.team[1]).toEqual(jonas);
	expect((await workspaceNow())?.former_members).toEqual([noor]);
	expect(await numberOf(memberOwner(id, 'm2'))).toMatchObject({
		sealed: 'sealed +12025550102',
		expires_at_epoch_s: null,
	});
	expect(await numberOf(formerMemberOwner(id, 'm2'))).toBeNull();
	expect(await undo('m3')).toEqual({ refused: 'member_unknown' });
});

it('a removed member comes back at the end of the list if the next member has left', async () => {
	await changeTeam(id, { change: 'remove', id: 'm3' }, all);
	await undo('m3');
	expect(await namesNow()).toEqual(['Ida', 'Jonas']);
});

it('a removed member does not come back after an hour, even if the number has not been deleted yet', async () => {
	now.ms += 3_600_000;
	expect(await numberOf(formerMemberOwner(id, 'm2'))).not.toBeNull();
	expect(await undo()).toEqual({ refused: 'member_unknown' });
});

it('a removed member does not come back if another member has got the phone in the meantime', async () => {
	await changeTeam(id, { change: 'add', member: { name: 'Jo', number: '+12025550102' } }, all);
	expect(await undo()).toEqual({ refused: 'team_number_twice' });
});

it('a removed member does not come back if the phone’s number has become the caller number in the meantime', async () => {
	const back = { member: 'm2', before: null };
	expect(await putMemberBack(id, back, { ...all, caller_number: '+12025550102' })).toEqual({
		refused: 'team_number_calls_itself',
	});
});

it('a removed member does not come back into a team of 20', async () => {
	const numbers = Array.from({ length: 18 }, (_, nth) => `+120255501${10 + nth}`);
	for (const number of numbers) await changeTeam(id, { change: 'add', member: { name: null, number } }, all);
	expect(await undo()).toEqual({ refused: 'team_full' });
});

it('a removed member does not come back if today’s rules keep the phone from ringing', async () => {
	await store.commit([
		put('workspace', { ...((await workspaceNow()) ?? fresh()), refused_prefixes: ['+1202'] }, always),
	]);
	expect(await undo()).toEqual({ refused: 'team_number_not_callable' });
});

it('a member whom today’s code has removed does not come back', async () => {
	await changeTeam(id, { change: 'remove', id: 'm3' }, all);
	expect(await putMemberBack(id, { member: 'm3', before: null }, all)).toEqual({ refused: 'member_unknown' });
});

it('a removed member may come back after the team was changed, because the form has no state that could be outdated', async () => {
	expect(
		fingerprintFor({ action: 'member_put_back', member_id: 'm2' }, (await workspaceNow()) ?? fresh()),
	).toBeUndefined();
});
