import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Stack } from '../../local/stack.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { findingsInCopy } from '../support/browser/axe.ts';
import { misfits } from '../support/browser/misfits.ts';
import { ownersBrowser, stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { spreadOf } from '../support/spread-of.ts';
import { call, linkInMail, visitorBody } from '../support/stack/api.ts';
import { operatorOf } from '../support/webhooks/customers.ts';

const { stack, browser } = stackAndBrowser();

type Site = Pick<Stack, 'workspace_key' | 'allowed_origin'>;

/** A shop in this region, whose team uses the region's language. */
async function shopIn(region: string): Promise<Site> {
	const allowed_origin = `https://${region.toLowerCase()}.example`;
	const team = ['Ida Wells:+13125550101', 'Jonas Berg:+14155550101', '+13125550102'];
	const made = await createWorkspace(
		{
			name: `Shop ${region}`,
			region,
			time_zone: 'Europe/Berlin',
			origins: [allowed_origin],
			team,
			allowed_regions: ['US'],
			team_email: 'team@shop.example',
		},
		await operatorOf(stack),
	);
	if ('refused' in made) throw new Error(made.refused);
	return { workspace_key: made.workspace.workspace_key, allowed_origin };
}

/** Creates a lead. Returns the link from the message to the team. */
async function sentLink(phone: string, name: string, site: Site = stack): Promise<string> {
	const headers = { origin: site.allowed_origin };
	const page_url = `${site.allowed_origin}/pricing?${'long-'.repeat(30)}`;
	const body = visitorBody(site, {
		phone,
		name,
		page_url,
		note: 'whenever it suits you, but not before ten '.repeat(3),
	});
	await call(stack.base_url, '/widget/callback-leads', { headers, body });
	return linkInMail(stack, 'callback-links', ({ subject }) => subject.includes(name));
}

async function open(url: string, context: object = {}): Promise<Page> {
	const page = await (await ownersBrowser(browser, stack, context)).newPage();
	await page.goto(url);
	return page;
}

const PHONE = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

describe('a team member', () => {
	it('opens the link from the mailbox, presses the button, and the phones ring', async () => {
		await sentLink('+12025550110', 'Ida');
		const consolePage = await open(`${stack.console_url}/#mailbox`);
		const letter = consolePage.frameLocator('iframe[title*="Ida"]');
		const [page] = await Promise.all([
			consolePage.context().waitForEvent('page'),
			letter.getByRole('link', { name: 'Ring me and connect' }).click(),
		]);
		await page.getByRole('heading', { name: 'Ida asked to be called back' }).waitFor();
		expect(await page.getByRole('radio', { name: 'Ida Wells +1 ••• ••• ••01' }).isChecked()).toBe(true);
		await page.getByRole('radio', { name: 'Jonas Berg +1 ••• ••• ••19' }).check();
		await page.getByRole('button', { name: 'Ring me and connect' }).click();
		await page.getByRole('heading', { name: 'Your phone is ringing' }).waitFor();
		await consolePage.getByRole('link', { name: 'Calls' }).click();
		const card = consolePage.locator('article.call').filter({ has: consolePage.getByText('+1 ••• ••• ••10') });
		await card.locator('.chip.connected').waitFor();
		await page.goto(page.url());
		await page.getByRole('heading', { name: 'This link has been used' }).waitFor();
	});

	it('can open the link and press its button with the keyboard', async () => {
		const page = await open(await sentLink('+12025550103', 'Jon'));
		const focused = () => page.locator(':focus');
		await page.keyboard.press('Tab');
		expect(await focused().getAttribute('href')).toContain('/pricing');
		await page.keyboard.press('Tab');
		await page.keyboard.press('ArrowDown');
		expect(await page.getByRole('radio').nth(1).isChecked()).toBe(true);
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.getByRole('heading', { name: 'Your phone is ringing' }).waitFor();
	});
});

describe('the page of a callback link', () => {
	it.each([
		['on a phone', PHONE],
		['in the dark', { ...PHONE, colorScheme: 'dark' }],
	])('fits %s before and after a press and with an invalid link; axe-core finds nothing', async (name, context) => {
		const url = await sentLink(`+1202555011${['on a phone', 'in the dark'].indexOf(name) + 4}`, name);
		const page = await open(url, context);
		const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
		const looks: unknown[] = [];
		const look = async () => looks.push([await fits(), await findingsInCopy(page)]);
		await look();
		await page.getByRole('button').click();
		await page.getByRole('heading', { name: 'Your phone is ringing' }).waitFor();
		await look();
		await page.goto(`${url}x`);
		await look();
		expect(looks).toEqual(Array.from({ length: 3 }, () => [true, []]));
	});

	const shops = [
		['AE', PHONE, 'Amal', 'طلب Amal معاودة الاتصال به', 'أي هاتف هو هاتفك؟', 'هاتفك يرن'],
		['PL', PHONE, 'Łucja', 'Łucja prosi o oddzwonienie', 'Który telefon jest Twój?', 'Twój telefon dzwoni'],
		['DE', PHONE, 'Lieselotte', 'Lieselotte bittet um Rückruf', 'Welches Telefon ist Ihres?', 'Ihr Telefon klingelt'],
		['NL', {}, 'Sanne', 'Sanne wil graag teruggebeld worden', 'Welke telefoon is van u?', 'Uw telefoon gaat over'],
	] as const;
	it.each(spreadOf(shops, 4))(
		'of a shop in %s speaks its language, tells the phones apart by name, and fits',
		async (region, context, name, asks, which, rings) => {
			const shop = await shopIn(region);
			const page = await open(await sentLink(`+12025550${120 + region.charCodeAt(0) - 65}`, name, shop), context);
			await page.getByRole('heading', { name: asks }).waitFor();
			await page.getByRole('group', { name: which }).waitFor();
			await page.getByRole('radio', { name: 'Jonas Berg' }).check();
			expect(await page.getByRole('radio').count()).toBe(3);
			expect(await misfits(page)).toEqual([]);
			expect(await findingsInCopy(page)).toEqual([]);
			await page.getByRole('button').click();
			await page.getByRole('heading', { name: rings }).waitFor();
			await page.getByText('Jonas Berg').waitFor();
		},
	);

	it('fits 320, 390 and 1280 px, and so do all pages of the team and the console, the mails and the demo shop', async () => {
		const name = 'Maximiliane-Alexandra von Hohenlohe-Langenburg';
		const link = await sentLink('+12025550117', name);
		const headers = { origin: stack.allowed_origin };
		await call(stack.base_url, '/widget/call-requests', {
			headers,
			body: visitorBody(stack, { phone: '+12025550118', name }),
		});
		const found: string[] = [];
		const look = async (what: string, page: Page) =>
			found.push(...(await misfits(page)).map((misfit) => `${what}, ${misfit}`));
		await look('team', await open(link));
		const page = await open(stack.console_url);
		for (const view of ['calls', 'webhooks', 'mailbox', 'logs']) {
			await page.goto(`${stack.console_url}/#${view}`);
			await page.locator(`#${view} .card:not(.empty)`).first().waitFor();
			if (view === 'mailbox') {
				await page.frameLocator('iframe').first().getByRole('link', { name: 'Ring me and connect' }).waitFor();
			}
			await look(view, page);
		}
		await page.goto(`${stack.console_url}/demo?lang=de`);
		await page.locator('[part=launcher]').click();
		await page.getByRole('button', { name: 'Jetzt anrufen lassen' }).click();
		await page.getByRole('alert').filter({ hasText: 'Telefonnummer ein' }).waitFor();
		await look('demo', page);
		await page.getByLabel('Telefonnummer').fill('+1 202 555 0116');
		await page.getByRole('checkbox').check();
		await page.getByRole('button', { name: 'Jetzt anrufen lassen' }).click();
		await page.getByRole('button', { name: 'Noch einen Anruf anfordern' }).waitFor();
		await look('demo after a call', page);
		expect(found).toEqual([]);
	});

	it('runs no script, loads nothing, sends no referrer, and cannot be framed', async () => {
		const url = await sentLink('+12025550102', 'Kim');
		const page = await open('about:blank');
		const asked: string[] = [];
		page.on('request', (request) => asked.push(new URL(request.url()).pathname));
		await page.goto(url);
		expect(asked.filter((path) => path !== new URL(url).pathname)).toEqual([]);
		expect(await page.locator('script').count()).toBe(0);
		const site = await open('about:blank');
		await site.setContent(`<iframe src="${url}"></iframe>`);
		const [, frame] = site.frames();
		await frame?.waitForLoadState();
		expect(await frame?.locator('button').count()).toBe(0);
	});
});
