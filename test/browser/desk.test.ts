import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { callTally } from '../../shared/domain/calls/tally.ts';
import type { Write } from '../../shared/ports/store.ts';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { findingsInCopy } from '../support/browser/axe.ts';
import { deskPages } from '../support/browser/every-desk-page.ts';
import { misfits } from '../support/browser/misfits.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { samples } from '../support/sample-records.ts';
import { deskShops } from '../support/stack/desk-shops.ts';
import { put } from '../support/writes.ts';

const running = stackAndBrowser();
const { stack, browser } = running;

/** No page of the desk needs a script. */
const PHONE = { javaScriptEnabled: false, viewport: { width: 360, height: 740 } };
const shops = deskShops(() => stack);
const { operator, invite, newShop, linkTo } = shops;
const pages = deskPages(running, shops);
const { at, faultsOfPages } = pages;
const signedIn = (address: string, options: BrowserContextOptions = PHONE) => pages.signedIn(address, options);

describe('an owner, on a phone, without JavaScript', () => {
	it('asks for a link, opens it in the mailbox, and is at the desk', async () => {
		const shop = await newShop();
		const page = await (await browser.newContext(PHONE)).newPage();
		await at(page, 'today');
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		await page.getByText('Here your team sees who wants to be called back').waitFor();
		await page.getByLabel('Email address').fill(shop.owner.toUpperCase());
		await page.getByRole('button', { name: 'Send me a link' }).click();
		await page.getByRole('heading', { name: 'Check your email' }).waitFor();
		await page.goto(await linkTo(shop.owner));
		await page.getByRole('button', { name: `Open the desk of ${shop.name}` }).click();
		await page.getByRole('heading', { name: 'Today' }).waitFor();
		await page.locator('.me > summary').click();
		await page.getByRole('button', { name: 'Sign out' }).click();
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
		await at(page, 'today');
		await page.getByRole('heading', { name: 'Sign in' }).waitFor();
	});

	it('changes the hours; a second editor is told of the change, and nothing is overwritten', async () => {
		const shop = await newShop();
		const [first, second] = await Promise.all([signedIn(shop.owner), signedIn(shop.member)]);
		await second.context().close();
		await invite(shop.id, shop.member, 'owner');
		const other = await signedIn(shop.member);
		await at(first, 'hours');
		await at(other, 'hours');
		for (const [page, from] of [
			[first, '08:00'],
			[other, '10:00'],
		] as const) {
			await page.getByLabel('Open at these times').check();
			await page.getByLabel('Monday, from').first().fill(from);
			await page.getByLabel('Time zone').selectOption('Europe/Berlin');
			await page.getByRole('button', { name: 'Save' }).click();
		}
		await first.getByText('The opening hours are saved.').waitFor();
		const warning = other.getByRole('alert').filter({ hasText: 'Another person has changed this' });
		await warning.filter({ hasText: `${shop.owner} changed the opening hours` }).waitFor();
		expect(await other.getByLabel('Monday, from').first().inputValue()).toBe('08:00');
		expect(await other.getByText('You entered:').allTextContents()).toEqual(['You entered: 10:00']);
		await at(first, 'log');
		await first.getByText('changed the opening hours').waitFor();
	});

	it('adds, moves, switches off and removes members, whose numbers are never shown', async () => {
		const shop = await newShop('US', { ring_strategy: 'sequential' });
		const page = await signedIn(shop.owner);
		await at(page, 'team');
		await page.locator('.add > summary').click();
		await page.getByLabel('Name').fill('Jonas Berg');
		await page.getByLabel('Phone number').fill('+1 415 555 0199');
		await page.getByRole('button', { name: 'Add' }).click();
		await page.getByText('Jonas Berg was added to the team.').waitFor();
		expect(await page.content()).not.toContain('5550199');
		await page.getByRole('button', { name: 'Up: Jonas Berg' }).click();
		expect(await page.locator('.team strong').allTextContents()).toEqual(['Jonas Berg', 'Ida Wells']);
		await page.getByRole('button', { name: 'Off today' }).first().click();
		await page.locator('p', { hasText: /Away until/ }).waitFor();
		const jonas = page.getByRole('row').filter({ hasText: 'Jonas Berg' });
		await jonas.locator('.menu > summary').click();
		await jonas.getByText('Remove …').click();
		await jonas.getByRole('button', { name: 'Remove Jonas Berg' }).click();
		expect(await page.locator('.team strong').allTextContents()).toEqual(['Ida Wells']);
		await page.locator('.add > summary').click();
		await page.getByLabel('Phone number').fill('12');
		await page.getByRole('button', { name: 'Add' }).click();
		await page.locator('#phone-wrong').filter({ hasText: 'isn’t complete' }).waitFor();
	});
});

