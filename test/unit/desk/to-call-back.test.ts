import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { consentText } from '../../../shared/domain/workspaces/consent-text.ts';
import { advanceCall } from '../../../shared/use-cases/calls/advance-call.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { callBack, doNotCall, handleMissed, reopenMissed } from '../../../shared/use-cases/desk/contacts.ts';
import { missedStates } from '../../../shared/use-cases/desk/missed-state.ts';
import {
	FIRST,
	listToCallBack,
	MOST_MISSED,
	type Waiting,
	type WaitingPlace,
} from '../../../shared/use-cases/desk/to-call-back.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { confirmCallback } from '../../../shared/use-cases/leads/confirm-callback.ts';
import { findCallbackLink } from '../../../shared/use-cases/leads/find-callback-link.ts';
import { updateLead } from '../../../shared/use-cases/leads/update-lead.ts';
import { erasePerson } from '../../../shared/use-cases/retention/erase-person.ts';
import { requestCall } from '../../../shared/use-cases/widget/request-call.ts';
import { withSettings } from '../../../shared/use-cases/workspaces/with-settings.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

/** Saturday, 10:00 in Berlin. */
const START_MS = Date.parse('2026-11-21T09:00:00Z');
const MINUTE_MS = 60_000;
const tokenIn = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** A shop whose visitors make calls and leave leads, and the list of people to call back at its desk. */
async function shop() {
	const store = memoryStore();
	const front = frontDesk(store, START_MS);
	const { deps, now } = front;
	const workspace = front.workspace();
	await store.commit([put('workspace', workspace, always)]);
	const ours = consentText(workspace, 'en', 'call').id;

	const visitor = (phone: string, text: string | null) => {
		return {
			origin: 'https://shop.example',
			page_url: 'https://shop.example/pricing',
			phone,
			name: 'Ada',
			consent: true,
			consent_text_id: text,
			source_ip: '192.0.2.1',
			workspace,
		};
	};
	const end = async (id: string, changes: Partial<CallRecord>): Promise<string> => {
		const call = await store.get('call', { id });
		if (call === null) throw new Error(`no call ${id}`);
		const legs = call.legs.map((leg) => ({ ...leg, rank: 'ended' as const }));
		const item: CallRecord = { ...call, legs, due_at: null, status: 'failed', ...changes };
		await store.commit([put('call', item, always)]);
		now.ms += MINUTE_MS;
		return id;
	};
	const asks = async (phone: string, text: string | null = ours) => {
		const asked = await requestCall(visitor(phone, text), deps);
		if (asked.outcome !== 'placed') throw new Error(asked.refused);
		return asked.call;
	};
	/**
	 * A visitor makes a call that ends with these changes. `text`: the id of the consent text that the visitor agreed to; by default
	 * the service's own text.
	 */
	const calls = async (phone: string, changes: Partial<CallRecord>, text?: string | null): Promise<string> =>
		end((await asks(phone, text)).id, changes);
	const misses = (phone: string, text?: string | null) => calls(phone, { failure_reason: 'no_agent_answer' }, text);
	const leaves = async (phone: string): Promise<string> => {
		const asked = await captureLead(visitor(phone, null), deps);
		if (asked.outcome !== 'captured') throw new Error(asked.refused);
		now.ms += MINUTE_MS;
		return asked.lead.id;
	};
	const items = async (): Promise<readonly Waiting[]> => (await listToCallBack(workspace, FIRST, 100, deps)).items;
	/**
	 * The ids of the requests that wait for a call back. Each comes with the reason why the desk may not call it back, or with
	 * null.
	 */
	const waits = async () => (await items()).map(({ asked, refused }) => [asked.id, refused]);
	const contact = (id: string) => ({ of: 'call', id }) as const;
	/** Presses the button to call back. Returns the one-time link, or the refusal. */
	const press = async (of: 'call' | 'callback_lead', id: string, secret: Uint8Array = randomBytes(32)) => {
		const outcome = await callBack(workspace.id, { of, id }, secret, deps);
		return 'link' in outcome ? outcome.link : outcome.refused;
	};
	/** Confirms a link. Returns the call that rings, or the code of the refusal. */
	const ring = async (link: string) => {
		const outcome = await confirmCallback({ token: tokenIn(link), phone: 'm1' }, deps);
		return 'refused' in outcome ? outcome.refused : outcome.call;
	};
	const rung = async (link: string): Promise<CallRecord> => {
		const call = await ring(link);
		const record = typeof call === 'string' ? null : await store.get('call', { id: call.id });
		if (record === null) throw new Error('it does not ring');
		return record;
	};
	const withVisitor = (call: CallRecord) => ({ legs: [...call.legs, newLeg(call.id, 'visitor', null, now.ms)] });
	return {
		store,
		now,
		deps,
		workspace,
		asks,
		calls,
		misses,
		leaves,
		end,
		withVisitor,
		items,
		waits,
		contact,
		press,
		ring,
		rung,
	};
}

