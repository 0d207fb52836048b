import { describe, expect, it } from '@jest/globals';
import { type DeskLink, newDeskLink } from '../../../shared/domain/desk/desk-link.ts';
import { ASKING_COOKIE, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret, hashOf } from '../../../shared/domain/kernel/link-token.ts';
import { type Language, languages } from '../../../shared/domain/workspaces/language.ts';
import { followLink } from '../../../shared/http/desk/sign-in/follow-link.ts';
import { wayToDesk } from '../../../shared/http/desk/way-to-desk.ts';
import type { HttpRequest } from '../../../shared/http/edge/request.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { enterDesk, prolongSession } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { printLink } from '../../../shared/use-cases/desk/print-link.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

// Tests what different clients get from a link to the desk: the browser that requested the link, the browser inside a mail app,
// and a program that checks mails.

const OWNER = 'ida@shop.example';
const HOUR_MS = 3_600_000;

/** A browser that keeps cookies. With `asked`, it has the cookie of a browser that has itself requested a link. */
function browser(asked: Uint8Array | null) {
	const jar = new Map<string, string>(asked === null ? [] : [[ASKING_COOKIE, formatSecret(asked)]]);
	return {
		jar,
		cookies: () => [...jar].map(([name, value]) => `${name}=${value}`),
		keep(set: readonly string[] = []) {
			for (const cookie of set) {
				const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
				jar.set(name, value);
			}
		},
	};
}
type Browser = ReturnType<typeof browser>;

async function openShop(language: Language = 'en') {
	const { deps, now, workspace: fresh } = frontDesk(memoryStore());
	const workspace = fresh({}, { language });
	await deps.store.commit([put('workspace', workspace)]);
	await changePeople(workspace.id, { change: 'invite', address: OWNER, role: 'owner' }, deps);
	now.ms += 1000;
	const link_base_url = 'https://api.example/v1';

	async function link(asked: Uint8Array | null, changes: Partial<DeskLink> = {}): Promise<string> {
		const secret = deps.ids.random(32);
		const asked_by = asked === null ? undefined : hashOf(asked);
		const item = newDeskLink({ address: OWNER, reason: 'sign_in', asked_by }, secret, now.ms);
		await deps.store.commit([put('desk_link', { ...item, ...changes })]);
		return formatSecret(secret);
	}
	async function follow(by: Browser, token: string, press: boolean) {
		const request: HttpRequest = {
			id: 'request-1',
			method: press ? 'POST' : 'GET',
			path: `/v1/desk/links/${token}`,
			headers: { 'accept-language': language },
			query: {},
			params: { token },
			source_ip: '192.0.2.1',
			cookies: by.cookies(),
			body: null,
		};
		const result = await followLink(request, press ? { workspace: workspace.id } : null, deps);
		if ('problem' in result) throw new Error(result.problem.code);
		const { statusCode, headers, body = '', cookies = [] } = result.response;
		by.keep(cookies);
		return { status: statusCode, to: headers['location'], html: body, code: result.code };
	}
	const open = (by: Browser, token: string) => follow(by, token, false);
	const press = (by: Browser, token: string) => follow(by, token, true);
	const session = (by: Browser) => enterDesk(by.cookies(), deps);
	const isIn = async (by: Browser) => (await session(by)) !== null;
	return { ...deps, deps, now, workspace, link, link_base_url, open, press, session, isIn };
}

const secretOf = (n: number) => new Uint8Array(32).fill(n);
const ASKED = secretOf(7);

/** The path to which the page of a link posts its form for another link. Null if the page has no such form. */
const asksForLink = (html: string): string | null => {
	const [, action = ''] = /<form method="post" action="([^"]+)"[^>]*>.*name="address"/s.exec(html) ?? [];
	return action === '' ? null : new URL(action, 'https://api.example/v1/desk/links/x').pathname;
};

