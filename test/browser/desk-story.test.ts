import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SentMail } from '../../local/aws/mail.ts';
import { loadTexts } from '../../packages/widget/npm/texts.ts';
import { missedNoticeId } from '../../shared/domain/notices/missed-call-notice.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { fillIn, textsIn } from '../../shared/presentation/team-texts.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { findings } from '../support/browser/axe.ts';
import { deskBrowser } from '../support/browser/desk-browser.ts';
import { misfitsNow } from '../support/browser/misfits.ts';
import { startSite } from '../support/browser/site.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { blocksOf } from '../support/fenced-blocks.ts';
import { call, eventually, mailbox, visitorBody } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { put, version } from '../support/writes.ts';

const { stack, browser } = stackAndBrowser();
const sites: Awaited<ReturnType<typeof startSite>>[] = [];
beforeAll(async () => {
	sites.push(await startSite(), await startSite());
});
afterAll(() => Promise.all(sites.map((site) => site.close())));

const shops = deskShops(() => stack);
const { operator, newShop, leaveNumber } = shops;
const { opened, at, fromMailbox, widgetOn, sendForm } = deskBrowser(() => ({ stack, browser }), shops);
type Shop = Awaited<ReturnType<typeof newShop>>;

const readCall = async (id: string) => (await operator()).store.get('call', { id });
/** Waits until a call has ended. Returns the members whose phones it rang. */
async function rungBy(id: string): Promise<readonly (string | null)[]> {
	const ended = await eventually(`the call ${id} ends`, async () => {
		const found = await readCall(id);
		return found?.completed_at ? found : null;
	});
	return ended.legs.filter(({ role }) => role === 'agent').map(({ member }) => member);
}

/** A visitor of the shop requests a call through the widget's API. Returns the call's id. */
async function callOf({ workspace_key, allowed_origin }: Shop, phone: string): Promise<string> {
	const body = visitorBody({ workspace_key, allowed_origin }, { phone });
	const { json } = await call(stack.base_url, '/widget/call-requests', { headers: { origin: allowed_origin }, body });
	return json.data.id;
}

async function missYesterday(likeId: string): Promise<void> {
	const { store, ids } = await operator();
	const like = await readCall(likeId);
	if (like === null) throw new Error('nothing to copy');
	const yesterdayMs = Date.now() - 24 * 3_600_000;
	const item = {
		...like,
		id: ids.next(yesterdayMs),
		created_at: new Date(yesterdayMs).toISOString(),
		status: 'failed' as const,
		failure_reason: 'no_agent_answer' as const,
		visitor_name: 'Yesterday’s visitor',
		winner_leg_id: null,
		legs: [],
	};
	await store.commit([put('call', item)]);
}

