import { afterAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { verifyWebhook } from '../../packages/client/webhooks.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { fillIn } from '../../shared/presentation/team-texts.ts';
import { countText } from '../../shared/presentation/team-words.ts';
import { goBack } from '../support/browser/chromium.ts';
import { deskSessions } from '../support/browser/desk-browser.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { spreadOf } from '../support/spread-of.ts';
import { call, eventually, mailbox } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { freshTalker } from '../support/webhooks/customers.ts';
import { type Post, startHttpsReceiver } from '../support/webhooks/https-receiver.ts';

// A developer connects a shop's software without scripts, on a phone and on a desktop, in three languages.

const receiver = await startHttpsReceiver();
afterAll(() => receiver.stop());
const { stack, browser } = stackAndBrowser(receiver.options);

const { newShop, linkTo, leaveNumber } = deskShops(() => stack);

const sessions = deskSessions({ stack, browser }, { linkTo });
const { at } = sessions;
/** The form of the page that has this button. */
const form = (page: Page, button: string) =>
	page.locator('form').filter({ has: page.getByRole('button', { name: button, exact: true }) });
const isSignedWith = (secret: string, { body, headers }: Post) =>
	verifyWebhook({ body, header: String(headers['service-signature']), secret }).verified;
/** Finds these texts one after another, with anything between them. */
const inOrder = (...texts: readonly string[]): RegExp =>
	new RegExp(texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*'), 's');
/** A text up to its placeholder, or after it if it begins with the placeholder. */
const beginning = (text: string): string =>
	text
		.split('{0}')
		.find((part) => part.trim() !== '')
		?.trim() ?? '';
const postsTo = (path: string) => receiver.posts.filter((each) => each.path === path);

const CASES = (['en', 'de', 'ar'] as const).flatMap((language) => [
	[language, 390] as const,
	[language, 1440] as const,
]);

it.each(spreadOf(CASES, CASES.length))(
	'a developer connects an endpoint in %s at %i px, finds out why it fails, recovers it, rotates its secret and makes a key; the owner is notified of all of it',
	async (language, width) => {
		const words = deskTextsIn(language);
		const { webhooks, deliveries, events, keys, fields, changes } = words;
		const signedIn = (address: string): Promise<Page> =>
			sessions.signedIn(address, { javaScriptEnabled: false, viewport: { width, height: 844 } });
		const answered = fillIn(words.answers.http_status, '401');
		const path = `/hooks-${language}-${width}`;
		const shop = await newShop('US', { language });
		const developer = `dev-${language}-${width}@agency.example`;
		const owner = await signedIn(shop.owner);
		await at(owner, 'people');
		await owner.locator('.add > summary').click();
		await owner.getByLabel(words.fields.address).fill(developer);
		await owner.locator('.add').getByRole('radio', { name: words.choices.role.developer }).check();
		await owner.getByRole('button', { name: words.invite }).click();
		await owner.getByText(fillIn(words.done.person_invited, developer)).waitFor();

		// The developer creates an endpoint. Its secret is shown once.
		const page = await signedIn(developer);
		await page.getByRole('heading', { name: words.pages.webhooks, exact: true }).waitFor();
		await page.getByLabel(fields.url).fill(receiver.url(path));
		await page.getByRole('button', { name: webhooks.create }).click();
		const secret = await page.locator('.note pre').innerText();
		await page.reload();
		expect(await page.content()).not.toContain(secret);
		await page.locator('ul.list .who').getByRole('link').click();

		// The developer tests the endpoint, and sees the status, how long the test took, and what the endpoint responded.
		receiver.answers(() => ({ status: 200, body: 'thank you' }));
		await form(page, webhooks.test).getByRole('button').click();
		const result = page.getByRole('status').filter({ hasText: /./ });
		await result.getByText(webhooks.accepted).waitFor();
		for (const part of ['200', 'TTFB', 'thank you']) expect(await result.innerText()).toContain(part);
		const [first] = postsTo(path);
		expect(first && isSignedWith(secret, first)).toBe(true);

		// Deliveries fail. The list shows the failed deliveries first, with the reason. One of them is sent again after the receiver is
		// repaired.
		receiver.answers(() => ({ status: 401, body: 'who are you?' }));
		for (const name of ['Mia', 'Ben']) await leaveNumber(shop, freshTalker(), name);
		await eventually('both have failed, after every attempt', async () => {
			await at(page, 'deliveries?state=failed');
			return (await page.locator('.deliveries tbody tr').count()) === 2 ? true : null;
		});
		await at(page, 'deliveries');
		await page.getByRole('heading', { name: deliveries.states.missed }).waitFor();
		expect(await page.locator('.deliveries').first().innerText()).toMatch(
			inOrder(events['callback.requested'], deliveries.states.failed, answered),
		);
		await page.locator('.deliveries tbody tr').first().click();
		await page.getByRole('heading', { name: events['callback.requested'], exact: true }).waitFor();
		expect(await page.locator('main .card').first().innerText()).toMatch(
			inOrder(deliveries.states.failed, `${answered} Unauthorized`, 'who are you?', '401 http_status'),
		);
		receiver.answers(() => ({ status: 204 }));
		await page.getByRole('button', { name: deliveries.retry, exact: true }).click();
		await page.getByText(deliveries.retried).waitFor();
		const delivery = page.url();
		await eventually('it has arrived', async () => {
			await page.goto(delivery);
			return (await page.locator('main .card').first().innerText()).includes(deliveries.states.succeeded) ? true : null;
		});

		// The developer counts the other failed deliveries, and then recovers them.
		await page.locator('main .card').getByRole('link', { name: path }).click();
		await form(page, webhooks.count).getByRole('button').click();
		const missed = postsTo(path).length;
		await page.getByText(countText(webhooks.counted, 1, language)).waitFor();
		await page.getByRole('button', { name: webhooks.send_again, exact: true }).click();
		await page.getByText(countText(webhooks.queued, 1, language)).waitFor();
		await eventually('it was recovered', async () => (postsTo(path).length > missed ? true : null));

		// The developer rotates the secret while deliveries continue. For an hour, each delivery can be verified with both secrets.
		const endpoint = page.url();
		await page.getByLabel(fields.overlap).selectOption('3600');
		const during = leaveNumber(shop, freshTalker(), 'Zoe');
		await form(page, webhooks.rotate).getByRole('button').click();
		const next = await page.locator('.note pre').innerText();
		await during;
		await leaveNumber(shop, freshTalker(), 'Kim');
		const last = await eventually('a delivery with both', async () => {
			return postsTo(path).find((each) => isSignedWith(next, each)) ?? null;
		});
		expect([isSignedWith(secret, last), next === secret]).toEqual([true, false]);
		await eventually('none fails', async () => {
			await page.goto(endpoint);
			return (await page.locator('main .card').first().innerText()).includes(webhooks.succeeded) ? true : null;
		});
		for (const post of postsTo(path)) expect(isSignedWith(secret, post)).toBe(true);

		// The developer creates an API key and revokes it.
		await at(page, 'keys');
		await page.getByLabel(fields.key_name).fill('Shop software');
		await page.getByRole('button', { name: keys.create }).click();
		await page.getByRole('alert').waitFor();
		await page.getByLabel('calls:read').check();
		await page.getByRole('button', { name: keys.create }).click();
		const key = await page.locator('.note pre').innerText();
		const ask = () => call(stack.base_url, '/calls', { headers: { authorization: `Bearer ${key}` } });
		expect((await ask()).status).toBe(200);
		await page.reload();
		expect(await page.content()).not.toContain(key);
		await at(page, 'log');
		await goBack(page);
		await page.getByRole('heading', { name: words.pages.keys, exact: true }).waitFor();
		expect(await page.content()).not.toContain(key);
		await at(page, 'keys');
		await page.getByLabel(`${words.menu.more}: Shop software`).click();
		await page.getByText(`${keys.revoke} …`, { exact: true }).click();
		await page.locator('details[open]').getByRole('button').click();
		await page.locator('.missed').waitFor();
		expect((await ask()).status).toBe(401);

		// The owner reads about all of this in the audit list, and has a mail about each secret.
		await at(owner, 'log');
		const log = await owner.locator('table.log').innerText();
		for (const line of [
			fillIn(changes.person_invited, developer),
			beginning(changes.endpoint_created),
			beginning(changes.endpoint_tested),
			fillIn(changes.delivery_retried, 'callback.requested'),
			beginning(changes.secret_rotated),
			fillIn(changes.key_created, 'Shop software'),
			fillIn(changes.key_revoked, 'Shop software'),
		]) {
			expect([line, log.includes(line)]).toEqual([line, true]);
		}
		for (const subject of [words.mail.key_created.subject, words.mail.secret_rotated.subject]) {
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
	},
);
