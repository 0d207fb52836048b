import { expect, it } from '@jest/globals';
import { endOfToday, endOfTomorrow } from '../../../shared/domain/workspaces/business-hours.ts';
import { MOST_MISSED } from '../../../shared/use-cases/desk/to-call-back.ts';
import { updateLead } from '../../../shared/use-cases/leads/update-lead.ts';
import { deployedBytes } from '../../support/deployed-bytes.ts';
import { samples } from '../../support/sample-records.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { freshTalker } from '../../support/webhooks/customers.ts';
import { always, put } from '../../support/writes.ts';

// Tests the page Today, and what its buttons do.

const { deps, store, newShop, leaveNumber, requestCallFrom, desk, send, signIn, post, codeOf } = deskInMemory();

type Session = Awaited<ReturnType<typeof signIn>>;

const today = async ({ cookie }: Session): Promise<string> => (await send(desk('pages/today'), { cookie })).html;
const toCallBack = async (session: Session): Promise<string> =>
	/<h2>To call back<\/h2>(.*?)<h2>/s.exec(await today(session))?.[1] ?? '';

it('a request that was handled or dismissed by mistake is put back, but not one that another person has handled since', async () => {
	const shop = await newShop();
	const id = await leaveNumber(shop, '+12125550103', 'Grace');
	const mia = await signIn(shop.member, shop.id);
	for (const action of ['lead_handled', 'lead_dismissed']) {
		const [form = {}] = formsIn(await today(mia)).filter((fields) => fields['action'] === action);
		const answers = [await post(mia, 'today', form), await post(mia, 'today', form)];
		const [where, again] = answers.map(({ headers }) => headers.get('location') ?? '');
		// Pressing the button again leads to the same page.
		expect(again).toBe(where);
		const { html } = await send(new URL(where ?? '', desk('pages/today')).href, mia);
		expect(await toCallBack(mia)).not.toContain('>Grace<');
		const [undo = {}, ...more] = formsIn(html).filter((fields) => fields['action'] === 'lead_reopened');
		expect(more).toEqual([]);
		const back = await post(mia, 'today', undo);
		expect([back.status, back.headers.get('location')]).toEqual([303, 'today?saved=lead_reopened']);
		expect(await toCallBack(mia)).toContain('>Grace<');
		const status = action === 'lead_handled' ? 'dismissed' : 'handled';
		await updateLead({ workspace_id: shop.id, id, status }, deps);
		const late = await post(mia, 'today', { ...undo, shown: 'later' });
		expect([late.status, late.html]).toEqual([409, expect.stringContaining('changed this meanwhile')]);
		expect((await store.get('callback_lead', { id }))?.status).toBe(status);
		await updateLead({ workspace_id: shop.id, id, status: 'pending' }, deps);
	}
	const ida = await signIn(shop.owner, shop.id);
	expect(
		(await send(desk('pages/log'), ida)).html.match(/put the request from <bdi>[^<]*<\/bdi> back on the list/g),
	).toHaveLength(2);
});

it('the list says that it was cut, and a card says how many earlier calls back it leaves out', async () => {
	const shop = await newShop();
	const mia = await signIn(shop.member, shop.id);
	const { store, ids, clock } = deps;
	const created_at = new Date(clock.now()).toISOString();
	const over = { due_at: null, timer_at: null, winner_leg_id: null, workspace_id: shop.id, created_at, legs: [] };
	const keep = async (changes: Partial<typeof samples.call>): Promise<string> => {
		const item = { ...samples.call, ...over, status: 'failed', id: ids.next(), ...changes } as const;
		await store.commit([put('call', item)]);
		return item.id;
	};
	const missed = (nth: number) => keep({ failure_reason: 'no_agent_answer', number_hash: `visitor ${shop.id} ${nth}` });

	for (let nth = 0; nth < MOST_MISSED; nth += 1) await missed(nth);
	expect(await toCallBack(mia)).not.toContain('Older');
	await missed(MOST_MISSED);
	expect(await toCallBack(mia)).toContain(`A list has at most ${MOST_MISSED} missed calls.`);
	const [, before = ''] = /href="today\?missed=(\w+)"/.exec(await toCallBack(mia)) ?? [];
	const older = (await send(desk(`pages/today?missed=${before}`), mia)).html;
	expect(older.match(/<tr class="contact">(?=.*?name="of" value="call")/gs)).not.toBeNull();
	expect(older).toMatch(/No visitor in this list is waiting.*<a class="button quiet" href="today">Newest<\/a>/s);
	expect(older).not.toContain('A list has at most');

	await leaveNumber(shop, '+12125550103', 'Grace');
	const [lead] = await store.list('callback_lead', shop.id, { from_id: null, before_id: null, limit: 1 });
	if (lead === undefined) throw new Error('no lead');
	const former_call_ids = [];
	for (let nth = 0; nth < 5; nth += 1) former_call_ids.push(await keep({ failure_reason: 'visitor_no_answer' }));
	const item = {
		lead_id: lead.id,
		workspace_id: shop.id,
		version: 1,
		secrets: [],
		used_at: null,
		call_id: null,
		former_call_ids,
		expires_at_epoch_s: Math.floor(clock.now() / 1000) + 3600,
	};
	await store.commit([put('callback_link', item, always)]);
	const [, last = ''] = /href="today\?waiting=(\w+)"/.exec(await toCallBack(mia)) ?? [];
	expect(last).not.toBe('');
	const card = (await send(desk(`pages/today?waiting=${lead.id}`), mia)).html;
	expect(card).toMatch(/<p class="soft">↩ <bdi>\+4<\/bdi> · <time/);
	expect(card.match(/↩/g)).toHaveLength(1);
});