it('a new owner gets from the invitation to a first call in one day, on a phone and without a shell', async () => {
	const [site, new_site] = sites;
	if (site === undefined || new_site === undefined) throw new Error('no site');
	const team = ['Ida Wells:+13125550101', 'Jonas Berg:+14155550101'];
	const shop = await newShop('US', { origins: [site.origin], team });

	// The owner signs in from the mailbox.
	const page = await fromMailbox(shop.owner);
	await page.getByRole('heading', { name: 'Today' }).waitFor();

	// The owner pauses the shop for today. The widget tells the next visitor that the shop is closed.
	await at(page, 'site');
	site.pages.set('/', { html: `<!doctype html><title>Shop</title>${await page.locator('#snippet').textContent()}` });
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

	// The owner switches a member off. A call then rings only the other members.
	await at(page, 'team');
	await page.getByRole('row').filter({ hasText: 'Ida Wells' }).getByRole('button', { name: 'Off today' }).click();
	await page.locator('p', { hasText: /Away until/ }).waitFor();
	const first = await callOf(shop, '+12025550101');
	expect(await rungBy(first)).toEqual(['m2']);

	// The owner opens the lead of Grace Hopper and presses "Call back", and the phones ring.
	const lead_id = await leaveNumber(shop, '+12125550101', 'Grace Hopper');
	await at(page, 'today');
	await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByRole('button', { name: 'Call back' }).click();
	await page.getByRole('radio').last().check();
	await page.getByRole('button', { name: 'Ring me and connect' }).click();
	await page.getByRole('heading', { name: 'Your phone is ringing' }).waitFor();
	const link = await (await operator()).store.get('callback_link', { lead_id });
	expect(await rungBy(link?.call_id ?? '')).toEqual(['m2']);
	expect((await readCall(link?.call_id ?? ''))?.status).toBe('completed');

	// The owner finds the call that was missed yesterday.
	await missYesterday(first);
	await at(page, 'today');
	const missed = page.getByRole('row').filter({ hasText: 'Yesterday’s visitor' }).first();
	await missed.getByText('Missed', { exact: true }).waitFor();

	// The owner copies the snippet onto a new page, and the widget works there.
	await at(page, 'site');
	const origins = page.getByLabel('Addresses of your site');
	await origins.fill(`${await origins.inputValue()}\n${new_site.origin}`);
	await page.getByRole('button', { name: 'Save' }).first().click();
	await page.getByText('The website’s settings are saved.').waitFor();
	const scripted = await opened({ storageState: await page.context().storageState() });
	await at(scripted, 'site?look');
	const preview = scripted.frameLocator('iframe');
	await preview.getByText("We'll call you right now").waitFor();
	await preview.getByText('Call me back').last().waitFor();
	await scripted.getByLabel('Greeting').fill('Ask <b>us</b> "anything"');
	await preview.getByText('Ask <b>us</b> "anything"').waitFor();
	await scripted.getByRole('link', { name: 'Setup', exact: true }).first().click();
	await scripted.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	// The button says so for two seconds: whoever waits must be there before the click.
	await Promise.all([
		scripted.getByRole('button', { name: 'Copied' }).waitFor(),
		scripted.getByRole('button', { name: 'Copy' }).click(),
	]);
	const copied: string = await scripted.evaluate('navigator.clipboard.readText()');
	new_site.pages.set('/', { html: `<!doctype html><title>New</title>${copied}` });
	// The desk's page also works without a script: `page` has none, unlike `scripted`.
	await page.getByRole('link', { name: 'Look' }).click();
	await page.getByLabel('Colour').fill('#5b3df5');
	await page.getByLabel('Greeting').fill('Ask <b>us</b> "anything"');
	await page.locator('form[name=look]').getByRole('button').click();
	await page.getByText('The look is saved.').waitFor();
	await at(scripted, 'site?look');
	await preview.getByText('Ask <b>us</b> "anything"').waitFor();
	const colour = `getComputedStyle(document.querySelector('call-back-widget').shadowRoot.querySelector('[part=submit]')).backgroundColor`;
	expect(await scripted.frames()[1]?.evaluate(colour)).toBe('rgb(91, 61, 245)');
	expect(await findings(scripted)).toEqual([]);
	const visitor = await widgetOn(new_site.origin);
	await visitor.getByText('Ask <b>us</b> "anything"').waitFor();
	await visitor.locator('#tel').fill('+1 202 555 0110');
	await visitor.getByRole('checkbox').check();
	await visitor.locator('[part=submit]').click();
	await visitor.getByRole('status').filter({ hasText: "You're connected" }).waitFor();

	// The owner invites a colleague, who sees only the pages "today" and "numbers".
	await at(page, 'people');
	const colleague = 'new-colleague@shop.example';
	await page.locator('.add > summary').click();
	await page.getByLabel('Email address').fill(colleague);
	await page
		.locator('.add')
		.getByRole('radio', { name: /^Member/ })
		.check();
	await page.getByRole('button', { name: 'Invite' }).click();
	await page.getByText(`${colleague} was invited; the mail is on its way.`).waitFor();
	const theirs = await fromMailbox(colleague);
	await theirs.getByRole('heading', { name: 'Today' }).waitFor();
	expect(await theirs.locator('nav a').allTextContents()).toEqual(['Today', 'Calls', 'Statistics']);
	for (const name of ['hours', 'team', 'site', 'notices', 'people', 'log']) {
		expect((await at(theirs, name))?.status()).toBe(403);
		await theirs.getByRole('heading', { name: 'Your role doesn’t have this page' }).waitFor();
	}
});

/** The code for Google Tag Manager in the documentation. */
const TAG_MANAGER = blocksOf('docs/widget-reference.md').find(({ text }) => text.includes('dataLayer'))?.text;

/**
 * Returns the mails about the missed calls of these visitors. First ends the ten minutes in which missed calls are gathered,
 * and runs the sweep. The sweep sends the mails.
 */