const ADA = fictionalNumber(1);
const GRACE = fictionalNumber(2);
const MIA = fictionalNumber(3);

describe('the list of those to call back', () => {
	it('has callback requests and missed calls, oldest first, in pages', async () => {
		const { misses, leaves, calls, waits, workspace, deps } = await shop();
		const expected = [await misses(ADA), await leaves(GRACE), await misses(MIA)];
		await calls(fictionalNumber(4), { status: 'completed', connected_at: '2026-11-21T09:10:00.000Z' });
		await calls(fictionalNumber(5), { status: 'failed', failure_reason: 'visitor_no_answer' });
		expect(await waits()).toEqual(expected.map((id) => [id, null]));
		const first = await listToCallBack(workspace, FIRST, 2, deps);
		const second = await listToCallBack(workspace, { ...FIRST, from_id: first.next }, 2, deps);
		expect([first, second].map(({ items }) => items.map(({ asked }) => asked.id))).toEqual([
			expected.slice(0, 2),
			expected.slice(2),
		]);
		expect(second.next).toBeNull();
	});

	it('leaves out everyone who was reached after the request, even if a later call reached no one', async () => {
		const { misses, calls, waits, now } = await shop();
		await misses(ADA);
		await calls(ADA, { status: 'completed', connected_at: new Date(now.ms).toISOString() });
		expect(await waits()).toEqual([]);
		await calls(ADA, { status: 'canceled', failure_reason: 'canceled' });
		expect(await waits()).toEqual([]);
	});

	it('lists a person once, by the latest request in any status', async () => {
		const { misses, leaves, waits, workspace, deps } = await shop();
		await misses(ADA);
		const latest = await misses(ADA);
		expect(await waits()).toEqual([[latest, null]]);
		const id = await leaves(ADA);
		expect(await waits()).toEqual([[id, null]]);
		await updateLead({ workspace_id: workspace.id, id, status: 'handled' }, deps);
		expect(await waits()).toEqual([]);
	});

	it('lists a person once, even if the person hung up in a later call', async () => {
		const { misses, calls, waits, workspace, deps } = await shop();
		await misses(ADA);
		const latest = await misses(ADA);
		const grace = await misses(GRACE);
		for (const phone of [ADA, GRACE]) await calls(phone, { status: 'canceled', failure_reason: 'canceled' });
		expect(await waits()).toEqual([latest, grace].map((id) => [id, null]));
		await handleMissed(workspace.id, latest, deps);
		expect(await waits()).toEqual([[grace, null]]);
	});

	it('lists a person once, even if the newer request was called back in vain', async () => {
		const { misses, waits, press, rung, end } = await shop();
		await misses(ADA);
		const latest = await misses(ADA);
		await end((await rung(await press('call', latest))).id, { failure_reason: 'no_agent_answer' });
		expect(await waits()).toEqual([[latest, null]]);
	});

	it('has each of very many once: on the pages of the first list, or on those of the lists of older missed calls', async () => {
		const { misses, leaves, workspace, deps, now } = await shop();
		now.ms = Date.parse('2026-11-21T00:00:00Z');
		const expected: string[] = [];
		const repeated = fictionalNumber(900);
		await misses(repeated);
		for (let nth = 0; nth < 2 * MOST_MISSED; nth += 1) expected.push(await misses(fictionalNumber(nth + 10)));
		expected.push(await misses(repeated));
		const lead = await leaves(ADA);
		const lists: string[][] = [];
		for (let older: string | null = ''; older !== null; ) {
			const list: string[] = [];
			let place: WaitingPlace | null = { ...FIRST, before_id: older === '' ? null : older };
			while (place !== null) {
				const page = await listToCallBack(workspace, place, 30, deps);
				list.push(...page.items.map(({ asked }) => asked.id));
				older = page.older;
				place = page.next === null ? null : { ...place, from_id: page.next };
			}
			lists.push(list);
		}
		expect(lists.map((list) => list.length)).toEqual([MOST_MISSED + 1, MOST_MISSED, 1]);
		expect(lists[0]).toContain(lead);
		expect(
			lists
				.toReversed()
				.flat()
				.filter((id) => id !== lead),
		).toEqual(expected);
	});

	it('has a missed call until the end of the next day on the shop’s clock', async () => {
		const { misses, waits, now } = await shop();
		const id = await misses(ADA);
		now.ms = Date.parse('2026-11-22T22:59:59Z');
		expect(await waits()).toEqual([[id, null]]);
		now.ms += 1000;
		expect(await waits()).toEqual([]);
	});

	it('has no missed call that a person has dealt with, and no person who was erased', async () => {
		const { misses, waits, workspace, deps, contact, press } = await shop();
		const ada = await misses(ADA);
		const grace = await misses(GRACE);
		const link = await press('call', ada);
		expect(await handleMissed(workspace.id, ada, deps)).toEqual({ done: true });
		expect(await waits()).toEqual([[grace, null]]);
		expect(await findCallbackLink(tokenIn(link), deps)).toEqual({ refused: 'link_not_valid' });
		expect(await callBack(workspace.id, contact(ada), randomBytes(32), deps)).toEqual({ refused: 'not_found' });
		await erasePerson({ workspace_id: workspace.id, e164: GRACE, keep_consent: false }, deps);
		expect(await waits()).toEqual([]);
	});
});

