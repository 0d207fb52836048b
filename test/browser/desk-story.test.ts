import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Mail } from '../../local/aws/mail.ts';
import type { Stack } from '../../local/stack.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { startSite } from './support/site.ts';
import { stackAndBrowser } from './support/stack-and-browser.ts';

let stack: Stack;
let browser: Browser;
stackAndBrowser((...running) => {
	[stack, browser] = running;
});
const sites: Awaited<ReturnType<typeof startSite>>[] = [];
beforeAll(async () => {
	sites.push(await startSite(), await startSite());
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
const { operator, newShop, linkTo, leaveNumber } = deskShops(() => stack);
type Shop = Awaited<ReturnType<typeof newShop>>;

const opened = async (options: BrowserContextOptions): Promise<Page> =>
	(await browser.newContext({ reducedMotion: 'reduce', ...PHONE, ...options })).newPage();
const at = (page: Page, name: string) => page.goto(`${stack.base_url}/desk/pages/${name}`);

/** Opens the next mail to an address in the mailbox of this machine, and the desk behind its button. */
async function fromMailbox(address: string): Promise<Page> {
	const link = await linkTo(address);
	const mails = (await fromConsole(stack, '/mailbox')) as readonly Mail[];
	const mail = mails.find(({ text }) => text.includes(link));
	// The desk itself runs no script.
	const page = await opened({ javaScriptEnabled: false });
	await page.goto(`${stack.console_url}/letter/${mail?.id}`);
	await page.goto((await page.getByRole('link', { name: 'Open the desk' }).getAttribute('href')) ?? '');
	await page.getByRole('button').click();
	return page;
}

/** What a new visitor of a page sees in the open widget. */
async function widgetOn(url: string): Promise<Page> {
	const page = await opened({});
	await page.goto(url);
	await page.locator('[part=launcher]').click();
	await page.locator('#tel').waitFor();
	return page;
}

const readCall = async (id: string) => (await operator()).store.get('call', { id });
/** The places in the team whose phones a call has rung, once it has ended. */
async function rungBy(id: string): Promise<readonly (number | null)[]> {
	const ended = await eventually(`the call ${id} ends`, async () => {
		const found = await readCall(id);
		return found?.completed_at ? found : null;
	});
	return ended.legs.filter(({ role }) => role === 'agent').map(({ member }) => member ?? null);
}

/** A call of a visitor of the shop, by the API that the widget uses. */
async function callOf({ workspace_key, allowed_origin }: Shop, phone: string): Promise<string> {
	const body = visitorBody({ workspace_key, allowed_origin }, { phone });
	const { json } = await call(stack.base_url, '/widget/call-requests', { headers: { origin: allowed_origin }, body });
	return json.data.id;
}

async function missYesterday(like_id: string): Promise<void> {
	const [{ store, ids }, like] = [await operator(), await readCall(like_id)];
	if (like === null) throw new Error('nothing to copy');
	const yesterday_ms = Date.now() - 24 * 3_600_000;
	const item = {
		...like,
		id: ids.next(yesterday_ms),
		created_at: new Date(yesterday_ms).toISOString(),
		status: 'failed' as const,
		failure_reason: 'no_agent_answer' as const,
		visitor_name: 'Yesterday’s visitor',
		winner_leg_id: null,
		legs: [],
	};
	await store.commit([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }]);
}

it('the first day of a new owner, on a phone and without a shell', async () => {
	const [site, new_site] = sites;
	if (site === undefined || new_site === undefined) throw new Error('no site');
	const team = ['Ida Wells:+13125550101', 'Jonas Berg:+14155550101'];
	const shop = await newShop('US', { origins: [site.origin], team });

	// Signs in from the mailbox.
	const page = await fromMailbox(shop.owner);
	await page.getByRole('heading', { name: 'Today' }).waitFor();

	// Closes the shop for today; the widget says so to the next visitor, and to others when their minute is over.
	await at(page, 'site');
	site.pages.set('/', { html: `<!doctype html><title>Shop</title>${await page.locator('pre').textContent()}` });
	const before = await widgetOn(site.origin);
	expect(await before.locator('[part=panel]').textContent()).toContain("We'll call you right now");
	await at(page, 'today');
	await page.getByRole('button', { name: 'Pause for today' }).click();
	await page.getByText(/Paused until/).waitFor();
	const paused = await widgetOn(site.origin);
	expect(await paused.locator('[part=panel]').textContent()).toContain("We're closed right now");
	const config = `/widget/config?workspace_key=${shop.workspace_key}`;
	const { headers } = await call(stack.base_url, config, { headers: { origin: site.origin } });
	expect(Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1])).toBeLessThanOrEqual(60);
	await page.getByRole('button', { name: 'Open again' }).click();

	// Switches a member off: a call rings the others only.
	await at(page, 'team');
	await page.getByRole('listitem').filter({ hasText: 'Ida Wells' }).getByRole('button', { name: 'Not today' }).click();
	await page.getByText(/Not rung until/).waitFor();
	const first = await callOf(shop, '+12025550101');
	expect(await rungBy(first)).toEqual([1]);

	// Works through a lead until the phones ring.
	const lead_id = await leaveNumber(shop, '+12125550101', 'Grace Hopper');
	await at(page, 'today');
	await page
		.getByRole('listitem')
		.filter({ hasText: 'Grace Hopper' })
		.getByRole('button', { name: 'Call back' })
		.click();
	await page.getByRole('radio').last().check();
	await page.getByRole('button', { name: 'Ring me and connect' }).click();
	await page.getByRole('heading', { name: 'Your phone is ringing' }).waitFor();
	const link = await (await operator()).store.get('callback_link', { lead_id });
	expect(await rungBy(link?.call_id ?? '')).toEqual([1]);
	expect((await readCall(link?.call_id ?? ''))?.status).toBe('completed');

	// Finds yesterday's missed call.
	await missYesterday(first);
	await at(page, 'today');
	const missed = page.getByRole('listitem').filter({ hasText: 'Yesterday’s visitor' });
	await missed.getByText('Missed: the team did not answer').waitFor();

	// Copies the snippet onto a new page, where the widget works.
	await at(page, 'site');
	const origins = page.getByLabel('Addresses of your site');
	await origins.fill(`${await origins.inputValue()}\n${new_site.origin}`);
	await page.getByRole('button', { name: 'Save' }).first().click();
	await page.getByText('Saved.').waitFor();
	await page.getByLabel('Colour').fill('#5b3df5');
	await page.getByLabel('Greeting').fill('Ask <b>us</b> "anything"');
	await page.getByRole('button', { name: 'Show' }).click();
	await page.locator('.preview').getByText('Ask <b>us</b> "anything"').waitFor();
	new_site.pages.set('/', { html: `<!doctype html><title>New</title>${await page.locator('pre').textContent()}` });
	const visitor = await widgetOn(new_site.origin);
	await visitor.getByText('Ask <b>us</b> "anything"').waitFor();
	await visitor.locator('#tel').fill('+1 202 555 0110');
	await visitor.getByRole('checkbox').check();
	await visitor.locator('[part=submit]').click();
	await visitor.getByRole('status').filter({ hasText: "You're connected" }).waitFor();

	// Invites a colleague, who sees today and numbers and nothing else.
	await at(page, 'people');
	const colleague = 'new-colleague@shop.example';
	await page.getByLabel('Mail address').fill(colleague);
	await page.getByLabel('May do').selectOption('member');
	await page.getByRole('button', { name: 'Invite' }).click();
	await page.getByText('Saved.').waitFor();
	const theirs = await fromMailbox(colleague);
	await theirs.getByRole('heading', { name: 'Today' }).waitFor();
	expect(await theirs.locator('nav a').allTextContents()).toEqual(['Today', 'Numbers']);
	for (const name of ['hours', 'team', 'site', 'notices', 'people', 'log']) {
		expect((await at(theirs, name))?.status()).toBe(403);
		await theirs.getByRole('heading', { name: 'Only for owners' }).waitFor();
	}
});
