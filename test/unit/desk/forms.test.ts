import { describe, expect, it } from '@jest/globals';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { freshTalker } from '../../support/webhooks/customers.ts';

// Tests that a form of the desk changes data of its own shop only, and only once if it is sent twice.

const {
	deps,
	store,
	now,
	newShop,
	invite,
	linkTo,
	leaveNumber,
	requestCallFrom,
	desk,
	pageAt,
	send,
	signIn,
	post,
	codeOf,
} = deskInMemory();

describe('a form of the desk', () => {
	it('that belongs to another shop is not saved: the response names both shops and shows nothing that was entered', async () => {
		const first = await newShop();
		const second = await newShop();
		const ida = await signIn(first.owner, first.id);
		const { html } = await send(desk('pages/site'), { cookie: ida.cookie });
		const [form = ''] = /<form method="post" class="card" name="site"[^>]*>.*?<\/form>/s.exec(html) ?? [];
		const typed = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => {
			return [name, value] as const;
		});
		const fields = { ...Object.fromEntries(typed), name: 'Renamed', origins: 'https://typed.example', language: 'en' };
		const mia = await signIn(second.owner, second.id);
		const answer = await send(desk('pages/site'), { cookie: mia.cookie, fields });
		expect([answer.status, codeOf(answer)]).toEqual([403, 'form_not_of_session']);
		expect(answer.html).toContain(`desk of ${first.name}, and you are now signed in to ${second.name}.`);
		expect(answer.html).not.toMatch(/Renamed|typed\.example/);
		// The session for which the form was made can save it. The test leaves the list of sites as it is, because the desk asks
		// a question before it removes a site.
		const own = { ...fields, origins: first.allowed_origin };
		expect((await send(desk('pages/site'), { cookie: ida.cookie, fields: own })).status).toBe(303);
	});

	it('shows markup as text, in every field', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const evil = '"><script>alert(1)</script>\r\nset-cookie: a=b';
		for (const [page, fields] of [
			['site', { action: 'site', seen: 'x', name: evil, origins: evil, language: 'en' }],
			['people', { action: 'person_invited', address: evil, role: 'owner' }],
			['notices', { action: 'notices', seen: 'x', team_email: evil }],
			['team', { action: 'member_added', seen: 'x', member: evil, phone: evil }],
			['hours', { action: 'hours', seen: 'x', when: 'hours', time_zone: evil, 'from-1-0': evil, holidays: evil }],
		] as const) {
			const answer = await post(ida, page, fields);
			expect([page, answer.status >= 400, answer.html.includes('<script>')]).toEqual([page, true, false]);
			expect(answer.headers.get('set-cookie')).toBeNull();
		}
	});
});

it('a member is moved up only in a team that is rung one after another: otherwise the order means nothing', async () => {
	const team = ['Ida Wells:+13125550101', 'Ben:+13125550102'];
	const moves = async (ring_strategy: 'simultaneous' | 'round_robin') => {
		const shop = await newShop('US', { ring_strategy, team });
		const { html } = await send(desk('pages/team'), await signIn(shop.owner, shop.id));
		return formsIn(html).filter(({ action }) => action === 'member_moved').length;
	};
	expect([await moves('simultaneous'), await moves('round_robin')]).toEqual([0, 1]);
});

it('a button that is pressed twice does its work once, also at the same time, and gives the same answer', async () => {
	const shop = await newShop('US', {
		ring_strategy: 'sequential',
		team: ['Ida Wells:+13125550101', 'Ben:+13125550102'],
	});
	await leaveNumber(shop, freshTalker(), 'Grace');
	await invite(shop.id, 'jo@shop.example', 'member');
	const ida = await signIn(shop.owner, shop.id);
	const auditEntries = async () =>
		(await store.list('desk_change', shop.id, { from_id: null, before_id: null, limit: 100 })).length;
	const entered: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		member_added: { member: 'Kim', phone: '+14155550101' },
		person_invited: { address: 'zoe@shop.example', role: 'member' },
		sessions_ended: { address: 'jo@shop.example' },
		person_removed: { address: 'jo@shop.example' },
	};
	const pressed = [
		'paused',
		'resumed',
		'lead_called',
		'number_suppressed',
		'lead_handled',
		'site',
		'member_added',
		'member_off',
		'member_on',
		'member_moved',
		'member_removed',
		'person_invited',
		'sessions_ended',
		'person_removed',
	];
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
});