describe('what became of a missed call', () => {
	it('is that no one has called the visitor since, once the call has left the list, as long as that is known', async () => {
		const { misses, calls, rung, press, end, workspace, deps, now, store } = await shop();
		const stateOf = async (id: string) => {
			const call = await store.get('call', { id });
			return call && (await missedStates([call], workspace, deps))[0]?.state;
		};
		const day = 24 * 60 * MINUTE_MS;
		const [alone, talked, rings] = [await misses(ADA), await misses(GRACE), await misses(fictionalNumber(4))];
		// The team's phone rang for the call back, and the visitor's did not.
		await end((await rung(await press('call', rings))).id, { failure_reason: 'no_agent_answer' });
		now.ms += 2 * day;
		const states = async () => [await stateOf(alone), await stateOf(talked), await stateOf(rings)];
		expect(await states()).toEqual(['not_called', 'not_called', 'not_called']);
		const late = await calls(GRACE, { status: 'completed', connected_at: new Date(now.ms).toISOString() });
		expect(await states()).toEqual(['not_called', 'reached', 'not_called']);
		const call = await store.get('call', { id: late });
		if (call === null) throw new Error('no call');
		now.ms += 27 * day;
		expect(await stateOf(alone)).toBe('not_called');
		now.ms += 2 * day;
		expect(await stateOf(alone)).toBeUndefined();
	});

	it('is, for an old call, what became of the visitor’s newer missed call', async () => {
		const { misses, workspace, deps, now, store } = await shop();
		const old = await misses(ADA);
		now.ms += 4 * 24 * 60 * MINUTE_MS;
		const newest = await misses(ADA);
		const call = await store.get('call', { id: old });
		const state = async () => call && (await missedStates([call], workspace, deps))[0];
		expect(await state()).toEqual({ state: 'waits', id: newest });
		await handleMissed(workspace.id, newest, deps);
		expect(await state()).toEqual({ state: 'handled', id: newest });
	});

	it('is not said of an old call if its visitor has left a callback request since', async () => {
		const { misses, leaves, workspace, deps, now, store } = await shop();
		const ids = [await misses(ADA), await misses(GRACE)];
		const lead = await leaves(ADA);
		await updateLead({ workspace_id: workspace.id, id: lead, status: 'handled' }, { store, clock: deps.clock });
		now.ms += 2 * 24 * 60 * MINUTE_MS;
		const calls = await Promise.all(ids.map((id) => store.get('call', { id })));
		const states = await missedStates(
			calls.flatMap((call) => call ?? []),
			workspace,
			deps,
		);
		expect(states.map((state) => state?.state)).toEqual([undefined, 'not_called']);
	});

	it('is not said of an old call if there were more calls since than are read', async () => {
		const { misses, calls, workspace, deps, now, store } = await shop();
		const id = await misses(ADA);
		now.ms += 2 * 24 * 60 * MINUTE_MS;
		for (let nth = 0; nth < 199; nth += 1) await calls(MIA, { status: 'canceled' });
		const old = await store.get('call', { id });
		const state = async () => old && (await missedStates([old], workspace, deps))[0]?.state;
		expect(await state()).toBe('not_called');
		await calls(MIA, { status: 'canceled' });
		expect(await state()).toBeUndefined();
	});

	it('is that it waits, was handled, was called back, or that its visitor was reached otherwise', async () => {
		const { misses, calls, press, rung, end, withVisitor, workspace, deps, now, store } = await shop();
		const stateOf = async (id: string) => {
			const call = await store.get('call', { id });
			return call && ((await missedStates([call], workspace, deps))[0] ?? null);
		};
		const nowText = () => new Date(now.ms).toISOString();
		const talks = await calls(MIA, { status: 'completed', connected_at: nowText() });
		const waits = await misses(ADA);
		const noted = await misses(ADA, null);
		expect([await stateOf(talks), await stateOf(waits)]).toEqual([null, { state: 'not_from_here', id: noted }]);
		const latest = await misses(ADA);
		for (const id of [waits, noted, latest]) expect(await stateOf(id)).toEqual({ state: 'waits', id: latest });
		const vain = await rung(await press('call', latest));
		expect(await stateOf(waits)).toEqual({ state: 'waits', id: latest });
		await end(vain.id, { failure_reason: 'visitor_no_answer', ...withVisitor(vain) });
		for (const id of [waits, latest]) expect(await stateOf(id)).toEqual({ state: 'called_back', id: latest });
		expect(await stateOf(vain.id)).toBeNull();

		const grace = await misses(GRACE);
		await handleMissed(workspace.id, grace, deps);
		expect(await stateOf(grace)).toEqual({ state: 'handled', id: grace });
		const back = await misses(fictionalNumber(4));
		await end((await rung(await press('call', back))).id, { status: 'completed', connected_at: nowText() });
		expect(await stateOf(back)).toEqual({ state: 'called_back', id: back });
		const again = await misses(fictionalNumber(5));
		await calls(fictionalNumber(5), { status: 'completed', connected_at: nowText() });
		expect(await stateOf(again)).toEqual({ state: 'reached', id: again });
		const alone = await misses(fictionalNumber(6));
		now.ms += 2 * 24 * 60 * MINUTE_MS;
		expect(await stateOf(alone)).toEqual({ state: 'not_called', id: alone });
		expect(await stateOf(latest)).toEqual({ state: 'called_back', id: latest });
		expect(await stateOf(grace)).toEqual({ state: 'handled', id: grace });
	});
});

