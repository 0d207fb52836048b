import assert from 'node:assert/strict';
import { type ApiResponse, eventually } from '../../../support/stack/api.ts';
import { verified } from '../around/receivers.ts';
import type { Shop, Site } from '../around/site.ts';
import { type Held, holds, holdsInTime, type NewKind } from './held.ts';
import { firstDial } from './phones.ts';

// Makes and checks calls in each status, dials that wait, and calls that ended in each way.

/** How a call ends by itself if the visitor's number has this ending. See docs/local-stack.md. */
const ENDINGS = [
	['01', 'completed', null],
	['02', 'failed', 'visitor_busy'],
	['04', 'failed', 'visitor_rejected'],
	['05', 'failed', 'voicemail'],
	['06', 'failed', 'number_unreachable'],
	['15', 'failed', 'provider_rejected'],
] as const;

type End = { readonly status: string; readonly failure_reason: string | null };
/**
 * The failure reason of a call that was set up too late. In this run, deadlines are three times as fast, but messages in flight
 * are not. So the set-up time may be over before the service asks the provider whether a phone that reports nothing still rings.
 * A call also ends like this if a function was working on it when the stack ended.
 */
const LATE = 'setup_timeout';
const UNANSWERED: readonly unknown[] = ['visitor_no_answer', 'no_agent_answer'];

/** Waits for the end of a call, and checks its record and its events. */
async function ends(site: Site, shop: Shop, id: string, expected: End): Promise<void> {
	const found = await eventually(`call ${id} ends`, async () => {
		const { status, json, text } = await site.asServer(shop, `/calls/${id}`);
		assert.equal(status, 200, text);
		return json.data.completed_at === null ? null : json.data;
	});
	const { status, failure_reason, connected_at, duration_seconds } = found;
	const mayBeLate = UNANSWERED.includes(expected.failure_reason) || site.wasInterrupted(found);
	const isLate = failure_reason === LATE && mayBeLate;
	if (failure_reason === LATE && !isLate) assert.fail(`it ended with ${LATE}: ${await firstDial(site, found)}`);
	if (!isLate) assert.deepEqual({ status, failure_reason }, expected);
	assert.equal(connected_at !== null && duration_seconds !== null, status === 'completed', JSON.stringify(found));
	const over = status === 'completed' ? ['call.connected', 'call.completed'] : ['call.failed'];
	await arrive(site, shop, id, ['call.requested', ...over]);
}

/** Waits until the shop's endpoint has received these events of a call or lead. No event may arrive under two ids. */
export async function arrive(
	{ receivers }: Site,
	{ hook }: Pick<Shop, 'hook'>,
	subjectId: string,
	kinds: readonly string[],
): Promise<void> {
	const own = () =>
		verified(receivers.posts(hook.url), hook.secrets).filter((arrival) => arrival.subject_id === subjectId);
	await eventually(`${kinds.join(', ')} of ${subjectId} at ${hook.url}`, async () => {
		const names = new Set(own().map(({ event }) => event));
		return kinds.every((kind) => names.has(kind)) ? true : null;
	});
	const ids = new Set(own().map(({ event, event_id }) => `${event} ${event_id}`));
	const names = new Set(own().map(({ event }) => event));
	assert.equal(ids.size, names.size, `an event of ${subjectId} came under two ids: ${[...ids].join()}`);
}

const cancelByServer = (site: Site, shop: Shop, id: string) =>
	site.asServer(shop, `/calls/${id}/cancel`, { method: 'POST' });

/**
 * Cancels a call whose phones were ringing when the former stack stopped. On a busy machine, the phones may have stopped ringing
 * by now.
 */
async function cancels(site: Site, shop: Shop, id: string, cancel: () => Promise<ApiResponse>): Promise<void> {
	const { status, text } = await cancel();
	assert.ok(status === 200 || status === 409, text);
	const canceled = { status: 'canceled', failure_reason: 'canceled' };
	await ends(site, shop, id, status === 200 ? canceled : { status: 'failed', failure_reason: 'visitor_no_answer' });
}

async function connected(site: Site, shop: Shop): Promise<readonly Held[]> {
	const { id } = await site.ask(shop, 'call-requests', site.number('10'), { reference: 'order-7' });
	await site.reach(shop, id, 'connected');
	return [
		holds('connected, ended by the server', async () => {
			assert.equal(await site.reach(shop, id, 'connected', 'completed', 'failed'), 'connected');
			const { status, text } = await cancelByServer(site, shop, id);
			assert.equal(status, 200, text);
			await ends(site, shop, id, { status: 'completed', failure_reason: null });
		}),
	];
}

