import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { verifyWebhook } from '../../packages/client/webhooks.ts';
import { goBack } from '../support/browser/chromium.ts';
import { deskSessions } from '../support/browser/desk-browser.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { call, eventually, mailbox } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { type Post, startHttpsReceiver } from '../support/webhooks/https-receiver.ts';

// A developer connects a shop's software, on a phone and without scripts.

const receiver = await startHttpsReceiver();
afterAll(() => receiver.stop());
const { stack, browser } = stackAndBrowser(receiver.options);

const PHONE = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
const { newShop, linkTo, leaveNumber } = deskShops(() => stack);

const sessions = deskSessions({ stack, browser }, { linkTo });
const signedIn = (address: string): Promise<Page> => sessions.signedIn(address, PHONE);
const { at } = sessions;
/** The form of the page that has this button. */
const form = (page: Page, button: string) =>
	page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
const isSignedWith = (secret: string, { body, headers }: Post) =>
	verifyWebhook({ body, header: String(headers['service-signature']), secret }).verified;
const postsTo = (path: string) => receiver.posts.filter((each) => each.path === path);

it('a developer connects an endpoint, finds out why it fails, recovers it, rotates its secret and makes a key; the owner is notified of all of it', async () => {
	const shop = await newShop();
	const developer = 'dev@agency.example';
	const owner = await signedIn(shop.owner);
	await at(owner, 'people');
	await owner.locator('.add > summary').click();
	await owner.getByLabel('Email address').fill(developer);
	await owner.getByLabel('Role').selectOption('developer');
	await owner.getByRole('button', { name: 'Invite' }).click();
	await owner.getByText(`${developer} was invited; the mail is on its way.`).waitFor();

	// The developer creates an endpoint. Its secret is shown once.
	const page = await signedIn(developer);
	await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
	await page.getByLabel('Address of the endpoint').fill(receiver.url('/hooks'));
	await page.getByRole('button', { name: 'Create' }).click();
	const secret = await page.locator('.note pre').innerText();
	await page.reload();
	expect(await page.content()).not.toContain(secret);
	await page.locator('ul.list .who').getByRole('link').click();

	// The developer tests the endpoint, and sees the status, how long the test took, and what the endpoint responded.
	receiver.answers(() => ({ status: 200, body: 'thank you' }));
	await form(page, 'Send a test').getByRole('button').click();
	const result = page.getByRole('status').filter({ hasText: /./ });
	await result.getByText('The endpoint accepted the test.').waitFor();
	for (const part of ['200', 'TTFB', 'thank you']) expect(await result.innerText()).toContain(part);
	const [first] = postsTo('/hooks');
	expect(first && isSignedWith(secret, first)).toBe(true);

	// Deliveries fail. The list shows the failed deliveries first, with the reason. One of them is sent again after the receiver is
	// repaired.
	receiver.answers(() => ({ status: 401, body: 'who are you?' }));
	for (const name of ['Mia', 'Ben']) await leaveNumber(shop, freshTalker(), name);
	await eventually('both have failed, after every attempt', async () => {
		await at(page, 'deliveries?state=failed');
		return (await page.locator('ul.list > li').count()) === 2 ? true : null;
	});
	await at(page, 'deliveries');
	await page.getByRole('heading', { name: 'Not delivered' }).waitFor();
	expect(await page.locator('ul.list').first().innerText()).toMatch(/Callback requested.*Failed.*Answered 401/s);
	await page.locator('ul.list > li').first().click();
	await page.getByRole('heading', { name: 'Callback requested', exact: true }).waitFor();
	expect(await page.locator('main .card').first().innerText()).toMatch(
		/Failed .*Answered 401 Unauthorized.*who are you\?.*401 http_status/s,
	);
	receiver.answers(() => ({ status: 204 }));
	await page.getByRole('button', { name: 'Send again now' }).click();
	await page.getByText('It is being sent again now.').waitFor();
	const delivery = page.url();
	await eventually('it has arrived', async () => {
		await page.goto(delivery);
		return (await page.locator('main .card').first().innerText()).includes('Delivered') ? true : null;
	});

	// The developer counts the other failed deliveries, and then recovers them.
	await page.locator('main .card').getByRole('link', { name: '/hooks' }).click();
	await form(page, 'Count first').getByRole('button').click();
	const missed = postsTo('/hooks').length;
	await page.getByText('1 delivery would be sent again.').waitFor();
	await page.getByRole('button', { name: 'Send them again' }).click();
	await page.getByText('1 delivery is on its way.').waitFor();
	await eventually('it was recovered', async () => (postsTo('/hooks').length > missed ? true : null));

	// The developer rotates the secret while deliveries continue. For an hour, each delivery can be verified with both secrets.
	const endpoint = page.url();
	await page.getByLabel('The former secret signs beside it for').selectOption('1 hour');
	const during = leaveNumber(shop, freshTalker(), 'Zoe');
	await form(page, 'Rotate the signing secret').getByRole('button').click();
	const next = await page.locator('.note pre').innerText();
	await during;
	await leaveNumber(shop, freshTalker(), 'Kim');
	const last = await eventually('a delivery with both', async () => {
		return postsTo('/hooks').find((each) => isSignedWith(next, each)) ?? null;
	});
	expect([isSignedWith(secret, last), next === secret]).toEqual([true, false]);
	await eventually('none fails', async () => {
		await page.goto(endpoint);
		return (await page.locator('main .card').first().innerText()).includes('Last success') ? true : null;
	});
	for (const post of postsTo('/hooks')) expect(isSignedWith(secret, post)).toBe(true);

	// The developer creates an API key and revokes it.
	await at(page, 'keys');
	await page.getByLabel('Name of the key').fill('Shop software');
	await page.getByRole('button', { name: 'Create' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel('calls:read').check();
	await page.getByRole('button', { name: 'Create' }).click();
	const key = await page.locator('.note pre').innerText();
	const ask = () => call(stack.base_url, '/calls', { headers: { authorization: `Bearer ${key}` } });
	expect((await ask()).status).toBe(200);
	await page.reload();
	expect(await page.content()).not.toContain(key);
	await at(page, 'log');
	await goBack(page);
	await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
	expect(await page.content()).not.toContain(key);
	await at(page, 'keys');
	await page.getByLabel('More: Shop software').click();
	await page.getByText('Revoke …', { exact: true }).click();
	await page.locator('details[open]').getByRole('button').click();
	await page.locator('.missed').waitFor();
	expect((await ask()).status).toBe(401);

	// The owner reads about all of this in the audit list, and has a mail about each secret.
	await at(owner, 'log');
	const log = await owner.locator('ul.list').innerText();
	for (const line of [
		`invited ${developer}`,
		'created a webhook endpoint:',
		'sent a test to',
		'sent a delivery of callback.requested again',
		'rotated the signing secret of',
		'created the API key Shop software',
		'revoked the API key Shop software',
	]) {
		expect([line, log.includes(line)]).toEqual([line, true]);
	}
	for (const subject of ['There is a new API key', 'A webhook endpoint has a new signing secret']) {
		const mail = await eventually(subject, async () => {
			const own = (await mailbox(stack)).filter((each) => [each.to].flat().includes(shop.owner));
			return own.find((each) => each.subject.startsWith(subject)) ?? null;
		});
		expect([mail.text.includes(developer), mail.text.includes(key), mail.text.includes(next)]).toEqual([
			true,
			false,
			false,
		]);
	}
});
