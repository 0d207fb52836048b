import { expect, it } from '@jest/globals';
import { newSession } from '../../../shared/domain/desk/session-cookie.ts';
import { attemptRecord } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { Delivery } from '../../../shared/domain/webhooks/delivery.ts';
import { deliveryPage } from '../../../shared/http/desk/deliveries/delivery-page.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { subscribed, timings } from '../../support/webhooks/deliveries.ts';
import { put } from '../../support/writes.ts';

/** How the receiver answers: a status with a body. */
type Answer = readonly [status: number, body: string];

/** The page of a delivery after these answers, without its tags. */
async function shown(answers: readonly Answer[], changes: Partial<Delivery>) {
	const store = memoryStore();
	const { now, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const endpoint = subscribed('receiver', now.ms, { workspace_id: workspace.id });
	const attempts = answers.map(([status, body], nth) => {
		const startedAt = new Date(now.ms + nth * 60_000).toISOString();
		const took = { ...timings, total_ms: 100 + nth };
		return attemptRecord(nth + 1, startedAt, { kind: 'response', status, headers: {}, body, timings: took });
	});
	const delivery: Delivery = {
		...samples.delivery,
		...{ workspace_id: workspace.id, endpoint_id: endpoint.id, attempt_count: attempts.length },
		...{ last_attempt: attempts.at(-1) ?? null, next_attempt_at: null, due_at: null },
		...changes,
	};
	const { id: delivery_id, expires_at_epoch_s } = delivery;
	const older = attempts.slice(0, -1);
	await store.commit([
		put('webhook_endpoint', endpoint),
		put('delivery', delivery),
		...older.map((attempt) =>
			put('delivery_attempt', { delivery_id, number: attempt.number, attempt, expires_at_epoch_s }),
		),
	]);
	const address = 'dev@agency.example';
	const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address }, now.ms);
	const person = { address, role: 'developer', sessions_from: '' } as const;
	const view = viewOf({ workspace, person, session, secret: new Uint8Array(32) }, now.ms);
	const { markup } = await deliveryPage(delivery, view, { store, clock: { now: () => now.ms } });
	const rows = [...markup.matchAll(/<summary>.*?<\/summary>/gs)].map(([row]) => textOf(row));
	return { markup, text: textOf(markup), rows };
}
const textOf = (markup: string): string =>
	markup
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();

const { deliveries, advice } = deskTextsIn('en');

it('a delivery that failed begins with what happened, what the receiver said, what to do, and the button', async () => {
	const { markup, text } = await shown([[500, '{"error":"duplicate order"}']], { status: 'failed' });
	const parts = [
		deliveries.happened.failed,
		'Answered 500 Internal Server Error',
		'duplicate order',
		deliveries.retry,
		advice.server_error,
		'&quot;error&quot;: &quot;duplicate order&quot;',
		'500 http_status',
		deliveries.event_id,
	];
	const places = parts.map((part) => text.indexOf(part));
	expect(places).toEqual(places.toSorted((a, b) => a - b));
	expect(places).not.toContain(-1);
	expect(markup.indexOf('<button>')).toBeLessThan(markup.indexOf('<pre'));
});

it('an answer that its first words say whole is not repeated', async () => {
	const { markup, text } = await shown([[500, 'duplicate order']], { status: 'failed' });
	expect(text.split('duplicate order')).toHaveLength(2);
	expect(markup).not.toContain('<pre');
});

it.each([
	['pending', { status: 'pending' }, [[500, '']]],
	['again', { status: 'pending', succeeded_before: true }, [[200, '']]],
	['succeeded', { status: 'succeeded' }, [[200, '']]],
	['failed', { status: 'failed' }, [[500, '']]],
	['held', { status: 'held' }, []],
	['canceled', { status: 'canceled' }, []],
] as const)('one sentence says what happened to a delivery: %s', async (key, changes, answers) => {
	expect((await shown(answers, changes)).text).toContain(deliveries.happened[key]);
});

it('a delivery that was not sent yet says only that', async () => {
	const { text } = await shown([], { status: 'pending' });
	expect(text).toContain(deliveries.no_attempt);
	expect(text).not.toContain(deliveries.happened.pending);
});

it('earlier attempts with the same result are one row, which has the time and the body of each', async () => {
	const refused = Array.from({ length: 12 }, (_, nth): Answer => [500, nth < 6 ? 'out of memory' : 'no disk']);
	const { rows, text } = await shown([[503, 'busy'], [404, ''], ...refused, [429, 'slowly']], { status: 'failed' });
	expect(rows.map((row) => row.replace(/ (Mon|Tue|Wed|Thu|Fri|Sat|Sun).*/, ''))).toEqual([
		'Attempts 3–14 Answered 500',
		'Attempt 2 Answered 404',
		'Attempt 1 Answered 503',
	]);
	expect([text.split('out of memory').length, text.split('no disk').length]).toEqual([2, 2]);
	expect(text.split(advice.server_error)).toHaveLength(3);
	for (let nth = 0; nth < 15; nth += 1) expect(text).toContain(`${100 + nth} ms`);
	for (const number of [3, 8, 14]) expect(text).toContain(`Attempt ${number} `);
});
