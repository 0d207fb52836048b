import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { type Leg, newLeg } from '../../../shared/domain/calls/leg.ts';
import { consentText } from '../../../shared/domain/workspaces/consent-text.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { erasePerson } from '../../../shared/use-cases/retention/erase-person.ts';
import { fictionalNumber } from '../../support/front-desk.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { subscribed } from '../../support/webhooks/deliveries.ts';
import { always, put } from '../../support/writes.ts';

// Tests the desk's page about one call or one callback request.

const { deps, store, now, newShop, invite, leaveNumber, requestCallFrom, pageAt, send, post, signIn } = deskInMemory();
type Shop = Awaited<ReturnType<typeof newShop>>;
type Session = Awaited<ReturnType<typeof signIn>>;

/** Each visitor has another phone number, because the calls to one number are limited. */
let visitors = 0;
const newest = (): string => fictionalNumber(visitors);
const show = async (session: Session, id: string, name = 'id'): Promise<string> =>
	(await send(pageAt(`calls?${name}=${id}`), session)).html;
/** The words that people read on the page. */
const wordsOf = (page: string): string =>
	page
		.replace(/^.*<main/s, '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ');
const isList = (page: string): boolean => page.includes('id="search"');

/**
 * A visitor asks for a call, and `changes` then overwrite fields of the stored call. In `changes`, `at(n)` is the time n
 * seconds after the request.
 */
async function callOf(shop: Shop, changes: (at: (seconds: number) => string, call: CallRecord) => Partial<CallRecord>) {
	visitors += 1;
	const id = await requestCallFrom(shop, newest(), 'Grace Hopper');
	const call = await store.get('call', { id });
	if (call === null) throw new Error(`no call: ${id}`);
	const at = (seconds: number): string => new Date(Date.parse(call.created_at) + seconds * 1000).toISOString();
	const over = { due_at: null, timer_at: null };
	await store.commit([put('call', { ...call, ...over, ...changes(at, call) }, always)]);
	// An hour passes, because the requests from one address are limited.
	now.ms = Date.parse(at(3600));
	return id;
}

function legOf(call: CallRecord, role: Leg['role'], member: string | null, changes: Partial<Leg>): Leg {
	return { ...newLeg(call.id, role, member, Date.parse(call.created_at)), rank: 'ended', ...changes };
}

/** A conversation of 184 seconds: one member did not answer, and another member did. */
const talked = (at: (seconds: number) => string, call: CallRecord): Partial<CallRecord> => {
	const rung = { dialed_at: at(1), ringing_at: at(2) };
	const winner = legOf(call, 'agent', 'm2', {
		...rung,
		member_name: 'Mia',
		answered_at: at(8),
		accepted_at: at(10),
		ended_at: at(204),
		cause: 'completed',
	});
	const legs = [
		legOf(call, 'agent', 'm1', { ...rung, member_name: 'Ida', ended_at: at(10), cause: 'hung_up' }),
		winner,
		legOf(call, 'visitor', null, {
			dialed_at: at(11),
			ringing_at: at(13),
			answered_at: at(20),
			ended_at: at(204),
			cause: 'completed',
		}),
	];
	const ended = { connected_at: at(20), completed_at: at(204), duration_seconds: 184 };
	return { status: 'completed', legs, winner_leg_id: winner.id, reference: 'Order 4711', ...ended };
};
const missed = (at: (seconds: number) => string, call: CallRecord): Partial<CallRecord> => ({
	status: 'failed',
	failure_reason: 'no_agent_answer',
	completed_at: at(31),
	duration_seconds: 0,
	legs: [legOf(call, 'agent', 'm1', { dialed_at: at(1), ringing_at: at(3), ended_at: at(31), cause: 'no_answer' })],
});