/** Makes calls that end in each way, and checks that the next stack shows them as they ended. */
async function ended(site: Site, shop: Shop): Promise<readonly Held[]> {
	return Promise.all(
		ENDINGS.map(async ([ending, status, failure_reason]) => {
			const id = await endedCall(site, shop, ending);
			return holds(`ended: ${failure_reason ?? status}`, () => ends(site, shop, id, { status, failure_reason }));
		}),
	);
}

/**
 * Makes a call that ends as the ending of its number says. On a busy machine, its set-up may be too late. In that case, another
 * visitor calls.
 */
async function endedCall(site: Site, shop: Shop, ending: string, tries = 3): Promise<string> {
	const { id } = await site.ask(shop, 'call-requests', site.number(ending));
	await site.reach(shop, id, 'completed', 'failed');
	const { json } = await site.asServer(shop, `/calls/${id}`);
	return json.data.failure_reason === LATE && tries > 1 ? endedCall(site, shop, ending, tries - 1) : id;
}

/** Calls whose phones ring when the stack stops. */
async function ringing(site: Site, shop: Shop, quiet: Shop): Promise<readonly Held[]> {
	const ask = () => site.ask(shop, 'call-requests', site.number('03'));
	const [rings, byServer, byVisitor] = await Promise.all([ask(), ask(), ask()]);
	const team = await site.ask(quiet, 'call-requests', site.number('10'));
	await Promise.all([rings, byServer, byVisitor].map(({ id }) => visitorRings(site, shop, id)));
	await site.reach(quiet, team.id, 'ringing');
	const noAnswer = { status: 'failed', failure_reason: 'visitor_no_answer' };
	return [
		holds("the visitor's phone rings", () => ends(site, shop, rings.id, noAnswer)),
		holds("the visitor's phone rings, canceled by the server", () =>
			cancels(site, shop, byServer.id, () => cancelByServer(site, shop, byServer.id)),
		),
		holds("the visitor's phone rings, canceled by the visitor's secret", () =>
			cancels(site, shop, byVisitor.id, () => {
				const body = { cancel_secret: byVisitor.secret };
				const headers = { origin: shop.allowed_origin };
				return site.api(`/widget/call-requests/${byVisitor.id}/cancel`, { body, headers });
			}),
		),
		holds("the team's phones ring one after another", () =>
			ends(site, quiet, team.id, { status: 'failed', failure_reason: 'no_agent_answer' }),
		),
	];
}

const visitorRings = (site: Site, shop: Shop, id: string) =>
	eventually(`the visitor of ${id} rings`, async () =>
		(await site.statusOf(shop, id)).json.data.visitor_phone_rings ? true : null,
	);

export const calls: NewKind = (site, shop, quiet) => ({
	name: 'calls',
	early: async () => (await Promise.all([connected(site, shop), ended(site, shop)])).flat(),
	late: () => ringing(site, shop, quiet),
	last: () =>
		LAST.map(({ ending, what, status, failure_reason }) => {
			const phone = site.number(ending);
			const asked = site.ask(shop, 'call-requests', phone).catch(() => null);
			return holdsInTime(`requested: ${what}`, async () => {
				// A page that did not get the response repeats its request with the same key.
				const { id } = (await asked) ?? (await site.ask(shop, 'call-requests', phone));
				await ends(site, shop, id, { status, failure_reason });
			});
		}),
});

const TALKS = { ending: '01', what: 'talks', status: 'completed', failure_reason: null };
/** Calls of visitors who send their request just as the stack stops. */
const LAST = [
	TALKS,
	TALKS,
	TALKS,
	TALKS,
	{ ending: '02', what: 'busy', status: 'failed', failure_reason: 'visitor_busy' },
	{ ending: '07', what: 'the dial is unclear', status: 'completed', failure_reason: null },
	{ ending: '08', what: 'reports come twice and reversed', status: 'completed', failure_reason: null },
	{ ending: '09', what: 'reports never come', status: 'failed', failure_reason: 'visitor_no_answer' },
	{ ending: '14', what: 'the dial waits for the provider', status: 'completed', failure_reason: null },
	{ ending: '15', what: 'the dial is refused', status: 'failed', failure_reason: 'provider_rejected' },
];
