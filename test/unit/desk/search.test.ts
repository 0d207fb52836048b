import { expect, it } from '@jest/globals';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { always, put } from '../../support/writes.ts';

// The desk's search finds calls by name, day, outcome, reference and the last digits of the number. It finds only calls of the
// person's own shop.

const { deps, store, now, newShop, pageAt, send, signIn } = deskInMemory();

const MISSED = { status: 'failed', failure_reason: 'no_agent_answer' } as const;

/** Stores a call that a visitor of the shop requested at this time. */
async function keepCall(workspace_id: string, at: string, changes: Partial<CallRecord>): Promise<string> {
	const item: CallRecord = {
		...samples.call,
		id: deps.ids.next(Date.parse(at)),
		workspace_id,
		created_at: at,
		status: 'completed',
		failure_reason: null,
		due_at: null,
		timer_at: null,
		legs: [],
		winner_leg_id: null,
		...changes,
	};
	await store.commit([put('call', item)]);
	return item.id;
}

it('the search of the desk finds calls of its own shop by name, by day on the shop’s clock, by outcome, by reference and by last digits', async () => {
	const shop = await newShop();
	const other = await newShop();
	// 00:30 and 23:30 of 21 November in Berlin.
	await keepCall(shop.id, '2026-11-20T23:30:00.000Z', { visitor_name: 'Early', reference: 'Order-4711' });
	await keepCall(shop.id, '2026-11-21T22:30:00.000Z', {
		visitor_name: 'Late',
		visitor_phone_masked: '+1********42',
		...MISSED,
	});
	await keepCall(shop.id, '2026-11-21T23:30:00.000Z', { visitor_name: 'Next', ...MISSED });
	await keepCall(other.id, '2026-11-21T12:00:00.000Z', { visitor_name: 'Foreign', reference: 'Order-4711' });
	const mia = await signIn(shop.member, shop.id);
	const found = async (search: Readonly<Record<string, string>>) => {
		const { status, html } = await send(pageAt(`calls?${new URLSearchParams(search)}`), mia);
		expect(status).toBe(200);
		return [...html.matchAll(/<strong><bdi>([^<]+)</g)].flatMap(([, name = '']) =>
			name.startsWith('Shop') ? [] : [name],
		);
	};
	expect(await found({})).toEqual(['Next', 'Late', 'Early']);
	expect(await found({ day: '2026-11-21' })).toEqual(['Late', 'Early']);
	expect(await found({ day: '21.11.2026', end: 'missed' })).toEqual(['Late']);
	expect(await found({ end: 'completed' })).toEqual(['Early']);
	expect(await found({ reference: 'order-47' })).toEqual(['Early']);
	for (const digits of ['42', '2', '5542', '٤٢']) expect(await found({ digits })).toEqual(['Late']);
	expect(await found({ digits: '9942', day: '2026-11-20' })).toEqual([]);
	await keepCall(shop.id, '2026-11-19T12:00:00.000Z', { visitor_name: 'José Àlvarez' });
	for (const name of ['jose', 'ÀLV', ' josé a']) expect(await found({ name })).toEqual(['José Àlvarez']);
	expect(await found({ name: 'jose', end: 'missed' })).toEqual([]);
	// A person who types a name where the digits belong still finds it, and sees what was searched.
	expect(await found({ digits: 'Alva' })).toEqual(['José Àlvarez']);
	expect((await send(pageAt('calls?digits=Alva'), mia)).html).toMatch(/name="name"[^>]* value="Alva"/);
	expect((await send(pageAt('calls?name=e'), mia)).html).toContain('Found: 4<');
	for (const [name, value] of Object.entries({ day: '2026-13-77', end: 'x', before: 'x' })) {
		expect(await found({ [name]: value })).toEqual(['Next', 'Late', 'Early', 'José Àlvarez']);
	}
});

