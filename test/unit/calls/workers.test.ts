import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import { standIn } from '../../../shared/domain/kernel/id.ts';
import type { TeamMember } from '../../../shared/domain/workspaces/workspace.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Messages } from '../../../shared/ports/registry.ts';
import { StoreBusy } from '../../../shared/ports/store.ts';
import type { DialOutcome, HangupOutcome, LookupOutcome, Telephony } from '../../../shared/ports/telephony.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { hangUpLeg } from '../../../shared/use-cases/calls/hang-up-leg.ts';
import { applyLegFact, takeReport } from '../../../shared/use-cases/calls/provider-report.ts';
import { at, both, CALL_ID, callAfter, type Shop, START_MS, talking } from '../../support/calls/call-after.ts';
import { sealedNumber, teamOf } from '../../support/calls/sealed-number.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

// Tests the functions that work on a call with one leg, with a provider that gives fixed responses. test/lab/world tests races
// and crashes.

/** A call to one member, at a provider that gives fixed responses. `now_s` is in seconds after the request. */
async function scripted(
	answers: { dial?: DialOutcome; hangup?: HangupOutcome; lookup?: LookupOutcome } = {},
	shop: Shop = {},
) {
	const store = memoryStore();
	const call = callAfter([], shop);
	const [leg_id = ''] = call.legs.map(({ id }) => id);
	const owner = `team#${call.workspace_id}#m1`;
	const workspace = { ...samples.workspace, team: teamOf(shop.team ?? 1) };
	await store.commit([put('call', call), put('workspace', workspace), sealedNumber(owner, 'sealed')]);
	const asked: string[] = [];
	const given = { now_s: 0, ...answers };
	const answer = <T>(operation: 'dial' | 'hangup' | 'lookup', outcome: T | undefined): T => {
		asked.push(`${operation} ${given.now_s}`);
		if (outcome === undefined) throw new Error(`nobody expected a ${operation}`);
		return outcome;
	};
	const telephony = {
		dial: async () => answer('dial', given.dial),
		hangup: async () => answer('hangup', given.hangup),
		lookup: async () => answer('lookup', given.lookup),
	} as Partial<Telephony> as Telephony;
	const sent: { readonly queue: string; readonly delay_seconds: number; readonly message: object }[] = [];
	const queues: Queues = {
		async send(queue, messages) {
			sent.push(...messages.map(({ message, delay_seconds }) => ({ queue, delay_seconds, message })));
			return { sent: messages.length, failed: 0 };
		},
	};
	const opened: string[] = [];
	let meanwhile: () => Promise<unknown> = async () => undefined;
	const opener = {
		openNumber: async (sealed: string) => {
			opened.push(sealed);
			await meanwhile();
			meanwhile = async () => undefined;
			return '+12025550101';
		},
	};
	const clock = { now: () => START_MS + given.now_s * 1000 };
	const { log, lines } = memoryLog();
	const deps = { store, queues, telephony, opener, clock, ids: ulidIds, speed: 1, log };
	const after = async (nowSeconds: number, run: () => Promise<unknown>) => {
		given.now_s = nowSeconds;
		await run();
		const now = await store.get('call', { id: CALL_ID });
		if (now === null) throw new Error('the call is gone');
		return now;
	};
	const leg = { call_id: CALL_ID, leg_id };
	return {
		asked,
		opened,
		call,
		deps,
		/** Sets a function that runs once, while a phone number is being decrypted. */
		whenOpened: (run: () => Promise<unknown>) => {
			meanwhile = run;
		},
		teamBecomes: (team: readonly TeamMember[]) => store.commit([put('workspace', { ...workspace, team }, always)]),
		given,
		sent,
		lines,
		leg,
		store,
		owner,
		dial: (nowSeconds: number) => after(nowSeconds, () => dialLeg(leg, deps)),
		hangUp: (nowSeconds: number) => after(nowSeconds, () => hangUpLeg(leg, deps)),
		check: (nowSeconds: number, timer: string | null = null) =>
			after(nowSeconds, () => checkDeadlines({ call_id: CALL_ID, at: timer }, deps)),
		cancel: (nowSeconds: number) =>
			after(nowSeconds, () => cancelCall({ workspace_id: call.workspace_id, id: CALL_ID }, deps)),
		fact: (nowSeconds: number, fact: LegFact) => after(nowSeconds, () => applyLegFact({ ...leg }, fact, deps)),
	};
}
const ringing: LegFact = {
	provider_id: 'P',
	rank: 'ringing',
	at: new Date(START_MS + 1000).toISOString(),
	ringing_at: null,
	answered_at: null,
	accepted_at: null,
	cause: null,
};