it('the desk shows the correct figures of 2,600 calls, by local hour, in a zone with an offset of a quarter hour', async () => {
	const MINUTE = 60_000;
	const HOUR = 3_600_000;
	const DAY = 24 * 3_600_000;
	const shop = await newShop('US', { time_zone: 'Asia/Kathmandu' });
	const { store, ids } = await operator();
	const nowMs = Date.now();
	const made = Array.from({ length: 2600 }, (_, n) => {
		const at_ms = nowMs - HOUR - (n % 26) * 6 * HOUR - (n % 100) * 3 * MINUTE - (n % 7 === 0 ? 8 * DAY : 0);
		const id = ids.next(at_ms);
		const end = (['completed', 'missed', 'canceled'] as const)[n % 3];
		const item = {
			...samples.call,
			id,
			workspace_id: shop.id,
			created_at: new Date(at_ms).toISOString(),
			legs: [],
			winner_leg_id: null,
			status: end === 'missed' ? ('failed' as const) : (end ?? 'canceled'),
			failure_reason: end === 'missed' ? ('no_agent_answer' as const) : null,
			due_at: null,
		};
		return { n, at_ms, item };
	});
	// A transaction may change each counter only once, so two calls that raise the same counter go into different batches.
	const batches: Write[][] = [];
	for (const { item } of made) {
		const tally = callTally(item, Date.parse(item.created_at));
		const fits = (batch: Write[]) =>
			batch.length < 99 && !batch.some((w) => w.op === 'count' && w.place === tally.place);
		const batch = batches.find(fits) ?? batches[batches.push([]) - 1];
		batch?.push(put('call', item), tally);
	}
	for (const batch of batches) expect(await store.commit(batch)).toEqual({ committed: true });
	const page = await signedIn(shop.owner);
	for (const days of [7, 30]) {
		await page.goto(`${stack.base_url}/desk/pages/numbers?days=${days}`);
		// Days in the time zone of Kathmandu, which is 5 hours and 45 minutes ahead of UTC.
		const dayMs = (atMs: number) => Math.floor((atMs + 5 * HOUR + 45 * MINUTE) / DAY);
		const own = made.filter(({ at_ms }) => dayMs(at_ms) > dayMs(nowMs) - days);
		const shown = await page.locator('dd').allTextContents();
		const number = (count: number) => count.toLocaleString('en-US');
		const of = (status: string) => number(own.filter(({ item }) => item.status === status).length);
		expect(shown.slice(0, 3)).toEqual([number(own.length), of('completed'), of('failed')]);
		const hours = Array.from({ length: 24 }, (_, hour) => {
			const at = own.filter(({ at_ms }) => Math.floor((at_ms + 5 * HOUR + 45 * MINUTE) / HOUR) % 24 === hour);
			return number(at.length);
		});
		const byDay = page.locator('table').nth(0);
		const byHour = page.locator('table').nth(1);
		expect(await byHour.locator('td').allTextContents()).toEqual(hours);
		const counts = (await byDay.locator('td').allTextContents()).map((text) => Number(text.replace(',', '')));
		expect(counts).toHaveLength(days * 3);
		expect(counts.reduce((sum, count) => sum + count, 0)).toBe(own.length);
		await page.getByText('On the clock of Kathmandu.').waitFor();
		const bars = await page.locator('.plot').nth(1).locator('rect:not([height="0"])').count();
		expect(bars).toBe(hours.filter((count) => count !== '0').length);
	}
	expect(made.filter(({ at_ms }) => at_ms >= nowMs - 7 * DAY).length).toBeGreaterThan(2000);
	await page.getByText(/^Since .*every call that has ended/).waitFor();
});

