import { expect, it } from '@jest/globals';
import { MOST_DESK_PEOPLE } from '../../../shared/domain/workspaces/desk-person.ts';
import { askForLink } from '../../../shared/use-cases/desk/desk-links.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { always, put } from '../../support/writes.ts';

// Tests how many invitations one desk may send, and how many one mailbox may get.

const { deps, store, newShop, invite, signIn, post, codeOf } = deskInMemory();

it('an owner cannot flood a mailbox with invitations: the fourth in ten minutes changes nothing, and other addresses and operators are not limited', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const stranger = 'stranger@elsewhere.example';
	const inviteAsOwner = (address: string) => post(ida, 'people', { action: 'person_invited', address, role: 'member' });
	const answers = [];
	for (const address of [stranger, stranger.toUpperCase(), ` ${stranger}`, stranger, stranger]) {
		const answer = await inviteAsOwner(address);
		await post(ida, 'people', { action: 'person_removed', address: stranger });
		answers.push(answer.status === 303 ? 'invited' : codeOf(answer));
	}
	expect(answers).toEqual(['invited', 'invited', 'invited', 'invited_enough', 'invited_enough']);
	expect(await store.desksOf(stranger)).toEqual([]);
	expect((await inviteAsOwner('another@elsewhere.example')).status).toBe(303);
	// Sign-in links that strangers request do not count as invitations.
	for (let n = 0; n < 4; n += 1) await askForLink('new@elsewhere.example', '192.0.2.1', deps);
	expect((await inviteAsOwner('new@elsewhere.example')).status).toBe(303);
	await invite(shop.id, stranger, 'member');
	expect(await store.desksOf(stranger)).toHaveLength(1);
});

it('a desk invites at most 20 times a day, even if it removes people, and all addresses of one mailbox share the limit of the mailbox', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const said: unknown[] = [];
	const boxes = Array.from({ length: 18 }, (_, n) => `box-${n}-of-${shop.id}`);
	for (const name of [`one-${shop.id}`, ...['a', 'b', 'c'].map((part) => `one-${shop.id}+${part}`), ...boxes]) {
		const address = `${name}@elsewhere.example`;
		const answer = await post(ida, 'people', { action: 'person_invited', address, role: 'member' });
		await post(ida, 'people', { action: 'person_removed', address });
		said.push(answer.status === 303 ? 'invited' : codeOf(answer));
	}
	const invited = (times: number) => Array.from({ length: times }, () => 'invited');
	expect(said).toEqual([...invited(3), 'invited_enough', ...invited(17), 'desk_invited_enough']);
});

it('a desk that a later release filled with more people takes changes and removals, and nobody new', async () => {
	const shop = await newShop();
	const workspace = await store.get('workspace', { id: shop.id });
	if (workspace === null) throw new Error('no workspace');
	const person = (nth: number) => ({
		address: `p${nth}@shop.example`,
		role: 'member' as const,
		sessions_from: workspace.created_at,
	});
	const desk = [...workspace.desk, ...Array.from({ length: MOST_DESK_PEOPLE + 4 }, (_, nth) => person(nth))];
	await store.commit([put('workspace', { ...workspace, desk }, always)]);
	const change = async (input: Parameters<typeof changePeople>[1]) => {
		const outcome = await changePeople(shop.id, input, deps);
		return 'refused' in outcome ? outcome.refused : 'done';
	};
	expect([
		await change({ change: 'invite', address: 'p1@shop.example', role: 'developer' }),
		await change({ change: 'remove', address: 'p0@shop.example' }),
		await change({ change: 'invite', address: 'new@shop.example', role: 'member' }),
	]).toEqual(['done', 'done', 'desk_full']);
});