describe('the page of a link that does not open the desk', () => {
	const made = ['used', 'expired', 'ended by a later one', 'cut short', 'of a person who was removed'] as const;
	it.each(
		made.flatMap((state) =>
			[true, false].flatMap((signedIn) => ['asking', 'other'].map((who) => [state, signedIn, who] as const)),
		),
	)('has the form that asks for another link: %s, signed in: %s, in the %s browser', async (state, signedIn, who) => {
		const shop = await openShop();
		const me = browser(who === 'asking' ? secretOf(3) : null);
		if (signedIn) await shop.press(me, await shop.link(null));
		const gateway = browser(null);
		shop.now.ms += 1000;
		const token = await shop.link(ASKED);
		if (state === 'used') await shop.press(gateway, token);
		if (state === 'expired') shop.now.ms += HOUR_MS;
		if (state === 'ended by a later one') {
			shop.now.ms += 1000;
			await shop.press(gateway, await shop.link(ASKED));
		}
		if (state === 'of a person who was removed') {
			await changePeople(
				shop.workspace.id,
				{ change: 'invite', address: 'mia@shop.example', role: 'owner' },
				shop.deps,
			);
			await changePeople(shop.workspace.id, { change: 'remove', address: OWNER }, shop.deps);
		}
		const shown = state === 'cut short' ? token.slice(0, -1) : token;
		for (const { status, html, code } of [await shop.open(me, shown), await shop.press(me, shown)]) {
			expect(status).toBeGreaterThanOrEqual(404);
			expect(html).toContain(`<meta name="problem" content="${code}">`);
			expect(asksForLink(html)).toBe('/v1/desk/sign-in');
			expect(html.includes('href="../pages/today"')).toBe(signedIn && (await shop.isIn(me)));
		}
	});

	it.each(languages)('has the form that asks for another link, as its text in %s says', async (language) => {
		const shop = await openShop(language);
		const token = await shop.link(ASKED);
		await shop.press(browser(null), token);
		const { html } = await shop.open(browser(null), token);
		expect(html).toContain(deskTextsIn(language).problems.link_used.detail);
		expect(asksForLink(html)).toBe('/v1/desk/sign-in');
	});

	it('has the form that asks for another link after too many made-up links were opened', async () => {
		const shop = await openShop();
		const opened = [];
		for (let n = 0; n <= 30; n += 1) opened.push(await shop.open(browser(null), 'x'));
		expect(opened.map(({ status }) => status).slice(-2)).toEqual([404, 429]);
		expect(asksForLink(opened.at(-1)?.html ?? '')).toBe('/v1/desk/sign-in');
	});
});

describe('a link that a program used first', () => {
	it('opens the desk in the browser that asked for the link, and ends the session of the program', async () => {
		const shop = await openShop();
		const me = browser(ASKED);
		const gateway = browser(null);
		const token = await shop.link(ASKED);
		await shop.press(gateway, token);
		expect(await shop.isIn(gateway)).toBe(true);
		shop.now.ms += 60_000;
		expect((await shop.open(me, token)).html).toContain(deskTextsIn('en').used_elsewhere);
		expect(await shop.press(me, token)).toMatchObject({
			status: 303,
			to: expect.stringMatching(/^\.\.\/pages\/today\?began=\d+$/),
		});
		expect([await shop.isIn(me), await shop.isIn(gateway)]).toEqual([true, false]);
		expect((await shop.press(gateway, token)).code).toBe('link_used');
	});

	it('opens the desk in the browser that asked for it, until the link expires or another link is used', async () => {
		const shop = await openShop();
		const me = browser(ASKED);
		const first = await shop.link(ASKED);
		const second = await shop.link(ASKED);
		await shop.press(browser(null), first);
		shop.now.ms += 14 * 60_000;
		expect((await shop.press(me, first)).status).toBe(303);
		expect((await shop.press(browser(ASKED), second)).code).toBe('link_expired');
		shop.now.ms += 60_001;
		expect((await shop.press(browser(ASKED), first)).code).toBe('link_expired');
	});

	it('opens the desk in no other browser: not in a browser that asked for another link, nor in a browser without a cookie', async () => {
		const shop = await openShop();
		const token = await shop.link(ASKED);
		await shop.press(browser(null), token);
		for (const other of [browser(null), browser(secretOf(8))]) {
			expect((await shop.press(other, token)).code).toBe('link_used');
			expect(await shop.isIn(other)).toBe(false);
		}
	});

	it('gives the program a session of at most a day, however often it opens a page in the first minutes; a person who comes back later gets a session of 30 days', async () => {
		const shop = await openShop();
		const gateway = browser(null);
		const person = browser(null);
		await shop.press(gateway, await shop.link(ASKED));
		const of = async (by: Browser) => {
			const at = await shop.session(by);
			if (at === null) throw new Error('signed out');
			return at;
		};
		shop.now.ms += 10 * 60_000;
		expect(await prolongSession(await of(gateway), shop.deps)).toBe(false);
		shop.now.ms += 24 * HOUR_MS;
		expect(await shop.isIn(gateway)).toBe(false);
		await shop.press(person, await shop.link(ASKED));
		shop.now.ms += HOUR_MS;
		expect(await prolongSession(await of(person), shop.deps)).toBe(true);
		shop.now.ms += 29 * 24 * HOUR_MS;
		expect(await shop.isIn(person)).toBe(true);
	});

	it('gives the browser that asked for it a session of 30 days at once', async () => {
		const shop = await openShop();
		const me = browser(ASKED);
		await shop.press(me, await shop.link(ASKED));
		shop.now.ms += 29 * 24 * HOUR_MS;
		expect(await shop.isIn(me)).toBe(true);
	});

	it('works only once, as it used to, if an earlier release has mailed it', async () => {
		const shop = await openShop();
		const token = await shop.link(null);
		expect((await shop.press(browser(ASKED), token)).status).toBe(303);
		expect((await shop.press(browser(ASKED), token)).code).toBe('link_used');
	});
});

