import type { Bench } from '../bench/bench.ts';
import { present } from '../bench/parts.ts';
import { liveCalls, pastCalls } from './calls.ts';
import { openDesk, openPages, workAtDesk } from './desk.ts';
import { openExtremes } from './extremes.ts';
import { changeHands } from './hands.ts';
import { leads } from './leads.ts';
import { api, peopleOf } from './people.ts';
import { openShops } from './shops.ts';
import { switchDesks } from './two-desks.ts';
import { ageDeliveries, askAgain, cursors, cutRecovery, dieWhileSending, openEndpoints } from './webhooks.ts';

/** Fills a deployment by doing what its users do. Returns what the users hold: links, cookies, keys and open forms. */
export async function fill(bench: Bench) {
	const people = peopleOf(bench);
	const shops = await openShops(bench, people);
	const endpoints = await openEndpoints(people, shops);
	const early = await people.request(shops.full);
	await people.miss(early.id);
	const aged = await ageDeliveries(bench, people, shops, endpoints);
	const desk = await openDesk(bench, people, shops);
	const past = await pastCalls(bench, people, shops);
	const old = await leads(bench, people, shops);
	await bench.pass(700_000);
	await workAtDesk(bench, people, desk, past, old);
	const revoked = await people.ops('api-key', 'create', '--workspace', shops.full.id, '--name', 'old');
	await people.ops('api-key', 'revoke', '--api-key', revoked.id);
	await dieWhileSending(bench, people, shops, endpoints);
	const hands = await changeHands(bench, people);
	await switchDesks(bench, people, shops);
	const pages = await openPages(bench, people, shops, desk, endpoints, past, old);
	// The mail that asks this address for its agreement is not sent yet.
	await people.press(hands.session, 'pages/notices', 'notices', { team_email: 'asked@hands.example' });
	const extremes = await openExtremes(bench, people);
	const lists = await cursors(people, shops);
	const live = await liveCalls(bench, people, shops);
	const again = await askAgain(people, shops, aged, endpoints, old, live);
	const { dialing, ringing, talking, ending } = live;
	const report = (name: string, ...[leg_id, route, fact]: Parameters<Bench['callback']>) => ({
		name,
		request: bench.callback(leg_id, route, fact),
	});
	const at = new Date(present.now_ms).toISOString();
	const callbacks = [
		report('a phone rings', dialing.agent, 'status', { rank: 'ringing', ringing_at: at }),
		report('a phone was answered', ringing.agent, 'instructions', { rank: 'answered', answered_at: at }),
		report('a key was pressed', ringing.agent, 'instructions', { rank: 'accepted', answered_at: at, accepted_at: at }),
		report('a visitor hangs up', talking.visitor, 'status', { rank: 'ended', cause: 'completed' }),
		report('a member hangs up', talking.agent, 'status', { rank: 'ended', cause: 'completed' }),
		report('the other side is hung up', ending.agent, 'status', { rank: 'ended', cause: 'hung_up' }),
	];
	const recovery = await cutRecovery(people, shops, endpoints);
	const revoked_key = api({ api_key: String(revoked.api_key) }, 'GET', '/calls');
	return {
		shops,
		endpoints,
		desk,
		hands,
		past,
		old,
		aged,
		pages,
		again,
		lists,
		recovery,
		live,
		callbacks,
		revoked_key,
		extremes,
	};
}
export type Filled = Awaited<ReturnType<typeof fill>>;
