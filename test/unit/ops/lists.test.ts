import { expect, it } from '@jest/globals';
import { callTally } from '../../../shared/domain/calls/tally.ts';
import { lowestIdAt } from '../../../shared/domain/kernel/id.ts';
import { makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';

const NO_PROVIDER = { provider: 'none', settings: '{}', readSecret: async () => '' } as const;

it('api-key list has every key of a workspace, newest first', async () => {
	const store = memoryStore();
	const ids = Array.from({ length: 251 }, (_, n) => idOf(n + 1));
	for (const id of ids) {
		await store.commit([{ op: 'put', record: 'api_key', item: { ...samples.api_key, id }, guard: { if: 'absent' } }]);
	}
	const { out, code } = await operatorAt({ store })('api-key', 'list', '--workspace', WORKSPACE);
	const listed = JSON.parse(out).map(({ id }: { readonly id: string }) => id);
	expect([code, listed]).toEqual([0, ids.reverse()]);
});

it.each([
	['call', 'call'],
	['lead', 'callback_lead'],
] as const)('%s list says that older items exist if there are more than the newest 50', async (command, record) => {
	const store = memoryStore();
	const put = (n: number) =>
		store.commit([{ op: 'put', record, item: { ...samples[record], id: idOf(n) } as never, guard: { if: 'absent' } }]);
	for (let n = 1; n <= 50; n += 1) await put(n);
	const list = () => operatorAt({ store })(command, 'list', '--workspace', WORKSPACE);
	expect((await list()).err).toBe('');
	await put(51);
	const { out, err } = await list();
	expect([JSON.parse(out).length, err]).toEqual([50, expect.stringContaining('older')]);
});

it('workspace set names the limits of 0, which refuse everything that they count', async () => {
	const store = memoryStore();
	const { deps, workspace } = frontDesk(store);
	const shop = workspace({}, { team_email: null, limits: {} });
	await store.commit([{ op: 'put', record: 'workspace', item: shop, guard: { if: 'absent' } }]);
	const set = (...options: readonly string[]) =>
		operatorAt({ ...deps, telephony: NO_PROVIDER })('workspace', 'set', '--workspace', shop.id, ...options);
	expect((await set('--calls-per-day', '1')).err).toBe('');
	const { code, err } = await set('--calls-per-number-per-day', '0', '--leads-per-day', '0');
	expect([code, err]).toEqual([
		0,
		'These limits are 0, so all that they count is refused: calls_per_number_per_day, leads_per_day.',
	]);
});

it('event list shows the newest 50 events of a workspace, or of one event type, each with the id of its call or lead', async () => {
	const store = memoryStore();
	const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
	for (let n = 1; n <= 52; n += 1) {
		const created_at = new Date(nowMs - n * 1000).toISOString();
		const facts = { id: lowestIdAt(nowMs - n * 1000), workspace_id: WORKSPACE, subject_id: idOf(n), created_at };
		const kind = n === 52 ? 'call.failed' : 'call.requested';
		const item = makeEvent({ ...facts, kind, sequence: 1, data: {} });
		await store.commit([{ op: 'put', record: 'event', item, guard: { if: 'absent' } }]);
	}
	const operator = operatorAt({ store, clock: { now: () => nowMs } });
	const { out, err } = await operator('event', 'list', '--workspace', WORKSPACE);
	expect([JSON.parse(out).length, err]).toEqual([50, expect.stringContaining('older')]);
	const failed = await operator('event', 'list', '--workspace', WORKSPACE, '--event', 'call.failed');
	expect([JSON.parse(failed.out), failed.err]).toEqual([
		[expect.objectContaining({ event: 'call.failed', about: idOf(52), sequence: 1 })],
		'',
	]);
	const wrong = await operator('event', 'list', '--workspace', WORKSPACE, '--event', 'call.started');
	expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('call.requested')]);
});

it('call list and call show mark a test call', async () => {
	const store = memoryStore();
	const item = { ...samples.call, id: idOf(1), is_test: true } as const;
	await store.commit([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }]);
	const operator = operatorAt({ store });
	const [listed] = JSON.parse((await operator('call', 'list', '--workspace', WORKSPACE)).out);
	const shown = JSON.parse((await operator('call', 'show', '--call', idOf(1))).out);
	expect([listed, shown]).toEqual([
		expect.objectContaining({ is_test: true }),
		expect.objectContaining({ is_test: true }),
	]);
});

it('workspace figures shows the figures of the Statistics page, with the pages and campaigns of calls', async () => {
	const store = memoryStore();
	const nowMs = Date.parse('2026-11-21T13:00:00.000Z');
	const { deps, workspace } = frontDesk(store, nowMs);
	const shop = workspace();
	await store.commit([{ op: 'put', record: 'workspace', item: shop, guard: { if: 'absent' } }]);
	for (const page of ['/pricing?utm_source=mail', '/pricing', '/orders/12345']) {
		const about = { workspace_id: shop.id, source_url: `https://shop.example${page}`, legs: [], winner_leg_id: null };
		const ended = { status: 'completed', failure_reason: null, created_at: '2026-11-20T12:00:00.000Z' } as const;
		const call = { ...samples.call, ...about, ...ended };
		await store.commit([callTally(call, nowMs, await sourceCodes(call, store))]);
	}
	const operator = operatorAt({ ...deps, telephony: NO_PROVIDER });
	const { out, code } = await operator('workspace', 'figures', '--workspace', shop.id, '--days', '30');
	const none = { missed: 0, callbacks: 0 };
	expect([code, JSON.parse(out)]).toEqual([
		0,
		expect.objectContaining({
			calls: 3,
			answered: 3,
			pages_since: '2026-10-22T12:00Z',
			pages: [
				{ name: '/pricing', requests: 2, conversations: 2, ...none },
				{ name: '/orders/:id', requests: 1, conversations: 1, ...none },
			],
			campaigns: [{ name: 'mail', requests: 1, conversations: 1, ...none }],
		}),
	]);
	const wrong = await operator('workspace', 'figures', '--workspace', shop.id, '--days', '8');
	expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('7, 30')]);
	expect((await operator('workspace', 'figures', '--workspace', idOf(9))).code).not.toBe(0);
});