describe('a link that is opened again', () => {
	it.each([
		['asking', ASKED],
		['other', null],
	] as const)('or pressed twice leads to the desk in the %s browser where it began the session', async (_, asked) => {
		const shop = await openShop();
		const me = browser(asked);
		const token = await shop.link(ASKED);
		expect((await shop.press(me, token)).status).toBe(303);
		const { jar } = me;
		expect((await shop.press(me, token)).status).toBe(303);
		expect(await shop.isIn(me)).toBe(true);
		if (asked === null) expect(await shop.open(me, token)).toMatchObject({ status: 303, to: '../pages/today' });
		jar.delete(SESSION_COOKIE);
		expect((await shop.press(me, token)).status).toBe(asked === null ? 410 : 303);
	});

	it('in the browser of a mail app says that the desk opens only there, unless that browser asked for the link', async () => {
		const shop = await openShop();
		const token = await shop.link(ASKED);
		const { other_browser } = deskTextsIn('en');
		expect((await shop.open(browser(null), token)).html).toContain(other_browser);
		expect((await shop.open(browser(ASKED), token)).html).not.toContain(other_browser);
		expect((await shop.open(browser(null), await shop.link(null))).html).not.toContain(other_browser);
	});
});

describe('a link from an operator', () => {
	it('opens one desk for one person, once, and is in the audit list', async () => {
		const shop = await openShop();
		const printed = await printLink(shop.workspace.id, 'Ida@Shop.example', shop);
		if ('refused' in printed) throw new Error(printed.refused);
		const token = printed.url.split('/').at(-1) ?? '';
		expect(printed.url).toBe(`https://api.example/v1/desk/links/${token}`);
		expect(Date.parse(printed.expires_at)).toBe(shop.now.ms + 15 * 60_000);
		const person = browser(null);
		shop.now.ms += 1000;
		expect((await shop.press(person, token)).status).toBe(303);
		expect((await shop.session(person))?.person.address).toBe(OWNER);
		expect((await shop.press(browser(null), token)).code).toBe('link_used');
		const range = { from_id: null, before_id: null, limit: 9 };
		const changes = await shop.deps.store.list('desk_change', shop.workspace.id, range);
		expect(changes.map(({ change, address }) => [change, address])).toEqual([
			['signed_in', OWNER],
			['link_printed', OWNER],
		]);
	});

	it('is refused for anyone who is not on the desk', async () => {
		const shop = await openShop();
		expect(await printLink(shop.workspace.id, 'x@shop.example', shop)).toEqual({ refused: 'person_unknown' });
		expect(await printLink(shop.deps.ids.next(), OWNER, shop)).toEqual({ refused: 'not_found' });
	});
});

describe('an address of the desk without a page', () => {
	it.each([
		'/v1/desk',
		'/v1/desk/',
		'/v1/desk/pages',
		'/v1/desk/pages/',
		'/v1/desk/links/',
		'/v1/desk/pages/today/',
		'/v1/desk/links/a/b/c',
		'/phone/v1/desk',
		'/phone/v1/desk/',
	])('%s leads to the desk', (path) => {
		const to = new URL(wayToDesk({ method: 'GET', path }) ?? '', `https://api.example${path}`).pathname;
		expect(to).toBe(`${path.slice(0, path.indexOf('/desk'))}/desk/pages/today`);
	});

	it.each([
		['POST', '/v1/desk'],
		['GET', '/v1/desks'],
		['GET', '/v1/calls'],
		['GET', '/desk'],
	])('%s %s does not lead to the desk', (method, path) => {
		expect(wayToDesk({ method, path })).toBeNull();
	});
});
