import { expect, it } from '@jest/globals';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../../shared/domain/kernel/link-token.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { runShopAction } from '../../../shared/http/desk/shop-actions.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changePeople, type PeopleChange } from '../../../shared/use-cases/desk/people.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

const IDA = 'ida@shop.example';
const MIA = 'mia@shop.example';

/** A desk with two owners. One of them, Mia, has a session. */
async function deskWithTwoOwners() {
	const store = memoryStore();
	const { now, deps, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	await store.commit([put('workspace', workspace)]);
	const change = (input: PeopleChange) => changePeople(workspace.id, input, deps);
	for (const address of [IDA, MIA]) await change({ change: 'invite', address, role: 'owner' });
	const secret = new Uint8Array(32).fill(1);
	const session = newSession(secret, { workspace_id: workspace.id, address: MIA }, now.ms);
	await store.commit([put('desk_session', session)]);
	const at = await enterDesk([`${SESSION_COOKIE}=${formatSecret(secret)}`], deps);
	if (at === null) throw new Error('the session does not live');
	now.ms += 1000;
	const saved = async (): Promise<Workspace | null> => store.get('workspace', { id: workspace.id });
	return { at, deps, change, saved };
}

it.each<[string, PeopleChange]>([
	['made a member', { change: 'invite', address: MIA, role: 'member' }],
	['removed', { change: 'remove', address: MIA }],
	['signed out by an owner', { change: 'end_sessions', address: MIA }],
])('an owner who was %s since the form was loaded changes nothing with the form', async (_, taken) => {
	const { at, deps, change, saved } = await deskWithTwoOwners();
	await change(taken);
	const before = await saved();
	for (const fields of [
		{ action: 'person_removed', address: IDA },
		{ action: 'person_invited', address: 'eve@evil.example', role: 'owner' },
		{ action: 'sessions_ended' },
	]) {
		expect([fields, await runShopAction(at, fields, deps)]).toEqual([fields, { refused: 'owners_only' }]);
	}
	expect(await saved()).toEqual(before);
});