describe('the page of a call or a callback request', () => {
	it('says what happened, who was rung, what each person did, and what the visitor agreed to', async () => {
		const shop = await newShop();
		const id = await callOf(shop, talked);
		const html = await show(await signIn(shop.member, shop.id), id);
		expect(html).toContain('<title>Grace Hopper</title>');
		expect(html).toContain('<h1>Grace Hopper</h1>');
		const words = wordsOf(html);
		expect(words).toContain('Call Connected after 20 secs · talked for 3 mins, 4 secs');
		expect(words).toContain('Ida Stopped ringing after 8 secs');
		expect(words).toContain('Mia Answered after 7 secs');
		expect(words).toContain('Visitor Answered after 9 secs');
		expect(words).toContain('Order 4711');
		const workspace = await store.get('workspace', { id: shop.id });
		const { text } = consentText({ consent_text: '', consent_texts: {}, ...workspace }, 'en', 'call');
		expect(words).toContain(workspace?.consent_text ?? text);
		// One lane for the call, one for each of three phones, and one for the axis.
		expect(html.match(/class="lane"/g)).toHaveLength(5);
		expect(html.match(/class="talking" x="60%"/g)).toHaveLength(3);
	});

	it('lists every moment by the clock of the shop', async () => {
		const shop = await newShop();
		const id = await callOf(shop, missed);
		const html = await show(await signIn(shop.member, shop.id), id);
		const table = /class="moments".*?<\/table>/s.exec(html)?.[0] ?? '';
		const rows = [...table.matchAll(/<time datetime="([^"]+)".*?<td>(.*?)<\/td>\s*<td>(.*?)<\/td>/gs)];
		const [first = ''] = rows.map(([, at]) => at);
		const seconds = rows.map(([, at = '', who = '', says = '']) => [
			(Date.parse(at) - Date.parse(first)) / 1000,
			wordsOf(`<main${who}`).trim(),
			says,
		]);
		expect(seconds).toEqual([
			[0, 'Call', 'Requested'],
			[1, 'Ida Wells', 'Dialling'],
			[3, 'Ida Wells', 'Ringing'],
			[31, 'Call', 'Ended'],
			[31, 'Ida Wells', 'Ended'],
		]);
	});

	it('is linked from the name in the lists, and links to the calls back, which link to this page', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const id = await callOf(shop, missed);
		const callBack = await callOf(shop, (at, call) => ({ ...talked(at, call), calls_back: id }));
		const link = {
			...samples.callback_link,
			lead_id: id,
			of: 'call',
			workspace_id: shop.id,
			call_id: callBack,
		} as const;
		await store.commit([put('callback_link', link)]);
		const list = (await send(pageAt('calls'), mia)).html;
		expect(list).toContain(`<a href="calls?id=${id}"><strong><bdi>Grace Hopper</bdi></strong></a>`);
		expect((await send(pageAt('today'), mia)).html).toContain(`href="calls?id=${id}"`);
		expect(await show(mia, id)).toContain(`<a href="calls?id=${callBack}">`);
		const html = await show(mia, callBack);
		expect(html).toContain(`<a href="calls?id=${id}">Missed by the team, `);
		// The call back has no consent of its own, so its page shows the consent of the visitor's request.
		expect(html).toContain('<blockquote');
	});

	it('leads back to the search with which the person came, from every link and after a form, and to no other address', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const id = await callOf(shop, missed);
		const lead = await leaveNumber(shop, '+12125550124', 'Barbara');
		const search = 'end=missed&day=2026-11-20&name=Grace';
		const linkTo = (page: string, query: string) => `href="${page}?${query.replaceAll('&', '&amp;')}"`;
		const list = (await send(pageAt('calls?end=missed&name=Grace'), mia)).html;
		expect(list).toContain(linkTo('calls', `id=${id}&end=missed&name=Grace`));
		for (const [name, of] of [
			['id', id],
			['lead', lead],
		] as const) {
			const { html } = await send(pageAt(`calls?${name}=${of}&${search}&before=${id}`), mia);
			expect(html).toContain(
				`<p class="back"><a ${linkTo('calls', `day=2026-11-20&end=missed&name=Grace&before=${id}`)}>`,
			);
		}
		expect((await send(pageAt(`calls?lead=${lead}`), mia)).html).toContain('<p class="back"><a href="today">');
		const evil = 'end=//evil.example&before=https://evil.example&next=//evil.example&day=javascript:';
		const { html } = await send(pageAt(`calls?id=${id}&${evil}`), mia);
		expect(html).toContain('<p class="back"><a href="calls">');
		expect(html).not.toContain('evil.example');
		const [form = {}] = formsIn(html).filter(({ action }) => action === 'number_suppressed');
		const { headers } = await post(mia, `calls?id=${id}&end=missed&name=Grace%26H&next=x`, form);
		expect(headers.get('location')).toBe(`calls?id=${id}&end=missed&name=Grace%26H&saved=number_suppressed`);
		const fromList = await post(mia, 'calls?end=missed', { ...form, shown: 'later' });
		expect(fromList.headers.get('location')).toBe('calls?end=missed&saved=number_suppressed');
	});

	it('shows the note of a callback request, what the visitor agreed to, and the buttons as long as the request waits', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const id = await leaveNumber(shop, '+12125550122', 'Alan');
		expect((await send(pageAt('today'), mia)).html).toContain(`href="calls?lead=${id}"`);
		const html = await show(mia, id, 'lead');
		expect(wordsOf(html)).toContain('Callback request: To call back');
		const actions = formsIn(html).map(({ action }) => action);
		expect(actions).toEqual(
			expect.arrayContaining(['lead_called', 'lead_handled', 'lead_dismissed', 'number_suppressed']),
		);
		const [form = {}] = formsIn(html).filter(({ action }) => action === 'lead_dismissed');
		await post(mia, `calls?lead=${id}`, form);
		expect(wordsOf(await show(mia, id, 'lead'))).toContain('Callback request: Dismissed');
	});

	it('leads from a call back to its lead, and shows what the visitor agreed to with the lead', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const lead = await leaveNumber(shop, '+12125550123', 'Edsger');
		const callBack = await callOf(shop, (at, call) => ({ ...talked(at, call), lead_id: lead }));
		const html = await show(mia, callBack);
		expect(html).toContain(`<a href="calls?lead=${lead}">Callback request, `);
		const agreed = /<blockquote.*<\/blockquote>.*?<\/p>/s;
		expect(agreed.exec(html)?.[0]).toBe(agreed.exec(await show(mia, lead, 'lead'))?.[0] ?? 'no consent');
	});

	it('has the buttons of a missed call as long as the visitor waits for a call back, and still shows the call after a button was pressed', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const id = await callOf(shop, missed);
		const forms = formsIn(await show(mia, id));
		expect(forms.map(({ action }) => action)).toEqual(expect.arrayContaining(['lead_handled', 'number_suppressed']));
		const [never = {}] = forms.filter(({ action }) => action === 'number_suppressed');
		const answer = await post(mia, `calls?id=${id}`, never);
		expect([answer.status, answer.headers.get('location')]).toEqual([303, `calls?id=${id}&saved=number_suppressed`]);
		const html = await show(mia, id);
		expect(html).toContain('This number is not called again.');
		expect(formsIn(html).map(({ action }) => action)).not.toContain('number_suppressed');
		const refused = await post(mia, `calls?id=${id}`, { ...never, token: 'x' });
		// The refusal is shown on the page Today, which has the heading "Calls".
		expect([refused.status, refused.html.includes('<h2>Calls</h2>')]).toEqual([403, true]);
	});

	it.each([
		['id', 'Missed', 'Handled', (shop: Shop) => callOf(shop, missed)],
		[
			'lead',
			'Callback request: To call back',
			'Callback request: Handled',
			(shop: Shop) => leaveNumber(shop, '+12125550124', 'Mary'),
		],
	] as const)('says that the request was handled, and can take that back (%s)', async (of, waits, handled, asks) => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const id = await asks(shop);
		const pressed = async (word: string): Promise<string> => {
			const [form = {}] = formsIn(await show(mia, id, of)).filter(({ action }) => action === word);
			await post(mia, `calls?${of}=${id}`, form);
			return wordsOf(await show(mia, id, of));
		};
		const before = wordsOf(await show(mia, id, of));
		expect([before.includes(waits), before.includes('Undo')]).toEqual([true, false]);
		const after = await pressed('lead_handled');
		expect([after.includes(handled), after.includes('Undo'), after.includes('Call back')]).toEqual([true, true, false]);
		expect(await pressed('lead_reopened')).toBe(before);
	});

	it('shows a call in progress, with each phone’s line in the drawing up to now', async () => {
		const shop = await newShop();
		const id = await callOf(shop, (at, call) => ({
			status: 'ringing',
			legs: [legOf(call, 'agent', 'm1', { rank: 'ringing', dialed_at: at(1), ringing_at: at(3), ended_at: null })],
		}));
		const html = await show(await signIn(shop.member, shop.id), id);
		expect(wordsOf(html)).toContain('Call Ringing');
		expect(wordsOf(html)).toContain('Ida Wells Ringing');
		expect(html).toMatch(/class="ringing" x="0.08%" width="99.\d+%"/);
		expect(wordsOf(html)).not.toContain('Ended');
	});

	it('names the member of a test call in place of the visitor, and leaves out what only a real visitor has', async () => {
		const shop = await newShop();
		const id = await callOf(shop, (at, { number_hash: _, ...call }) => ({
			...talked(at, { ...call, number_hash: 'none' }),
			visitor_name: null,
			is_test: true,
			plan: { ...call.plan, members: ['m1'] },
		}));
		const html = await show(await signIn(shop.owner, shop.id), id);
		expect(html).toContain('<h1>Test call</h1>');
		expect(wordsOf(html)).toContain('Ida Wells (Visitor)');
		for (const absent of ['What the visitor agreed to', 'Webhooks Activity', 'Do not call again'])
			expect(wordsOf(html)).not.toContain(absent);
	});

	it('names members as in the current team if the record of the call has no names', async () => {
		const shop = await newShop();
		const id = await callOf(shop, (at, call) => ({
			...missed(at, call),
			legs: ['m1', 'gone'].map((member) =>
				legOf(call, 'agent', member, { dialed_at: at(1), ended_at: at(20), cause: 'busy' }),
			),
		}));
		const words = wordsOf(await show(await signIn(shop.member, shop.id), id));
		expect(words).toContain('Ida Wells Was busy');
		expect(words).toContain('A former member Was busy');
	});
});