describe('a dial', () => {
	it('with an unclear result is never repeated: it is looked up, then given up', async () => {
		const { dial, check, asked } = await scripted({
			dial: { dial: 'unclear', code: 'lost' },
			lookup: { lookup: 'unclear' },
		});
		for (const nowSeconds of [0, 1, 12]) await dial(nowSeconds);
		await check(10);
		expect((await check(19)).status).toBe('requested');
		expect(await check(20)).toMatchObject({ status: 'failed', failure_reason: 'provider_error' });
		await dial(21);
		expect(asked).toEqual(['dial 0', 'lookup 10', 'lookup 20']);
	});

	it('with an unclear result lets the call continue if the look-up finds the phone ringing', async () => {
		const { dial, check, asked } = await scripted({
			dial: { dial: 'unclear', code: 'lost' },
			lookup: { lookup: 'found', fact: ringing },
		});
		await dial(0);
		expect(await check(25)).toMatchObject({ status: 'ringing', legs: [{ provider_id: 'P', rank: 'ringing' }] });
		expect(asked).toEqual(['dial 0', 'lookup 25']);
	});

	it('that was throttled is repeated, but not before its wait is over', async () => {
		const { dial, given, asked, sent } = await scripted({
			dial: { dial: 'throttled', retry_after_seconds: 7, code: '20429' },
		});
		await dial(0);
		expect(sent).toMatchObject([{ queue: 'dial-legs', delay_seconds: 7 }]);
		await dial(6.9);
		given.dial = { dial: 'accepted', provider_id: 'P' };
		await dial(7);
		await dial(8);
		expect(asked).toEqual(['dial 0', 'dial 7']);
	});

	it('that the provider refuses ends its leg; if the number is missing, nothing is dialled', async () => {
		const refused = await scripted({ dial: { dial: 'rejected', reason: 'unreachable', code: '21211' } });
		expect((await refused.dial(0)).legs).toMatchObject([{ rank: 'ended', cause: 'unreachable' }]);
		const { dial, store, owner, asked } = await scripted();
		await store.commit([{ op: 'remove', record: 'team_number', key: { owner }, guard: { if: 'always' } }]);
		expect(await dial(0)).toMatchObject({ status: 'failed', failure_reason: 'no_agent_callable' });
		expect(asked).toEqual([]);
	});

	it('is not made to a member whose number the workspace’s changed rules refuse', async () => {
		const { store, dial, asked } = await scripted({ dial: { dial: 'accepted', provider_id: 'p1' } });
		const workspace = await store.get('workspace', { id: samples.workspace.id });
		if (workspace === null) throw new Error('the workspace is gone');
		const item = { ...workspace, version: workspace.version + 1, refused_prefixes: ['+12025550101'] };
		await store.commit([put('workspace', item, always)]);
		expect(await dial(0)).toMatchObject({
			status: 'failed',
			failure_reason: 'no_agent_callable',
			legs: [{ rank: 'ended', refused_code: 'not_callable' }],
		});
		expect(asked).toEqual([]);
	});

	it('stores the name that the member has at that time, or the masked number if there is no name', async () => {
		const given = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		expect((await given.dial(0)).legs).toMatchObject([{ member: 'm1', member_name: '+1********01' }]);
		const named = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		await named.teamBecomes([{ id: 'm1', name: 'Ida', phone_masked: '+1********01' }]);
		await named.dial(0);
		await named.teamBecomes([{ id: 'm1', name: 'Ben', phone_masked: '+1********01' }]);
		expect((await named.store.get('call', { id: CALL_ID }))?.legs).toMatchObject([{ member_name: 'Ida' }]);
	});

	it('is not made to a member who is removed after the number was read and before the dial is claimed', async () => {
		const { dial, store, owner, asked, whenOpened } = await scripted();
		whenOpened(() => store.commit([{ op: 'remove', record: 'team_number', key: { owner }, guard: { if: 'always' } }]));
		expect(await dial(0)).toMatchObject({ status: 'requested', legs: [{ rank: 'dialing', throttled_until: at(1) }] });
		expect(await dial(1)).toMatchObject({
			status: 'failed',
			failure_reason: 'no_agent_callable',
			legs: [{ rank: 'ended', cause: 'hung_up', dialed_at: null, refused_code: 'member_gone' }],
		});
		expect(asked).toEqual([]);
	});

	it('is made once, to the new number, if a member’s number changes before the leg is claimed', async () => {
		const { dial, store, owner, asked, opened, whenOpened } = await scripted({
			dial: { dial: 'accepted', provider_id: 'P' },
		});
		whenOpened(() => store.commit([sealedNumber(owner, 'changed')]));
		await dial(0);
		expect(asked).toEqual([]);
		await dial(1);
		await dial(2);
		expect([asked, opened]).toEqual([['dial 1'], ['sealed', 'changed']]);
	});

	it.each([
		['sealed', ['dial 0', 'dial 10'], 'dialing'],
		['changed', ['dial 0'], 'ended'],
	])('of a test call’s second leg rings the first leg’s phone and no other: %s', async (number, dials, rank) => {
		const { dial, fact, store, owner, asked, deps } = await scripted(
			{ dial: { dial: 'accepted', provider_id: 'P' } },
			{ is_test: true },
		);
		await dial(0);
		const { legs } = await fact(10, {
			...ringing,
			rank: 'accepted',
			at: at(10),
			answered_at: at(7),
			accepted_at: at(10),
		});
		await store.commit([sealedNumber(owner, number)]);
		await dialLeg({ call_id: CALL_ID, leg_id: legs[1]?.id ?? '' }, deps);
		expect((await store.get('call', { id: CALL_ID }))?.legs[1]).toMatchObject({ role: 'visitor', rank });
		expect(asked).toEqual(dials);
	});

	it('is made later if the store is busy while the claim is checked', async () => {
		const { dial, store, asked, whenOpened } = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		const { get } = store;
		whenOpened(async () => {
			store.get = async (record, key) => {
				if (record !== 'team_number') return get(record, key);
				store.get = get;
				throw new StoreBusy('busy');
			};
		});
		await dial(0);
		await dial(1);
		expect(asked).toEqual(['dial 1']);
	});

	it('rings a phone that two members share once, whichever leg is dialled first', async () => {
		const { store, deps, asked, call } = await scripted(
			{ dial: { dial: 'accepted', provider_id: 'P' } },
			{ ...both, team: 2 },
		);
		await store.commit([sealedNumber(`team#${call.workspace_id}#m2`, 'sealed')]);
		for (const { id: leg_id } of call.legs.toReversed()) await dialLeg({ call_id: CALL_ID, leg_id }, deps);
		expect(asked).toEqual(['dial 0']);
		expect((await store.get('call', { id: CALL_ID }))?.legs).toMatchObject([
			{ member: 'm1', rank: 'ended', dialed_at: null, refused_code: 'rung_already' },
			{ member: 'm2', rank: 'dialing' },
		]);
	});

	it.each([
		['no member whose number the visitor entered, because no phone rings twice', 'hash of m1', false, []],
		['a member with another number', 'hash of a visitor', false, ['dial 0']],
		['a member in a test, whose phone rings for both sides', 'hash of m1', true, ['dial 0']],
	] as const)('rings %s', async (_, number_hash, is_test, dials) => {
		const { store, deps, asked, call } = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		const owner = `team#${call.workspace_id}#m1`;
		const number = await store.get('team_number', { owner });
		const stored = await store.get('call', { id: CALL_ID });
		if (number === null || stored === null) throw new Error('no member');
		await store.commit([
			put('team_number', { ...number, number_hash: 'hash of m1' }, always),
			put('call', { ...stored, number_hash, ...(is_test && { is_test }) }, always),
		]);
		await dialLeg({ call_id: CALL_ID, leg_id: call.legs[0]?.id ?? '' }, deps);
		expect(asked).toEqual(dials);
		const [leg] = (await store.get('call', { id: CALL_ID }))?.legs ?? [];
		expect(leg?.refused_code).toBe(dials.length === 0 ? 'visitors_phone' : undefined);
	});

	it('for a call that was already canceled is not made', async () => {
		const { cancel, dial, asked } = await scripted();
		await cancel(0);
		await dial(1);
		expect(asked).toEqual([]);
	});
});

