import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Stack } from '../../../local/stack.ts';
import { folderOf } from '../../../shared/contract/desk/desk-pages.ts';
import { eventually, mailbox } from '../stack/api.ts';
import type { deskShops } from '../stack/desk-shops.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

type Running = { readonly stack: Stack; readonly browser: Browser };
type Links = Pick<ReturnType<typeof deskShops>, 'linkTo'>;

/** Opens a page of the desk by its name, with its query. */
const openAt = ({ stack }: Running, page: Page, name: string) =>
	page.goto(`${stack.base_url}/desk/${folderOf(name.split('?')[0] ?? '')}/${name}`);

/** Signs people in with the link that they got by mail, and opens pages of the desk. */
export function deskSessions(running: Running, { linkTo }: Links) {
	async function signedIn(address: string, options: BrowserContextOptions): Promise<Page> {
		const page = await (await running.browser.newContext(options)).newPage();
		await page.goto(await linkTo(address));
		await page.getByRole('button').click();
		await page.locator('nav').waitFor();
		return page;
	}
	return { signedIn, at: (page: Page, name: string) => openAt(running, page, name) };
}

/** Browsers of people who open the desk from their mailbox, and of visitors. */
export function deskBrowser(running: () => Running, { linkTo }: Links) {
	async function opened(options: BrowserContextOptions): Promise<Page> {
		const context = await running().browser.newContext({ reducedMotion: 'reduce', ...PHONE, ...options });
		return context.newPage();
	}
	const at = (page: Page, name: string) => openAt(running(), page, name);

	/** Opens the next mail to an address in the local stack's mailbox, then follows the mail's button to the desk. */
	async function fromMailbox(
		address: string,
		open = 'Open the desk',
		// The desk must work without scripts.
		options: BrowserContextOptions = { javaScriptEnabled: false },
	): Promise<Page> {
		const link = await linkTo(address);
		const mails = await mailbox(running().stack);
		const mail = mails.find(({ text }) => text.includes(link));
		const page = await opened(options);
		await page.goto(`${running().stack.console_url}/letter/${mail?.id}`);
		await page.goto((await page.getByRole('link', { name: open }).getAttribute('href')) ?? '');
		const loaded = page.waitForEvent('load');
		await page.getByRole('button').click();
		await loaded;
		return page;
	}

	/** Opens a page as a new visitor, opens the widget on it, and returns the page. */
	async function widgetOn(url: string): Promise<Page> {
		const page = await opened({});
		await page.addInitScript(
			`heard = []; document.addEventListener('callback:state', ({ detail }) => heard.push(detail))`,
		);
		await page.goto(url);
		await page.locator('[part=launcher]').click();
		const form = page.locator('#tel');
		const again = page.locator('[part=again]');
		// On a busy machine, the service may answer too late. The widget then shows a button that tries again, which is pressed
		// here.
		await eventually('the form shows', async () => {
			if (await form.isVisible()) return true;
			if (await again.isVisible()) await again.click();
			return null;
		});
		return page;
	}

	/** Fills in and sends the form of an open widget. */
	async function sendForm(page: Page, number?: string, name?: string): Promise<void> {
		if (number !== undefined) await page.locator('#tel').fill(number);
		if (name !== undefined) await page.locator('#name').fill(name);
		await page.getByRole('checkbox').check();
		await page.locator('[part=submit]').click();
	}
	return { opened, at, fromMailbox, widgetOn, sendForm };
}
