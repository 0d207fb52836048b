import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/browser/chromium.ts';
import { deskInMemory } from '../support/stack/desk-in-memory.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { always, put } from '../support/writes.ts';

// What the desk's script does on *Today* and on the page of a call, while a call is live. The desk runs in memory and responds to
// the browser's requests.

const { store, newShop, leaveNumber, requestCallFrom, signIn, send, desk } = deskInMemory();
let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

/** A page of a shop with one live call, in a browser whose clock the test controls. */
async function todayWithACall(pageOf = (_call: string) => 'today') {
	const shop = await newShop();
	const call = await requestCallFrom(shop, freshTalker(), 'Ada');
	const path = `pages/${pageOf(call)}`;
	const { cookie } = await signIn(shop.owner, shop.id);
	const page = await browser.newPage();
	let cookies = cookie;
	let looks = 0;
	let failures = 0;
	await page.route('**/*', async (route) => {
		const { pathname, search } = new URL(route.request().url());
		if (!pathname.endsWith('.js')) looks += 1;
		if (failures > 0) {
			failures -= 1;
			await route.fulfill({ status: 503, body: '{}' });
			return;
		}
		const address = `${pathname.replace('/v1/desk/', '')}${search}`;
		const { status, headers, html } = await send(desk(address), { cookie: cookies });
		await route.fulfill({ status, headers: Object.fromEntries(headers), body: html });
	});
	await page.clock.install();
	await page.goto(desk(path));
	return {
		shop,
		call,
		page,
		looks: () => looks,
		failOnce: () => {
			failures = 1;
		},
		endSession: () => {
			cookies = '';
		},
	};
}
const text = (page: Page) => page.locator('#lists').textContent();
/** Lets the script poll once more, and waits until the page has got the response. */
async function refreshed({ page, looks }: Awaited<ReturnType<typeof todayWithACall>>, after = 5000) {
	const before = looks();
	const response = page.waitForResponse(/pages\/(today|calls)/);
	await page.clock.runFor(after);
	await response;
	expect(looks()).toBe(before + 1);
}

describe('Today, while a call is live', () => {
	it('shows a new callback request without a reload', async () => {
		const today = await todayWithACall();
		await leaveNumber(today.shop, freshTalker(), 'Grace');
		expect(await text(today.page)).not.toContain('Grace');
		await refreshed(today);
		await today.page.locator('#lists').getByText('Grace').waitFor();
		await today.page.close();
	});

	it('replaces nothing that a person has opened', async () => {
		const { page, looks } = await todayWithACall();
		await page.locator('.menu > summary').click();
		await page.clock.runFor(20_000);
		expect(looks()).toBe(1);
		await page.close();
	});

	it('closes an open menu on Escape, which focuses the menu’s button, and on a click outside the menu', async () => {
		const { page } = await todayWithACall();
		const menu = page.locator('.menu');
		const open = page.locator('.menu[open]');
		await menu.locator('summary').first().click();
		await open.waitFor();
		await page.keyboard.press('Escape');
		await open.waitFor({ state: 'detached' });
		expect(await page.locator('.menu > summary:focus').count()).toBe(1);
		await menu.locator('summary').first().click();
		// Pressing a button inside the menu does not close the menu.
		await open.getByText('Do not call again …').click();
		await open.getByText('Yes, never call this number').waitFor();
		await page.locator('h1').click();
		await open.waitFor({ state: 'detached' });
		await page.close();
	});

	it('copies the id of a call from the menu of its row after the row was refreshed', async () => {
		const { call, page, ...today } = await todayWithACall();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await refreshed({ ...today, call, page });
		await page.locator('.menu > summary').click();
		// The button says so for two seconds: whoever waits must be there before the click.
		await Promise.all([
			page.getByRole('button', { name: 'Copied' }).waitFor(),
			page.getByRole('button', { name: 'Copy the ID' }).click(),
		]);
		expect(await page.evaluate('navigator.clipboard.readText()')).toBe(call);
		await page.close();
	});

	it('opens the call’s page by a click anywhere on its row', async () => {
		const { call, page } = await todayWithACall();
		await page.locator('.contact .result').click({ force: true });
		await page.waitForURL(`**/calls?id=${call}`);
		await page.close();
	});

	it('may load its script for a person who is only a member of the team, too', async () => {
		const { shop } = await todayWithACall();
		const { status } = await send(desk('pages/desk.js'), await signIn(shop.member, shop.id));
		expect(status).toBe(200);
	});

	it('asks again half a minute after the service has failed', async () => {
		const today = await todayWithACall();
		await leaveNumber(today.shop, freshTalker(), 'Grace');
		today.failOnce();
		await refreshed(today);
		expect(await text(today.page)).toContain('Ada');
		await refreshed(today, 30_000);
		await today.page.locator('#lists').getByText('Grace').waitFor();
		await today.page.close();
	});

	it('stops polling once the session has ended', async () => {
		const today = await todayWithACall();
		today.endSession();
		await refreshed(today);
		await today.page.clock.runFor(60_000);
		// If the script had sent another request, the request would have arrived before this one.
		await today.page.evaluate("fetch('desk.js').then((response) => response.text())");
		expect(today.looks()).toBe(2);
		expect(await text(today.page)).toContain('Ada');
		await today.page.close();
	});
});

describe('the page of a live call', () => {
	it('updates while the call is live, and stays unchanged after the call has ended', async () => {
		const open = await todayWithACall((id) => `calls?id=${id}`);
		await open.page.getByText('Starting').first().waitFor();
		await refreshed(open);
		const call = await store.get('call', { id: open.call });
		if (call === null) throw new Error('the call is gone');
		const ended = { status: 'failed', failure_reason: 'no_agent_answer', completed_at: call.created_at } as const;
		await store.commit([put('call', { ...call, ...ended, version: call.version + 1 }, always)]);
		await refreshed(open);
		await open.page.getByText('Missed: the team did not answer').first().waitFor();
		const { looks } = open;
		const before = looks();
		await open.page.clock.runFor(60_000);
		expect(looks()).toBe(before);
		await open.page.close();
	});

	it('replaces nothing that a person has opened', async () => {
		const open = await todayWithACall((id) => `calls?id=${id}`);
		await open.page.getByText('Do not call again …').click();
		await open.page.clock.runFor(20_000);
		expect(open.looks()).toBe(1);
		await open.page.getByText('Yes, never call this number').waitFor();
		await open.page.close();
	});
});