describe('a session that ends while a form is open', () => {
	it('loses nothing that was typed: the form shows it again once the person has signed in', async () => {
		const shop = await newShop();
		const page = await signedIn(shop.owner);
		await at(page, 'site');
		await page.getByLabel('Name of the shop').fill('Ærø Cycles');
		await changePeople(shop.id, { change: 'end_sessions', address: null }, await operator());
		await page.getByRole('button', { name: 'Save' }).first().click();
		await page.getByRole('heading', { name: 'Please sign in' }).waitFor();
		const tab = await page.context().newPage();
		await invite(shop.id, shop.owner, 'owner');
		await tab.goto(await linkTo(shop.owner));
		await tab.getByRole('button').click();
		await page.getByRole('button', { name: 'Go on' }).click();
		await page.getByRole('alert').filter({ hasText: 'Check it and save again' }).waitFor();
		expect(await page.getByLabel('Name of the shop').inputValue()).toBe('Ærø Cycles');
		await page.getByRole('button', { name: 'Save' }).first().click();
		await page.getByText('The website’s settings are saved.').waitFor();
		await page.locator('header').getByText('Ærø Cycles').waitFor();
	});
});

describe('every page', () => {
	it('of a shop in US fits and is small, and axe-core finds nothing', async () => {
		expect(await faultsOfPages('US', { isByAxe: true })).toEqual([]);
	});

	// desk-each-language.test.ts looks at every page of these two shops.
	it.each([
		['DE', { colorScheme: 'dark', isByAxe: true }],
		['AE', { isByAxe: false }],
	] as const)('in five of a shop in %s fits and is small', async (region, options) => {
		expect(await faultsOfPages(region, { ...options, oneIn: 5 })).toEqual([]);
	});
});

it('the desk can be used with the keyboard alone: sign in, pause, add a member', async () => {
	const shop = await newShop();
	const page = await signedIn(shop.owner);
	const press = async (name: string, most = 40) => {
		for (let tab = 0; tab < most; tab += 1) {
			await page.keyboard.press('Tab');
			const focused = page.locator(':focus');
			const says = (await focused.getAttribute('aria-label')) ?? (await focused.textContent());
			if (says?.trim() === name) return page.keyboard.press('Enter');
		}
		throw new Error(`the keyboard does not reach ${name}`);
	};
	await press('Pause for 1 hour');
	await page.getByText(/Paused until/).waitFor();
	await press('Team');
	await page.getByRole('heading', { name: 'Team', exact: true }).waitFor();
	await press('Add a member');
	await page.getByLabel('Name').focus();
	await page.keyboard.type('Jonas');
	await page.keyboard.press('Tab');
	await page.keyboard.type('+1 415 555 0199');
	await page.keyboard.press('Enter');
	await page.getByText('Jonas was added to the team.').waitFor();
	await page.locator('.team strong', { hasText: 'Jonas' }).waitFor();
});

it('the pages that lead to the desk, and the pages of an empty shop, fit, and axe-core finds nothing', async () => {
	const shop = await newShop('DE', { team: [], team_email: null });
	const page = await signedIn(shop.owner, {});
	const found: string[] = [];
	const look = async (name: string) => {
		found.push(...(await misfits(page)).map((misfit) => `${name}, ${misfit}`));
		found.push(...(await findingsInCopy(page)).map((finding) => `${name}, ${finding}`));
	};
	for (const name of ['today', 'numbers', 'team']) {
		await at(page, name);
		await look(name);
	}
	for (const [name, wrong] of [
		['hours', '#holidays'],
		['hours', '[name=to-1-0]'],
		['site', '#origins'],
	] as const) {
		await at(page, name);
		if (name === 'hours') await page.locator('[name=when][value=hours]').check();
		if (wrong === '#holidays') await page.getByText('Alle Tage als Liste').click();
		await page.locator(wrong).fill(wrong.startsWith('#') ? 'Weihnachten' : '');
		await page
			.locator('form', { has: page.locator(wrong) })
			.getByRole('button')
			.last()
			.click();
		await page.locator('[aria-invalid]').waitFor();
		expect(await page.locator(':focus').getAttribute('aria-invalid')).toBe('true');
		await look(`${name} with ${wrong} refused`);
	}
	await page.locator('.me > summary').click();
	await page.getByRole('button', { name: 'Abmelden' }).click();
	await page.getByRole('heading', { name: 'Sign in' }).waitFor();
	await look('sign-in');
	await page.getByLabel('Email address').fill(shop.owner);
	await page.getByRole('button').click();
	await page.getByRole('heading', { name: 'Check your email' }).waitFor();
	await look('sent');
	await page.goto(await linkTo(shop.owner));
	await look('link');
	expect(found).toEqual([]);
});
