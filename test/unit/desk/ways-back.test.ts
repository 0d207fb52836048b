import { beforeAll, describe, expect, it } from '@jest/globals';
import { developerPages, folderOf, isMenuPage, shopPages } from '../../../shared/contract/desk/desk-pages.ts';
import { type DeskRole, deskRoles } from '../../../shared/domain/workspaces/desk-person.ts';
import { mayOpen, maySee, pagesOfRole } from '../../../shared/http/desk/actions.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { createWebhookEndpoint } from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { unescaped } from '../../support/unescaped.ts';
import { freshTalker } from '../../support/webhooks/customers.ts';
import { put } from '../../support/writes.ts';

// Nobody comes to a dead end: a page that refuses a request has one link, which leads to a page that this person may see. Each
// link on each page leads to such a page, too.

const { deps, store, newShop, invite, leaveNumber, requestCallFrom, desk, pageAt, send, post, signIn, linkTo, codeOf } =
	deskInMemory();
type Session = Awaited<ReturnType<typeof signIn>>;
type Answer = Awaited<ReturnType<typeof send>>;

const PAGES = [...new Set([...shopPages, ...developerPages, ...pagesOfRole.member, 'preview' as const])];
const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const NOBODY = { cookie: '', token: '' };

let sessions: Readonly<Record<DeskRole, Session>>;
/** The ids of records of this shop and, with the same names, of another shop. */
let own: Readonly<Record<'call' | 'lead' | 'endpoint' | 'delivery', string>>;
let foreign: typeof own;

/** A shop with a call, a request, an endpoint and a failed delivery. */
async function filledShop() {
	const shop = await newShop();
	const lead = await leaveNumber(shop, freshTalker(), 'Ada');
	const call = await requestCallFrom(shop, freshTalker(), 'Grace');
	const address = { workspace_id: shop.id, url: 'https://receiver.example/', description: null };
	const made = await createWebhookEndpoint({ ...address, events: ['call.requested'] }, deps);
	if (made.outcome !== 'created') throw new Error(made.outcome);
	const endpoint = made.endpoint.id;
	const delivery = deps.ids.next();
	const about = { id: delivery, workspace_id: shop.id, endpoint_id: endpoint, subject_id: call };
	const failed = { status: 'failed', due_at: null, next_attempt_at: null } as const;
	await store.commit([put('delivery', { ...samples.delivery, ...about, ...failed })]);
	return { shop, ids: { call, lead, endpoint, delivery } };
}

beforeAll(async () => {
	const { shop, ids } = await filledShop();
	own = ids;
	foreign = (await filledShop()).ids;
	await invite(shop.id, 'dev@agency.example', 'developer');
	sessions = {
		owner: await signIn(shop.owner, shop.id),
		member: await signIn(shop.member, shop.id),
		developer: await signIn('dev@agency.example', shop.id),
	};
});

