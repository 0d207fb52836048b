import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { call, inOneWindow, visitorBody } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { put } from '../support/writes.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { operator, newShop, linkTo, linksTo, leaveNumber } = shops;
const { desk, ourOrigin, send, signIn, post, codeOf } = deskForms(() => stack, shops);

describe('a link to the desk', () => {
	it('is answered the same for a known and an unknown address, and only the known one gets a mail', async () => {
		const shop = await newShop();
		await linkTo(shop.owner);
		const ask = (address: string) => send(desk('sign-in'), { fields: { address } });
		const [known, unknown] = [await ask(shop.owner), await ask('x@unknown.example')];
		expect([known.status, known.html]).toEqual([unknown.status, unknown.html]);
		await linkTo(shop.owner);
		expect(await linksTo('x@unknown.example')).toEqual([]);
	});

	it('is not used up by a scanner that opens it, works once, and then is refused', async () => {
		const shop = await newShop();
		const link = await linkTo(shop.owner);
		for (let opened = 0; opened < 3; opened += 1) expect((await send(link)).status).toBe(200);
		const used = await Promise.all(Array.from({ length: 5 }, () => send(link, { fields: { workspace: shop.id } })));
		expect(used.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410, 410]);
		const again = await send(link);
		expect([again.status, codeOf(again)]).toEqual([410, 'link_used']);
	});

	it('begins a session with a cookie that only this host gets, and no script reads', async () => {
		const shop = await newShop();
		const opened = await send(await linkTo(shop.owner), { fields: { workspace: shop.id } });
		expect(opened.headers.get('set-cookie')).toMatch(
			/^__Host-desk=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/,
		);
		expect(opened.headers.get('location')).toBe('../pages/today');
	});

	it('opens in the browser that asked for it after a program used it, and `/v1/desk` leads to the desk', async () => {
		const shop = await newShop();
		await linkTo(shop.owner);
		const asked = await send(desk('sign-in'), { fields: { address: shop.owner } });
		const [asking = ''] = (asked.headers.get('set-cookie') ?? '').split(';');
		expect(asked.headers.get('set-cookie')).toMatch(
			/^__Host-desk-ask=[\w-]{43}; Path=\/; Max-Age=3600; Secure; HttpOnly/,
		);
		const link = await linkTo(shop.owner);
		const press = (cookie: string) => send(link, { cookie, fields: { workspace: shop.id } });
		const program = (await press('')).headers.get('set-cookie')?.split(';')[0] ?? '';
		const today = desk('pages/today');
		expect((await send(today, { cookie: program })).status).toBe(200);
		const mine = (await press(asking)).headers.get('set-cookie')?.split(';')[0] ?? '';
		expect((await send(today, { cookie: mine })).status).toBe(200);
		expect((await send(today, { cookie: program })).status).toBe(401);
		const entered = await send(`${stack.base_url}/desk`);
		expect([entered.status, new URL(entered.headers.get('location') ?? '', `${stack.base_url}/desk`).href]).toEqual([
			303,
			today,
		]);
		const lost = await send(desk('pages/nowhere'), { cookie: mine });
		expect([lost.status, lost.html.includes('href="../pages/today"')]).toEqual([404, true]);
	});

	it('opens no other desk than those of its address, and no made up one opens any', async () => {
		const [shop, other] = [await newShop(), await newShop()];
		const link = await linkTo(shop.owner);
		expect(codeOf(await send(link, { fields: { workspace: other.id } }))).toBe('link_not_valid');
		const token_of_shop = link.slice(link.lastIndexOf('/') + 1);
		for (const token of ['x', 'A'.repeat(43), `${token_of_shop}A`, token_of_shop.slice(0, -1), shop.id]) {
			expect(codeOf(await send(desk(`links/${token}`)))).toBe('link_not_valid');
			expect(codeOf(await send(desk(`links/${token}`), { fields: { workspace: shop.id } }))).toBe('link_not_valid');
		}
		expect((await send(link, { fields: { workspace: shop.id } })).status).toBe(303);
	});

	it('is refused to an address of the network that asks too often', async () => {
		const ask = (n: number) => send(desk('sign-in'), { fields: { address: `n${n}@unknown.example` } });
		const statuses = await inOneWindow(async () =>
			(await Promise.all(Array.from({ length: 25 }, (_, n) => ask(n)))).map(({ status }) => status),
		);
		expect(statuses).toContain(429);
	});
});

