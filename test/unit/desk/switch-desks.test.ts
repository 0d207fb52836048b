import { describe, expect, it } from '@jest/globals';
import { type DeskLink, newDeskLink } from '../../../shared/domain/desk/desk-link.ts';
import { ASKING_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret, hashOf, SECRET_BYTES } from '../../../shared/domain/kernel/link-token.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { freshTalker } from '../../support/webhooks/customers.ts';
import { put } from '../../support/writes.ts';

// A person of several desks can switch from one to another without a new link. The switch leads only to desks that the link could
// open.

const { deps, store, now, newShop, invite, leaveNumber, pageAt, desk, send, signIn, post, codeOf } = deskInMemory();
type Shop = Awaited<ReturnType<typeof newShop>>;
type Session = Awaited<ReturnType<typeof signIn>>;

let people = 0;
/** Two departments, and a person who belongs to both. */
async function twoDesks({ role = 'owner' }: { readonly role?: 'owner' | 'member' | 'developer' } = {}) {
	people += 1;
	const address = `ida-${people}@shop.example`;
	const sales = await newShop();
	const support = await newShop();
	for (const { id } of [sales, support]) await invite(id, address, role);
	return { address, sales, support };
}

/**
 * Follows a link in a browser. If this browser requested the link, the link's `asked_by` has to be the hash of the browser's
 * secret.
 */
