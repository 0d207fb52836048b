import { expect, it } from '@jest/globals';
import { eventually, inOneWindow, mailbox } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

// What a person with another person's session, or a role that was taken away, can do and learn.

const stack = suiteStack();

const shops = deskShops(() => stack);
const { newShop, leaveNumber, operator } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);

it('a lead whose number may not be called has no button that calls it back, and its form is refused', async () => {
	const shop = await newShop();
	const id = await leaveNumber(shop, freshTalker(), 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const button = `value="lead_called"><input type="hidden" name="id" value="${id}"`;
	expect((await send(desk('pages/today'), mia)).html).toContain(button);
	await post(mia, 'today', { action: 'number_suppressed', of: 'callback_lead', id });
	expect((await send(desk('pages/today'), mia)).html).not.toContain(button);
	expect(codeOf(await post(mia, 'today', { action: 'lead_called', id }))).toBe('not_callable');
});

it('every answer of the desk has a policy that runs nothing and shows it in no frame', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const answers = [
		await send(desk('pages/calls.csv'), ida),
		await send(desk('pages/leads.csv'), ida),
		await post(ida, 'today', { action: 'paused', for: 'hour' }),
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

it('a button that is pressed twice does its work once, also at once, and answers the same', async () => {
	const shop = await newShop('US', { team: ['Ida Wells:+13125550101', 'Ben:+13125550102'] });
	await leaveNumber(shop, freshTalker(), 'Grace');
	await shops.invite(shop.id, 'jo@shop.example', 'member');
	const ida = await signIn(shop.owner, shop.id);
	const { store } = await operator();
	const auditEntries = async () =>
		(await store.list('desk_change', shop.id, { from_id: null, before_id: null, limit: 100 })).length;
	const entered: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		member_added: { member: 'Kim', phone: '+14155550101' },
		person_invited: { address: 'zoe@shop.example', role: 'member' },
		sessions_ended: { address: 'jo@shop.example' },
		person_removed: { address: 'jo@shop.example' },
	};
	const pressed = ['paused', 'resumed', 'lead_called', 'number_suppressed', 'lead_handled', 'site', 'member_added'];
	pressed.push('member_off', 'member_on', 'member_moved', 'member_removed', 'person_invited', 'sessions_ended');
	pressed.push('person_removed');
	for (const action of pressed) {
		let form: { readonly page: string; readonly fields: Readonly<Record<string, string>> } | undefined;
		for (const page of ['today', 'site', 'team', 'people']) {
			const found = formsIn((await send(desk(`pages/${page}`), ida)).html).find(
				(fields) => fields['action'] === action,
			);
			form ??= found && { page, fields: { ...found, ...entered[action] } };
		}
		if (form === undefined) throw new Error(`no form for ${action}`);
		const { page, fields } = form;
		const before = await auditEntries();
		const answers = [
			...(await Promise.all([post(ida, page, fields), post(ida, page, fields)])),
			await post(ida, page, fields),
		];
		const [first] = answers;
		for (const { status, headers } of answers)
			expect([action, status, headers.get('location')]).toEqual([action, 303, first?.headers.get('location')]);
		expect([action, await auditEntries()]).toEqual([action, before + 1]);
	}
	await eventually('the invitation', async () =>
		(await mailbox(stack)).some(({ to }) => to === 'zoe@shop.example') ? true : null,
	);
	expect((await mailbox(stack)).filter(({ to }) => to === 'zoe@shop.example')).toHaveLength(1);
});

it('a desk invites at most 20 times a day, whomever it removes, and one mailbox under one name', async () => {
	const answers = await inOneWindow(async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const said = [];
		const boxes = Array.from({ length: 18 }, (_, n) => `box-${n}-of-${shop.id}`);
		for (const name of [`one-${shop.id}`, ...['a', 'b', 'c'].map((part) => `one-${shop.id}+${part}`), ...boxes]) {
			const address = `${name}@elsewhere.example`;
			const answer = await post(ida, 'people', { action: 'person_invited', address, role: 'member' });
			await post(ida, 'people', { action: 'person_removed', address });
			said.push(answer.status === 303 ? 'invited' : codeOf(answer));
		}
		return said;
	});
	const invited = (times: number) => Array.from({ length: times }, () => 'invited');
	expect(answers).toEqual([...invited(3), 'invited_enough', ...invited(17), 'desk_invited_enough']);
});

it('the words of an owner make no link and call no one in a mail', async () => {
	const shop = await newShop('US', { name: '[Win](https://evil.example)@all' });
	const ida = await signIn(shop.owner, shop.id);
	const [mail] = (await mailbox(stack)).filter(({ to }) => to === shop.owner);
	for (const part of [mail?.subject, mail?.text, mail?.html])
		expect(part).toContain('[Win] (https evil. example) (at) all');
	expect(ida.cookie).not.toBe('');
});

it('a form that no browser sends is refused, and changes nothing', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { store } = await operator();
	const before = await store.get('workspace', { id: shop.id });
	const form = `token=${ida.token}&action=paused&for=hour`;
	const typed = 'application/x-www-form-urlencoded';
	for (const [type, body, expected] of [
		['text/plain', form, 415],
		['multipart/form-data; boundary=x', form, 415],
		['application/json', '{"action":"paused"}', 415],
		[typed, `${form}&x=%ff`, 422],
		[typed, `${form}&x=%E0%80%80`, 422],
		[typed, Buffer.concat([Buffer.from(`${form}&x=`), Buffer.from([0xff])]), 422],
		[typed, `${form}&x=%`, 422],
	] as const) {
		const headers = { cookie: ida.cookie, origin: new URL(stack.base_url).origin, 'content-type': type };
		const answer = await fetch(desk('pages/today'), { method: 'POST', headers, body, redirect: 'manual' });
		expect([type, body, answer.status]).toEqual([type, body, expected]);
	}
	expect(await store.get('workspace', { id: shop.id })).toEqual(before);
	expect((await post(ida, 'today', { action: 'paused', for: 'hour' })).status).toBe(303);
});

