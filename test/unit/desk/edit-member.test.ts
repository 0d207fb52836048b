import { expect, it } from '@jest/globals';
import { memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';

// An owner changes a member of the team in place: the member keeps the id, and everything else that the form does not name.

const { store, newShop, signIn, send, post, pageAt, codeOf } = deskInMemory();

async function editing(memberId = 'm1') {
	const shop = await newShop('US', { team: ['Ida Wells:+12125550101', 'Jonas:+12125550102'] });
	const ida = await signIn(shop.owner, shop.id);
	const page = `team?edit=${memberId}`;
	const { html } = await send(pageAt(page), ida);
	const form = formsIn(html).find(({ action }) => action === 'member_changed');
	const save = (fields: Fields) => post(ida, page, { ...form, ...fields });
	const team = async () => (await store.get('workspace', { id: shop.id }))?.team ?? [];
	const hashOf = async (id: string) =>
		(await store.get('team_number', { owner: memberOwner(shop.id, id) }))?.number_hash;
	const newest = async () =>
		(await store.list('desk_change', shop.id, { from_id: null, before_id: null, limit: 1 }))[0];
	return { html, form, save, team, hashOf, newest, shown: async () => (await send(pageAt('team'), ida)).html };
}

it('the form has the member’s name, and of the number only the mask', async () => {
	const { html, form, shown } = await editing();
	expect(await shown()).toContain('<a href="team?edit=m1#edit">Change name or number</a>');
	expect(form).toMatchObject({ member_id: 'm1', member: 'Ida Wells', phone: '' });
	expect(html).toContain('Leave the number empty to keep <bdi dir="ltr">+1 ••• ••• ••01</bdi>.');
	expect(html).not.toContain('2125550101');
});

it('a new name is saved, and the number, the id and the absence stay; the audit list has both names', async () => {
	const { save, team, hashOf, newest } = await editing();
	const [before, hash] = [await team(), await hashOf('m1')];
	const answer = await save({ member: ' Ida Berg ' });
	expect([answer.status, answer.headers.get('location')]).toEqual([303, 'team?saved=member_changed']);
	expect(await team()).toEqual([{ ...before[0], name: 'Ida Berg' }, before[1]]);
	expect(await hashOf('m1')).toBe(hash);
	expect(await newest()).toMatchObject({ change: 'member_changed', about: 'Ida Wells → Ida Berg' });
});

it('a new number replaces the former one, and only its mask is in the workspace and in no entry', async () => {
	const { save, team, hashOf, newest } = await editing();
	const [mask, hash, other] = [(await team())[0]?.phone_masked, await hashOf('m1'), await hashOf('m2')];
	expect((await save({ phone: '(212) 555-0177' })).status).toBe(303);
	const [changed] = await team();
	expect(changed).toMatchObject({ id: 'm1', name: 'Ida Wells' });
	expect(changed?.phone_masked).not.toBe(mask);
	expect([(await hashOf('m1')) === hash, await hashOf('m2')]).toEqual([false, other]);
	expect(JSON.stringify([await team(), await newest()])).not.toContain('2125550177');
	expect(await newest()).toMatchObject({ about: 'Ida Wells' });
});

it.each([
	['team_number_twice', '+1 212 555 0102'],
	['team_number_not_callable', '+1 900 555 0101'],
	['team_number_invalid', '+1 212'],
])('a number is checked like that of a new member, and the form is shown again: %s', async (code, phone) => {
	const { save, team, hashOf } = await editing();
	const before = [await team(), await hashOf('m1')];
	const answer = await save({ member: 'Ida Berg', phone });
	expect([answer.status, codeOf(answer)]).toEqual([409, code]);
	const again = formsIn(answer.html).find(({ action }) => action === 'member_changed');
	expect(again).toMatchObject({ member_id: 'm1', member: 'Ida Berg', phone: '' });
	expect(answer.html).toContain('id="phone-wrong"');
	expect([await team(), await hashOf('m1')]).toEqual(before);
});

it('a member may enter the own number again; a member who is gone cannot be changed', async () => {
	const { save, team } = await editing();
	const before = await team();
	expect((await save({ phone: '+1 212 555 0101' })).status).toBe(303);
	expect(await team()).toEqual(before);
	expect((await save({ member_id: 'm9', shown: 'later' })).status).toBe(409);
	expect(await team()).toEqual(before);
});