async function followedLink(link: DeskLink, secret: Uint8Array, workspace: string, cookie = ''): Promise<Session> {
	now.ms += 1000;
	await store.commit([put('desk_link', link)]);
	const opened = await send(desk(`links/${formatSecret(secret)}`), { fields: { workspace }, cookie });
	const [session = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
	const { html } = await send(pageAt('desks'), { cookie: session });
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(html) ?? [];
	return { cookie: session, token };
}

/** Signs in with a link that the same browser requested. */
async function askAndSignIn(address: string, workspace: string): Promise<Session> {
	const asking = deps.ids.random(SECRET_BYTES);
	const secret = deps.ids.random(SECRET_BYTES);
	now.ms += 1000;
	const link = newDeskLink({ address, reason: 'sign_in', asked_by: hashOf(asking) }, secret, now.ms);
	return followedLink(link, secret, workspace, `${ASKING_COOKIE}=${formatSecret(asking)}`);
}

const switches = (html: string) => formsIn(html).filter(({ action }) => action === 'desk_switched');
const page = async (name: string, session: Pick<Session, 'cookie'>) => (await send(pageAt(name), session)).html;

/** Presses the button that switches to another desk. Returns the response and the new session. */
async function switchTo({ id }: Shop, session: Session) {
	const answer = await post(session, 'desks', { action: 'desk_switched', desk: id });
	const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
	const first = await send(new URL(answer.headers.get('location') ?? '', pageAt('desks')).href, { cookie });
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(first.html) ?? [];
	return { answer, cookie, token, html: first.html };
}

describe('the switch between desks', () => {
	it('says for each of the other desks how many people wait there, and opens the chosen desk', async () => {
		const { address, sales, support } = await twoDesks();
		for (let nth = 0; nth < 2; nth += 1) await leaveNumber(support, freshTalker(), `Grace ${nth}`);
		const session = await askAndSignIn(address, sales.id);
		for (const name of ['today', 'desks'])
			expect(await page(name, session)).toContain(`\u2068${support.name}\u2069 · To call back: 2`);
		expect(await page('hours', session)).toContain('href="../pages/desks">Your desks');
		const there = await switchTo(support, session);
		expect([there.answer.status, there.answer.headers.get('location')]).toEqual([303, '../pages/today']);
		expect(there.html).toContain('Grace 1');
		expect(there.html).toContain(`\u2068${sales.name}\u2069 · To call back: 0`);
		const back = await switchTo(sales, there);
		expect(back.html).not.toContain('Grace');
		expect(await page('log', there)).toContain('signed in');
	});

	it('counts at most nine waiting people at a desk', async () => {
		const { address, sales, support } = await twoDesks();
		for (let nth = 0; nth < 10; nth += 1) {
			now.ms += 600_000;
			await leaveNumber(support, freshTalker(), `Grace ${nth}`);
		}
		const session = await askAndSignIn(address, sales.id);
		expect(await page('desks', session)).toContain('To call back: 9+');
	});

	it('shows a developer no number of waiting visitors', async () => {
		const { address, sales, support } = await twoDesks({ role: 'developer' });
		await leaveNumber(support, freshTalker(), 'Grace');
		const session = await askAndSignIn(address, sales.id);
		const html = await page('desks', session);
		expect([switches(html).length, html.includes('To call back')]).toEqual([1, false]);
		expect((await switchTo(support, session)).answer.status).toBe(303);
	});

	it('is not shown to a person of one desk', async () => {
		const shop = await newShop();
		const session = await askAndSignIn(shop.owner, shop.id);
		const html = await page('today', session);
		expect([switches(html), html.includes('/desks"')]).toEqual([[], false]);
		expect(await page('desks', session)).toContain('Other desks open after a new sign-in');
	});

	it('lists more than a few desks by name, and only on the page for choosing a desk', async () => {
		const { address, sales } = await twoDesks();
		for (const name of ['Delta', 'Bravo', 'Alpha', 'Echo', 'Charlie'])
			await invite((await newShop('US', { name })).id, address, 'member');
		const session = await askAndSignIn(address, sales.id);
		expect(switches(await page('today', session))).toEqual([]);
		const html = await page('desks', session);
		expect([...html.matchAll(/<button[^>]*>\u2068(\w+)/g)].map(([, name]) => name)).toEqual([
			'Alpha',
			'Bravo',
			'Charlie',
			'Delta',
			'Echo',
			'Shop',
		]);
	});

	it('leaves out a desk whose invitation the person has not used, so that a stranger’s name is not shown', async () => {
		const { address, sales, support } = await twoDesks();
		const stranger = await newShop('US', { name: 'Cheap pills' });
		await changePeople(stranger.id, { change: 'invite', address, role: 'member', by: stranger.owner }, deps);
		const html = await page('desks', await askAndSignIn(address, sales.id));
		expect([html.includes(support.name), html.includes('pills')]).toEqual([true, false]);
	});
});

describe('the switch gives no access', () => {
	it('by an invitation or an operator’s link, which open one desk', async () => {
		const { address, sales, support } = await twoDesks();
		const secret = deps.ids.random(SECRET_BYTES);
		const link = { ...newDeskLink({ address, reason: 'sign_in' }, secret, now.ms + 1000), invited_to: sales.id };
		const session = await followedLink(link, secret, sales.id);
		const html = await page('today', session);
		expect([switches(html), html.includes(support.name)]).toEqual([[], false]);
		const { answer } = await switchTo(support, session);
		expect([answer.status, codeOf(answer), answer.headers.get('set-cookie')]).toEqual([409, 'not_found', null]);
	});

	it('to a desk that the person is not on, or without the token of the session', async () => {
		const { address, sales, support } = await twoDesks();
		const foreign = await newShop();
		const session = await askAndSignIn(address, sales.id);
		const answers = [
			await post(session, 'desks', { action: 'desk_switched', desk: foreign.id }),
			await post(session, 'desks', { action: 'desk_switched', desk: '' }),
			await post({ ...session, token: 'x' }, 'desks', { action: 'desk_switched', desk: support.id }),
		];
		expect(answers.map((answer) => [answer.status, codeOf(answer), answer.headers.get('set-cookie')])).toEqual([
			[409, 'not_found', null],
			[409, 'not_found', null],
			[403, 'form_not_of_session', null],
		]);
	});

	it('to a desk that removed the person or ended the person’s sessions', async () => {
		for (const change of ['remove', 'end_sessions'] as const) {
			const { address, sales, support } = await twoDesks();
			await invite(support.id, 'other@shop.example', 'owner');
			const session = await askAndSignIn(address, sales.id);
			now.ms += 1000;
			await changePeople(support.id, { change, address }, deps);
			expect([change, switches(await page('desks', session))]).toEqual([change, []]);
			const { answer } = await switchTo(support, session);
			expect([change, answer.status]).toEqual([change, 409]);
		}
	});

	it('that outlasts the end of all sessions at the other desk, however late the switch was', async () => {
		const { address, sales, support } = await twoDesks();
		const there = await switchTo(support, await askAndSignIn(address, sales.id));
		now.ms += 1000;
		await changePeople(support.id, { change: 'end_sessions', address }, deps);
		expect((await send(pageAt('today'), there)).status).toBe(401);
	});

	it('in a browser that did not ask for the link, until the session is used again 15 minutes or more after it began', async () => {
		const { address, sales } = await twoDesks();
		expect(switches(await page('desks', await signIn(address, sales.id)))).toEqual([]);
	});
});

describe('the desk that a person leaves by the switch', () => {
	it('stays open for a second press of the button, and is closed a minute later', async () => {
		const { address, sales, support } = await twoDesks();
		const session = await askAndSignIn(address, sales.id);
		const answers = [await switchTo(support, session), await switchTo(support, session)];
		expect(answers.map(({ html }) => html.includes(support.name))).toEqual([true, true]);
		now.ms += 61_000;
		expect((await send(pageAt('today'), session)).status).toBe(401);
		expect((await send(pageAt('today'), answers[1] ?? session)).status).toBe(200);
	});

	it('accepts no form that was open before, and neither does the other desk', async () => {
		const { address, sales, support } = await twoDesks();
		const session = await askAndSignIn(address, sales.id);
		const there = await switchTo(support, session);
		const answer = await post({ cookie: there.cookie, token: session.token }, 'today', {
			action: 'paused',
			for: 'hour',
		});
		expect([answer.status, codeOf(answer)]).toEqual([403, 'form_not_of_session']);
		expect((await store.get('workspace', { id: support.id }))?.paused_until).toBeNull();
	});
});
