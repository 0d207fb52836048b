import { expect, it } from '@jest/globals';
import { writeWeek } from '../../../local/demo-week.ts';
import { isMissed } from '../../../shared/domain/calls/call.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { numbersPage } from '../../../shared/http/desk/numbers/numbers-page.ts';
import { FIRST, listToCallBack } from '../../../shared/use-cases/desk/to-call-back.ts';
import { lastAttemptsOfAll } from '../../../shared/use-cases/webhooks/last-attempts.ts';
import { sitesSeen } from '../../../shared/use-cases/workspaces/site-use.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';

// The demo shop's week must look like the week of a real shop on each page, whenever the stack is started.

const ORIGIN = 'https://shop.example';
const ALL = { from_id: null, before_id: null, limit: 1000 };

async function demoShop(now: string) {
	const store = memoryStore();
	const { workspace, deps } = frontDesk(store, Date.parse(now));
	const ida = { address: 'ida@shop.example', role: 'owner', sessions_from: now } as const;
	const shop = workspace({}, { time_zone: 'America/New_York', desk: [ida] });
	const endpoint = { ...samples.webhook_endpoint, workspace_id: shop.id, created_at: now, updated_at: now };
	await store.commit([
		{ op: 'put', record: 'workspace', item: shop, guard: { if: 'absent' } },
		{ op: 'put', record: 'webhook_endpoint', item: endpoint, guard: { if: 'absent' } },
		{ op: 'put', record: 'api_key', item: { ...samples.api_key, workspace_id: shop.id }, guard: { if: 'absent' } },
	]);
	await writeWeek(shop, ORIGIN, deps);
	const after = await store.get('workspace', { id: shop.id });
	if (after === null) throw new Error('the shop is gone');
	return { store, shop: after, deps, now };
}
type Demo = Awaited<ReturnType<typeof demoShop>>;

const calls = ({ store, shop }: Demo) => store.list('call', shop.id, ALL);
const deliveries = ({ store, shop }: Demo) => store.list('delivery', shop.id, ALL);

it.each([
	'2026-11-29T05:00:00.000Z',
	'2026-11-29T17:30:00.000Z',
	'2026-11-30T04:59:59.000Z',
	'2026-03-10T12:00:00.000Z',
])('everything in the demo shop’s week is over at %s, so nothing is dialled or sent', async (now) => {
	const demo = await demoShop(now);
	const sent = await deliveries(demo);
	expect(sent.length).toBeGreaterThan(100);
	expect(sent.filter(({ due_at, next_attempt_at }) => due_at !== null || next_attempt_at !== null)).toEqual([]);
	expect((await calls(demo)).filter(({ due_at, timer_at }) => due_at !== null || timer_at !== null)).toEqual([]);
	expect(sent.filter(({ last_attempt }) => (last_attempt?.started_at ?? now) >= now)).toEqual([]);
});

it('the demo shop’s site showed the widget when its last call was requested', async () => {
	const demo = await demoShop('2026-11-29T17:30:00.000Z');
	const [newest] = await calls(demo);
	expect(await sitesSeen(demo.shop, demo)).toEqual([{ origin: ORIGIN, seen_at: newest?.created_at }]);
});

it('the demo shop’s statistics compare its week with a week of fewer calls before', async () => {
	const demo = await demoShop('2026-11-29T17:30:00.000Z');
	const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' };
	const view = viewOf({ workspace: demo.shop, person, secret: new Uint8Array(32) } as never, Date.parse(demo.now));
	const { markup } = await numbersPage(view, demo.deps);
	const compared = [...markup.matchAll(/<dd>([^<]*)<\/dd><dd class="before">([^<]*)/g)].map(([, now, was]) => [
		now,
		was,
	]);
	expect(compared).toEqual([
		['26', '+11 compared with the period before'],
		['12', '+3 compared with the period before'],
		['6', '+3 compared with the period before'],
		['4', '+3 compared with the period before'],
		['1', '0 compared with the period before'],
	]);
});

it('in the demo shop’s week, the team can call back everyone who waits', async () => {
	const demo = await demoShop('2026-11-29T17:30:00.000Z');
	const { items } = await listToCallBack(demo.shop, FIRST, 10, demo.deps);
	expect(items.map(({ of, refused }) => [of, refused])).toEqual([
		['call', null],
		['call', null],
		['callback_lead', null],
	]);
	for (const { of, asked } of items)
		expect(
			await demo.store.get('sealed_number', { owner: `${of === 'call' ? 'call' : 'lead'}#${asked.id}` }),
		).not.toBeNull();
});

it('in the demo shop’s week, a delivery has failed for good, two needed a second attempt, and the endpoint works', async () => {
	const demo = await demoShop('2026-11-29T17:30:00.000Z');
	const odd = (await deliveries(demo)).filter(({ attempt_count }) => attempt_count !== 1);
	expect(odd.map(({ event, status, attempt_count }) => [event, status, attempt_count])).toEqual([
		['call.completed', 'succeeded', 2],
		['call.completed', 'succeeded', 2],
		['callback.requested', 'failed', 14],
	]);
	for (const { id, attempt_count } of odd) expect(await demo.store.attemptsOf(id)).toHaveLength(attempt_count - 1);
	const [endpoint] = await demo.store.endpointsOf(demo.shop.id);
	if (endpoint === undefined) throw new Error('the endpoint is gone');
	const { success, failure } = await lastAttemptsOfAll(endpoint, demo);
	expect(success?.started_at).toMatch(/^2026-11-29T00:00/);
	// The last attempt of the delivery that failed for good was later than every failed attempt of newer deliveries.
	expect(failure).toEqual(odd.at(-1)?.last_attempt);
	const created = (await deliveries(demo)).map(({ created_at }) => created_at);
	expect(created.filter((at) => at < endpoint.created_at)).toEqual([]);
});

it('in the demo shop’s week, each visitor has agreed, and each person of the desk has visited the desk', async () => {
	const demo = await demoShop('2026-11-29T17:30:00.000Z');
	for (const { id, number_hash = '' } of (await calls(demo)).filter(isMissed))
		expect(await demo.store.get('consent', { number_hash, subject: `call#${id}` })).not.toBeNull();
	const others = demo.shop.desk.filter(({ role }) => role !== 'owner');
	expect(others.map(({ role }) => role)).toEqual(['member', 'developer']);
	for (const { address } of others) {
		const found = await demo.store.get('desk_address', { address, workspace_id: demo.shop.id });
		expect(found?.visited_at).toMatch(/^2026-11-2[78]/);
	}
});
