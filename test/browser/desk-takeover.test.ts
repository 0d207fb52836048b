import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { fillIn } from '../../shared/presentation/team-texts.ts';
import { findings } from '../support/browser/axe.ts';
import { deskBrowser } from '../support/browser/desk-browser.ts';
import { misfitsNow } from '../support/browser/misfits.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { eventually, mailbox } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';

// A thief with an owner's cookie takes the shop over, and the owner takes it back. Each uses a separate browser.

const { stack, browser } = stackAndBrowser();
const shops = deskShops(() => stack);
const { operator, newShop, linkTo } = shops;
const { opened, at, fromMailbox } = deskBrowser(() => ({ stack, browser }), shops);

const linksIn = (text: string): readonly string[] => /http\S+\/desk\/links\/\S+/.exec(text) ?? [];

it.each(['en', 'de', 'ar'] as const)(
	'the owner gets a mail about a takeover, puts everything back and signs the thief out: %s',
	async (language) => {
		const words = deskTextsIn(language);
		const team_email = `notices-${language}@shop.example`;
		const eve = `eve-${language}@evil.example`;
		const shop = await newShop('US', { language, team_email });
		// Pages for a person without a session are in the language of the browser.
		const strangers = deskTextsIn('en');
		const found: string[] = [];
		const look = async (what: string, page: Page) => {
			const misfits = [...(await misfitsNow(page)), ...(await findings(page))];
			found.push(...misfits.map((misfit) => `${what}: ${misfit}`));
		};
		const shopNow = async () => (await operator()).store.get('workspace', { id: shop.id });
		const owners = async () =>
			(await shopNow())?.desk.filter(({ role }) => role === 'owner').map(({ address }) => address);

		const ida = await fromMailbox(shop.owner, words.mail.open, {});
		const thief = await opened({ storageState: await ida.context().storageState() });

		// The thief enters another mailbox for the notices. The change takes effect only when someone uses the link in a mail to
		// that mailbox. The thief uses it.
		await at(thief, 'notices');
		await thief.getByLabel(words.fields.team_email).fill(eve);
		await thief.locator('form:has([name=action][value=notices])').getByRole('button').click();
		await thief.getByText(fillIn(words.agree.waits, eve)).waitFor();
		await look('waits', thief);
		expect((await shopNow())?.team_email).toBe(team_email);
		const agrees = await opened({});
		await agrees.goto(await linkTo(eve));
		await look('agree', agrees);
		await agrees.getByRole('button', { name: words.agree.yes }).click();
		await agrees.getByText(fillIn(words.agree.done, shop.name)).waitFor();
		expect((await shopNow())?.team_email).toBe(eve);

		// The thief becomes an owner, and removes the real owner.
		await at(thief, 'people');
		await thief.locator('.add > summary').click();
		await thief.getByLabel(words.fields.address).fill(eve);
		await thief.locator('.add').getByRole('radio', { name: words.choices.role.owner }).check();
		await thief.locator('form:has([name=action][value=person_invited])').getByRole('button').click();
		const evil = await fromMailbox(eve, words.mail.open, {});
		// The thief creates keys and endpoints, which remain after the thief is removed.
		await at(evil, '../developers/keys');
		await evil.getByLabel(words.fields.key_name).fill('Export');
		await evil.getByLabel('calls:read').check();
		await evil.getByRole('button', { name: words.keys.create }).click();
		await evil.getByText('cbk_live_').first().waitFor();
		await at(evil, 'people');
		const row = evil.getByRole('row').filter({ hasText: shop.owner });
		await row.locator('.menu > summary').click();
		await row.locator('summary').last().click();
		await row.getByRole('button', { name: fillIn(words.remove, shop.owner) }).click();
		await row.waitFor({ state: 'detached' });
		expect(await owners()).toEqual([eve]);
		await at(ida, 'today');
		await ida.getByRole('heading', { name: strangers.problems.signed_out.title }).waitFor();

		// Two addresses got a mail about each step: the owner's, and the one to which notices went before the theft. The link in
		// the newest mail takes back all steps.
		const told = (to: string) =>
			eventually(`three mails to ${to}`, async () => {
				const mails = await mailbox(stack);
				const mine = mails.filter((mail) => [mail.to].flat().includes(to) && mail.text.includes(words.handover.why));
				return mine.length >= 3 ? mine : null;
			});
		expect((await told(team_email)).length).toBe(3);
		const [last] = await told(shop.owner);
		expect(last?.subject).toBe(fillIn(words.handover.subject, shop.name));
		const [link = ''] = linksIn(last?.text ?? '');
		await ida.goto(link);
		await look('put back', ida);
		await ida.getByRole('button', { name: words.handover.put_back }).click();
		await ida.getByText(words.handover.done).waitFor();
		await look('done', ida);
		expect(await owners()).toEqual([shop.owner]);
		expect((await shopNow())?.team_email).toBe(team_email);

		// The thief is signed out in every browser. The owner signs in again, and the link works only once.
		for (const page of [thief, evil]) {
			await at(page, 'today');
			await page.getByRole('heading', { name: strangers.problems.signed_out.title }).waitFor();
		}
		await ida.goto(link);
		await ida.getByRole('heading', { name: strangers.problems.link_used.title }).waitFor();
		await at(ida, 'today');
		await ida.getByLabel(strangers.fields.address).fill(shop.owner);
		await ida.getByRole('button', { name: strangers.send_link }).click();
		const subject = fillIn(words.mail.sign_in, shop.name);
		const [signsIn] = await eventually('the link to sign in', async () => {
			const mails = (await mailbox(stack)).filter((mail) => [mail.to].flat().includes(shop.owner));
			const links = mails.filter((mail) => mail.subject === subject).flatMap(({ text }) => linksIn(text));
			return links.length > 0 ? links : null;
		});
		const back = await opened({});
		await back.goto(signsIn ?? '');
		await back.getByRole('button').click();
		await at(back, 'people');
		expect(await back.getByRole('row').filter({ hasText: eve }).count()).toBe(0);
		// On the page *Today*, the owner finds the key and the endpoint that the thief created, and ends them.
		await at(back, 'today');
		await look('made meanwhile', back);
		await back.getByRole('link', { name: 'Export' }).click();
		await back.getByRole('listitem').filter({ hasText: 'Export' }).locator('.menu > summary').click();
		await back.getByText(`${words.keys.revoke} …`, { exact: true }).click();
		await look('a key of the thief', back);
		await back.getByRole('button', { name: words.keys.revoke_now }).click();
		await back.getByText(`${words.keys.revoke} …`, { exact: true }).waitFor({ state: 'detached' });
		await at(back, 'today');
		expect(await back.getByRole('link', { name: 'Export' }).count()).toBe(0);
		await at(back, 'today?leave');
		await look('leave', back);
		await back.getByRole('button', { name: words.leave }).click();
		await back.getByText(words.refusals.last_owner).waitFor();
		expect(found).toEqual([]);
	},
);