describe('a missed call', () => {
	it.each(['', 'Call me.'])(
		'whose consent covers no call back is not called back, and keeps its number for four hours: "%s"',
		async (own) => {
			const { misses, waits, press, store, workspace } = await shop();
			const text =
				own === '' ? null : consentText({ ...workspace, consent_texts: { en: { call: own } } }, 'en', 'call').id;
			if (own !== '') Object.assign(workspace, { consent_texts: { en: { call: own } } });
			const id = await misses(ADA, text);
			expect(await waits()).toEqual([[id, 'not_agreed']]);
			expect(await press('call', id)).toBe('not_agreed');
			const number = await store.get('sealed_number', { owner: `call#${id}` });
			expect(number?.expires_at_epoch_s).toBe(START_MS / 1000 + 4 * 3600);
		},
	);

	it('whose consent covers a call back is called back once, and its number is kept until the end of the next day', async () => {
		const { misses, waits, press, rung, end, store, withVisitor, items } = await shop();
		const id = await misses(ADA);
		const number = await store.get('sealed_number', { owner: `call#${id}` });
		expect(number?.expires_at_epoch_s).toBe(Date.parse('2026-11-22T23:00:00Z') / 1000);
		const call = await rung(await press('call', id));
		expect(call).toMatchObject({ calls_back: id, plan: { members: ['m1'], order: 'agent_first' } });
		expect(await waits()).toEqual([[id, 'calling_now']]);
		await end(call.id, { failure_reason: 'visitor_no_answer', ...withVisitor(call) });
		expect(await waits()).toEqual([[id, 'called_once']]);
		expect((await items()).map(({ attempts }) => attempts.map(({ failure_reason }) => failure_reason))).toEqual([
			['visitor_no_answer'],
		]);
		expect(await press('call', id)).toBe('called_once');
	});

	it('under the shop’s own consent text is called back if the shop says that the text covers it, until the text changes', async () => {
		const { misses, waits, press, store, workspace } = await shop();
		const en = (settings: Parameters<typeof withSettings>[1]): string => {
			Object.assign(workspace, withSettings(workspace, settings));
			return consentText(workspace, 'en', 'call').id;
		};
		const own = en({ consent_texts: { en: { call: 'Call me, tomorrow too.' } }, covers_call_back: { en: true } });
		const id = await misses(ADA, own);
		expect(await waits()).toEqual([[id, null]]);
		expect(await press('call', id)).toMatch(/callback-links/);
		const number = await store.get('sealed_number', { owner: `call#${id}` });
		expect(number?.expires_at_epoch_s).toBe(Date.parse('2026-11-22T23:00:00Z') / 1000);
		// A change of another setting does not affect the permission to call back. A change of the text ends the permission for
		// later calls, even if the text is changed back.
		en({ privacy_links: { en: 'https://shop.example/privacy' } });
		const grace = await misses(GRACE, own);
		en({ consent_texts: { en: { call: 'Call me.' } } });
		const again = en({ consent_texts: { en: { call: 'Call me, tomorrow too.' } } });
		expect(again).toBe(own);
		const mia = await misses(MIA, again);
		expect(await waits()).toEqual([
			[id, null],
			[grace, null],
			[mia, 'not_agreed'],
		]);
		// A visitor who called before the text changed may still be called back.
		expect(await press('call', grace)).toMatch(/callback-links/);
	});

	it('keeps its number; any other call deletes its number at its end', async () => {
		const { asks, deps, store, workspace } = await shop();
		const numberOf = (id: string) => store.get('sealed_number', { owner: `call#${id}` });
		const missed = await asks(ADA);
		const canceled = await asks(GRACE);
		const at = new Date(START_MS).toISOString();
		const fact = {
			provider_id: 'p',
			ringing_at: null,
			answered_at: null,
			accepted_at: null,
			rank: 'ended',
			at,
			cause: 'no_answer',
		} as const;
		const leg_id = missed.legs[0]?.id ?? '';
		expect(await advanceCall(missed.id, { input: 'leg_fact', leg_id, fact }, deps)).toMatchObject({
			call: { failure_reason: 'no_agent_answer' },
		});
		await cancelCall({ workspace_id: workspace.id, id: canceled.id }, deps);
		expect([await numberOf(missed.id), await numberOf(canceled.id)]).toEqual([expect.anything(), null]);
	});

	it('may be called back again if the visitor’s phone has not rung, and leaves the list after a conversation', async () => {
		const { misses, waits, press, rung, end, now } = await shop();
		const id = await misses(ADA);
		const first = await rung(await press('call', id));
		await end(first.id, { failure_reason: 'no_agent_answer' });
		expect(await waits()).toEqual([[id, null]]);
		const second = await rung(await press('call', id));
		await end(second.id, { status: 'completed', connected_at: new Date(now.ms).toISOString() });
		expect(await waits()).toEqual([]);
	});

	it('is not called back after the end of the next day, even by a link that was made before', async () => {
		const { misses, press, ring, now } = await shop();
		const id = await misses(ADA);
		now.ms = Date.parse('2026-11-22T22:55:00Z');
		const link = await press('call', id);
		now.ms += 5 * MINUTE_MS;
		expect(await ring(link)).toBe('link_expired');
		expect(await press('call', id)).toBe('not_agreed');
	});

	it('that was handled by mistake is put back with its buttons, and no earlier link opens it', async () => {
		const { misses, waits, press, rung, end, withVisitor, workspace, deps } = await shop();
		const id = await misses(ADA);
		const link = await press('call', id);
		await handleMissed(workspace.id, id, deps);
		expect(await reopenMissed('another', id, deps)).toEqual({ refused: 'not_found' });
		expect(await reopenMissed(workspace.id, id, deps)).toEqual({ done: true });
		expect(await waits()).toEqual([[id, null]]);
		expect(await reopenMissed(workspace.id, id, deps)).toEqual({ done: true });
		expect(await findCallbackLink(tokenIn(link), deps)).toEqual({ refused: 'link_not_valid' });
		const call = await rung(await press('call', id));
		await end(call.id, { failure_reason: 'visitor_no_answer', ...withVisitor(call) });
		await handleMissed(workspace.id, id, deps);
		await reopenMissed(workspace.id, id, deps);
		// Each visitor agreed to one call back, so nobody is called back twice.
		expect(await waits()).toEqual([[id, 'called_once']]);
	});

	it('of another shop, of a number not to be called, or of a call that was not missed, is not called back', async () => {
		const { misses, calls, press, waits, workspace, deps, contact } = await shop();
		const id = await misses(ADA);
		const other = await calls(GRACE, { status: 'canceled', failure_reason: 'canceled' });
		expect(await callBack('another', contact(id), randomBytes(32), deps)).toEqual({ refused: 'not_found' });
		expect(await handleMissed('another', id, deps)).toEqual({ refused: 'not_found' });
		expect(await press('call', other)).toBe('not_found');
		await doNotCall(workspace.id, contact(id), deps);
		expect(await waits()).toEqual([[id, 'not_callable']]);
		expect(await press('call', id)).toBe('not_callable');
	});

	it('loses the visitor’s name and number when the person is erased, as its calls back do', async () => {
		const { misses, press, rung, end, store, deps, workspace } = await shop();
		const id = await misses(ADA);
		const { id: back } = await rung(await press('call', id));
		await end(back, { failure_reason: 'visitor_busy' });
		await erasePerson({ workspace_id: workspace.id, e164: ADA, keep_consent: false }, deps);
		const erased = await Promise.all([id, back].map((each) => store.get('call', { id: each })));
		expect(erased.map((call) => [call?.visitor_name, call?.number_hash])).toEqual([
			[null, undefined],
			[null, undefined],
		]);
		expect(await store.get('callback_link', { lead_id: id })).toBeNull();
	});
});