it('a consent text is saved only with visible text and only in a language of the service; a link is saved in its normal form', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { seen = '' } =
		formsIn((await send(desk('pages/site?consent'), ida)).html).find(({ action }) => action === 'consent') ?? {};
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

it('every response of the desk has a policy that runs no script and allows no frame', async () => {
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

it('a desk always has an owner', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const answer = await post(ida, 'people', { action: 'person_removed', address: shop.owner });
	expect([answer.status, answer.html]).toEqual([409, expect.stringContaining('A desk needs an owner')]);
	const demote = await changePeople(shop.id, { change: 'invite', address: shop.owner, role: 'member' }, deps);
	expect(demote).toEqual({ refused: 'last_owner' });
});

it('no field or parameter that takes an id gives access to another shop’s records', async () => {
	const shop = await newShop();
	const other = await newShop();
	const lead = await leaveNumber(other, freshTalker(), 'Grace');
	const asked = await requestCallFrom(other, freshTalker(), 'Grace');
	const ida = await signIn(shop.owner, shop.id);
	for (const fields of [
		{ action: 'lead_handled', id: lead },
		{ action: 'lead_dismissed', id: lead },
		{ action: 'lead_reopened', id: lead },
		{ action: 'lead_called', id: lead },
		{ action: 'number_suppressed', of: 'callback_lead', id: lead },
		{ action: 'number_suppressed', of: 'call', id: asked },
	]) {
		expect([fields, codeOf(await post(ida, 'today', fields))]).toEqual([fields, 'not_found']);
	}
	expect((await post(ida, 'people', { action: 'person_removed', address: other.owner })).status).toBe(409);
	for (const path of [
		'today',
		'today?before={}',
		'today?waiting={}',
		'today?missed={}',
		'log?before={}',
		'calls.csv',
		'leads.csv',
	]) {
		const { html } = await send(desk(`pages/${path.replace('{}', `7${lead.slice(1)}`)}`), ida);
		expect([path, html.includes('Grace')]).toEqual([path, false]);
	}
	expect((await store.get('callback_lead', { id: lead }))?.status).toBe('pending');
	// An action writes its changes and its audit entry in one transaction, so an audit list without entries shows that nothing
	// changed.
	const actions = async ({ id }: { readonly id: string }) =>
		(await store.list('desk_change', id, { from_id: null, before_id: null, limit: 10 })).map(({ change }) => change);
	expect([await actions(shop), await actions(other)]).toEqual([['signed_in'], []]);
	// The link of the other shop's owner does not open the desk of the first shop, even if the form names the first shop and the
	// browser has a session there.
	expect(codeOf(await send(await linkTo(other.owner), { ...ida, fields: { workspace: shop.id } }))).toBe(
		'link_not_valid',
	);
});

it('every change is in the audit list, with who made it and when', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const mia = await signIn(shop.member, shop.id);
	await post(ida, 'today', { action: 'paused', for: 'hour' });
	await post(mia, 'today', { action: 'resumed' });
	const { html } = await send(desk('pages/log'), ida);
	const lines = [
		...html.matchAll(
			/<tr><td class="when"><time datetime="([^"]+)">[^<]+<\/time><\/td><td><bdi dir="ltr">([^<]+)<\/bdi><\/td><td class="what">([^<]+)</g,
		),
	];
	expect(lines.map(([, , who, what]) => `${who} ${what}`)).toEqual([
		`${shop.member} opened again`,
		`${shop.owner} paused calls`,
		`${shop.member} signed in`,
		`${shop.owner} signed in`,
	]);
	for (const [, at = ''] of lines) expect(Math.abs(now.ms - Date.parse(at))).toBeLessThan(60_000);
});

it('the way to leave the desk is apart from the way to sign out, below a heading of its own, for every role', async () => {
	const shop = await newShop();
	for (const who of [shop.owner, shop.member]) {
		const { html } = await send(pageAt('today'), await signIn(who, shop.id));
		const menu = /<details class="me".*?<\/details>/s.exec(html)?.[0] ?? '';
		const [daily = '', apart = ''] = menu.split('<div class="apart">');
		expect([daily.includes('Sign out'), daily.includes('?leave')]).toEqual([true, false]);
		expect(apart).toMatch(/^<p class="soft">Give up your access<\/p>\s*<a href="[^"]*\?leave">Leave this desk …<\/a>/);
	}
});

it.each([
	['team', 'Add a member'],
	['people', 'Invite a person'],
])('the form that a button of *%s* opens has a heading that says what it makes', async (name, title) => {
	const shop = await newShop();
	const { html } = await send(pageAt(name), await signIn(shop.owner, shop.id));
	const form = /<details class="add".*?<\/details>/s.exec(html)?.[0] ?? '';
	expect(form).toMatch(new RegExp(`<form [^>]*>(<input type="hidden"[^>]*>)*\\s*<h2>${title}</h2>`));
});
