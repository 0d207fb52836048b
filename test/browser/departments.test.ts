import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { permissions } from '../../shared/domain/access/permission.ts';
import { consentText } from '../../shared/domain/workspaces/consent-text.ts';
import { showConsent } from '../../shared/use-cases/widget/show-consent.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { settingsLike } from '../../shared/use-cases/workspaces/settings-like.ts';
import { PATIENT } from '../support/browser/patient.ts';
import { startSite } from '../support/browser/site.ts';
import { stackAndBrowser } from '../support/browser/stack-and-browser.ts';
import { call, eventually } from '../support/stack/api.ts';
import { started } from '../support/started.ts';
import { bearer, newKey, operatorOf } from '../support/webhooks/customers.ts';

// Two shops on one page, with the real service. Whatever a visitor or a hostile page does with one shop must not affect the
// other.

const { stack, browser } = stackAndBrowser();
const site = started(startSite, (running) => running.close());
/** The simulated phone of this number answers, talks and hangs up. */
const NUMBER = '+12025550101';

async function twoShops() {
	const ops = await operatorOf(stack);
	const made = [];
	for (const name of ['Sales', 'Support']) {
		const like = made[0] && settingsLike(made[0].workspace);
		const outcome = await createWorkspace(
			{
				...(like && { like }),
				name,
				region: 'US',
				time_zone: 'America/New_York',
				origins: [site.origin],
				team: [name === 'Sales' ? 'Ida Wells:+13125550101' : 'Jonas Berg:+14155550101'],
				consent_texts: { en: { call: `${name} may call me.`, lead: `${name} may call me back.` } },
				limits: { requests_per_workspace_per_window: 1 },
			},
			ops,
		);
		if ('refused' in outcome) throw new Error(outcome.refused);
		const { workspace } = outcome;
		const { secret } = await newKey(ops, workspace.id, permissions);
		made.push({ workspace, key: workspace.workspace_key, api_key: secret });
	}
	const [sales, support] = made;
	if (sales === undefined || support === undefined) throw new Error('two were made');
	return { ops, sales, support };
}
type Shop = Awaited<ReturnType<typeof twoShops>>['sales'];

async function visit(keys: string): Promise<Page> {
	site.pages.set('/', {
		html: `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1><script src="${stack.console_url}/widget/widget.js"
			data-workspace-key="${keys}" data-base-url="${stack.base_url}" async></script>`,
	});
	const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
	await page.addInitScript(PATIENT);
	await page.goto(`${site.origin}/`);
	return page;
}
const offers = async (page: Page): Promise<readonly string[]> => {
	await page.getByRole('button', { name: 'Call me back' }).click();
	await page.locator('[part=choice]').nth(1).waitFor();
	return page.locator('[part=choice]').allInnerTexts();
};
async function ask(page: Page, name: string): Promise<void> {
	await page.locator('[part=choice]').filter({ hasText: name }).click();
	await page.getByRole('textbox', { name: 'Phone number' }).fill(NUMBER);
	await page.getByRole('checkbox', { name: `${name} may call me.` }).check();
	await page.getByRole('button', { name: 'Call me now' }).click();
}
const data = async ({ api_key }: Shop, path: string) =>
	(await call(stack.base_url, path, { headers: bearer(api_key) })).json.data;

it('a call uses only the team, the consent, the events and the limit of the shop that was chosen', async () => {
	const { ops, sales, support } = await twoShops();
	const page = await visit(`${sales.key} ${support.key}`);
	expect(await offers(page)).toEqual(['Sales\nCall me now', 'Support\nCall me now']);
	await ask(page, 'Support');
	await page.getByRole('status').filter({ hasText: 'Call ended' }).waitFor();
	const [live] = await eventually('the list trails by moments', async () => {
		const calls = await data(support, '/calls');
		return calls.length > 0 ? calls : null;
	});
	const record = await ops.store.get('call', { id: live.id });
	expect(record?.legs.find(({ role }) => role === 'agent')?.member_name).toBe('Jonas Berg');
	expect(await data(sales, '/calls')).toEqual([]);
	const consents = async ({ workspace }: Shop) =>
		(await showConsent({ workspace_id: workspace.id, e164: NUMBER }, ops)).consents.map(({ text }) => text);
	expect([await consents(sales), await consents(support)]).toEqual([[], ['Support may call me.']]);
	// Support has used up its calls, so it offers a callback. Sales still offers a call.
	const next = await visit(`${sales.key} ${support.key}`);
	expect(await offers(next)).toEqual(['Sales\nCall me now', 'Support\nRequest a callback']);
	const events = await eventually('the events of its end', async () => {
		const found: readonly { readonly event: string }[] = await data(support, '/events?limit=50');
		return found.some(({ event }) => event === 'call.completed') ? found : null;
	});
	expect(new Set(events.map(({ event }) => event))).toContain('call.requested');
	expect(await data(sales, '/events?limit=50')).toEqual([]);
});

it('a hostile page that mixes two shops gets nothing: the text, key, secret and page of one are refused by the other', async () => {
	const { ops, sales, support } = await twoShops();
	const headers = { origin: site.origin };
	const send = (path: string, body: object, more = {}) =>
		call(stack.base_url, `/widget/${path}`, { body, headers: { ...headers, ...more } });
	const wish = (shop: Shop, text: Shop, changes = {}) => ({
		workspace_key: shop.key,
		// The service also limits the requests for one number across all shops. So these requests use a number of their own.
		phone: '+12025550110',
		consent: true,
		consent_text_id: consentText(text.workspace, 'en', 'call').id,
		page_url: `${site.origin}/`,
		...changes,
	});
	const codes: unknown[] = [];
	const crossed = await send('call-requests', wish(sales, support));
	codes.push(crossed.json.code);
	// A text with both keys is not a valid key.
	codes.push(
		(await send('call-requests', wish(sales, sales, { workspace_key: `${sales.key} ${support.key}` }))).json.code,
	);
	// The same Idempotency-Key at two shops belongs to two requests.
	const key = { 'idempotency-key': 'one for both' };
	const placed = [
		await send('call-requests', wish(sales, sales), key),
		await send('call-requests', wish(support, support), key),
	];
	expect(placed.map(({ status }) => status)).toEqual([202, 202]);
	const [ofSales, ofSupport] = placed.map(({ json, headers: answered }) => ({
		id: json.data.id,
		cancel_secret: answered.get('cancel-secret') ?? '',
	}));
	expect(ofSales?.id).not.toBe(ofSupport?.id);
	const stolen = await send(`call-requests/${ofSales?.id}/cancel`, { cancel_secret: ofSupport?.cancel_secret });
	codes.push(stolen.json.code);
	codes.push((await call(stack.base_url, `/calls/${ofSales?.id}`, { headers: bearer(support.api_key) })).json.code);
	expect(codes).toEqual(['consent_required', 'invalid_workspace_key', 'not_found', 'not_found']);
	for (const own of [ofSales, ofSupport])
		await send(`call-requests/${own?.id}/cancel`, { cancel_secret: own?.cancel_secret });
	// Sales no longer allows this page. So the key of Sales no longer works on this page, which continues with Support.
	await changeWorkspace(sales.workspace.id, { origins: ['https://elsewhere.example'] }, ops);
	const page = await visit(`${sales.key} ${support.key}`);
	await page.getByRole('button', { name: 'Call me back' }).click();
	await page.getByRole('checkbox', { name: 'Support may call me back.' }).waitFor();
	expect(await page.locator('[part=choice]').count()).toBe(0);
});
