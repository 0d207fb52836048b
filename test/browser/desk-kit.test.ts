import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findings } from '../support/browser/axe.ts';
import { launchChromium } from '../support/browser/chromium.ts';
import { kitPage } from '../support/browser/kit-page.ts';
import { misfits } from '../support/browser/misfits.ts';
import { hasEachCase, spreadOf } from '../support/spread-of.ts';
import { deskInMemory } from '../support/stack/desk-in-memory.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';

// The components of the desk's pages, each in each of its states. The page is made in test/support/browser/kit-page.ts.

let browser: Browser;
beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser.close());

const STATES = ['plain', 'saved', 'refused', 'changed'] as const;
const LOOKS = [
	{ colorScheme: 'light', forcedColors: 'none' },
	{ colorScheme: 'dark', forcedColors: 'none' },
	{ colorScheme: 'light', forcedColors: 'active' },
] as const;
const LANGUAGES = ['en', 'de', 'ar'] as const;

describe.each(LOOKS)('the parts of the desk in %j', (look) => {
	// Colours depend on the look, and sizes on the language. So `npm test` shows each look in English, and each language in light.
	const inLanguages = hasEachCase || look === LOOKS[0] ? LANGUAGES : LANGUAGES.slice(0, 1);

	it.each(inLanguages)('fit, and axe-core finds nothing: %s', async (language) => {
		const page = await browser.newPage({ ...look, viewport: { width: 1440, height: 900 } });
		const found: string[] = [];
		for (const state of STATES) {
			await page.setContent(kitPage(language, state));
			expect(await page.locator('[data-part]').count()).toBe(9);
			found.push(...(await misfits(page)).map((misfit) => `${state}, ${misfit}`));
			found.push(...(await findings(page)).map((finding) => `${state}, ${finding}`));
		}
		expect(found).toEqual([]);
		await page.close();
	});
});

it('a row of those who wait has its buttons on its first line on a wide screen, and below it on a phone', async () => {
	const linesOf = async (language: (typeof LANGUAGES)[number], width: number) => {
		const page = await browser.newPage({ viewport: { width, height: 900 } });
		await page.setContent(kitPage(language, 'plain'));
		const isFirst = await page.evaluate<boolean>(`(() => {
			const [who, row] = ['.who', '.row'].map((part) =>
				document.querySelector('[data-part=list] .waits .contact > ' + part).getBoundingClientRect());
			return row.top < who.bottom && row.height < 40;
		})()`);
		await page.close();
		return isFirst;
	};
	for (const language of LANGUAGES) {
		expect([language, await linesOf(language, 1440)]).toEqual([language, true]);
		for (const width of [390, 1200]) expect([language, await linesOf(language, width)]).toEqual([language, false]);
	}
});

it.each([390, 800, 1440])(
	'the cells of a table stand under their headings for a screen reader, at %d px',
	async (width) => {
		const page = await browser.newPage({ viewport: { width, height: 900 } });
		await page.setContent(kitPage('en', 'plain'));
		const { nodes } = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree');
		type Node = (typeof nodes)[number];
		const byId = new Map(nodes.map((node) => [node.nodeId, node]));
		const below = (node: Node): Node[] =>
			(node.childIds ?? []).flatMap((id) => byId.get(id) ?? []).flatMap((child) => [child, ...below(child)]);
		const within = (node: Node, ...roles: string[]) =>
			below(node).filter(({ role }) => roles.includes(`${role?.value}`));
		const columns = nodes
			.filter(({ role }) => role?.value === 'table')
			.map((table) =>
				within(table, 'row').map((row) => within(row, 'columnheader', 'rowheader', 'cell', 'gridcell').length),
			);
		expect(columns).toEqual([
			[7, 7, 7],
			[5, 5, 5, 5],
			[2, 2],
		]);
		await page.close();
	},
);