describe('a form of the desk', () => {
	it('is accepted only from a page of the desk', async () => {
		const shop = await newShop();
		const { cookie, token } = await signIn(shop.owner, shop.id);
		for (const origin of [null, 'null', 'https://evil.example', `${ourOrigin()}.evil.example`]) {
			const answer = await send(desk('pages/today'), {
				cookie,
				origin,
				fields: { token, action: 'paused', for: 'day' },
			});
			expect([answer.status, codeOf(answer)]).toEqual([403, 'form_not_ours']);
		}
		expect((await send(desk('pages/today'), { cookie })).html).not.toContain('Paused');
	});

	it('is accepted in other spellings of the host, and of the public address behind a proxy that changes Host', async () => {
		const shop = await newShop();
		const { cookie, token } = await signIn(shop.owner, shop.id);
		const fields = { token, action: 'paused', for: 'day' };
		const origin = ourOrigin().toUpperCase();
		expect((await send(desk('pages/today'), { cookie, origin, fields })).status).toBe(303);
		const url = new URL(desk('pages/today'));
		const type = 'application/x-www-form-urlencoded';
		const headers = { host: 'upstream.internal', origin: url.origin, cookie, 'content-type': type };
		const sent = request(url, { method: 'POST', headers });
		sent.end(new URLSearchParams(fields).toString());
		const [answer]: IncomingMessage[] = await once(sent, 'response');
		answer?.resume();
		expect(answer?.statusCode).toBe(303);
	});

	it('of another shop leaves its entries there: the page names both shops and shows nothing of them', async () => {
		const [first, second] = [await newShop(), await newShop()];
		const ida = await signIn(first.owner, first.id);
		const { html } = await send(desk('pages/site'), { cookie: ida.cookie });
		const [form = ''] = /<form method="post" class="card" name="site">.*?<\/form>/s.exec(html) ?? [];
		const typed = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => {
			return [name, value] as const;
		});
		const fields = { ...Object.fromEntries(typed), name: 'Renamed', origins: 'https://typed.example', language: 'en' };
		const mia = await signIn(second.owner, second.id);
		const answer = await send(desk('pages/site'), { cookie: mia.cookie, fields });
		expect([answer.status, codeOf(answer)]).toEqual([403, 'form_not_of_session']);
		expect(answer.html).toContain(`desk of ${first.name}, and you are now signed in to ${second.name}.`);
		expect(answer.html).not.toMatch(/Renamed|typed\.example/);
		// In its own session it is saved; that site stays, because its removal would ask first.
		const own = { ...fields, origins: first.allowed_origin };
		expect((await send(desk('pages/site'), { cookie: ida.cookie, fields: own })).status).toBe(303);
	});

	it('changes nothing without the token of its session, or with that of another one', async () => {
		const shop = await newShop();
		const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
		for (const token of ['', 'x', mia.token]) {
			const answer = await post({ ...ida, token }, 'today', { action: 'paused', for: 'day' });
			expect([answer.status, answer.html]).toEqual([403, expect.stringContaining('Check it and save again')]);
		}
		expect((await send(desk('pages/today'), { cookie: ida.cookie })).html).not.toContain('Paused');
		expect((await post(ida, 'today', { action: 'paused', for: 'day' })).status).toBe(303);
	});

	it('that is sent twice adds one member', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const { html } = await send(desk('pages/team'), { cookie: ida.cookie });
		const [, seen = ''] = /value="member_added"><input type="hidden" name="seen" value="([^"]+)"/.exec(html) ?? [];
		const add = () => post(ida, 'team', { action: 'member_added', seen, member: 'Jonas', phone: '+14155550101' });
		expect((await Promise.all([add(), add()])).map(({ status }) => status).sort()).toEqual([303, 409]);
		expect((await send(desk('pages/team'), { cookie: ida.cookie })).html.match(/<bdi>Jonas</g)).toHaveLength(1);
	});

	it('follows the first steps, which an owner sees until a visitor has asked for a call', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const steps = async () => {
			const { html } = await send(desk('pages/today'), { cookie: ida.cookie });
			const [, found = ''] = /<section class="card" aria-labelledby="first-steps">(.*?)<\/section>/s.exec(html) ?? [];
			return (found.match(/<li>.*?<\/li>/g) ?? []).map((step) => step.replaceAll(/<[^>]+>/g, ''));
		};
		expect(await steps()).toEqual([
			'Opening hours Always open',
			'Team ✓ Done',
			'Addresses of your site ✓ Done',
			expect.stringMatching(/^Put this .* Not seen on [\w.:-]+ yet$/),
			'Test call',
		]);
		const config = `/widget/config?workspace_key=${shop.workspace_key}`;
		await call(stack.base_url, config, { headers: { origin: 'https://evil.example' } });
		expect((await steps())[3]).toContain('Not seen on');
		await call(stack.base_url, config, { headers: { origin: shop.allowed_origin } });
		const { host } = new URL(shop.allowed_origin);
		expect((await steps())[3]).toMatch(new RegExp(`✓ Seen on ${host}: \\w{3}.* \\d\\d:\\d\\d`));
		expect((await send(desk('pages/site'), { cookie: ida.cookie })).html).toContain(`Seen on ${host}: `);
		await changeWorkspace(
			shop.id,
			{ business_hours: { weekly: [{ weekday: 1, from_minute: 540, to_minute: 600 }], holidays: [] } },
			await operator(),
		);
		expect((await steps())[0]).toBe('Opening hours ✓ Done');
		const id = await leaveNumber(shop, freshTalker(), 'Ada');
		expect(await steps()).toEqual([]);
		await post(ida, 'today', { action: 'lead_handled', id });
		expect(await steps()).toEqual([]);
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

it.each(['x', `${'A'.repeat(2500)}`, "' or 1=1", '__proto__'])(
	'an id that is none of ours (%#) is refused',
	async (id) => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		for (const fields of [
			{ action: 'lead_called', id },
			{ action: 'lead_handled', id },
			{ action: 'number_suppressed', of: 'call', id },
		]) {
			expect((await post(ida, 'today', fields)).status).toBe(422);
		}
		const query = new URLSearchParams({ before: id, waiting: id, days: id });
		for (const page of ['today', 'log', 'numbers', 'calls.csv']) {
			expect((await send(desk(`pages/${page}?${query}`), { cookie: ida.cookie })).status).toBe(200);
		}
	},
);

