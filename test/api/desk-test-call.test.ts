import { expect, it } from '@jest/globals';
import type { RingLogEntry } from '../../local/phone-network/ring-log.ts';
import { tallyCounter } from '../../shared/domain/calls/tally.ts';
import { eventKinds } from '../../shared/domain/webhooks/event.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { call, eventually, fromConsole } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';
import { bearer, newKey } from '../support/webhooks/customers.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { newShop, operator } = shops;
const { desk, send, signIn, post, codeOf } = deskForms(() => stack, shops);
type Session = Awaited<ReturnType<typeof signIn>>;

const pageOf = async ({ cookie }: Session, page: string) => (await send(desk(`pages/${page}`), { cookie })).html;
const listed = { from_id: null, before_id: null, limit: 20 };
/** The form for a test call on a page, as an owner sees it. */
async function testForm(session: Session, page: string) {
	const forms = formsIn(await pageOf(session, page)).filter(({ action }) => action === 'test_called');
	expect(forms).toHaveLength(1);
	return forms[0] ?? {};
}
async function testEnds(workspaceId: string) {
	const { store } = await operator();
	return eventually('the test ends', async () => {
		const [latest] = await store.list('call', workspaceId, listed);
		return latest?.completed_at ? latest : null;
	});
}

it('an owner’s test call from the list of first steps rings one phone as both sides, is marked on the desk, completes the step, and counts in no figure', async () => {
	const shop = await newShop();
	const { store, ...ops } = await operator();
	const address = { workspace_id: shop.id, url: stack.inbox_url, description: null, events: eventKinds };
	await createWebhookEndpoint(address, { store, ...ops });
	const { secret } = await newKey({ store, ...ops }, shop.id, ['calls:read', 'calls:write']);
	const ida = await signIn(shop.owner, shop.id);
	const form = await testForm(ida, 'today');
	const answers = [await post(ida, 'today', form), await post(ida, 'today', form)];
	expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
		Array.from({ length: 2 }, () => [303, 'today?saved=test_called']),
	);
	expect(await pageOf(ida, 'today?saved=test_called')).toContain('The phone rings now.');

	const { id, legs, status, connected_at, event_count } = await testEnds(shop.id);
	expect(legs.map(({ role, member, cause }) => [role, member, cause])).toEqual([
		['agent', 'm1', 'completed'],
		['visitor', null, 'completed'],
	]);
	expect([status, connected_at !== null, event_count]).toEqual(['completed', true, 0]);
	const rings = ((await fromConsole(stack, '/phones')) as readonly RingLogEntry[]).filter(
		(each) => each.call_id === id,
	);
	expect(rings.filter(({ what }) => what === 'ringing').map(({ role }) => role)).toEqual(['agent', 'visitor']);
	expect(await store.list('call', shop.id, listed)).toHaveLength(1);

	const today = await pageOf(ida, 'today');
	expect(today).toContain('<a href="team#test-call">Test call</a> <span class="soft">✓ Done</span>');
	expect(today).toMatch(
		/<strong><bdi>Test call<\/bdi><\/strong><\/a><\/td><td class="number"><bdi dir="ltr">[^<]*01<\/bdi><\/td>\s*<td class="result"><span class="chip good">Talked/,
	);
	expect(today).not.toContain('number_suppressed');
	expect(/<h2>To call back<\/h2>(.*?)<h2>/s.exec(today)?.[1]).toContain('No visitor is waiting');
	expect(await pageOf(ida, 'log')).toContain('made a test call: <bdi>Ida Wells</bdi>');
	expect(await pageOf(ida, 'calls')).toContain('Test call');
	expect((await pageOf(ida, 'calls.csv')).trim().split('\n')).toHaveLength(1);

	expect(await store.usedFrom(tallyCounter(shop.id), '0')).toEqual([]);
	for (const kind of ['event', 'delivery', 'callback_lead'] as const)
		expect(await store.list(kind, shop.id, listed)).toEqual([]);
	const headers = { ...bearer(secret), 'idempotency-key': crypto.randomUUID() };
	expect((await call(stack.base_url, '/calls', { headers })).json.data).toEqual([]);
	expect((await call(stack.base_url, `/calls/${id}`, { headers })).status).toBe(404);
	expect((await call(stack.base_url, `/calls/${id}/cancel`, { method: 'POST', headers })).status).toBe(404);
});

it('a test call that the phone does not answer is no missed call, leaves the step “Test call” open, and is not shown as the shop’s last call', async () => {
	const shop = await newShop('US', { team: ['Ida Wells:+13125550103', 'Ben:+14155550102'] });
	const ida = await signIn(shop.owner, shop.id);
	const form = await testForm(ida, 'team');
	expect(form).toMatchObject({ member_id: 'm1' });
	expect((await post(ida, 'team', form)).status).toBe(303);
	const meanwhile = await post(ida, 'team', { ...form, shown: 'later', member_id: 'm2' });
	expect([meanwhile.status, codeOf(meanwhile)]).toEqual([409, 'tested_now']);
	expect((await testEnds(shop.id)).failure_reason).toBe('no_agent_answer');
	const today = await pageOf(ida, 'today');
	expect(/<h2>To call back<\/h2>(.*?)<h2>/s.exec(today)?.[1]).toContain('No visitor is waiting');
	expect(today).toContain('<a href="team#test-call">Test call</a></li>');
	expect((await testForm(ida, 'today'))['action']).toBe('test_called');
	const unknown = await post(ida, 'team', { ...form, shown: 'much later', member_id: 'm9' });
	expect([unknown.status, codeOf(unknown)]).toEqual([409, 'member_unknown']);
});