describe('the webhooks of a call', () => {
	it('are shown to owners, each delivery with a link, and to no member', async () => {
		const shop = await newShop();
		const workspace_id = shop.id;
		const url = 'https://receiver.example/hook?key=secret';
		const endpoint = subscribed(`of ${shop.id}`, now.ms, { workspace_id, url, events: ['call.requested'] });
		await store.commit([put('webhook_endpoint', endpoint)]);
		const id = await callOf(shop, missed);
		const html = await show(await signIn(shop.owner, shop.id), id);
		expect(html).toMatch(/<strong dir="ltr">call.requested<\/strong>/);
		expect(html).toMatch(
			/href="..\/developers\/deliveries\?id=\w{26}">Waiting<\/a> · <bdi dir="ltr">receiver.example\/hook</,
		);
		expect(html).not.toContain('key=secret');
		const ofMember = await show(await signIn(shop.member, shop.id), id);
		for (const absent of ['call.requested', 'receiver.example']) expect(ofMember).not.toContain(absent);
	});
});

describe('an address that names no call of the shop', () => {
	it('shows the list, and says that there is no such call: for an unknown or hostile id, a call of another shop or an erased person, a lead as a call, and a call as a lead', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const foreign = await callOf(await newShop(), talked);
		const own = await callOf(shop, missed);
		const lead = await leaveNumber(shop, '+12125550133', 'Alan');
		const list = (page: string) => page.replaceAll(/ value="[^"]*"/g, '');
		const expected = list(await show(mia, '01ARZ3NDEKTSV4RRFFQ69G5FAV'));
		expect(isList(expected)).toBe(true);
		expect(wordsOf(expected)).toContain('There is no such call, or it was deleted.');
		for (const id of [foreign, lead, `${own}'`, '%22%3E%3Cscript%3E', '__proto__'])
			expect(list(await show(mia, id))).toBe(expected);
		const noLead = await show(mia, own, 'lead');
		expect([isList(noLead), wordsOf(noLead).includes('There is no such callback request')]).toEqual([true, true]);
		for (const named of [await show(mia, ''), (await send(pageAt('calls'), mia)).html])
			expect([isList(named), named.includes('There is no such')]).toEqual([true, false]);
		expect(isList(await show(mia, own))).toBe(false);
		await erasePerson({ workspace_id: shop.id, e164: newest(), keep_consent: true }, deps);
		const erased = await show(mia, own);
		expect([isList(erased), wordsOf(erased).includes('There is no such call')]).toEqual([true, true]);
		expect(erased).not.toContain(`id=${own}`);
		// No form on the page contains the id of the erased call any more.
		expect(erased).not.toContain(`value="${own}"`);
	});

	it('is read by a developer without names, the consent and any button, and the list is refused to a developer', async () => {
		const shop = await newShop();
		await invite(shop.id, 'dev@agency.example', 'developer');
		const dev = await signIn('dev@agency.example', shop.id);
		const source_url = `${shop.allowed_origin}/contact?email=ada@shop.example&utm_campaign=ada@shop.example`;
		const id = await callOf(shop, (at, call) => ({ ...missed(at, call), source_url, reference: 'order-7' }));
		const lead = await leaveNumber(shop, '+12125550125', 'Edith');
		const opened = async (query: string) => {
			const { status, html } = await send(pageAt(`calls${query}`), dev);
			return { status, html, actions: formsIn(html).map(({ action }) => action), words: wordsOf(html) };
		};
		const call = await opened(`?id=${id}`);
		expect([call.status, call.actions]).toEqual([200, ['signed_out']]);
		for (const shown of ['A visitor', 'What happened', 'Member 1', 'Webhooks']) expect(call.words).toContain(shown);
		for (const hidden of ['Grace', 'Ida Wells', 'What the visitor agreed to', 'Do not call again', 'order-7', 'ada@'])
			expect(call.html).not.toContain(hidden);
		expect(call.html).toContain('<p class="back"><a href="../developers/deliveries">Deliveries</a></p>');
		const request = await opened(`?lead=${lead}`);
		expect([request.status, request.actions, request.html.includes('Edith')]).toEqual([200, ['signed_out'], false]);
		expect(request.words).toContain('Callback request: To call back');
		const unknown = await opened(`?id=${lead}`);
		expect([unknown.status, unknown.words.includes('There is no such call'), unknown.html.includes(id)]).toEqual([
			200,
			true,
			false,
		]);
		for (const query of ['', '?id=', '?id=x', '?end=missed']) expect((await opened(query)).status).toBe(403);
		const form = { action: 'lead_handled', of: 'call', id };
		const refused = await post(dev, `calls?id=${id}`, form);
		expect([refused.status, /Grace|To call back/.test(refused.html)]).toEqual([403, false]);
	});
});

