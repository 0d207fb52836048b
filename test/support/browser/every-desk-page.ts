import type { BrowserContextOptions } from 'playwright-core';
import { developerPages, shopPages } from '../../../shared/contract/desk/desk-pages.ts';
import { permissions } from '../../../shared/domain/access/permission.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { createWebhookEndpoint } from '../../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { samples } from '../sample-records.ts';
import { call, visitorBody } from '../stack/api.ts';
import type { deskShops } from '../stack/desk-shops.ts';
import type { Shop } from '../stack/new-shop.ts';
import { put } from '../writes.ts';
import { findingsInCopy } from './axe.ts';
import { deskSessions } from './desk-browser.ts';
import { misfits } from './misfits.ts';
import type { stackAndBrowser } from './stack-and-browser.ts';

/** A name that is too long for most columns and labels of a page. */
const LONG = 'Maximiliane-Alexandra von Hohenlohe-Langenburg';
/** How large a page may be, in bytes. */
const MOST_BYTES = 60_000;

/** The widths at which a page is tested with everything open that can be opened. */
const OPEN_WIDTHS = [320, 768, 1440] as const;
/**
 * A script for a page: it opens everything that a person can open. Menus have a name in common, so that only one of them is
 * open at a time. Without it, all of them open.
 */
const OPEN_ALL = `(() => {
	for (const each of document.querySelectorAll('details')) {
		each.removeAttribute('name');
		each.open = true;
	}
	for (const each of document.querySelectorAll('[name=when][value=hours]')) each.checked = true;
	if (document.getElementById('more')) location.hash = 'more';
})()`;

type Running = ReturnType<typeof stackAndBrowser>;
type Shops = ReturnType<typeof deskShops>;
type Options = BrowserContextOptions & {
	readonly isByAxe: boolean;
	/** Looks at one page in so many, beginning with the first. By default, it looks at every page. */
	readonly oneIn?: number;
};

/** Signs people in at the desk, and tests all of its pages. */
export function deskPages(running: Running, { operator, invite, newShop, linkTo, leaveNumber }: Shops) {
	const { stack } = running;
	const { signedIn, at } = deskSessions(running, { linkTo });
	let visitors = 20;

	/** Stores a failed delivery with a long response. */
	async function keepFailure(workspace_id: string, endpoint_id: string): Promise<string> {
		const { store, ids } = await operator();
		const last_attempt = {
			number: 3,
			started_at: '2026-11-21T08:00:00.000Z',
			response_status: 503,
			error: 'http_status',
			hint: 'The endpoint answered 503. Find out why in its log.',
			timings: { dns_ms: 12, connect_ms: 23, tls_ms: 34, first_byte_ms: 45, total_ms: 114 },
			response_body: `<p>${'unavailable-'.repeat(60)}</p>`,
		} as const;
		const id = ids.next();
		const item = { ...samples.delivery, id, workspace_id, endpoint_id, status: 'failed', last_attempt } as const;
		await store.commit([put('delivery', item)]);
		return id;
	}

	/** A shop in which every text that people type is long, and the paths of its pages. */
	async function longShop(region: string) {
		const shop = await newShop(region);
		const ops = await operator();
		await changeWorkspace(shop.id, { team: [`${LONG}:+13125550101`, '+13125550102'] }, ops);
		const leadId = await leaveNumber(shop, `+120255501${visitors++}`, LONG);
		const called = await call(stack.base_url, '/widget/call-requests', {
			headers: { origin: shop.allowed_origin },
			body: visitorBody(shop, {
				phone: `+120255501${visitors++}`,
				name: LONG,
				page_url: `${shop.allowed_origin}/${'long-'.repeat(30)}`,
			}),
		});
		await createApiKey({ workspace_id: shop.id, name: LONG, permissions }, ops);
		const address = { workspace_id: shop.id, url: `https://93.184.215.14/${'long-'.repeat(30)}`, description: LONG };
		const headers = { 'x-a-rather-long-name-of-a-header': 'value' };
		const made = await createWebhookEndpoint({ ...address, events: eventKinds, headers }, ops);
		const endpointId = made.outcome === 'created' ? made.endpoint.id : made.outcome;
		const deliveryId = await keepFailure(shop.id, endpointId);
		const names = [
			...shopPages,
			'numbers?days=30',
			`calls?id=${called.json.data.id}`,
			`calls?lead=${leadId}`,
			'desks',
			`today?saved=lead_handled&id=${samples.callback_lead.id}`,
			'site?look',
			'site?consent=ar',
			...developerPages,
			`webhooks?id=${endpointId}`,
			`deliveries?id=${deliveryId}`,
		];
		return { shop, names };
	}

	/** Signs the owner of a shop in, who belongs to another desk, too, and may switch to it. */
	async function ownerOfTwo(shop: Shop, region: string, options: BrowserContextOptions) {
		const page = await signedIn(shop.owner, options);
		const other = await newShop(region, { name: LONG });
		await invite(other.id, shop.owner, 'member');
		await page.goto(await linkTo(shop.owner));
		await page.getByRole('button').click();
		await page.goto(`${stack.base_url}/desk/sign-in`);
		await page.locator('#address').fill(shop.owner);
		await page.locator('form button').click();
		await page.goto(await linkTo(shop.owner));
		await page.locator(`button[value="${shop.id}"]`).click();
		await page.locator('nav').first().waitFor();
		return page;
	}

	/**
	 * The faults of the pages of a shop in this region: what does not fit, what axe-core finds, and pages that are too large. Each
	 * page is tested as it is, and then with everything open.
	 */
	async function faultsOfPages(
		region: string,
		{ isByAxe, oneIn = 1, ...options }: Options,
	): Promise<readonly string[]> {
		const { shop, names } = await longShop(region);
		const page = await ownerOfTwo(shop, region, options);
		const found: string[] = [];
		for (const name of names.filter((_, n) => n % oneIn === 0)) {
			const response = await at(page, name);
			const bytes = (await response?.body())?.byteLength ?? Number.POSITIVE_INFINITY;
			if (bytes > MOST_BYTES) found.push(`${name} has ${bytes} bytes`);
			const look = async (widths?: readonly number[]) => [
				...(await misfits(page, widths)),
				...(isByAxe ? await findingsInCopy(page) : []),
			];
			found.push(...(await look()).map((fault) => `${name}, ${fault}`));
			await page.evaluate(OPEN_ALL);
			found.push(...(await look(OPEN_WIDTHS)).map((fault) => `${name}, open, ${fault}`));
		}
		return found;
	}
	return { signedIn, at, faultsOfPages };
}
