import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from '../../local/stack.ts';
import { folderOf } from '../../shared/contract/desk/desk-pages.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { call, eventually, HANGS_AFTER_MS, linkInMail, mailbox, visitorBody } from '../support/stack/api.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { testStack } from '../support/stack/stack.ts';

// `npm run lab -- looks` takes the screenshots for the pages of docs, from a separate stack with real calls. `npm run lab --
// looks desk` takes only those with `desk` in their name.

const DOCS = join(import.meta.dirname, '../../docs');
const SIZES = {
	desktop: { viewport: { width: 1280, height: 800 } },
	phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
const QUALITY = 0.86;

/** One screenshot: its file below docs, and the steps from a new page to what the screenshot shows. */
type Shot = {
	readonly file: string;
	readonly size: keyof typeof SIZES;
	readonly context?: BrowserContextOptions;
	readonly pose: (page: Page, stack: Stack) => Promise<void>;
};

const home = ({ console_url, console_key }: Stack, view: string) => `${console_url}/${view}#key=${console_key}`;

/**
 * Opens the demo shop and fills in its form. `ending`: the last digits of the visitor's number, which is reserved for fiction.
 */
async function fillForm(page: Page, stack: Stack, ending: string): Promise<void> {
	await page.goto(home(stack, 'demo'));
	await page.locator('[part=launcher]').click();
	await page.locator('#tel').fill(`+1 202 555 01${ending}`);
	await page.locator('#name').fill('Ada Lovelace');
	await page.getByRole('checkbox').check();
}

/** Places a call at the demo shop, and waits until the widget shows this text. */
async function callUntil(page: Page, stack: Stack, ending: string, text: string): Promise<void> {
	await fillForm(page, stack, ending);
	await page.locator('[part=submit]').click();
	await page.getByRole('status').filter({ hasText: text }).waitFor();
}

/** Opens a view of the console, and waits until it shows a card with this text. */
async function showView(page: Page, stack: Stack, view: string, text: string): Promise<void> {
	await page.goto(home(stack, ''));
	await page.goto(`${stack.console_url}/#${view}`);
	await page.locator(`#${view} .card`).filter({ hasText: text }).first().waitFor();
}

let deskCookies: Awaited<ReturnType<BrowserContext['cookies']>> = [];

/** Opens a page of the demo's desk as its owner, who signs in only once. `name`: the page, with or without a query. */
async function showDesk(page: Page, stack: Stack, name: string): Promise<void> {
	if (deskCookies.length === 0) {
		await page.goto(await linkInMail(stack, 'desk/links'));
		await page.getByRole('button').click();
		await page.locator('nav').first().waitFor();
		deskCookies = await page.context().cookies();
	}
	await page.context().addCookies(deskCookies);
	const [pageName = ''] = name.split('?');
	await page.goto(`${stack.base_url}/desk/${folderOf(pageName)}/${name}`);
	await page.locator('nav').first().waitFor();
}

/** Opens the desk of a new shop, which shows the first steps. */
async function showFirstSteps(page: Page, ...team: string[]): Promise<void> {
	const shop = await shops.newShop('US', { name: 'Ada’s Atelier', origins: [], team });
	await page.goto(await shops.linkTo(shop.owner));
	await page.getByRole('button').click();
	await page.locator('nav').first().waitFor();
}

/** Opens the list of the other desks of an owner who has three shops. A visitor waits in one of them. */
async function showOtherDesks(page: Page, stack: Stack): Promise<void> {
	const [first, ...others] = await Promise.all(
		['Ada’s Atelier', 'Ada’s Bakery', 'Ada’s Café'].map((name) => shops.newShop('US', { name })),
	);
	if (first === undefined) throw new Error('there is no shop');
	for (const shop of others) await shops.invite(shop.id, first.owner, 'owner');
	const [waiting] = others;
	if (waiting !== undefined) await shops.leaveNumber(waiting, '+12025550144', 'Grace Hopper');
	// The session of an invitation is for one desk only, so the owner asks for a link.
	for (const _ of [first, ...others]) await shops.linkTo(first.owner);
	await page.goto(`${stack.base_url}/desk/sign-in`);
	await page.getByLabel('Email address').fill(first.owner);
	await page.getByRole('button').click();
	await page.goto(await shops.linkTo(first.owner));
	await page.getByRole('button').first().click();
	await page.locator('nav').first().waitFor();
	await page.goto(`${stack.base_url}/desk/${folderOf('desks')}/desks`);
	await page.locator('main form').first().waitFor();
}

/** Shows the first mail that has a link to `path`, once it was sent. */
async function showMail(page: Page, stack: Stack, path: string): Promise<void> {
	const { id } = await eventually(`a mail with a link to ${path}`, async () => {
		return (await mailbox(stack)).find(({ text }) => text.includes(`/${path}/`)) ?? null;
	});
	await page.goto(`${stack.console_url}/letter/${id}`);
}

/** Opens the page of what the first link to `to` on a page of the desk names, and waits until that page shows `part`. */
async function showFirst(page: Page, stack: Stack, on: string, to: string, part: string): Promise<void> {
	await showDesk(page, stack, on);
	await page.locator(`main a[href*="${to}="]`).first().click();
	await page.locator(part).first().waitFor();
}

const shots: readonly Shot[] = [
	{
		file: 'looks/widget-launcher-phone',
		size: 'phone',
		pose: async (page, stack) => {
			await page.goto(home(stack, 'demo'));
			await page.locator('[part=launcher]').waitFor();
			// Scrolls past the console's own header to the shop.
			await page.evaluate('scrollTo(0, 450)');
		},
	},
	{
		file: 'looks/widget-calling-phone',
		size: 'phone',
		pose: (page, stack) => callUntil(page, stack, '03', "We're calling your phone now"),
	},
	{ file: 'looks/widget-form-phone', size: 'phone', pose: (page, stack) => fillForm(page, stack, '01') },
	{
		file: 'looks/widget-busy-phone',
		size: 'phone',
		pose: (page, stack) => callUntil(page, stack, '02', 'Your phone was busy or declined the call'),
	},
	{
		file: 'demo',
		size: 'desktop',
		pose: async (page, stack) => {
			await callUntil(page, stack, '01', 'Call ended');
			await page.getByRole('complementary').getByRole('link', { name: 'call.completed' }).waitFor();
		},
	},
	{
		file: 'looks/console-calls-desktop',
		size: 'desktop',
		pose: (page, stack) => showView(page, stack, 'calls', 'completed'),
	},
	...(['today', 'numbers', 'hours', 'team', 'site', 'people', 'notices', 'log'] as const).map((name) => ({
		file: `looks/desk-${name}-phone`,
		size: 'phone' as const,
		context: { javaScriptEnabled: false },
		pose: async (page: Page, stack: Stack) => {
			await showDesk(page, stack, name);
			if (name === 'hours') await page.locator('[name=when][value=hours]').check();
		},
	})),
	{
		file: 'looks/desk-call-desktop',
		size: 'desktop',
		pose: async (page, stack) => {
			await callUntil(page, stack, '08', 'Call ended');
			await showFirst(page, stack, 'calls', 'calls?id', 'ol.lanes');
		},
	},
	{
		file: 'looks/desk-request-phone',
		size: 'phone',
		context: { javaScriptEnabled: false },
		pose: (page, stack) => showFirst(page, stack, 'today', 'calls?lead', '.about'),
	},
	{
		file: 'looks/desk-consent-phone',
		size: 'phone',
		context: { javaScriptEnabled: false },
		pose: (page, stack) => showDesk(page, stack, 'site?consent'),
	},
	...(['calls', 'webhooks', 'deliveries', 'keys'] as const).map((name) => ({
		file: `looks/desk-${name}-desktop`,
		size: 'desktop' as const,
		pose: (page: Page, stack: Stack) => showDesk(page, stack, name),
	})),
	{
		file: 'looks/desk-delivery-desktop',
		size: 'desktop',
		pose: (page, stack) => showFirst(page, stack, 'deliveries', 'deliveries?id', '.tries'),
	},
	{
		file: 'looks/desk-endpoint-desktop',
		size: 'desktop',
		pose: (page, stack) => showFirst(page, stack, 'webhooks', 'webhooks?id', '#test'),
	},
	{
		file: 'looks/desk-look-desktop',
		size: 'desktop',
		pose: async (page, stack) => {
			await showDesk(page, stack, 'site');
			await page.locator('#menu ul ul a').nth(1).click();
			await page.frameLocator('.device iframe').locator('[part=submit]').waitFor();
		},
	},
	{
		file: 'looks/desk-desks-phone',
		size: 'phone',
		context: { javaScriptEnabled: false },
		pose: showOtherDesks,
	},
	{
		file: 'looks/desk-first-steps-desktop',
		size: 'desktop',
		pose: (page) => showFirstSteps(page, 'Ida Wells:+12025550101'),
	},
	{
		file: 'looks/desk-invitation-phone',
		size: 'phone',
		pose: (page, stack) => showMail(page, stack, 'desk/links'),
	},
	{
		file: 'looks/desk-sign-in-phone',
		size: 'phone',
		pose: async (page, stack) => {
			await page.goto(`${stack.base_url}/desk/sign-in`);
			await page.getByRole('textbox').waitFor();
		},
	},
	{ file: 'looks/mail-phone', size: 'phone', pose: (page, stack) => showMail(page, stack, 'callback-links') },
	{
		file: 'looks/team-phone',
		size: 'phone',
		pose: async (page, stack) => {
			await page.goto(await linkInMail(stack, 'callback-links'));
		},
	},
];

/** Encodes a picture as WebP with the browser's encoder. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
	const page = await browser.newPage();
	const url: string = await page.evaluate(`(async () => {
		const picture = new Image();
		picture.src = 'data:image/png;base64,${png.toString('base64')}';
		await picture.decode();
		const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
		canvas.getContext('2d').drawImage(picture, 0, 0);
		return canvas.toDataURL('image/webp', ${QUALITY});
	})()`);
	await page.close();
	return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

async function take({ file, size, context = {}, pose }: Shot, stack: Stack, browser: Browser): Promise<void> {
	const page = await (await browser.newContext({ reducedMotion: 'reduce', ...SIZES[size], ...context })).newPage();
	// The simulated calls take as long as real calls, which is longer than Playwright's usual timeout.
	page.setDefaultTimeout(HANGS_AFTER_MS);
	await pose(page, stack);
	const picture = await toWebp(browser, await page.screenshot());
	writeFileSync(join(DOCS, `${file}.webp`), picture);
	console.log(`docs/${file}.webp  ${(picture.length / 1000).toFixed(0)} kB`);
	await page.context().close();
}

const [stack, browser] = await Promise.all([testStack({ speed: 1 }, { with_history: true }), launchChromium()]);
const shops = deskShops(() => stack);
try {
	mkdirSync(join(DOCS, 'looks'), { recursive: true });
	await call(stack.base_url, '/widget/callback-leads', {
		headers: { origin: stack.allowed_origin },
		body: visitorBody(stack, { phone: '+12025550133', name: 'Ada Lovelace', note: 'tomorrow morning' }),
	});
	const [wanted = ''] = process.argv.slice(2);
	for (const shot of shots.filter(({ file }) => file.includes(wanted))) await take(shot, stack, browser);
} finally {
	await Promise.all([stack.stop(), browser.close()]);
}