it('the search of the desk has one field for names, references and last digits, and a day beside it', async () => {
	const shop = await newShop();
	const at = '2026-11-21T12:00:00.000Z';
	await keepCall(shop.id, at, { visitor_name: 'Grace', visitor_phone_masked: '+1********42', reference: 'A-17' });
	await keepCall(shop.id, at, { visitor_name: 'Mia', visitor_phone_masked: '+1********17', reference: '10025542' });
	const mia = await signIn(shop.member, shop.id);
	const pageFor = async (search: Readonly<Record<string, string>>): Promise<string> =>
		(await send(pageAt(`calls?${new URLSearchParams(search)}`), mia)).html;
	const found = async (search: Readonly<Record<string, string>>) =>
		[...(await pageFor(search)).matchAll(/<strong><bdi>(Grace|Mia)</g)].map(([, name]) => name).sort();
	for (const name of ['grace', 'a-17', ' 55 42 ', '٤٢', '+1 (202) 555-0142', '+12025550142']) {
		expect([name, await found({ name })]).toEqual([name, expect.arrayContaining(['Grace'])]);
	}
	expect(await found({ name: '17' })).toEqual(['Grace', 'Mia']);
	expect(await found({ name: '10025542' })).toEqual(['Grace', 'Mia']);
	expect(await found({ name: '1002' })).toEqual(['Mia']);
	expect(await found({ name: 'A17' })).toEqual([]);
	expect(await found({ name: 'grace', day: '2026-11-20' })).toEqual([]);
	// Addresses of earlier releases name the field.
	expect(await found({ reference: '17' })).toEqual(['Grace']);
	expect(await found({ digits: '17' })).toEqual(['Mia']);
	expect(await found({ name: 'Grace', digits: '17' })).toEqual([]);
	for (const name of ['name', 'reference', 'digits']) {
		const html = await pageFor({ [name]: name === 'digits' ? '42' : '42x' });
		expect(html).toMatch(name === 'digits' ? /name="name"[^>]* value="42"/s : /name="name"[^>]* value="42x"/s);
		expect([...html.matchAll(/<input(?! type="hidden")/g)]).toHaveLength(2);
	}
	const empty = await pageFor({ name: 'nobody' });
	expect([...empty.matchAll(/>Clear</g)]).toHaveLength(1);
	for (const name of ['name', 'digits']) {
		const html = await pageFor({ [name]: '+1 202 555 0142', end: 'missed' });
		expect([/202.?555/.test(html), html.includes('value="42"')]).toEqual([false, true]);
	}
	expect(await pageFor({ reference: '"><script>' })).not.toContain('"><script');
});

it('the search of the desk has a link for each way in which calls end; the link keeps the rest of the search, and the chosen link is marked', async () => {
	const shop = await newShop();
	const mia = await signIn(shop.member, shop.id);
	const linksOf = async (path: string) => {
		const { html } = await send(pageAt(path), mia);
		const [, group = ''] = /<p class="chips" role="group"[^>]*>(.*?)<\/p>/s.exec(html) ?? [];
		return [...group.matchAll(/<a href="([^"]+)"( aria-current="true")?>([^<]+)</g)].map(
			([, href = '', current, label]) => [label, href.replaceAll('&amp;', '&'), current !== undefined],
		);
	};
	expect(await linksOf('calls')).toEqual([
		['All', 'calls', true],
		['Missed', 'calls?end=missed', false],
		['Talked', 'calls?end=completed', false],
		['No conversation', 'calls?end=failed', false],
		['Cancelled', 'calls?end=canceled', false],
	]);
	const [all, missed] = await linksOf('calls?end=missed&digits=42&before=x');
	expect([all, missed]).toEqual([
		['All', 'calls?digits=42', false],
		['Missed', 'calls?digits=42&end=missed', true],
	]);
	// The search form keeps the chosen outcome of calls in the hidden field `end`.
	expect((await send(pageAt('calls?end=missed'), mia)).html).toContain('type="hidden" name="end" value="missed"');
	expect((await send(pageAt('calls'), mia)).html).not.toContain('name="end"');
	expect((await send(pageAt('today'), mia)).html).toContain('<a href="calls?end=missed">Missed</a>');
});