it('on a phone, the card of failed deliveries says why they failed', async () => {
	const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
	await page.setContent(kitPage('en', 'plain'));
	expect(await page.locator('.loss .answer').first().isVisible()).toBe(true);
	await page.close();
});

it('code has a monospaced font, and text has none', async () => {
	const page = await browser.newPage();
	await page.setContent(kitPage('en', 'plain'));
	const widths = await page.evaluate(`['code', 'pre', 'span'].map((name) => {
		const [i, w] = ['iiii', 'WWWW'].map((text) => {
			const element = document.createElement(name);
			element.style.cssText = 'position: absolute; padding: 0; border: 0';
			element.textContent = text;
			document.body.append(element);
			return element.getBoundingClientRect().width;
		});
		return i === w;
	})`);
	expect(widths).toEqual([true, true, false]);
	await page.close();
});

it('a refused form shows the error beside its field, and a form whose settings another person has changed shows what was entered', () => {
	expect(kitPage('en', 'refused')).toContain('aria-invalid="true"');
	expect(kitPage('en', 'changed')).toContain('You entered:');
	for (const state of ['plain', 'saved'] as const) expect(kitPage('en', state)).not.toContain('aria-invalid="true"');
});

it.each([390, 1440])('the link that skips the menu is in front when it has the focus, at %d px', async (width) => {
	const desk = deskInMemory();
	const { id, owner } = await desk.newShop();
	const { cookie } = await desk.signIn(owner, id);
	const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
	await page.setContent((await desk.send(desk.pageAt('today'), { cookie })).html);
	await page.keyboard.press('Tab');
	const skip = page.locator('.skip:focus');
	await skip.waitFor();
	// A trial click presses nothing. It fails if another element covers the link.
	await skip.click({ trial: true });
	await page.close();
});

/** Opens a page of an owner's desk on a phone. */
async function onPhone(name: string) {
	const desk = deskInMemory();
	const { id, owner } = await desk.newShop();
	const { cookie } = await desk.signIn(owner, id);
	const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
	await page.setContent((await desk.send(desk.pageAt(name), { cookie })).html);
	return page;
}

/** The elements that get the focus by Tab, one after another, and are then covered by another element. */
async function coveredOnTab(page: Page, presses: number): Promise<readonly string[]> {
	const covered: string[] = [];
	for (let nth = 0; nth < presses; nth += 1) {
		await page.keyboard.press('Tab');
		covered.push(
			...(await page.evaluate<string[]>(`(() => {
			const active = document.activeElement;
			const { top, bottom, left, width } = active.getBoundingClientRect();
			const covers = [top + 3, bottom - 3].map((y) => document.elementFromPoint(left + width / 2, y));
			const isSeen = covers.every((each) => active.contains(each) || each?.contains(active));
			return isSeen ? [] : [active.outerHTML.slice(0, 80)];
		})()`)),
		);
	}
	return covered;
}

