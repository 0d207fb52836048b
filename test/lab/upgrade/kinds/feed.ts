import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { Shop, Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks events as clients read them from the list. A former release may have no such list.

const LIST = { method: 'GET', path: '/events' };
const MOST = 10;
const Page = z.object({ data: z.array(z.object({ id: z.string() })), next_cursor: z.nullable(z.string()) });

const hasFeed = ({ stack }: Site): boolean => stack().code.contract?.has(LIST) !== false;

/** Each event equals byte for byte what the endpoint received, whichever release sent it. */
function asSent(site: Site, shop: Shop): Held {
	const sent = site.receivers.posts(shop.hook.url).slice(0, MOST);
	assert.ok(sent.length > 0, 'no event was sent');
	return holds('events as they were sent', async () => {
		if (!hasFeed(site)) return;
		for (const { body } of sent) {
			const { id } = z.object({ id: z.string() }).parse(JSON.parse(body));
			const { status, json, text } = await site.asServer(shop, `/events/${id}`);
			assert.equal(status, 200, text);
			assert.equal(JSON.stringify(json.data), body);
		}
	});
}

/** A client that follows the feed continues with its cursor, and misses none of the existing events. */
async function followed(site: Site, shop: Shop): Promise<readonly Held[]> {
	if (!hasFeed(site)) return [];
	const read = async (limit: number, next = '') => {
		const { status, json, text } = await site.asServer(shop, `/events?order=asc&limit=${limit}${next}`);
		assert.equal(status, 200, text);
		return Page.parse(json);
	};
	const { next_cursor } = await read(2);
	const goOn = `&cursor=${encodeURIComponent(next_cursor ?? '')}`;
	const ids = async () => (await read(100, goOn)).data.map(({ id }) => id);
	const before = await ids();
	return [
		holds('the cursor of a feed', async () => {
			if (hasFeed(site)) assert.deepEqual((await ids()).slice(0, before.length), before);
		}),
	];
}

export const feed: NewKind = (site, shop) => ({
	name: 'events',
	late: async () => [asSent(site, shop), ...(await followed(site, shop))],
});
