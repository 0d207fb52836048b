import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { bearer } from '../../../support/webhooks/customers.ts';
import type { Shop, Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks records that nothing changes any more. Every release has to show them as they were.

const Shown = z.looseObject({ id: z.string(), status: z.string(), completed_at: z.optional(z.nullable(z.string())) });
type Shown = z.infer<typeof Shown>;
const List = z.object({ data: z.array(Shown), next_cursor: z.nullable(z.string()) });
const Single = z.object({ data: Shown });

/** Reads all pages of an API list. */
async function listed(site: Site, apiKey: string, path: string): Promise<readonly Shown[]> {
	const all: Shown[] = [];
	for (let next: string | null = ''; next !== null; ) {
		const { status, json, text } = await site.api(`/${path}?limit=100${next}`, { headers: bearer(apiKey) });
		assert.equal(status, 200, text);
		const { data, next_cursor } = List.parse(json);
		all.push(...data);
		next = next_cursor === null ? null : `&cursor=${encodeURIComponent(next_cursor)}`;
	}
	return all;
}

/** Whether a record changes only if a person asks for it. */
const isAtRest = (path: string, { status, completed_at }: Shown): boolean =>
	path === 'calls' ? completed_at !== null : path !== 'webhook-deliveries' || status === 'succeeded';

/** A later release may show more fields of a record, but the fields that an earlier release showed must be equal. */
function isShownAsBefore(before: Shown, now: Shown | undefined): void {
	assert.ok(now !== undefined, `${before.id} is gone`);
	const same = Object.fromEntries(Object.keys(before).map((name) => [name, now[name]]));
	assert.deepEqual(same, before);
}

async function records(site: Site, what: string, apiKey: string, path: string): Promise<Held> {
	const before = (await listed(site, apiKey, path)).filter((each) => isAtRest(path, each));
	return holds(`${before.length} ${path} of ${what}`, async () => {
		const now = new Map((await listed(site, apiKey, path)).map((each) => [each.id, each]));
		for (const each of before) isShownAsBefore(each, now.get(each.id));
		// Each of these records is also read by itself, which shows fields that the list lacks.
		for (const { id } of before.slice(0, 20)) {
			const { status, json, text } = await site.api(`/${path}/${id}`, { headers: bearer(apiKey) });
			assert.equal(status, 200, text);
			isShownAsBefore(before.find((each) => each.id === id) ?? Single.parse(json).data, Single.parse(json).data);
		}
	});
}

/** The downloadable tables. A later release must not change their header. */
async function files(site: Site, { session }: Shop): Promise<readonly Held[]> {
	return Promise.all(
		['calls.csv', 'leads.csv'].map(async (file) => {
			const before = await site.send(site.pageAt(file), session);
			assert.equal(before.status, 200, file);
			return holds(file, async () => {
				const { status, html } = await site.send(site.pageAt(file), session);
				assert.equal(status, 200, file);
				assert.equal(html.split('\n')[0], before.html.split('\n')[0]);
			});
		}),
	);
}

export const archive: NewKind = (site, shop) => ({
	name: 'records at rest',
	async late() {
		const { api_key } = site.stack();
		const demo = ['calls', 'callback-leads'].map((path) => records(site, 'the demo shop', api_key, path));
		const own = ['calls', 'webhook-deliveries'].map((path) => records(site, 'the shop', shop.api_key, path));
		return [...(await Promise.all([...demo, ...own])), ...(await files(site, shop))];
	},
});