const SAVE_LOOKS = [
	{ viewport: { width: 390, height: 844 }, forcedColors: 'active' },
	{ viewport: { width: 320, height: 640 }, forcedColors: 'none' },
	{ viewport: { width: 1440, height: 900 }, forcedColors: 'none' },
] as const;
describe.each(spreadOf(SAVE_LOOKS, SAVE_LOOKS.length))('Save of a long form, with %j', (look) => {
	it('stands at its end; once the form was edited, it is in sight, above the menu of a phone, and covers nothing that has the focus', async () => {
		const { page } = await pageWithScript('hours', 'https://api.example', look);
		const position = () => page.evaluate(`getComputedStyle(document.querySelector('.save')).position`);
		expect(await position()).toBe('static');
		await page.locator('[name=when][value=hours]').check();
		expect(await position()).toBe('sticky');
		await page.evaluate('scrollTo(0, 0)');
		const save = page.locator('form[name=hours] .save button');
		const bottom = async () => (await save.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
		expect(await bottom()).toBeLessThan(look.viewport.height - 44);
		// A trial click presses nothing. It fails if another element covers the button.
		await save.click({ trial: true });
		expect(await coveredOnTab(page, 50)).toEqual([]);
		await page.close();
	});

	it('says beside it, once the form was edited, that the changes are not saved', async () => {
		const { page } = await pageWithScript('hours', 'https://api.example', look);
		const says = page.locator('form[name=hours] .save [role=status]');
		expect(await says.textContent()).toBe('');
		await page.locator('[name=when][value=hours]').check();
		expect(await says.textContent()).toBe('You have changes that are not saved.');
		expect(await misfits(page)).toEqual([]);
		expect(await findings(page)).toEqual([]);
		await page.close();
	});
});

it('the note about a saved form is not shown again by the browser’s Back', async () => {
	const { page } = await pageWithScript('team?saved=member_on&from=10');
	await page.locator('.note').getByText('Saved.').waitFor();
	expect(page.url()).toBe('https://api.example/v1/desk/pages/team?from=10');
	await page.getByRole('link', { name: 'People' }).first().click();
	await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
	await page.goBack();
	await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
	expect(await page.locator('.note').count()).toBe(0);
	await page.close();
});

it('on a screen that is not high, Save of a long form stands at the end of its form', async () => {
	const { page } = await pageWithScript('hours', 'https://api.example', { viewport: { width: 844, height: 390 } });
	await page.locator('[name=when][value=hours]').check();
	expect(await page.evaluate(`getComputedStyle(document.querySelector('.save')).position`)).toBe('static');
	await page.close();
});

it('on a phone, a link opens the search of calls, which stays open with its result, at the top of the page', async () => {
	const page = await onPhone('calls');
	const name = page.locator('#name');
	expect(await name.isVisible()).toBe(false);
	// The page has to be longer than the screen.
	await page.evaluate(`document.body.style.height = '3000px'`);
	await page.locator('a[href="#name"]').click();
	await name.waitFor();
	expect(await page.locator('a[href="#name"]').isVisible()).toBe(false);
	expect(await page.locator('#name:focus').count()).toBe(1);
	expect(await page.evaluate('scrollY')).toBe(0);
	// Without an address of its own, the form would keep the fragment `#name`, and the page with the result would jump.
	expect(await page.locator('#search').getAttribute('action')).toBe('calls');
	const fits = (text: string) =>
		page.evaluate<boolean>(`(() => {
			const name = document.getElementById('name');
			name.value = ${JSON.stringify(text)};
			return name.checkValidity();
		})()`);
	for (const text of ['42', 'Order-4711', 'José', '10025512', '2026-11', '', 'Order 2026-11-30 17']) {
		expect([text, await fits(text)]).toEqual([text, true]);
	}
	for (const number of ['+12025550142', '030 901820', '(202) 555-0142', '202-555-0142', '00493090182']) {
		expect([number, await fits(number)]).toEqual([number, false]);
	}
	await page.close();
	const found = await onPhone('calls?digits=12');
	await found.locator('#name').waitFor();
	await found.close();
});

it('on a phone, More opens the rest of the menu; a press on More again or beside the menu closes it, and the page stays in its place', async () => {
	const page = await onPhone('hours');
	const more = page.locator('#more');
	const box = await page.locator('.bar .more').boundingBox();
	if (box === null) throw new Error('More is not in the bar');
	const press = (x: number, y: number) => page.mouse.click(x, y);
	const pressMore = () => press(box.x + box.width / 2, box.y + box.height / 2);
	// The page has to be longer than the screen.
	await page.evaluate(`document.body.style.height = '2000px'; scrollTo(0, 100)`);
	for (const close of [pressMore, () => press(150, 20)]) {
		await pressMore();
		await more.waitFor();
		await close();
		await more.waitFor({ state: 'hidden' });
	}
	await pressMore();
	await more.getByRole('link', { name: 'Team' }).click({ trial: true });
	expect(await page.evaluate('scrollY')).toBe(100);
	await page.close();
});

/** A page of the desk of a new shop at this origin, with the desk's script. */
async function pageWithScript(
	name: string,
	origin = 'https://api.example',
	options: BrowserContextOptions = {},
	served = (html: string) => html,
) {
	const desk = deskInMemory();
	const { id, owner, workspace_key } = await desk.newShop();
	const { cookie } = await desk.signIn(owner, id);
	const page = await browser.newPage({ ...options, permissions: ['clipboard-read', 'clipboard-write'] });
	await page.route(`${origin}/**`, async (route) => {
		const { pathname, search } = new URL(route.request().url());
		const name = pathname.split('/').at(-1) ?? '';
		const { html } = await desk.send(desk.pageAt(`${name}${search}`), { cookie });
		const body = name === 'desk.js' ? html : served(html);
		await route.fulfill({ body, contentType: name === 'desk.js' ? 'text/javascript' : 'text/html' });
	});
	await page.clock.install();
	await page.goto(desk.pageAt(name).replace('https://api.example', origin));
	return { page, workspace_key };
}

it.each([390, 1440])('an incomplete opening keeps its two times on one line: %i pixels wide', async (width) => {
	const desk = deskInMemory();
	const { id, owner } = await desk.newShop();
	const ida = await desk.signIn(owner, id);
	const shown = formsIn((await desk.send(desk.pageAt('hours'), ida)).html).find(({ action }) => action === 'hours');
	const { html } = await desk.post(ida, 'hours', { ...shown, when: 'hours', 'from-1-1': '13:00', 'to-1-1': '' });
	const page = await browser.newPage({ viewport: { width, height: 900 } });
	await page.setContent(html);
	// The border of a field that was refused is 1 px wider.
	const isNear = (a = 0, b = 0): boolean => Math.abs(a - b) <= 2;
	const boxOf = async (selector: string) => {
		const { x, y, height } = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, height: 0 };
		return { x, y, middle: y + height / 2, bottom: y + height };
	};
	const [from, to] = [await boxOf('[name="from-1-0"]'), await boxOf('[name="to-1-0"]')];
	const [nextFrom, nextTo] = [await boxOf('[name="from-1-1"]'), await boxOf('[name="to-1-1"]')];
	const tuesday = await boxOf('[name="to-2-0"]');
	const why = await boxOf('#to-1-1-wrong');
	expect([isNear(from.middle, to.middle), isNear(nextFrom.middle, nextTo.middle)]).toEqual([true, true]);
	const columns = [
		[nextFrom, why].map(({ x }) => isNear(x, from.x)),
		[nextTo, tuesday].map(({ x }) => isNear(x, to.x)),
	];
	expect(columns).toEqual([
		[true, true],
		[true, true],
	]);
	expect(why.y).toBeGreaterThanOrEqual(nextTo.bottom);
	expect(await misfits(page)).toEqual([]);
	await page.close();
});

