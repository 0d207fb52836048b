import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import type { ApiResponse } from '../../../support/stack/api.ts';
import type { Shop, Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks what customers' servers and pages keep from API responses: keys, cursors, ETags, the ids of consent texts.

type Sent = NonNullable<Parameters<Site['asServer']>[2]>;

/** The stack repeats the response of the stack that it replaced, even if the resource has changed since. */
function replays(what: string, first: ApiResponse, send: () => Promise<ApiResponse>): Held {
	assert.ok(first.status < 300, `${what}: ${first.text}`);
	return holds(`an Idempotency-Key: ${what}`, async () => {
		const again = await send();
		assert.deepEqual([again.status, again.json], [first.status, first.json]);
		assert.equal(again.headers.get('idempotency-replayed'), 'true');
	});
}

/** Each kind of server request that accepts an Idempotency-Key. */
async function keysOfServer(site: Site, shop: Shop): Promise<readonly Held[]> {
	const url = site.receivers.open('healthy');
	const { id: lead } = await site.ask(shop, 'callback-leads', site.number('01'));
	const { id: call } = await site.ask(shop, 'call-requests', site.number('10'));
	const hook = await site.subscribe(shop, 'healthy', { events: ['call.failed'] });
	const requests: readonly (readonly [string, string, Sent])[] = [
		['create-webhook-endpoint', '/webhook-endpoints', { body: { url, events: ['call.failed'] } }],
		['change-webhook-endpoint', `/webhook-endpoints/${hook.id}`, { method: 'PATCH', body: { description: 'kept' } }],
		['rotate-webhook-secret', `/webhook-endpoints/${hook.id}/rotate-secret`, { body: {} }],
		['update-callback-lead', `/callback-leads/${lead}`, { method: 'PATCH', body: { status: 'handled' } }],
		['cancel-call', `/calls/${call}/cancel`, { method: 'POST' }],
	];
	return Promise.all(
		requests.map(async ([operation, path, sent]) => {
			const headers = { 'idempotency-key': `kept ${operation}` };
			const send = () => site.asServer(shop, path, { ...sent, headers });
			return replays(operation, await send(), send);
		}),
	);
}

async function keysOfPages(site: Site, shop: Shop): Promise<readonly Held[]> {
	return Promise.all(
		(['call-requests', 'callback-leads'] as const).map(async (what) => {
			const { body, key } = await site.ask(shop, what, site.number('06'));
			const headers = { origin: shop.allowed_origin, 'idempotency-key': key };
			const send = () => site.api(`/widget/${what}`, { body, headers });
			const first = await send();
			const held = replays(what, first, send);
			return holds(held.what, async () => {
				await held.check();
				// A page that repeats its request also gets the secret with which it can cancel the call.
				assert.equal((await send()).headers.get('cancel-secret'), first.headers.get('cancel-secret'));
			});
		}),
	);
}

const Page = z.object({ data: z.array(z.object({ id: z.string() })), next_cursor: z.nullable(z.string()) });

/** A client that has read a list half-way can continue with its cursor. */
async function cursor(site: Site, shop: Shop, list: string): Promise<Held> {
	const read = async (limit: number, next = '') => {
		const { status, json, text } = await site.asServer(shop, `/${list}?limit=${limit}${next}`);
		assert.equal(status, 200, `${list}: ${text}`);
		return Page.parse(json);
	};
	const first = await read(2);
	assert.ok(first.next_cursor !== null, `${list} has no second page`);
	const goOn = `&cursor=${encodeURIComponent(first.next_cursor)}`;
	const rest = await read(100, goOn);
	return holds(`a cursor: ${list}`, async () => {
		const ids = ({ data }: z.infer<typeof Page>) => data.map(({ id }) => id);
		assert.deepEqual(ids(await read(100, goOn)), ids(rest));
	});
}

async function etag(site: Site, shop: Shop): Promise<Held> {
	const { id } = await site.ask(shop, 'callback-leads', site.number('01'));
	const read = await site.asServer(shop, `/callback-leads/${id}`);
	const headers = { 'if-match': read.headers.get('etag') ?? '' };
	assert.notEqual(headers['if-match'], '');
	return holds('an ETag', async () => {
		const body = { status: 'dismissed' };
		const { status, text } = await site.asServer(shop, `/callback-leads/${id}`, { method: 'PATCH', body, headers });
		assert.equal(status, 200, text);
	});
}

/** An open page still sends the ids of consent texts that it loaded from the former stack. */
async function consentIds(site: Site, shop: Shop): Promise<readonly Held[]> {
	const headers = { origin: shop.allowed_origin };
	const { json } = await site.api(`/widget/config?workspace_key=${shop.workspace_key}&language=de`, { headers });
	const { call, lead } = json.data.consent_texts;
	return [
		holds('the ids of consent texts', async () => {
			await site.ask(shop, 'call-requests', site.number('06'), { consent_text_id: call.id });
			await site.ask(shop, 'callback-leads', site.number('06'), { consent_text_id: lead.id });
		}),
	];
}

/** A server's key with fewer permissions, and a key that was revoked. */
async function apiKeys(site: Site, shop: Shop): Promise<readonly Held[]> {
	const make = (name: string) =>
		site.stack().ops('api-key', 'create', '--workspace', shop.id, '--name', name, '--permission', 'calls:read');
	const [reader, revoked] = await Promise.all([make('reader'), make('revoked')]);
	await site.stack().ops('api-key', 'revoke', '--api-key', revoked.id);
	const statuses = async () =>
		Promise.all(
			[reader, revoked].map(async ({ api_key }) => [
				(await site.asServer({ api_key }, '/calls')).status,
				(await site.asServer({ api_key }, '/webhook-endpoints')).status,
			]),
		);
	return [
		holds('API keys', async () =>
			assert.deepEqual(await statuses(), [
				[200, 403],
				[401, 401],
			]),
		),
	];
}

export const api: NewKind = (site, shop) => ({
	name: 'API',
	early: async () =>
		(
			await Promise.all([
				keysOfServer(site, shop),
				keysOfPages(site, shop),
				etag(site, shop).then((held) => [held]),
				consentIds(site, shop),
				apiKeys(site, shop),
			])
		).flat(),
	// The cursors are made late, because the lists have no entries earlier.
	late: () => Promise.all(['calls', 'callback-leads', 'webhook-deliveries'].map((list) => cursor(site, shop, list))),
});