describe('a session', () => {
	it('ends when its person is removed, and when an owner ends all sessions', async () => {
		const shop = await newShop();
		const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
		expect((await post(ida, 'people', { action: 'person_removed', address: shop.member })).status).toBe(303);
		expect(codeOf(await send(desk('pages/today'), { cookie: mia.cookie }))).toBe('signed_out');
		expect((await post(mia, 'today', { action: 'paused', for: 'day' })).status).toBe(401);
		expect((await post(ida, 'people', { action: 'sessions_ended' })).status).toBe(303);
		expect(codeOf(await send(desk('pages/today'), { cookie: ida.cookie }))).toBe('signed_out');
	});

	it('that was signed out is worth nothing, even with its cookie', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const out = await post(ida, 'today', { action: 'signed_out' });
		expect([out.status, out.headers.get('set-cookie')]).toEqual([303, expect.stringContaining('Max-Age=0')]);
		expect((await send(desk('pages/today'), { cookie: ida.cookie })).status).toBe(401);
	});
});

it('a number that is not to be called again is suppressed by its call or its lead, and never shown', async () => {
	const shop = await newShop();
	const phone = freshTalker();
	const id = await leaveNumber(shop, phone, 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const ask = { action: 'number_suppressed', of: 'callback_lead', id };
	expect((await post(mia, 'today', ask)).status).toBe(303);
	const again = await call(stack.base_url, '/widget/call-requests', {
		headers: { origin: shop.allowed_origin },
		body: visitorBody(shop, { phone, page_url: `${shop.allowed_origin}/` }),
	});
	expect([again.status, again.json.code]).toEqual([429, 'rate_limited']);
	const other = await newShop();
	expect((await post(await signIn(other.owner, other.id), 'today', ask)).status).toBe(409);
	const { html } = await send(desk('pages/log'), { cookie: (await signIn(shop.owner, shop.id)).cookie });
	expect(html).toContain('asked that a number is not called again');
	expect(html).not.toContain(phone.slice(2));
});

it('the page of today stays small and complete, however many wait and were handled and have called, with long names', async () => {
	const shop = await newShop();
	const { store, ids } = await operator();
	const lead_id = await leaveNumber(shop, freshTalker(), 'first');
	const asked = await call(stack.base_url, '/widget/call-requests', {
		headers: { origin: shop.allowed_origin },
		body: visitorBody(shop, { phone: freshTalker(), page_url: `${shop.allowed_origin}/` }),
	});
	const [lead, one] = await Promise.all([
		store.get('callback_lead', { id: lead_id }),
		store.get('call', { id: asked.json.data.id }),
	]);
	if (lead === null || one === null) throw new Error('nothing to copy');
	const long = 'Maximiliane-Alexandra von Hohenlohe-Langenburg '.repeat(2).trim();
	const guard = { if: 'absent' } as const;
	const past = { ...one, visitor_name: long, due_at: null, timer_at: null };
	for (let n = 0; n < 50; n += 1) {
		const calls = Array.from({ length: 10 }, () => ({ ...past, id: ids.next() }));
		const waits = { ...lead, id: ids.next(), name: `${long} ${n}`, note: long };
		// Behind ten newer ones that were handled: all of them would be more than a page reads.
		const handled = Array.from({ length: 11 }, () => ({ ...lead, id: ids.next(), status: 'handled' as const }));
		await store.commit([
			...[waits, ...handled].map((item) => put('callback_lead', item, guard)),
			...calls.map((item) => put('call', item, guard)),
		]);
	}
	const ida = await signIn(shop.owner, shop.id);
	const shown = new Set<string>();
	let next: string | undefined = 'pages/today';
	while (next !== undefined) {
		const { html } = await send(desk(next), { cookie: ida.cookie });
		expect(Buffer.byteLength(html)).toBeLessThan(30_000);
		for (const [, name = ''] of html.matchAll(/<strong><bdi>([^<]+)</g)) shown.add(name);
		const [, query] = [...(/href="today\?(waiting=\w+)"/.exec(html) ?? [])];
		next = query === undefined ? undefined : `pages/today?${query}`;
	}
	expect([...shown].filter((name) => name.startsWith(`${long} `)).length).toBe(50);
	const numbers = await send(desk('pages/numbers'), { cookie: ida.cookie });
	expect(Buffer.byteLength(numbers.html)).toBeLessThan(30_000);
	expect((await send(desk('pages/calls.csv'), { cookie: ida.cookie })).html.trim().split('\r\n')).toHaveLength(502);
});

it('a desk always has an owner', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const answer = await post(ida, 'people', { action: 'person_removed', address: shop.owner });
	expect([answer.status, answer.html]).toEqual([409, expect.stringContaining('A desk needs an owner')]);
	const demote = await changePeople(
		shop.id,
		{ change: 'invite', address: shop.owner, role: 'member' },
		await operator(),
	);
	expect(demote).toEqual({ refused: 'last_owner' });
});

it('lists as CSV have references, masks only, and no cell is a formula', async () => {
	const shop = await newShop();
	const phone = freshTalker();
	await leaveNumber(shop, phone, '=HYPERLINK("http://evil")');
	await call(stack.base_url, '/widget/call-requests', {
		headers: { origin: shop.allowed_origin },
		body: visitorBody(shop, { phone: freshTalker(), name: '@cmd', reference: '-4711' }),
	});
	const mia = await signIn(shop.member, shop.id);
	const leads = await send(desk('pages/leads.csv?days=30'), { cookie: mia.cookie });
	expect(leads.headers.get('content-type')).toBe('text/csv; charset=utf-8');
	expect(leads.html).toContain(`"'=HYPERLINK(""http://evil"")"`);
	expect(leads.html).not.toContain(phone.slice(2));
	const calls = await send(desk('pages/calls.csv'), { cookie: mia.cookie });
	expect(calls.html).toMatch(/"'@cmd","\+1\*+10","[^"]*","'-4711",/);
});