describe('a form that was edited', () => {
	/** The kind of each dialog that the browser shows. It is answered with "leave". */
	const asked = (page: Page): readonly string[] => {
		const kinds: string[] = [];
		page.on('dialog', (dialog) => {
			kinds.push(dialog.type());
			void dialog.accept();
		});
		return kinds;
	};

	it('warns before a person leaves it, and not before it was edited or when it is saved', async () => {
		const { page } = await pageWithScript('site');
		const kinds = asked(page);
		await page.getByRole('link', { name: 'Team' }).first().click();
		await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
		await page.goBack();
		await page.getByLabel('Name of the shop').fill('Ada’s Atelier');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.waitForLoadState();
		expect(kinds).toEqual([]);
		await page.goto('https://api.example/v1/desk/pages/site');
		await page.getByLabel('Name of the shop').fill('Ada’s Bakery');
		await page.getByRole('link', { name: 'Team' }).first().click();
		await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
		expect(kinds).toEqual(['beforeunload']);
		await page.close();
	});

	it('keeps an incomplete date or time, and says beside it what to do, in the words of the desk', async () => {
		const { page } = await pageWithScript('hours');
		await page.locator('[name=when][value=hours]').check();
		await page.locator('#holiday').focus();
		await page.keyboard.type('05');
		await page.getByRole('button', { name: 'Save' }).click();
		const incomplete = 'This date isn’t complete. Enter all of it, or leave the field empty.';
		await page.locator('.part').getByText(incomplete).waitFor({ timeout: 5000 });
		expect(await page.evaluate('[document.activeElement.id, document.activeElement.validity.badInput]')).toEqual([
			'holiday',
			true,
		]);
		expect(await page.locator('.unseen[role="status"]').textContent()).toBe(incomplete);
		await page.keyboard.type('05062027');
		await page.locator('.part').getByText(incomplete).waitFor({ state: 'hidden', timeout: 5000 });
		await page.locator('[name="from-2-1"]').evaluate((field) => field.closest('details')?.setAttribute('open', ''));
		await page.locator('[name="from-2-1"]').focus();
		await page.keyboard.type('07');
		await page.getByRole('button', { name: 'Save' }).click();
		await page
			.locator('.part')
			.getByText('Tuesday: enter when you open and when you close.')
			.last()
			.waitFor({ timeout: 5000 });
		expect(await misfits(page)).toEqual([]);
		await page.locator('[name=when][value=always]').check();
		const sent = page.waitForRequest((request) => request.method() === 'POST');
		await page.getByRole('button', { name: 'Save' }).click();
		expect(new URLSearchParams((await sent).postData() ?? '').get('holiday')).toBe('2027-05-06');
		await page.close();
	});

	it('says without a script, too, that a date is incomplete, and sends an incomplete time to be checked', async () => {
		const { page } = await pageWithScript('hours', 'https://api.example', { javaScriptEnabled: false });
		await page.locator('[name=when][value=hours]').check();
		await page.locator('[name="to-1-0"]').focus();
		await page.keyboard.press('Backspace');
		await page.locator('#holiday').focus();
		await page.keyboard.type('05');
		await page.locator('#time_zone').focus();
		await page.locator('.part').getByText('This date isn’t complete.').waitFor({ timeout: 5000 });
		const sent = page.waitForRequest((request) => request.method() === 'POST', { timeout: 5000 });
		await page.getByRole('button', { name: 'Save' }).click();
		const form = new URLSearchParams((await sent).postData() ?? '');
		expect([form.get('from-1-0'), form.get('to-1-0')]).toEqual(['09:00', '']);
		await page.close();
	});

	it('that says until when a member is away is checked by the desk, too', async () => {
		const { page } = await pageWithScript('team');
		const away = page.locator('form:has([name=back])');
		await page.locator('details:has([name=back])').evaluateAll((all) => {
			for (const each of all) each.setAttribute('open', '');
		});
		await page.locator('[name=back]').focus();
		await page.keyboard.type('05');
		await away.locator('button').click();
		await away.locator('.part').getByText('Choose a date.').waitFor({ timeout: 5000 });
		await page.locator('[name=back]').fill('');
		await away.locator('.part').waitFor({ state: 'hidden' });
		const sent = page.waitForRequest((request) => request.method() === 'POST', { timeout: 5000 });
		await away.locator('button').click();
		await sent;
		await page.close();
	});

	it('of a list gets the focus when its button opens it, and Cancel leaves it without a warning', async () => {
		const { page } = await pageWithScript('people');
		const kinds = asked(page);
		await page.locator('.add > summary').click();
		await page.locator('#member:focus').waitFor();
		await page.keyboard.type('Mia');
		await page.getByRole('link', { name: 'Cancel' }).click();
		await page.locator('#address').waitFor({ state: 'hidden' });
		expect(kinds).toEqual([]);
		await page.close();
	});

	it('of opening hours adds and removes openings of a day, and copies them to all open days', async () => {
		const { page } = await pageWithScript('hours');
		await page.locator('[name=when][value=hours]').check();
		const monday = page.getByRole('group', { name: 'Monday' });
		const add = monday.getByLabel('Add hours');
		await add.click();
		await page.locator('[name="from-1-1"]:focus').waitFor();
		await page.locator('[name="to-1-0"]').fill('12:00');
		await page.locator('[name="from-1-1"]').fill('13:00');
		await page.locator('[name="to-1-1"]').fill('02:00');
		await add.click();
		await page.locator('[name="from-1-2"]:focus').waitFor();
		expect(await monday.locator('.next').allTextContents()).toEqual(['Ends on Tuesday']);
		await page.locator('[name="to-1-1"]').fill('18:00');
		await page.locator('[name="from-1-2"]').fill('19:00');
		await page.locator('[name="to-1-2"]').fill('20:00');
		await page.locator('[name="from-2-2"]').waitFor({ state: 'detached' });
		await page.getByRole('switch', { name: 'Friday' }).uncheck();
		await page.evaluate('window.isSamePage = true');
		await page.getByRole('button', { name: 'Copy to all open days' }).click();
		const times = () =>
			page.evaluate(
				`[2, 5].map((day) => [...document.querySelectorAll('[type=time][name*="-' + day + '-"]')].map(({ value }) => value))`,
			);
		const all = ['09:00', '12:00', '13:00', '18:00', '19:00', '20:00'];
		expect(await times()).toEqual([all, ['09:00', '17:00', '', '']]);
		expect(await page.evaluate('window.isSamePage')).toBe(true);
		const tuesday = page.getByRole('group', { name: 'Tuesday' });
		await tuesday.getByRole('button', { name: 'Remove these hours' }).first().click();
		await tuesday.getByRole('button', { name: 'Remove these hours' }).click();
		expect(await times()).toEqual([
			['09:00', '12:00', '', ''],
			['09:00', '17:00', '', ''],
		]);
		expect(await misfits(page)).toEqual([]);
		expect(await findings(page)).toEqual([]);
		const sent = page.waitForRequest((request) => request.method() === 'POST', { timeout: 5000 });
		await page.locator('[name="to-2-0"]').press('Enter');
		expect(new URLSearchParams((await sent).postData() ?? '').has('copy')).toBe(false);
		await page.close();
	});

	it('of opening hours on a page of release 1.0.0 gets no button for hours from the script', async () => {
		const { page } = await pageWithScript('hours', 'https://api.example', {}, (html) =>
			html.replace(/ data-remove="[^"]*"/, '').replace(/<button class="plain" name="copy".*?<\/button>/, ''),
		);
		await page.locator('[name=when][value=hours]').check();
		await page.getByRole('group', { name: 'Monday' }).locator('summary').click();
		const before = await page.locator('.week').innerHTML();
		expect(before).not.toMatch(/class="remove"|null/);
		await page.getByRole('switch', { name: 'Saturday' }).check();
		await page.locator('form.card[data-edited]').waitFor();
		expect(await page.locator('.week').innerHTML()).toBe(before);
		await page.close();
	});

	it('of opening hours gives a day that is switched on the times of the first day, and keeps times that it has', async () => {
		const { page } = await pageWithScript('hours');
		await page.locator('[name=when][value=hours]').check();
		await page.getByLabel('Monday, from').first().fill('08:30');
		const times = (day: string) =>
			Promise.all(
				[page.getByLabel(`${day}, from`), page.getByLabel(`${day}, to`)].map((end) => end.first().inputValue()),
			);
		expect(await times('Saturday')).toEqual(['', '']);
		await page.getByRole('switch', { name: 'Saturday' }).check();
		expect(await times('Saturday')).toEqual(['08:30', '17:00']);
		await page.getByLabel('Saturday, to').first().fill('13:00');
		await page.getByRole('switch', { name: 'Saturday' }).uncheck();
		await page.getByRole('switch', { name: 'Saturday' }).check();
		expect(await times('Saturday')).toEqual(['08:30', '13:00']);
		await page.getByLabel('Saturday, to').first().fill('02:00');
		await page.locator('.next:not([hidden])').getByText('Ends on Sunday').waitFor({ timeout: 5000 });
		const copy = page.locator('[name=copy]');
		expect(await copy.isVisible()).toBe(true);
		for (const each of await page.getByRole('switch').all()) await each.uncheck();
		expect(await copy.isVisible()).toBe(false);
		await page.getByRole('switch', { name: 'Sunday' }).check();
		await page.getByRole('group', { name: 'Sunday' }).locator('[name=copy]').waitFor({ timeout: 5000 });
		await page.close();
	});
});