it('a consent is saved for a language of the service, with a text that can be seen; a link in its normal form', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { store } = await operator();
	const { seen = '' } =
		formsIn((await send(desk('pages/site'), ida)).html).find(({ action }) => action === 'consent') ?? {};
	const consent = { action: 'consent', seen, language: 'en', call: 'Yes', lead: '', privacy_links: '' };
	for (const wrong of [
		{ language: '__proto__' },
		{ language: 'constructor' },
		{ language: 'tlh' },
		{ call: '\u200b\u2060' },
		{ lead: '\u3164' },
		{ privacy_links: 'http://shop.example/privacy' },
	]) {
		expect([wrong, codeOf(await post(ida, 'site', { ...consent, ...wrong }))]).toEqual([wrong, 'validation_failed']);
	}
	expect((await store.get('workspace', { id: shop.id }))?.consent_texts).toEqual({});
	const saved = { ...consent, privacy_links: 'HTTPS://Shop.example:443/a/../privacy' };
	expect((await post(ida, 'site', saved)).status).toBe(303);
	expect((await store.get('workspace', { id: shop.id }))?.privacy_links).toEqual({
		en: 'https://shop.example/privacy',
	});
});

it('a session mails no stranger words of its own, however many addresses it enters for the notifications', async () => {
	const shop = await newShop();
	const thief = await signIn(shop.owner, shop.id);
	const entered = [];
	for (let nth = 0; nth < 25; nth += 1) {
		const address = `stranger-${nth}-of-${shop.id}@elsewhere.example`.toLowerCase();
		const { html } = await send(desk('pages/notices'), thief);
		const form = formsIn(html).find(({ action }) => action === 'notices') ?? {};
		entered.push(codeOf(await post(thief, 'notices', { ...form, team_email: address })) ?? 'asked');
		if (nth % 5 === 0) await leaveNumber(shop, freshTalker(), 'Win a prize');
	}
	expect(entered.filter((said) => said === 'asked')).toHaveLength(20);
	expect(entered.at(-1)).toBe('desk_invited_enough');
	await eventually('the address of before gets the requests', async () => {
		const own = (await mailbox(stack)).filter(({ to }) => [to].flat().includes(shop.owner));
		return own.filter(({ text }) => text.includes('Win a prize')).length >= 5 ? true : null;
	});
	// An address that was replaced before its mail went out gets none.
	const strangers = (await mailbox(stack)).filter(({ to }) => String(to).startsWith('stranger-'));
	expect(strangers.length).toBeLessThanOrEqual(20);
	expect(strangers.filter(({ text }) => text.includes('Win a prize'))).toEqual([]);
});