it('visitors who may not be called back stand apart from the others, with the reason and without a button that calls them', async () => {
	const shop = await newShop();
	const { ids, clock } = deps;
	const nowMs = clock.now();
	const missed = async (visitor_name: string, call_back_until?: string) => {
		const about = { workspace_id: shop.id, visitor_name, number_hash: `${shop.id} ${visitor_name}`, legs: [] };
		const end = { status: 'failed', failure_reason: 'no_agent_answer', due_at: null, timer_at: null } as const;
		const created_at = new Date(nowMs).toISOString();
		const until = call_back_until === undefined ? {} : { call_back_until };
		const item = { ...samples.call, ...about, ...end, ...until, id: ids.next(), created_at, winner_leg_id: null };
		await store.commit([put('call', item)]);
	};
	await missed('Radia');
	const mia = await signIn(shop.member, shop.id);
	// If no waiting visitor may be called back, the list says so above the visitors who may not be called back.
	expect(await toCallBack(mia)).toMatch(/No visitor is waiting.*<h3>No call back from here<\/h3>.*>Radia</s);
	await missed('Alan', new Date(nowMs + 3_600_000).toISOString());
	const [callable = '', others = ''] = (await toCallBack(mia)).split('<h3>No call back from here</h3>');
	expect([callable.includes('>Alan<'), callable.includes('>Radia<'), callable.includes('"lead_called"')]).toEqual([
		true,
		false,
		true,
	]);
	// Each row says why its visitor may not be called back, below its first line. The sentence above the list does not repeat the reasons.
	expect(others).toMatch(
		/^<p class="soft">Look at each one[^<]*<\/p>.*>Radia<.*What this visitor agreed to does not cover/s,
	);
	expect([others.includes('>Alan<'), others.includes('"lead_called"')]).toEqual([false, false]);
	await missed('Edith');
	const [, newest = ''] = (await toCallBack(mia)).split('<h3>No call back from here</h3>');
	expect(newest).toMatch(/>Edith<.*>Radia</s);
});

it('the card of the shop leads an owner to the opening hours, or to an empty team, and a member nowhere', async () => {
	const open = await newShop();
	const empty = await newShop('US', { team: [] });
	const stateOf = async (address: string, id: string) =>
		/<p class="state">.*?<\/p>/s.exec(await today(await signIn(address, id)))?.[0].replace(/<span.*?<\/span>/, '');
	const link = (page: string, label: string) => ` <a class="soft" href="${page}">${label}</a>`;
	expect(await stateOf(open.owner, open.id)).toBe(`<p class="state">Always open${link('hours', 'Opening hours')}</p>`);
	expect(await stateOf(open.member, open.id)).toBe('<p class="state">Always open</p>');
	expect(await stateOf(empty.owner, empty.id)).toBe(`<p class="state">Closed${link('team', 'Team')}</p>`);
});

it('a person who was erased has a row without a link and without a menu', async () => {
	const shop = await newShop();
	const { number_hash: _, ...erased } = { ...samples.call, number_hash: undefined };
	const end = { status: 'failed', failure_reason: 'no_agent_answer', due_at: null, timer_at: null } as const;
	await store.commit([put('call', { ...erased, ...end, id: deps.ids.next(), workspace_id: shop.id, legs: [] })]);
	const html = await today(await signIn(shop.member, shop.id));
	expect(html).toContain('class="contact"');
	for (const absent of ['class="menu"', 'number_suppressed', 'calls?id=']) expect(html).not.toContain(absent);
});