describe('a lead that was called back and not reached', () => {
	it('can be called back again: the attempts stay listed, and no earlier link works', async () => {
		const { leaves, press, ring, rung, items, end, deps } = await shop();
		const id = await leaves(ADA);
		const first = await press('callback_lead', id);
		await end((await rung(first)).id, { failure_reason: 'visitor_no_answer' });
		const second = await press('callback_lead', id);
		expect(await findCallbackLink(tokenIn(first), deps)).toEqual({ refused: 'link_not_valid' });
		const { id: call_id } = await rung(second);
		expect(await ring(second)).toBe('link_used');
		await end(call_id, { status: 'completed', failure_reason: null });
		const [waiting] = await items();
		expect(waiting?.attempts.map(({ status }) => status)).toEqual(['failed', 'completed']);
	});

	it('is not called again while it is being called', async () => {
		const { leaves, press, ring, rung, waits } = await shop();
		const id = await leaves(ADA);
		const first = await press('callback_lead', id);
		const other = await press('callback_lead', id);
		await rung(first);
		expect(await waits()).toEqual([[id, 'calling_now']]);
		expect(await press('callback_lead', id)).toBe('calling_now');
		expect(await ring(other)).toBe('link_used');
	});

	it('answers a repeated press of its button with the same page, even after the page was used', async () => {
		const { leaves, press, ring, rung, end, store } = await shop();
		const id = await leaves(ADA);
		const secret = randomBytes(32);
		const link = await press('callback_lead', id, secret);
		await end((await rung(link)).id, { failure_reason: 'visitor_busy' });
		const before = await store.get('callback_link', { lead_id: id });
		expect(await press('callback_lead', id, secret)).toBe(link);
		expect(await store.get('callback_link', { lead_id: id })).toEqual(before);
		expect(await ring(link)).toBe('link_used');
	});

	it('has no button once it is dealt with', async () => {
		const { leaves, press, workspace, deps } = await shop();
		const id = await leaves(ADA);
		const status: CallbackLead['status'] = 'dismissed';
		await updateLead({ workspace_id: workspace.id, id, status }, deps);
		expect(await press('callback_lead', id)).toBe('not_callable');
	});
});