describe('the log has one line', () => {
	const ofLeg = { workspace_id: samples.call.workspace_id, call_id: CALL_ID, role: 'agent' };

	it.each([
		[
			{ dial: 'accepted', provider_id: 'P' },
			{ outcome: 'accepted', detail: `phone=${standIn('P')}` },
		],
		[
			{ dial: 'rejected', reason: 'provider_rejected', code: '21215' },
			{ outcome: 'rejected', code: '21215', detail: 'reason=provider_rejected' },
		],
		[
			{ dial: 'throttled', retry_after_seconds: 7, code: '20429' },
			{ outcome: 'throttled', code: '20429', detail: 'seconds=7' },
		],
		[
			{ dial: 'unclear', code: 'lost' },
			{ outcome: 'unclear', code: 'lost' },
		],
	] as const)('for a dial that ends as %j', async (outcome, fields) => {
		const { dial, lines, leg } = await scripted({ dial: outcome });
		await dial(3);
		const measured = { duration_ms: expect.any(Number), waited_ms: expect.any(Number) };
		const line = { fact: 'dial', ...ofLeg, leg_id: leg.leg_id, call_status: 'requested', ...fields, ...measured };
		expect(lines).toEqual([line]);
		expect(lines[0]?.waited_ms).toBeLessThanOrEqual(3000);
		expect(lines[0]?.waited_ms).toBeGreaterThan(2900);
	});

	it('for a dial that is not made', async () => {
		const { dial, lines, leg, teamBecomes } = await scripted();
		await teamBecomes([]);
		await dial(0);
		const why = { outcome: 'dropped', code: 'member_gone', call_status: 'requested', waited_ms: 0 };
		expect(lines).toEqual([{ fact: 'dial', ...ofLeg, leg_id: leg.leg_id, ...why }]);
	});

	it('for a hang-up, with what the provider answered', async () => {
		const { dial, fact, cancel, hangUp, lines, given } = await scripted({
			dial: { dial: 'accepted', provider_id: 'P' },
			hangup: { hangup: 'unclear', code: 'http_500' },
		});
		await dial(0);
		await fact(1, ringing);
		await cancel(2);
		await hangUp(3);
		given.hangup = { hangup: 'already_over' };
		await hangUp(4);
		const measured = { call_status: 'canceled', duration_ms: expect.any(Number) };
		expect(lines.slice(1)).toMatchObject([
			{ fact: 'hang-up', ...ofLeg, outcome: 'unclear', code: 'http_500', ...measured },
			{ fact: 'hang-up', ...ofLeg, outcome: 'already_over', ...measured },
		]);
	});

	it('for a callback, with the call’s status after it', async () => {
		const { dial, lines, leg, deps } = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		await dial(0);
		const report = { received: 'fact', fact: ringing, detail: 'CallStatus=ringing' } as const;
		await takeReport(leg, report, deps);
		await takeReport(leg, { ...report, fact: { ...ringing, provider_id: 'Q' }, unsigned: true }, deps);
		await takeReport({ ...leg, leg_id: 'another' }, report, deps);
		const of = { fact: 'callback', detail: 'CallStatus=ringing' };
		expect(lines.slice(1)).toEqual([
			{ ...of, ...ofLeg, leg_id: leg.leg_id, outcome: 'applied', call_status: 'ringing' },
			{ ...of, ...ofLeg, leg_id: leg.leg_id, outcome: 'other_leg', call_status: 'ringing', code: 'unsigned' },
			{ ...of, call_id: CALL_ID, leg_id: 'another', outcome: 'not_found' },
		]);
	});

	it('for a callback that could not be stored, which the provider repeats', async () => {
		const { lines, leg, deps, store } = await scripted();
		const broken = { ...store, get: () => Promise.reject(new StoreBusy('busy')) };
		const report = { received: 'fact', fact: ringing, detail: 'CallStatus=ringing' } as const;
		await expect(takeReport(leg, report, { ...deps, store: broken })).rejects.toThrow(StoreBusy);
		expect(lines).toEqual([{ fact: 'callback', ...leg, detail: 'CallStatus=ringing', outcome: 'not_stored' }]);
	});
});

