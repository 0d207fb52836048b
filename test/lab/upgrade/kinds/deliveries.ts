import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { eventually } from '../../../support/stack/api.ts';
import { type Conduct, verified } from '../around/receivers.ts';
import type { Hook, Shop, Site } from '../around/site.ts';
import { arrive } from './calls.ts';
import { type Held, holds, holdsInTime, type NewKind, type Turn } from './held.ts';

// Makes deliveries in each state, and checks what an operator or a developer does with them in the next release.

const LEADS = { events: ['callback.requested'] };
const lead = (site: Site, shop: Shop) => site.ask(shop, 'callback-leads', site.number('01'));

/** The deliveries to an endpoint, newest first, as the API lists them. */
async function deliveriesTo(site: Site, shop: Shop, { id }: Hook) {
	const { status, json, text } = await site.asServer(shop, `/webhook-deliveries?endpoint_id=${id}&limit=100`);
	assert.equal(status, 200, text);
	return json.data;
}
/** The fields that this check reads. The API document defines further fields. */
const Attempts = z.object({
	data: z.object({
		attempts: z.array(
			z.object({ number: z.int(), response_status: z.nullable(z.int()), response_body: z.nullable(z.string()) }),
		),
	}),
});
type Delivery = { readonly id: string; readonly event_id: string; readonly status: string };

const reach = (site: Site, shop: Shop, hook: Hook, expected: string): Promise<readonly Delivery[]> =>
	eventually(`every delivery to ${hook.url} is ${expected}`, async () => {
		const all: readonly Delivery[] = await deliveriesTo(site, shop, hook);
		return all.length > 0 && all.every(({ status }) => status === expected) ? all : null;
	});

/** The receiver of the endpoint works from now on. Every event must arrive with a valid signature. */
async function recovers(site: Site, shop: Shop, hook: Hook, count: number): Promise<void> {
	site.receivers.behaves(hook.url, 'healthy');
	const all = await reach(site, shop, hook, 'succeeded');
	assert.ok(all.length >= count, `${all.length} deliveries to ${hook.url}, ${count} expected`);
	const arrived = new Set(verified(site.receivers.posts(hook.url), hook.secrets).map(({ event_id }) => event_id));
	for (const { event_id } of all) assert.ok(arrived.has(event_id), `event ${event_id} did not arrive at ${hook.url}`);
}

async function change(site: Site, shop: Shop, { id }: Hook, body: object): Promise<void> {
	const { status, text } = await site.asServer(shop, `/webhook-endpoints/${id}`, { method: 'PATCH', body });
	assert.equal(status, 200, text);
}

/** The former and the new secret both sign for as long as both are valid. */
async function rotated(site: Site, shop: Shop): Promise<Held> {
	const hook = await site.subscribe(shop, 'healthy', { ...LEADS, headers: { 'X-Key': 'k-3fd1a' } });
	const body = { overlap_seconds: 3600 };
	const answer = await site.asServer(shop, `/webhook-endpoints/${hook.id}/rotate-secret`, { body });
	assert.equal(answer.status, 200, answer.text);
	return holds('a rotation in progress, a custom header', async () => {
		const { id } = await lead(site, shop);
		const [post] = await eventually('the event arrives', async () => {
			const about = site.receivers.posts(hook.url).filter((each) => each.body.includes(id));
			return about.length > 0 ? about : null;
		});
		if (post === undefined) return;
		for (const secret of [...hook.secrets, answer.json.data.secret]) verified([post], [secret]);
		assert.equal(post.headers['x-key'], 'k-3fd1a');
	});
}