async function missedMails({ id: workspace_id, owner }: Shop, names: readonly string[]): Promise<readonly SentMail[]> {
	const { store } = await operator();
	return eventually('the missed calls are announced', async () => {
		for (const agoMs of [0, 600_000]) {
			const notice = await store.get('team_notice', { id: missedNoticeId(workspace_id, 'mail', Date.now() - agoMs) });
			if (notice?.status !== 'pending' || (notice.due_at ?? '') < new Date().toISOString()) continue;
			const at = new Date().toISOString();
			const item = { ...notice, version: notice.version + 1, due_at: at, next_attempt_at: at };
			await store.commit([put('team_notice', item, version(notice.version))]);
		}
		const mails = await mailbox(stack);
		const notices = mails.filter(({ to, text }) => [to].flat().includes(owner) && text.includes('Jonas Berg'));
		return names.every((name) => notices.some(({ text }) => text.includes(`: ${name}, `))) ? notices : null;
	});
}

it.each([
	['pl', '203', '302', '406'],
	['tr', '205', '303', '407'],
	['ar', '206', '304', '408'],
] as const)(
	'a shop whose language is %s gets through its first week with members who are off and members who do not answer',
	async (language, earlyArea, adaArea, beaArea) => {
		const [site] = sites;
		if (site === undefined) throw new Error('no site');
		const words = deskTextsIn(language);
		const teamWords = textsIn(language);
		const said = await loadTexts(language);
		const reference = `order-${language}-4711`;
		const team = ['Ida Wells:+13125550103', 'Jonas Berg:+14155550104'];
		const shop = await newShop('US', {
			origins: [site.origin],
			team,
			language,
			ring_strategy: 'sequential',
			caller_number: '+13125550142',
			privacy_links: { [language]: `https://shop.example/${language}` },
		});
		const page = await fromMailbox(shop.owner, words.mail.open);
		const found: string[] = [];
		const look = async (what: string, seen: Page) => {
			found.push(...(await misfitsNow(seen)).map((misfit) => `${what}: ${misfit}`));
		};

		// One member is off for today, and the other until a date. No one is left to ring, so the shop is closed and takes only
		// callback requests.
		await at(page, 'team');
		const row = (name: string) => page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: name });
		await row('Ida Wells').getByRole('button', { name: words.off_today }).click();
		await row('Jonas Berg').locator('.menu > summary').click();
		await row('Jonas Berg').locator('.menu details > summary').first().click();
		await row('Jonas Berg').getByLabel(words.fields.back).fill('2099-07-01');
		await row('Jonas Berg').getByRole('button', { name: words.off_to_date }).click();
		const before = (text: string) => text.split('{0}')[0] ?? '';
		for (const name of ['Ida Wells', 'Jonas Berg'])
			await row(name).getByText(before(words.off_until)).first().waitFor();
		await look('team', page);
		await at(page, 'today');
		await page.getByText(before(words.closed_until)).waitFor();
		await at(page, 'site');
		const snippet = ((await page.locator('#snippet').textContent()) ?? '').replace(
			'async',
			`data-reference="${reference}" async`,
		);
		const html = `<!doctype html>
			<html lang="${language}" dir="${said.dir}">
			<title>Shop</title>
			<meta name="viewport" content="width=device-width">
			<script>${TAG_MANAGER}</script>
			${snippet}`;
		site.pages.set(`/${language}`, { html });
		const url = `${site.origin}/${language}`;
		const early = await widgetOn(url);
		await early.getByRole('heading', { name: said.closed }).waitFor();
		const link = early.getByRole('link', { name: said.privacy });
		expect(await link.getAttribute('href')).toBe(`https://shop.example/${language}`);
		await look('closed', early);
		await sendForm(early, `+1 ${earlyArea} 555 0110`, 'Early');
		await early.getByRole('status').filter({ hasText: said.lead_sent }).waitFor();
		await at(page, 'today');
		await row('Early').getByText(reference).waitFor();
		await at(page, 'team');
		for (const name of ['Ida Wells', 'Jonas Berg']) {
			await row(name).getByRole('button', { name: words.on_again }).click();
			await row(name).getByText(words.is_rung).waitFor();
		}

		// Two visitors request calls. The second visitor's number is on the list of numbers that are never called.
		const visitors = [];
		for (const [name, area] of [
			['Ada', adaArea],
			['Bea', beaArea],
		] as const) {
			const visitor = await widgetOn(url);
			const intro = await visitor.locator('small').first().innerText();
			const number = '\u2066+1\u00a0312\u00a0555\u00a00142\u2069';
			expect(intro).toBe(`${said.intro} ${fillIn(said.calls_from, number)}`);
			await sendForm(visitor, `+1 ${area} 555 0101`, name);
			await visitor.getByRole('status').filter({ hasText: said.requested }).waitFor();
			visitors.push(visitor);
		}
		const [ada, bea] = visitors;
		if (ada === undefined || bea === undefined) throw new Error('no visitors');
		await row('Jonas Berg').getByRole('button', { name: words.off_today }).click();
		await at(page, 'today');
		const rowOfBea = page.getByRole('row').filter({ hasText: 'Bea' });
		await rowOfBea.locator('.menu > summary').click();
		await rowOfBea.getByText(`${words.do_not_call} …`).click();
		await rowOfBea.getByRole('button', { name: words.do_not_call_now }).click();

		// Both visitors read the same text and get the same choices. The callback request from the suppressed number is refused
		// with the words for a reached rate limit.
		const missed = [];
		for (const visitor of visitors) {
			await visitor.getByRole('status').filter({ hasText: said.no_agent_answer }).waitFor();
			expect(await visitor.getByRole('checkbox').isChecked()).toBe(false);
			expect(await visitor.locator('[part=submit]').textContent()).toBe(said.lead);
			const { id } = (await visitor.evaluate('heard.at(-1)')) as { readonly id: string };
			const asked = await call(stack.base_url, `/widget/call-requests/${id}/status`, {
				headers: { origin: site.origin },
			});
			const { id: _id, ...answer } = asked.json.data;
			expect(await rungBy(id)).toEqual(['m1', 'm2']);
			missed.push([answer, (await visitor.locator('[part=panel]').innerText()).replace(/\d{3}\s555/, 'N 555')]);
		}
		expect(missed[1]).toEqual(missed[0]);
		expect(missed[0]?.[0]).toMatchObject({ status: 'failed', failure_reason: 'no_agent_answer' });
		await look('missed', ada);
		expect(await findings(ada)).toEqual([]);
		await sendForm(ada);
		await ada.getByRole('status').filter({ hasText: said.lead_sent }).waitFor();
		await sendForm(bea);
		await bea.getByRole('alert').filter({ hasText: said.rate_limited }).waitFor();

		// The shop's page got the widget's events. Each contains the reference that the page gave to the widget.
		const heard = (await ada.evaluate('heard')) as readonly { readonly state: string; readonly id: string | null }[];
		const [failed, , sent] = heard.slice(-3);
		const { workspace_key } = shop;
		expect(sent).toEqual({ state: 'lead_sent', workspace_key, reference, reason: null, id: expect.any(String) });
		expect(heard.map(({ state }) => state).join()).toMatch(/^sending,requested,.*failed,sending,lead_sent$/);
		expect(failed).toEqual({ ...failed, reference, reason: 'no_agent_answer', id: expect.any(String) });
		expect(await ada.evaluate('dataLayer')).toEqual([
			{ event: 'callback_lead_sent', callback_id: sent?.id, callback_reference: reference },
		]);

		// One mail tells the team about both calls. It describes them with the same words, so it does not reveal the suppressed
		// number.
		const mails = await missedMails(shop, ['Ada', 'Bea']);
		const mailTexts = mails.map(({ text }) => text).join('');
		const facts = mails.flatMap(({ text }) => text.split('\n').filter((line) => line.includes(': ')));
		const [ada_page, ada_rung, ...beas] = facts.filter((_, place) => place % 3 > 0);
		expect(beas).toEqual([ada_page, ada_rung]);
		expect(ada_page).toContain(reference);
		expect(mailTexts).not.toMatch(/5550101|555 0101/);
		const letter = await opened({ javaScriptEnabled: false });
		await letter.goto(`${stack.console_url}/letter/${mails[0]?.id}`);
		await letter.getByRole('heading', { name: teamWords.missed.headline }).waitFor();
		await look('mail', letter);

		// If the data of a person is erased, the references of the person's calls and leads are also erased.
		const shown = async () => {
			await at(page, 'today');
			return page.getByText(reference).count();
		};
		const named = (name: string) => page.getByText(name, { exact: true }).count();
		expect([await shown(), await named('Ada')]).toEqual([5, 2]);
		await look('today', page);
		await erasePerson({ workspace_id: shop.id, e164: `+1${adaArea}5550101`, keep_consent: false }, await operator());
		// The reference stays with the callback request of the visitor Early and with Bea's call.
		expect(await shown()).toBe(3);
		expect(await named('Ada')).toBe(0);
		expect(found).toEqual([]);
	},
);
