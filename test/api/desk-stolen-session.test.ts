import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { testStack } from '../support/stack/stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

// What a person with another person's session, or a role that was taken away, can do and learn.

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const shops = deskShops(() => stack);
const { newShop, leaveNumber } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);

it('a refused member is not told what the owners have changed, with any form', async () => {
	const shop = await newShop();
	const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	const { html } = await send(desk('pages/team'), ida);
	const [, seen = ''] = /value="member_added"><input type="hidden" name="seen" value="([^"]+)"/.exec(html) ?? [];
	const add = { act: 'member_added', seen, member: 'Jonas Secret', phone: '+14155550101' };
	expect((await post(ida, 'team', add)).status).toBe(303);
	for (const fields of [add, { ...add, seen: 'x' }, { act: 'member_removed', seen: 'x', place: '0' }]) {
		for (const token of [mia.token, 'x']) {
			const refused = await post({ ...mia, token }, 'today', fields);
			expect([refused.status, refused.html.includes(shop.owner)]).toEqual([403, false]);
		}
	}
	// An owner is told, for the same form.
	expect((await post(ida, 'team', { ...add, seen: 'x', member: 'Kim' })).html).toContain('Jonas Secret');
});

it('a lead whose number may not be called has no button that calls it back, and its form is refused', async () => {
	const shop = await newShop();
	const id = await leaveNumber(shop, freshTalker(), 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const button = `value="lead_called"><input type="hidden" name="id" value="${id}"`;
	expect((await send(desk('pages/today'), mia)).html).toContain(button);
	await post(mia, 'today', { act: 'number_suppressed', of: 'callback_lead', id });
	expect((await send(desk('pages/today'), mia)).html).not.toContain(button);
	expect(codeOf(await post(mia, 'today', { act: 'lead_called', id }))).toBe('not_callable');
});

it('every answer of the desk has a policy that runs nothing and shows it in no frame', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const answers = [
		await send(desk('pages/calls.csv'), ida),
		await send(desk('pages/leads.csv'), ida),
		await post(ida, 'today', { act: 'paused', for: 'hour' }),
		await send(desk('pages/today'), ida),
		await send(desk('pages/unknown'), ida),
	];
	for (const { status, headers } of answers) {
		const policy = headers.get('content-security-policy') ?? '';
		expect([status, policy]).toEqual([status, expect.stringContaining("default-src 'none'")]);
		expect([status, policy.includes("frame-ancestors 'none'")]).toEqual([status, true]);
		expect([status, headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
	}
});
