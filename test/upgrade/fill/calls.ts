import type { Bench } from '../bench/bench.ts';
import { present } from '../bench/parts.ts';
import { api, type People, visitor, widget } from './people.ts';
import type { Shops } from './shops.ts';

/** Makes calls that end in each possible way. */
export async function pastCalls(bench: Bench, people: People, { full, plain, usual }: Shops) {
	const { must, request, connect, miss, phone, dialOf } = people;
	const show = (shop: typeof full) =>
		must({ ...widget(shop, 'GET', `/config?workspace_key=${shop.workspace_key}`), headers: { origin: shop.origin } });
	const textOf = async (shop: typeof full) => {
		const { consent_texts } = JSON.parse((await show(shop)).body).data;
		return { consent_text_id: String(consent_texts.call.id) };
	};
	const agreed = await textOf(full);
	const agreedToOurs = await textOf(usual);
	await show(plain);

	const completed = await request(full, { reference: 'order 17', name: 'Ada Lovelace' });
	const both = await connect(completed.id);
	await bench.pass(65_000);
	await both.visitor.ends('completed');
	await both.agent.ends('completed');

	// A visitor whose call was answered asks for another call.
	await miss((await request(full, {}, completed.number)).id);
	const missed = await request(full, agreed);
	await miss(missed.id);
	const missedAgain = await request(full, agreed);
	await miss(missedAgain.id);
	const missedByUsual = await request(usual, { name: null, ...agreedToOurs });
	const first = phone(dialOf(missedByUsual.id, 'visitor'));
	await first.rings();
	await first.answers();
	await miss(missedByUsual.id);
	await first.ends('hung_up');
	const plainMissed = await request(plain);
	await miss(plainMissed.id);

	const canceled = await request(full);
	await must(widget(full, 'POST', `/call-requests/${canceled.id}/cancel`, { cancel_secret: canceled.cancel_secret }));
	await bench.settle();
	const canceledByShop = await request(full);
	await must(api(full, 'POST', `/calls/${canceledByShop.id}/cancel`, {}));
	await bench.settle();

	// The provider refuses the dials of one call. For the next call, it reports once that no channel is free.
	bench.phones.next.push('refuse', 'refuse', 'refuse');
	const refused = await request(plain);
	await bench.pass(30_000);
	bench.phones.next.length = 0;
	const freed = await request(plain);
	await must(
		bench.callback(dialOf(freed.id, 'agent').leg_id, 'status', {
			rank: 'ended',
			cause: 'provider_error',
			no_channel: true,
		}),
	);
	await bench.settle();
	await bench.pass(180_000);

	// The timers of this call are lost, so that the sweep has to find it.
	const swept = await request(full);
	for (const { queue } of [...bench.messages]) {
		const nth = bench.messages.findIndex((each) => each.queue === 'call-timers' && each.queue === queue);
		if (nth >= 0) bench.messages.splice(nth, 1);
	}
	await bench.pass(300_000, 60_000);
	const noVisitor = await request(full);
	const agent = phone(dialOf(noVisitor.id, 'agent'));
	await agent.rings();
	await agent.answers();
	await agent.presses();
	await phone(dialOf(noVisitor.id, 'visitor')).ends('voicemail');
	await agent.ends('hung_up');

	const replayed = visitor(full, people.nextNumber(), agreed);
	const keyed = { ...widget(full, 'POST', '/call-requests', replayed) };
	const withKey = { ...keyed, headers: { ...keyed.headers, 'idempotency-key': 'ask for a call once' } };
	const firstResponse = await must(withKey);
	await bench.settle();
	const { id: keyed_id } = JSON.parse(firstResponse.body).data;
	await miss(keyed_id);
	return {
		keyed_id: String(keyed_id),
		completed,
		missed,
		missedAgain,
		missedByUsual,
		plainMissed,
		canceled,
		refused,
		freed,
		swept,
		noVisitor,
		withKey,
	};
}
export type PastCalls = Awaited<ReturnType<typeof pastCalls>>;

/** Makes calls in each status in which the snapshot can find a call. */
export async function liveCalls(bench: Bench, people: People, { full, plain, usual }: Shops) {
	const { request, phone, dialOf, connect } = people;
	// The notice to the team about this call is due in some minutes.
	await people.miss((await request(plain)).id);
	// The dial of this call was not handled yet: its message waits in the queue.
	const number = people.nextNumber();
	const asked = await people.must(
		widget(full, 'POST', '/call-requests', visitor(full, number, { reference: 'order 18' })),
	);
	const waiting = {
		shop: full,
		id: JSON.parse(asked.body).data.id as string,
		cancel_secret: asked.headers['cancel-secret'] ?? '',
	};
	const held = bench.messages.splice(0).filter(({ due_ms }) => due_ms <= present.now_ms);
	const waits = new Set(held);

	const toCancel = await request(full);
	const toCancelOnce = await request(full);
	const dialing = await request(full);
	const ringing = await request(full);
	await phone(dialOf(ringing.id, 'agent')).rings();
	const accepted = await request(usual);
	await phone(dialOf(accepted.id, 'visitor')).answers();
	const talking = await request(full);
	await connect(talking.id);
	const ending = await request(full);
	const both = await connect(ending.id);
	await both.visitor.ends('completed');
	bench.phones.next.push('lose');
	const unclear = await request(plain);
	bench.phones.next.push('throttle');
	const throttled = await request(plain);
	bench.messages.unshift(...waits);
	const legOf = (id: string, role: string) => dialOf(id, role).leg_id;
	return {
		waiting,
		toCancel,
		toCancelOnce,
		dialing: { ...dialing, agent: legOf(dialing.id, 'agent') },
		ringing: { ...ringing, agent: legOf(ringing.id, 'agent') },
		accepted: { ...accepted, visitor: legOf(accepted.id, 'visitor') },
		throttled,
		unclear,
		talking: { ...talking, agent: legOf(talking.id, 'agent'), visitor: legOf(talking.id, 'visitor') },
		ending: { ...ending, agent: legOf(ending.id, 'agent') },
	};
}
export type LiveCalls = Awaited<ReturnType<typeof liveCalls>>;