describe('a hang-up', () => {
	it('is repeated until the provider reports the end', async () => {
		const { dial, cancel, hangUp, check, fact, given, asked, sent } = await scripted({
			dial: { dial: 'accepted', provider_id: 'P' },
			lookup: { lookup: 'unclear' },
			hangup: { hangup: 'unclear', code: 'http_500' },
		});
		await dial(0);
		await cancel(1);
		await hangUp(1);
		given.hangup = { hangup: 'done' };
		await hangUp(2);
		await check(11);
		expect(sent.filter(({ queue }) => queue === 'hang-up-legs')).toHaveLength(2);
		await fact(12, { ...ringing, rank: 'ended', cause: 'hung_up' });
		const over = await check(30);
		expect(asked).toEqual(['dial 0', 'hangup 1', 'hangup 2', 'lookup 11']);
		expect([over.timer_at, over.due_at]).toEqual([null, null]);
	});

	it('waits for the provider’s id', async () => {
		const { dial, cancel, hangUp, fact, sent } = await scripted({ dial: { dial: 'unclear', code: 'lost' } });
		await dial(0);
		await cancel(1);
		await hangUp(1);
		expect(sent.filter(({ queue }) => queue === 'hang-up-legs')).toEqual([]);
		await fact(2, ringing);
		expect(sent.filter(({ queue }) => queue === 'hang-up-legs')).toHaveLength(1);
	});
});