it('a person of the desk can suppress the number of a lead: it is not called again, and the desk never shows it', async () => {
	const shop = await newShop();
	const phone = freshTalker();
	const id = await leaveNumber(shop, phone, 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const ask = { action: 'number_suppressed', of: 'callback_lead', id };
	expect((await post(mia, 'today', ask)).status).toBe(303);
	const again = await requestCallFrom(shop, phone);
	expect(again).toBe('rate_limited');
	const other = await newShop();
	expect((await post(await signIn(other.owner, other.id), 'today', ask)).status).toBe(409);
	const { html } = await send(desk('pages/log'), { cookie: (await signIn(shop.owner, shop.id)).cookie });
	expect(html).toContain('asked that <bdi>Grace</bdi> is not called again');
	expect(html).not.toContain(phone.slice(2));
});

it('a lead whose number may not be called has no button that calls it back, and its form is refused', async () => {
	const shop = await newShop();
	const id = await leaveNumber(shop, freshTalker(), 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const button = `value="lead_called"><input type="hidden" name="id" value="${id}"`;
	expect((await send(desk('pages/today'), mia)).html).toContain(button);
	await post(mia, 'today', { action: 'number_suppressed', of: 'callback_lead', id });
	expect((await send(desk('pages/today'), mia)).html).not.toContain(button);
	expect(codeOf(await post(mia, 'today', { action: 'lead_called', id }))).toBe('not_callable');
});

it('the people who wait are a table: the daily buttons name the visitor, and the menu has the others, never to be called at its end', async () => {
	const shop = await newShop();
	await leaveNumber(shop, freshTalker(), 'Grace <3');
	await leaveNumber(shop, freshTalker(), '');
	const list = await toCallBack(await signIn(shop.member, shop.id));
	const heads = [...list.matchAll(/<th scope="col">(?:<span class="unseen">)?([^<]*)/g)].map(([, head]) => head);
	expect(heads).toEqual(['Visitor', 'Number', 'How it ended', 'Page', 'Requested', 'Note', 'Actions']);
	const [named = '', unnamed = ''] = list.split('<tr class="contact">').slice(1);
	expect(named.match(/<td /g)).toHaveLength(heads.length);
	expect([...named.matchAll(/<button[^>]*aria-label="([^"]*)">([^<]*)/g)].map(([, ...label]) => label)).toEqual([
		['Call back: Grace &lt;3', 'Call back'],
		['Mark as handled: Grace &lt;3', 'Handled'],
	]);
	expect(unnamed).toMatch(/aria-label="Call back: \+1 /);
	const [, menu = ''] = named.split('<details class="menu"');
	expect(menu).toMatch(
		/>Open<.*>Copy the ID<.*value="lead_dismissed".*>Do not call again …<.*value="number_suppressed"/s,
	);
	expect(named.split('<details class="menu"')[0]).not.toContain('lead_dismissed');
});

it('the page of today stays small and complete with many waiting, handled and recent calls, and long names', async () => {
	const shop = await newShop();
	const { ids } = deps;
	const leadId = await leaveNumber(shop, freshTalker(), 'first');
	const asked = await requestCallFrom(shop, freshTalker());
	const [lead, one] = await Promise.all([store.get('callback_lead', { id: leadId }), store.get('call', { id: asked })]);
	if (lead === null || one === null) throw new Error('nothing to copy');
	const long = 'Maximiliane-Alexandra von Hohenlohe-Langenburg '.repeat(2).trim();
	const guard = { if: 'absent' } as const;
	const past = { ...one, visitor_name: long, due_at: null, timer_at: null };
	for (let n = 0; n < 50; n += 1) {
		const calls = Array.from({ length: 10 }, () => ({ ...past, id: ids.next() }));
		const waits = { ...lead, id: ids.next(), name: `${long} ${n}`, note: long };
		// Eleven newer leads that were handled stand in front of each waiting lead. Together they are more than one page reads.
		const handled = Array.from({ length: 11 }, () => ({ ...lead, id: ids.next(), status: 'handled' as const }));
		await store.commit([
			...[waits, ...handled].map((item) => put('callback_lead', item, guard)),
			...calls.map((item) => put('call', item, guard)),
		]);
	}
	const ida = await signIn(shop.owner, shop.id);
	const shown = new Set<string>();
	let next: string | undefined = 'pages/today';
	while (next !== undefined) {
		const { html } = await send(desk(next), { cookie: ida.cookie });
		expect(deployedBytes(html)).toBeLessThan(60_000);
		for (const [, name = ''] of html.matchAll(/<strong><bdi>([^<]+)</g)) shown.add(name);
		const [, query] = [...(/href="today\?(waiting=\w+)"/.exec(html) ?? [])];
		next = query === undefined ? undefined : `pages/today?${query}`;
	}
	expect([...shown].filter((name) => name.startsWith(`${long} `)).length).toBe(50);
	const numbers = await send(desk('pages/numbers'), { cookie: ida.cookie });
	expect(deployedBytes(numbers.html)).toBeLessThan(60_000);
	expect((await send(desk('pages/calls.csv'), { cookie: ida.cookie })).html.trim().split('\r\n')).toHaveLength(502);
});

it('the list of those who wait says how many they are and in which order, and names the day that a visitor calls tomorrow', async () => {
	const shop = await newShop();
	const mia = await signIn(shop.member, shop.id);
	expect(await toCallBack(mia)).not.toContain('Longest wait first');
	const about = { ...samples.callback_lead, workspace_id: shop.id, status: 'pending' } as const;
	const leave = (name: string, note: string | null) =>
		store.commit([
			put('callback_lead', { ...about, id: deps.ids.next(), name, note, created_at: '2026-11-28T23:20:00.000Z' }),
		]);
	await leave('Hedy', 'tomorrow morning');
	await leave('Grace', 'after 18:00');
	const list = await toCallBack(mia);
	expect(list).toContain('<bdi>2</bdi> · Longest wait first');
	// It was already the 29th in Berlin.
	expect(list).toMatch(/<q><bdi>tomorrow morning<\/bdi><\/q> <span class="soft">· [^<]*30[^<]*</);
	expect(list).toContain('<p><q><bdi>after 18:00</bdi></q></p>');
	expect(list.match(/>Callback request</g)).toHaveLength(2);
	for (let nth = 0; nth < 5; nth += 1) await leave(`Visitor ${nth}`, null);
	expect(await toCallBack(mia)).toContain('<bdi>5+</bdi> · ');
});

it.each([
	[0, /· [^<]*Nov \d[^<]*<\/span><\/p>/],
	[1, /· today<\/span><\/p>/],
	[2, /· [^<]*Nov \d[^<]*<\/span> <span class="chip missed">Overdue</],
] as const)(
	'a visitor who wrote %i days ago that tomorrow suits has a day that is ahead, today or overdue',
	async (days, says) => {
		const shop = await newShop();
		const mia = await signIn(shop.member, shop.id);
		const created_at = new Date(deps.clock.now() - days * 24 * 3_600_000).toISOString();
		const about = { ...samples.callback_lead, workspace_id: shop.id, status: 'pending' } as const;
		await store.commit([put('callback_lead', { ...about, id: deps.ids.next(), note: 'tomorrow at ten', created_at })]);
		expect(await toCallBack(mia)).toMatch(says);
	},
);

it('a missed call that may be called back says until when, and a call back that is not allowed says no time', async () => {
	const shop = await newShop();
	const { time_zone } = (await store.get('workspace', { id: shop.id })) ?? { time_zone: '' };
	const nowMs = deps.clock.now();
	const missed = async (visitor_name: string, call_back_until: number | null) => {
		const about = { workspace_id: shop.id, visitor_name, number_hash: `${shop.id} ${visitor_name}`, legs: [] };
		const end = { status: 'failed', failure_reason: 'no_agent_answer', due_at: null, timer_at: null } as const;
		const until = call_back_until !== null && { call_back_until: new Date(call_back_until).toISOString() };
		const created_at = new Date(nowMs).toISOString();
		const item = { ...samples.call, ...about, ...end, ...until, id: deps.ids.next(), created_at, winner_leg_id: null };
		await store.commit([put('call', item)]);
		return item.id;
	};
	await missed('Grace', endOfToday(time_zone, nowMs));
	const id = await missed('Ada', endOfTomorrow(time_zone, nowMs));
	await missed('Radia', null);
	const mia = await signIn(shop.member, shop.id);
	const rows = (await toCallBack(mia)).split('<tr class="contact">').slice(1);
	const results = rows.flatMap((row) => {
		const [, name = '', result = ''] = />(\w+)<\/bdi>.*?<td class="result">(.*?)<\/td>/s.exec(row) ?? [];
		return [[name, result] as const];
	});
	expect(Object.fromEntries(results)).toEqual({
		Grace: '<span class="chip missed">Missed</span><span class="soft"> · last day to call back</span>',
		Ada: '<span class="chip missed">Missed</span><span class="soft"> · call back by tomorrow</span>',
		Radia: '<span class="chip missed">Missed</span>',
	});
	expect((await send(desk(`pages/calls?id=${id}`), mia)).html).toContain(' · call back by tomorrow<');
});

it('an owner gets from the state of the shop to the opening hours, also while calls are paused', async () => {
	const shop = await newShop();
	const [ida, mia] = [await signIn(shop.owner, shop.id), await signIn(shop.member, shop.id)];
	const links = async (session: Session) =>
		[...(await today(session)).matchAll(/<p class="state">.*?<\/p>/gs)].flatMap(
			([state]) => state.match(/href="[^"]*"/g) ?? [],
		);
	expect(await links(ida)).toEqual(['href="hours"']);
	const pause = formsIn(await today(ida)).find(({ action }) => action === 'paused') ?? {};
	expect((await post(ida, 'today', pause)).status).toBe(303);
	expect(await today(ida)).toContain('Paused until');
	expect([await links(ida), await links(mia)]).toEqual([['href="hours"'], []]);
});