it.each(languages)(
	'a missed call in the list says whether its visitor still waits to be called back (%s)',
	async (language) => {
		const shop = await newShop();
		const workspace = await store.get('workspace', { id: shop.id });
		if (workspace === null) throw new Error('no shop');
		await store.commit([put('workspace', { ...workspace, language }, always)]);
		const at = new Date(now.ms - 60_000).toISOString();
		const missed = { ...MISSED, connected_at: null, call_back_until: new Date(now.ms + 3_600_000).toISOString() };
		const missedCall = (visitor_name: string, changes: Partial<CallRecord> = {}): Promise<string> =>
			keepCall(shop.id, at, { ...missed, visitor_name, number_hash: `${shop.id} ${visitor_name}`, ...changes });
		const waits = await missedCall('Waits');
		const refused = await missedCall('Refused', { call_back_until: at });
		const ids = { handled: await missedCall('Handled'), back: await missedCall('Back') };
		const reached = await missedCall('Reached');
		const before = new Date(now.ms - 4 * 24 * 3_600_000).toISOString();
		await keepCall(shop.id, before, { ...missed, visitor_name: 'Old', number_hash: `${shop.id} Old` });
		// The visitor of this call waits because of a newer call.
		await keepCall(shop.id, before, { ...missed, visitor_name: 'Earlier', number_hash: `${shop.id} Waits` });
		const talk = { status: 'completed', failure_reason: null, connected_at: new Date(now.ms).toISOString() } as const;
		const call_id = await keepCall(shop.id, at, { visitor_name: 'Talk', calls_back: ids.back, ...talk });
		const link = { ...samples.callback_link, workspace_id: shop.id, of: 'call' as const, call_id: null };
		const usage = { ...samples.number_usage, number_hash: `${shop.id} Reached`, live_call_id: reached };
		await store.commit([
			put('callback_link', { ...link, lead_id: ids.handled, handled_at: at }),
			put('callback_link', { ...link, lead_id: ids.back, call_id }),
			put('number_usage', { ...usage, reached_at: new Date(now.ms).toISOString() }),
		]);
		const { after_missed, handled, no_call_back } = deskTextsIn(language);
		const mia = await signIn(shop.member, shop.id);
		const statesOn = async (page: string) => {
			// *Today* has the table of those who wait before the table of the calls.
			const table = (await send(pageAt(page), mia)).html.split('<table').at(-1) ?? '';
			const rows = table.matchAll(/<strong><bdi>(\w+)<.*?<td class="result">(.*?)<\/td>/gs);
			return [...rows].flatMap(([, name = '', result = '']) => {
				const state = result
					.replace(/^.*?<\/span><span class="soft extra"><\/span> ?/s, '')
					.replace('&amp;end=missed"', '"');
				return name === 'Talk' ? [] : [[name, state] as const];
			});
		};
		const states = Object.fromEntries(await statesOn('calls?end=missed'));
		const onToday = await statesOn('today');
		expect(onToday.length).toBeGreaterThan(2);
		expect(states).toMatchObject(Object.fromEntries(onToday));
		expect(states).toEqual({
			Waits: `<a class="chip" href="calls?id=${waits}">${after_missed.waits}</a>`,
			Earlier: `<a class="chip" href="calls?id=${waits}">${after_missed.asked_again}</a>`,
			Refused: `<a class="chip" href="calls?id=${refused}">${no_call_back.title}</a>`,
			Handled: `<span class="chip good">${handled}</span>`,
			Back: `<span class="chip good">${after_missed.called_back}</span>`,
			Reached: `<span class="chip good">${after_missed.reached}</span>`,
			Old: `<span class="chip">${after_missed.not_called}</span>`,
		});
	},
);