async function early(site: Site, shop: Shop): Promise<readonly Held[]> {
	const endpoint = (conduct: Conduct) => site.subscribe(shop, conduct, LEADS);
	const [broken, gone, disabled, deleted, reset] = await Promise.all([
		endpoint('broken'),
		endpoint('gone'),
		endpoint('healthy'),
		endpoint('broken'),
		endpoint('reset'),
	]);
	await change(site, shop, disabled, { status: 'disabled', description: 'Not now' });
	const leads = await Promise.all([lead(site, shop), lead(site, shop), lead(site, shop)]);
	await Promise.all([
		reach(site, shop, broken, 'failed'),
		eventually('the endpoint that answers 410 is disabled', async () => {
			const { json } = await site.asServer(shop, `/webhook-endpoints/${gone.id}`);
			return json.data.disabled_reason === 'gone' ? true : null;
		}),
		reach(site, shop, disabled, 'held'),
		site.asServer(shop, `/webhook-endpoints/${deleted.id}`, { method: 'DELETE' }),
	]);
	await reach(site, shop, deleted, 'canceled');
	return [
		holds('failed, retried by hand or by a dead letter', () => failed(site, shop, broken)),
		holds('answered 410, its endpoint enabled and recovered', async () => {
			await enabledAndRecovered(site, shop, gone, leads.length);
		}),
		holds('held, its endpoint enabled and recovered', () => enabledAndRecovered(site, shop, disabled, leads.length)),
		holds('canceled', async () => {
			assert.equal((await reach(site, shop, deleted, 'canceled')).length, leads.length);
		}),
		holdsInTime('behind an open circuit breaker', () => recovers(site, shop, reset, leads.length)),
		await rotated(site, shop),
	];
}

/** A developer retries one delivery by hand, and an operator sends the others by a redrive. */
async function failed(site: Site, shop: Shop, hook: Hook): Promise<void> {
	const [first, ...others] = await reach(site, shop, hook, 'failed');
	assert.ok(first !== undefined && others.length > 0);
	const { json } = await site.asServer(shop, `/webhook-deliveries/${first.id}`);
	const { attempts } = Attempts.parse(json).data;
	// The redrive of the dead letters may have added attempts.
	assert.ok(attempts.length >= 3);
	for (const [n, { number, response_status, response_body }] of attempts.entries())
		assert.deepEqual([number, response_status, response_body], [n + 1, 500, 'out of order']);
	site.receivers.behaves(hook.url, 'healthy');
	const retried = await site.asServer(shop, `/webhook-deliveries/${first.id}/retry`, { method: 'POST' });
	assert.equal(retried.status, 202, retried.text);
	await site.stack().ops('dlq', 'replay');
	await recovers(site, shop, hook, others.length + 1);
}

async function enabledAndRecovered(site: Site, shop: Shop, hook: Hook, count: number): Promise<void> {
	site.receivers.behaves(hook.url, 'healthy');
	await change(site, shop, hook, { status: 'enabled' });
	const body = { since: new Date(Date.now() - 3_600_000).toISOString() };
	const { status, text } = await site.asServer(shop, `/webhook-endpoints/${hook.id}/recover`, { body });
	assert.equal(status, 202, text);
	await recovers(site, shop, hook, count);
}

/** Attempts that are in progress or waiting when the stack stops. */
async function late(site: Site, shop: Shop, { isLast }: Turn): Promise<readonly Held[]> {
	const [waiting, silent] = await Promise.all([
		site.subscribe(shop, 'two-fail', LEADS),
		isLast ? null : site.subscribe(shop, 'silent', LEADS),
	]);
	await Promise.all([lead(site, shop), lead(site, shop)]);
	await eventually('the second attempts have failed', async () =>
		[waiting, silent].every(
			(hook) => hook === null || site.receivers.posts(hook.url).length >= (hook === silent ? 2 : 4),
		)
			? true
			: null,
	);
	return [
		holdsInTime('waits for its third attempt', () => recovers(site, shop, waiting, 2)),
		// The sweep finds this delivery two minutes after it was due. The other steps do their work during these minutes.
		...(silent === null
			? []
			: [holdsInTime('leased: its receiver has not answered', () => recovers(site, shop, silent, 2))]),
	];
}

function last(site: Site, shop: Shop): readonly Held[] {
	const asked = Array.from({ length: 4 }, () => {
		const phone = site.number('01');
		return { phone, lead: site.ask(shop, 'callback-leads', phone).catch(() => null) };
	});
	return [
		holdsInTime('not attempted yet', async () => {
			for (const { phone, lead: made } of asked) {
				const { id } = (await made) ?? (await site.ask(shop, 'callback-leads', phone));
				await arrive(site, shop, id, ['callback.requested']);
			}
		}),
	];
}

/** Each part has its own shop, because an event goes to all endpoints of its shop. */
export const deliveries: NewKind = (site, shop, quiet, turn) => ({
	name: 'deliveries',
	early: async () => early(site, await site.openShop(['Ida Wells:+13125550101'])),
	late: () => late(site, quiet, turn),
	last: () => last(site, shop),
});
