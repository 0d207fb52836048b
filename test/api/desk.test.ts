import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { call, inOneWindow } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { freshTalker } from '../support/webhooks/customers.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { operator, newShop, linkTo, leaveNumber } = shops;
const { desk, ourOrigin, send, signIn, post, codeOf } = deskForms(() => stack, shops);

describe('a link to the desk', () => {
	it('begins a session with a cookie that only this host gets and that no script can read', async () => {
		const shop = await newShop();
		const opened = await send(await linkTo(shop.owner), { fields: { workspace: shop.id } });
		expect(opened.headers.get('set-cookie')).toMatch(
			/^__Host-desk=[\w-]{43}; Path=\/; Max-Age=2592000; Secure; HttpOnly; SameSite=Lax$/,
		);
		expect(opened.headers.get('location')).toMatch(/^..\/pages\/today\?began=\d{13}$/);
	});

	it('opens no session in a browser that keeps no cookie, such as Safari on http://localhost, and the page says why', async () => {
		const shop = await newShop();
		const link = await linkTo(shop.owner);
		const opened = await send(link, { fields: { workspace: shop.id } });
		const first = new URL(opened.headers.get('location') ?? '', link).href;
		const shown = async (address: string, cookie = '') => {
			const { status, html } = await send(address, { cookie });
			return [status, /<h1>([^<]*)/.exec(html)?.[1], html.includes('name="address"')];
		};
		expect(await shown(first)).toEqual([401, 'Your browser doesn’t keep you signed in', true]);
		expect(await shown(first, `__Host-desk=${'A'.repeat(43)}`)).toEqual([401, 'Please sign in', true]);
		const welcome = await shown(desk('pages/today'));
		for (const began of [Date.now() - 3_600_000, Date.now() + 3_600_000, 'soon', '']) {
			expect(await shown(desk(`pages/today?began=${began}`))).toEqual(welcome);
		}
	});

	it('opens in the browser that asked for it even if a program used it first, and `/v1/desk` leads to the desk', async () => {
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

	it('is refused to a network that asks for too many links', async () => {
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

	it('is accepted with other spellings of the host in Origin, and from the public address behind a proxy that changes Host', async () => {
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

	it('completes a step in the list “first steps”, which an owner sees until a visitor has asked for a call', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const steps = async () => {
			const { html } = await send(desk('pages/today'), { cookie: ida.cookie });
			const [, found = ''] = /<section class="card" aria-labelledby="first-steps">(.*?)<\/section>/s.exec(html) ?? [];
			return (found.match(/<li>.*?<\/li>/g) ?? []).map((step) => step.replaceAll(/<[^>]+>/g, ''));
		};
		expect(await steps()).toEqual([
			'When does your team take calls? Now: always open',
			'Team ✓ Done',
			'Addresses of your site ✓ Done',
			expect.stringMatching(
				/^Put this .* Not opened on [\w.:-]+ yet\. Once the line is in your pages, open the widget there\.$/,
			),
			'Notifications ✓ Done',
			'Test call',
		]);
		const config = `/widget/config?workspace_key=${shop.workspace_key}`;
		await call(stack.base_url, config, { headers: { origin: 'https://evil.example' } });
		expect((await steps())[3]).toContain('Not opened on');
		await call(stack.base_url, config, { headers: { origin: shop.allowed_origin } });
		const { host } = new URL(shop.allowed_origin);
		expect((await steps())[3]).toMatch(
			new RegExp(`✓ The widget is live on ${host}\\. Opened there: Today, \\d{1,2}:\\d\\d`),
		);
		expect((await send(desk('pages/site'), { cookie: ida.cookie })).html).toContain(
			`The widget is live on ${host}. Opened there: Today, `,
		);
		await changeWorkspace(
			shop.id,
			{ business_hours: { weekly: [{ weekday: 1, from_minute: 540, to_minute: 600 }], holidays: [] } },
			await operator(),
		);
		expect((await steps())[0]).toBe('When does your team take calls? ✓ Done');
		const id = await leaveNumber(shop, freshTalker(), 'Ada');
		expect(await steps()).toEqual([]);
		await post(ida, 'today', { action: 'lead_handled', id });
		expect(await steps()).toEqual([]);
	});
});
