import assert from 'node:assert/strict';
import type { OpenPage } from '../around/pages.ts';
import type { Shop, Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks open pages of a customer's site. Their widget comes from the former release, but the service behind it is the next
// stack.

/**
 * A page with a call in which people talk. On a busy machine, its set-up may be too late. In that case, another visitor calls.
 */
async function talkingPage(site: Site, shop: Shop, tries = 3): Promise<OpenPage> {
	const visitor = await site.openPage(shop, false);
	await visitor.fill(site.number('10'));
	await visitor.submit();
	const state = await visitor.reach('connected', 'failed');
	if (state === 'connected') return visitor;
	assert.ok(tries > 1, 'no call of a page was connected');
	return talkingPage(site, shop, tries - 1);
}

/** A call that continues while the stack changes. */
async function callInProgress(site: Site, shop: Shop): Promise<Held> {
	const visitor = await talkingPage(site, shop);
	return holds('widget.js, a call in progress', async () => {
		const { json } = await site.asServer(shop, '/calls?status=connected&limit=100');
		const mine = json.data.find(({ source_url }: { source_url: string }) => visitor.page.url() === source_url);
		assert.ok(mine !== undefined, 'the call is not connected any more');
		const { status, text } = await site.asServer(shop, `/calls/${mine.id}/cancel`, { method: 'POST' });
		assert.equal(status, 200, text);
		await visitor.reach('completed');
	});
}

/** A page that pins the widget and has not opened its panel yet. The files of the panel must still exist. */
async function pinned(site: Site, shop: Shop): Promise<Held> {
	const visitor = await site.openPage(shop, true);
	return holds('the pinned widget, a first call', async () => {
		await visitor.fill(site.number('01'));
		await visitor.submit();
		await visitor.reach('completed');
	});
}

async function typed(site: Site, shop: Shop): Promise<Held> {
	const visitor = await site.openPage(shop, false);
	await visitor.fill(site.number('02'));
	return holds('widget.js, a form that is filled in', async () => {
		await visitor.submit();
		await visitor.reach('failed');
	});
}

export const widget: NewKind = (site, shop) => ({
	name: 'pages with the widget',
	early: () => Promise.all([callInProgress(site, shop), pinned(site, shop), typed(site, shop)]),
});