it('a button that copies says so for two seconds, also to screen readers, however often it is pressed', async () => {
	const { page, workspace_key } = await pageWithScript('keys');
	const button = page.locator('[data-copy="workspace-key"]');
	const spoken = page.locator('.unseen[role="status"]');
	const says = async () => [await button.textContent(), await spoken.textContent()];
	const copied = ['Copied', 'Copied'];
	await button.click();
	await page.getByRole('button', { name: 'Copied' }).waitFor();
	expect([await says(), await page.evaluate('navigator.clipboard.readText()')]).toEqual([copied, workspace_key]);
	await page.clock.runFor(1500);
	const timer = await button.getAttribute('data-timer');
	await button.click();
	// The browser copies in real time, although the test controls the page's clock. The label's two seconds begin again only
	// after this second copy.
	await page.locator(`[data-copy="workspace-key"]:not([data-timer="${timer}"])`).waitFor();
	await page.clock.runFor(1500);
	expect(await says()).toEqual(copied);
	await page.clock.runFor(500);
	expect(await says()).toEqual(['Copy', '']);
	await page.close();
});

it('where the browser has no clipboard, a button that copies selects the text, and does not claim to have copied it', async () => {
	const { page, workspace_key } = await pageWithScript('keys', 'http://api.example');
	const button = page.locator('[data-copy="workspace-key"]');
	await button.click();
	expect([await button.textContent(), await page.evaluate('String(getSelection())')]).toEqual(['Copy', workspace_key]);
	await page.close();
});