/** The addresses to which the page at `url` leads, without those outside the desk. */
function linksOn(html: string, url: string, pattern = /<a [^>]*?href="([^"]*)"/g): readonly string[] {
	const all = [...html.matchAll(pattern)].map(([, to = '']) => new URL(unescaped(to), url).href.replace(/#.*/, ''));
	return [...new Set(all)].filter((to) => to.startsWith(desk('')));
}

/** Opens an address as a browser does, which follows redirects. */
async function arrive(url: string, session: Session): Promise<Answer & { readonly url: string }> {
	const answer = await send(url, session);
	const next = answer.headers.get('location');
	return next === null ? { ...answer, url } : arrive(new URL(next, url).href, session);
}

/** Expects that a refused request got a page with one link, and that this link leads to a page of the menu of this role. */
async function expectWayBack(role: DeskRole, url: string, answer: Answer, status: number): Promise<void> {
	expect([role, url, answer.status, answer.headers.get('content-type')]).toEqual([
		role,
		url,
		status,
		'text/html; charset=utf-8',
	]);
	const links = linksOn(answer.html, url);
	expect([role, url, links]).toEqual([role, url, [expect.any(String)]]);
	const { status: then, url: end } = await arrive(links[0] ?? '', sessions[role]);
	const [, folder, name] = /^(pages|developers)\/(\w+)$/.exec(end.replace(desk(''), '')) ?? [];
	const page = PAGES.filter(isMenuPage).find((each) => each === name);
	expect([role, url, end, then, page && folderOf(page)]).toEqual([role, url, end, 200, folder]);
	expect([role, url, end, page && maySee({ role }, page)]).toEqual([role, url, end, true]);
}

describe.each(deskRoles)('for the role %s', (role) => {
	it('a page that is for others has one link, which leads to a page for this role', async () => {
		const details = [`calls?id=${own.call}`, `calls?lead=${own.lead}`, `webhooks?id=${own.endpoint}`, 'site?look'];
		const named = [...PAGES, ...details].map((page) => ({
			page,
			name: PAGES.find((each) => each === page.split('?')[0]),
		}));
		const queryOf = (page: string) => Object.fromEntries(new URL(pageAt(page)).searchParams);
		const closed = named.filter(({ page, name }) => name !== undefined && !mayOpen({ role }, name, queryOf(page)));
		for (const { page, name } of closed) {
			const url = pageAt(page);
			// The address of *Today* is the address of the desk, so it leads everyone to a page of their own.
			if (name === 'today') expect((await arrive(url, sessions[role])).status).toBe(200);
			else await expectWayBack(role, url, await send(url, sessions[role]), 403);
			if (name === undefined || !isMenuPage(name)) continue;
			await expectWayBack(role, url, await post(sessions[role], page, { action: 'hours' }), 403);
		}
		expect(closed.length === 0).toBe(role === 'owner');
	});

	it('a page that does not exist has one link, which leads to a page for this role', async () => {
		for (const path of ['pages/nothing', 'pages/webhooks', 'pages/constructor', 'developers/today', 'developers/x']) {
			const { cookie, token } = sessions[role];
			await expectWayBack(role, desk(path), await send(desk(path), { cookie }), 404);
			const fields = { token, action: 'hours' };
			await expectWayBack(role, desk(path), await send(desk(path), { cookie, fields }), 404);
		}
	});

	it('an id that does not exist, or that belongs to another shop, leads to a list with a note', async () => {
		const { no_such } = deskTextsIn('en');
		const kinds = [
			['calls?id=', 'call'],
			['calls?lead=', 'lead'],
			['webhooks?id=', 'endpoint'],
			['deliveries?id=', 'delivery'],
		] as const;
		for (const [page, kind] of kinds) {
			// A developer comes to a call from a delivery, and sees no list of calls.
			const list = [page, 'deliveries'].map((each) => PAGES.find((name) => name === each.split('?')[0]));
			const back = pageAt(list.find((name) => name !== undefined && maySee({ role }, name)) ?? '');
			for (const id of [UNKNOWN, 'x', foreign[kind]]) {
				const url = pageAt(`${page}${id}`);
				const answer = await send(url, sessions[role]);
				if (answer.status === 403) await expectWayBack(role, url, answer, 403);
				else {
					const shown = [answer.status, answer.html.includes(no_such[kind]), linksOn(answer.html, url).includes(back)];
					expect([page, id, ...shown]).toEqual([page, id, 200, true, true]);
				}
			}
			const known = await send(pageAt(`${page}${own[kind]}`), sessions[role]);
			expect([page, known.html.includes(no_such[kind])]).toEqual([page, false]);
		}
	});

	it('each link on each page leads to a page that this role may see', async () => {
		// Only the session of a link that opens several desks has a link to *Your desks*.
		const seen = new Set([pageAt('today'), pageAt('desks')]);
		for (const url of seen) {
			const { status, html, url: end } = await arrive(url, sessions[role]);
			expect([role, url, status]).toEqual([role, url, 200]);
			for (const link of linksOn(html, end, /<(?:a|script|iframe) [^>]*?(?:href|src)="([^"]*)"/g)) seen.add(link);
		}
		const names = [...seen].map((url) => url.replace(desk(''), '').replace(/^\w+\/|\?.*/g, ''));
		expect(PAGES.filter((page) => maySee({ role }, page) && !names.includes(page))).toEqual([]);
	});

	it('a form that is not of this session gets its page again, with the menu', async () => {
		for (const page of PAGES.filter(isMenuPage).filter((each) => maySee({ role }, each))) {
			const answer = await post({ ...sessions[role], token: 'forged' }, page, { action: 'hours' });
			expect([page, answer.status, codeOf(answer)]).toEqual([page, 403, 'form_not_of_session']);
			expect(linksOn(answer.html, pageAt('x'))).toContain(pageAt(page));
		}
	});
});

describe('without a session', () => {
	/** Expects the form that asks for a mail address. Signs in with it, and returns the page that the person comes to. */
	async function signInOn(url: string, { html }: Answer) {
		const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
		const to = new URL(action, url).href;
		expect(to).toBe(desk('sign-in'));
		expect((await send(to)).status).toBe(200);
		const shop = await newShop();
		expect((await send(to, { fields: { address: shop.owner } })).status).toBe(200);
		const link = await linkTo(shop.owner);
		const opened = await send(link, { fields: { workspace: shop.id } });
		const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
		return arrive(new URL(opened.headers.get('location') ?? '', link).href, { cookie, token: '' });
	}

	it('each page leads to the sign-in, and the sign-in to the desk', async () => {
		for (const page of PAGES) {
			const answer = await send(pageAt(page), NOBODY);
			expect([page, answer.status]).toEqual([page, 401]);
			const { status, url } = await signInOn(pageAt(page), answer);
			expect([page, status, url.replace(/\?.*/, '')]).toEqual([page, 200, pageAt('today')]);
		}
	});

	it('a link that does not work leads to the sign-in, and someone who has signed in to the desk', async () => {
		const url = desk('links/unknown');
		const answer = await send(url);
		expect([answer.status, codeOf(answer)]).toEqual([404, 'link_not_valid']);
		expect((await signInOn(url, answer)).status).toBe(200);
		for (const role of deskRoles) await expectWayBack(role, url, await send(url, sessions[role]), 404);
	});
});
