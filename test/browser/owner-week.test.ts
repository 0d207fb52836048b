import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadTexts } from '../../packages/widget/npm/texts.ts';
import { longDay } from '../../shared/http/desk/kit/times.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import { fillIn, textsIn } from '../../shared/presentation/team-texts.ts';
import { findings } from '../support/browser/axe.ts';
import { deskBrowser } from '../support/browser/desk-browser.ts';
import { misfitsNow } from '../support/browser/misfits.ts';
import { startSite } from '../support/browser/site.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { eventually } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';

const { stack, browser } = stackAndBrowser();
let site: Awaited<ReturnType<typeof startSite>>;
beforeAll(async () => {
	site = await startSite();
});
afterAll(() => site.close());

const shops = deskShops(() => stack);
const { operator, newShop } = shops;
const { at, fromMailbox, widgetOn, sendForm } = deskBrowser(() => ({ stack, browser }), shops);

const DESKTOP = { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false } as const;
/** A phone number as people in this region dial it. Its last two digits tell the simulated network how the phone behaves. */
const dialled = (region: string, area: string, ending: string): string =>
	region === 'US' ? `(${area}) 555-01${ending}` : `0${area} 1${ending}`;

it.each([
	['en', 390, 'US', '212'],
	['en', 1440, 'US', '213'],
	['de', 390, 'DE', '3023125'],
	['de', 1440, 'DE', '6990009'],
	['ar', 390, 'US', '310'],
	['ar', 1440, 'US', '312'],
] as const)(
	'a new owner gets through the first week in %s at %i px, from the first steps to the removal of a member',
	async (language, width, region, area) => {
		const words = deskTextsIn(language);
		const teamWords = textsIn(language);
		const said = await loadTexts(language);
		const shop = await newShop(region, { origins: [], team: [], allowed_regions: [region], language });
		const page = await fromMailbox(shop.owner, words.mail.open, width === 390 ? {} : DESKTOP);
		const found: string[] = [];
		const look = async (what: string) => {
			const misfits = [...(await misfitsNow(page)), ...(await findings(page))];
			found.push(...misfits.map((misfit) => `${what}: ${misfit}`));
		};
		const save = async (form: string) => {
			await page.locator(`form:has([name=action][value=${form}])`).getByRole('button').last().click();
			await page.locator('.note[role=status]').waitFor();
		};
		const row = (name: string) => page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: name });
		const steps = page.getByRole('region', { name: words.first_steps.title });
		const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name });
		const isDone = (name: string) => step(name).getByText(`✓ ${words.first_steps.done}`).waitFor();
		await look('first steps');

		// The owner sets opening hours around the clock, and one day on which the shop is closed.
		await steps.getByRole('link', { name: words.first_steps.hours }).click();
		await page.locator('[name=when][value=hours]').check();
		for (const day of await page.getByRole('switch').all()) await day.check();
		for (const end of await page.locator('[name^=from-][name$="-0"], [name^=to-][name$="-0"]').all())
			await end.fill('00:00');
		await page.getByText(words.all_dates).click();
		await page.getByLabel(words.fields.holidays).fill('25.12.2026');
		await save('hours');
		await page.getByRole('checkbox', { name: longDay('2026-12-25', { language, region }) }).waitFor();
		await look('hours');

		// The owner types the addresses of the sites, one of them without `https://`, and puts the snippet onto a page.
		await at(page, 'today');
		await isDone(words.first_steps.hours);
		await steps.getByRole('link', { name: words.fields.origins }).click();
		await page.getByLabel(words.fields.origins).fill(`www.shop.example\n${site.origin}`);
		await save('site');
		expect(await page.getByLabel(words.fields.origins).inputValue()).toBe(`https://www.shop.example\n${site.origin}`);
		const path = `/${language}-${width}`;
		const head = `<!doctype html><html lang="${language}" dir="${said.dir}"><title>Shop</title>`;
		site.pages.set(path, { html: `${head}${await page.locator('#snippet').textContent()}` });

		// The owner adds a member, and makes a test call.
		await at(page, 'today');
		await steps.getByRole('link', { name: words.pages.team, exact: true }).click();
		const add = async (name: string, ending: string) => {
			// As soon as there is a member, the form for another one is behind a button.
			const button = page.locator('.add > summary');
			if ((await button.count()) > 0) await button.click();
			await page.getByLabel(fillIn(words.optional, words.fields.member), { exact: true }).fill(name);
			await page.getByLabel(words.fields.phone).fill(dialled(region, area, ending));
			await save('member_added');
		};
		await add('Ida Wells', '01');
		await at(page, 'today');
		await steps.getByRole('button', { name: words.test_call.title }).click();
		await page.getByText(words.test_call.rings).waitFor();
		await eventually('the test call has ended', async () => {
			await at(page, 'today');
			const tested = page.getByRole('row').filter({ hasText: words.status.completed });
			return (await tested.count()) > 0 ? true : null;
		});
		await isDone(words.test_call.title);
		await look('tested');

		// Ida is off and Jonas does not answer, so the team misses a visitor's call. Ida calls the visitor back, and the visitor
		// rejects the call.
		await at(page, 'team');
		await add('Jonas Berg', '03');
		await row('Ida Wells').getByRole('button', { name: words.off_today }).click();
		await row('Ida Wells').getByRole('button', { name: words.on_again }).waitFor();
		await look('team');
		const visitor = await widgetOn(`${site.origin}${path}`);
		await sendForm(visitor, dialled(region, area, '04'), 'Ada');
		await visitor.getByRole('status').filter({ hasText: said.no_agent_answer }).waitFor();
		await row('Ida Wells').getByRole('button', { name: words.on_again }).click();
		await at(page, 'today');
		await look('missed');
		await row('Ada').getByRole('button', { name: words.call_back }).click();
		await page.getByRole('radio').first().check();
		await look('call back');
		await page.getByRole('button', { name: teamWords.ring }).click();
		await page.getByRole('heading', { name: teamWords.ringing_title }).waitFor();
		await page.getByRole('link', { name: teamWords.back_to_list }).click();
		const attempt = row('Ada').first().getByText('↩').filter({ hasText: words.short_reasons.visitor_rejected });
		await eventually('the card says how the call back ended', async () => {
			await at(page, 'today');
			return (await attempt.count()) > 0 ? true : null;
		});
		await look('called back');

		// The owner changes the look. The shop's page shows the new look with the same snippet.
		await at(page, 'site');
		await page.getByText(fillIn(words.seen.at, new URL(site.origin).host, '')).waitFor();
		await page.getByRole('link', { name: words.site_parts.look }).click();
		await page.getByLabel(words.fields.accent).fill('#5b3df5');
		await page.getByLabel(words.fields.greeting).fill('Ask Ida!');
		await save('look');
		await look('site');
		const next = await widgetOn(`${site.origin}${path}`);
		await next.getByText('Ask Ida!').waitFor();
		const colour = `getComputedStyle(document.querySelector('call-back-widget').shadowRoot.querySelector('[part=submit]')).backgroundColor`;
		expect(await next.evaluate(colour)).toBe('rgb(91, 61, 245)');

		// The owner removes a member, and the member disappears from the list.
		await at(page, 'team');
		await row('Ida Wells').locator('.menu > summary').click();
		await row('Ida Wells').locator('.menu details > summary').last().click();
		await page.getByRole('button', { name: fillIn(words.remove, 'Ida Wells') }).click();
		await row('Ida Wells').waitFor({ state: 'detached' });
		await look('removed');
		const workspace = await (await operator()).store.get('workspace', { id: shop.id });
		expect(workspace?.team.map(({ id, name }) => [id, name])).toEqual([['m2', 'Jonas Berg']]);
		expect(found).toEqual([]);
	},
);