it.each([
	['en', 'right', 'none', 'none'],
	['ar', 'left', 'none', 'none'],
	['en', 'right', 'active', 'auto'],
] as const)(
	'a choice has a chevron of the desk’s own: %s, on the %s, in forced colours: %s',
	async (language, side, forcedColors, appearance) => {
		const page = await browser.newPage({ forcedColors });
		await page.setContent(kitPage(language, 'plain'));
		const look = await page.evaluate(`(() => {
			const { appearance, backgroundImage, backgroundPositionX } = getComputedStyle(document.querySelector('select'));
			const edge = backgroundPositionX.includes('calc') || backgroundPositionX.includes('right') ? 'right' : 'left';
			return { appearance, drawn: backgroundImage.includes('gradient'), edge };
		})()`);
		expect(look).toEqual({ appearance, drawn: forcedColors === 'none', edge: side });
		await page.close();
	},
);

it.each(['en', 'ar'] as const)(
	'what opens has a chevron of the desk’s own, and the sign of a menu has none: %s',
	async (language) => {
		const desk = deskInMemory();
		const { id, owner } = await desk.newShop(language === 'ar' ? 'AE' : 'US');
		const { cookie } = await desk.signIn(owner, id);
		const page = await browser.newPage();
		await page.setContent((await desk.send(desk.pageAt('hours'), { cookie })).html);
		const signs = await page.evaluate(`[...document.querySelectorAll('main summary, .me > summary')].map((summary) => {
		const { content } = getComputedStyle(summary, '::before');
		return [getComputedStyle(summary).listStyleType, summary.parentElement.className === 'me', content];
	})`);
		expect(signs).toContainEqual(['none', false, '""']);
		expect(signs).toContainEqual(['none', true, 'none']);
		expect(signs).not.toContainEqual(['none', false, 'none']);
		await page.close();
	},
);
