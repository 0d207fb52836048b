import { expect, it } from '@jest/globals';
import { callOwner, leadOwner } from '../../../shared/domain/kernel/phone-number.ts';
import { suppressNumber } from '../../../shared/use-cases/calls/suppress-number.ts';
import { doNotCall } from '../../../shared/use-cases/desk/contacts.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

const PHONE = '+12025550199';

/** A visitor with a waiting lead and with a call that has ended or is still live. */
async function visitor(status: 'completed' | 'requested') {
	const store = memoryStore();
	const { deps, workspace: fresh, requestCall, captureLead, now } = frontDesk(store);
	const workspace = fresh();
	const left = await captureLead(workspace, PHONE);
	const placed = await requestCall(workspace, PHONE);
	if (!('lead' in left && 'call' in placed)) throw new Error('refused');
	const call = await store.get('call', { id: placed.call.id });
	if (call === null) throw new Error('no call');
	const completed_at = status === 'completed' ? new Date(now.ms).toISOString() : null;
	await store.commit([
		put('call', { ...call, status, completed_at, version: call.version + 1 }, { if: 'version', version: call.version }),
	]);
	const sealed = async () => {
		const owners = { lead: leadOwner(left.lead.id), call: callOwner(call.id) };
		const there = await Promise.all(
			Object.entries(owners).map(async ([name, owner]) =>
				(await store.get('sealed_number', { owner })) === null ? [] : [name],
			),
		);
		return there.flat();
	};
	return { deps, workspace, lead: left.lead, call, sealed };
}

it('once a number must not be called again, it is deleted from the call or the lead whose button was pressed', async () => {
	const given = await visitor('completed');
	expect(await given.sealed()).toEqual(['lead', 'call']);
	await doNotCall(given.workspace.id, { of: 'callback_lead', id: given.lead.id }, given.deps);
	expect(await given.sealed()).toEqual(['call']);
	await doNotCall(given.workspace.id, { of: 'call', id: given.call.id }, given.deps);
	expect(await given.sealed()).toEqual([]);
});

it('a number that must not be called again is also deleted from the callback request that the call answered', async () => {
	const given = await visitor('completed');
	const { version } = given.call;
	const item = { ...given.call, status: 'completed' as const, lead_id: given.lead.id, version: version + 2 };
	await given.deps.store.commit([put('call', item, { if: 'version', version: version + 1 })]);
	await doNotCall(given.workspace.id, { of: 'call', id: given.call.id }, given.deps);
	expect(await given.sealed()).toEqual([]);
});

it('an operator who suppresses a number deletes all stored copies of it, and lifting the suppression deletes none', async () => {
	const given = await visitor('completed');
	const number = { workspace_id: given.workspace.id, e164: PHONE };
	await suppressNumber(number, false, given.deps);
	expect(await given.sealed()).toEqual(['lead', 'call']);
	await suppressNumber(number, true, given.deps);
	expect(await given.sealed()).toEqual([]);
});

it('a live call keeps its number even if the number must not be called again', async () => {
	const given = await visitor('requested');
	await suppressNumber({ workspace_id: given.workspace.id, e164: PHONE }, true, given.deps);
	expect(await given.sealed()).toEqual(['call']);
});