describe('hostile and long input', () => {
	const NAME = `${'\u05d0'.repeat(50)}"><script>${'x'.repeat(40)}`;

	it.each(languages)('stays text and below 70 KB: 20 phones, names of 100 characters, in %s', async (language) => {
		const shop = await newShop('US', { language });
		const id = await callOf(shop, (at, call) => ({
			...missed(at, call),
			visitor_name: NAME,
			reference: '<b>'.repeat(20),
			source_url: `javascript:alert(1)//${'/%D7%90'.repeat(300)}"><img src=x onerror=alert(1)>`,
			legs: Array.from({ length: 20 }, (_, nth) =>
				legOf(call, 'agent', `m${nth}`, {
					member_name: NAME,
					dialed_at: at(nth),
					ringing_at: at(nth + 1),
					answered_at: at(nth + 2),
					accepted_at: at(nth + 3),
					ended_at: at(31),
					cause: 'completed',
				}),
			),
		}));
		const html = await show(await signIn(shop.owner, shop.id), id);
		// The built page also has 20 KB of minified style, which is left out here.
		expect(html.replace(/<style>.*?<\/style>/s, '').length).toBeLessThan(50_000);
		expect(html.match(/class="lane"/g)).toHaveLength(22);
		for (const hostile of ['"><script', '<img', '<b>', 'href="javascript']) expect(html).not.toContain(hostile);
		expect(html).not.toMatch(/undefined|NaN|\{0\}/);
	});

	it('does not stop the page from showing a call whose times are missing, equal, or out of order', async () => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const calls = [
			await callOf(shop, () => ({ status: 'failed', failure_reason: 'no_agent_callable', completed_at: null })),
			await callOf(shop, (at, call) => ({ ...talked(at, call), completed_at: at(20), connected_at: at(-5) })),
			await callOf(shop, (at, call) => ({ ...talked(at, call), connected_at: at(20), completed_at: at(90_000) })),
		];
		for (const id of calls) {
			const html = await show(mia, id);
			expect(isList(html)).toBe(false);
			expect(html).not.toMatch(/NaN|undefined/);
			for (const [, x = '', width = ''] of html.matchAll(/x="([\d.-]+)%" width="([\d.-]+)%"/g)) {
				expect(Number(x)).toBeGreaterThanOrEqual(0);
				expect(Number(x) + Number(width)).toBeLessThanOrEqual(100.01);
			}
		}
	});
});