describe('a call', () => {
	it('is not written when nothing changes', async () => {
		const { dial, fact, check, cancel } = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		await dial(0);
		const { version } = await fact(1, ringing);
		await dial(2);
		await fact(2, ringing);
		await fact(2, { ...ringing, rank: 'dialing' });
		expect((await check(3)).version).toBe(version);
		const canceled = await cancel(4);
		expect((await cancel(5)).version).toBe(canceled.version);
	});

	it('accepts reports only for its own legs, and only its own workspace may cancel it', async () => {
		const { deps } = await scripted();
		expect(await applyLegFact({ call_id: CALL_ID, leg_id: 'another' }, ringing, deps)).toEqual({
			outcome: 'not_found',
		});
		expect(await applyLegFact({ call_id: 'another', leg_id: 'another' }, ringing, deps)).toEqual({
			outcome: 'not_found',
		});
		const outcome = await cancelCall({ workspace_id: 'another', id: CALL_ID }, deps);
		expect(outcome).toEqual({ outcome: 'not_found' });
	});

	it('refuses a report that comes to the address of one leg and names another leg of the provider', async () => {
		const { fact, leg, store, deps, dial } = await scripted({ dial: { dial: 'unclear', code: 'lost' } });
		await dial(0);
		const hear = (provider_id: string) => applyLegFact(leg, { ...ringing, rank: 'answered', provider_id }, deps);
		const { version } = await fact(1, ringing);
		expect(await hear('Q')).toMatchObject({ outcome: 'other_leg', call: { version } });
		const call = await store.get('call', { id: CALL_ID });
		expect([call?.version, call?.legs[0]?.provider_id]).toEqual([version, 'P']);
		expect(await hear('P')).toMatchObject({ outcome: 'applied', call: { legs: [{ rank: 'answered' }] } });
	});

	it('sends a timer again if the timer came too early, and sends the next timer if nothing is due when a timer comes', async () => {
		const { dial, fact, check, sent } = await scripted({ dial: { dial: 'accepted', provider_id: 'P' } });
		await dial(0);
		const { timer_at } = await fact(1, ringing);
		sent.length = 0;
		await check(2, timer_at);
		expect(sent).toMatchObject([{ queue: 'call-timers', delay_seconds: 8 }]);
		await check(3, new Date(START_MS + 15_000).toISOString());
		await check(4, null);
		expect(sent).toHaveLength(1);
		const before = await check(10, timer_at);
		expect(sent.slice(1)).toMatchObject([{ queue: 'call-timers', delay_seconds: 14 }]);
		const { message } = sent[1] as { message: Messages['call-timers'] };
		expect(message).toEqual({ call_id: CALL_ID, at: new Date(START_MS + 24_000).toISOString() });
		expect(before.timer_at).toBe(message.at);
		// A copy of the first timer message arrives again. The call now has a later timer, so the copy has no effect.
		expect((await check(10, timer_at)).version).toBe(before.version);
	});

	it('looks up both people of a conversation every 150 s while nothing is reported, and the sweep checks the call only after the next look-up', async () => {
		const { store, check, sent, asked } = await scripted({ lookup: { lookup: 'unclear' } });
		const item = { ...callAfter(talking), version: 1 };
		await store.commit([put('call', item, always)]);
		let timer: Messages['call-timers'] = { call_id: CALL_ID, at: item.timer_at };
		const visits: (readonly [second: number, sweep: number])[] = [];
		for (let left = 4; left > 0; left -= 1) {
			const second = (Date.parse(timer.at ?? '') - START_MS) / 1000;
			const { due_at } = await check(second, timer.at);
			visits.push([second, (Date.parse(due_at ?? '') - START_MS) / 1000]);
			timer = sent.at(-1)?.message as Messages['call-timers'];
		}
		expect(visits).toEqual([
			[170, 650],
			[320, 650],
			[470, 650],
			[620, 1100],
		]);
		expect(asked).toEqual([170, 320, 470, 620].flatMap((second) => Array(2).fill(`lookup ${second}`)));
	});
});
