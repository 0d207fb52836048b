import { afterAll, describe, expect, it } from '@jest/globals';
import { tallyCounter } from '../../shared/domain/calls/tally.ts';
import { formatToken } from '../../shared/domain/kernel/link-token.ts';
import { withSecret } from '../../shared/domain/notices/callback-link.ts';
import { newNotice } from '../../shared/domain/notices/team-notice.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import type { Store } from '../../shared/ports/store.ts';
import { numberHash } from '../../shared/use-cases/access/keyed-hash.ts';
import { readSources } from '../../shared/use-cases/calls/read-sources.ts';
import { suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { confirmCallback } from '../../shared/use-cases/leads/confirm-callback.ts';
import { erasePerson } from '../../shared/use-cases/retention/erase-person.ts';
import { frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';
import { always, put } from '../support/writes.ts';
import { stopStores, stores } from './store/stores.ts';

// What a privacy officer requires: the data of a person who requested a call or left a lead can be erased by number, and a person
// who never wants to be called is not called.

const PHONE = '+12025550101';
const OTHER = '+12025550199';
const everything = { from_id: null, before_id: null, limit: 100 };

afterAll(stopStores);

/** One person's two calls (one over, one live) and two leads (one handled), and a call and a lead of another person. */
async function history(store: Store) {
	const desk = frontDesk(store);
	const workspace = desk.workspace({}, { id: '01K0000000000000000000000W' });
	await store.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
	const called = async (phone: string) => {
		const outcome = await desk.requestCall(workspace, phone);
		if (!('call' in outcome)) throw new Error(outcome.refused);
		return outcome.call;
	};
	const lead = async (phone: string) => {
		const outcome = await desk.captureLead(workspace, phone);
		if (!('lead' in outcome)) throw new Error(outcome.refused);
		return outcome.lead;
	};
	const first = await called(PHONE);
	const record = await store.get('call', first);
	if (record === null) throw new Error('the call was not written');
	const over = {
		...record,
		version: 2,
		reference: 'order-4711',
		status: 'completed',
		completed_at: first.created_at,
		legs: [],
	} as const;
	await store.commit([{ op: 'put', record: 'call', item: over, guard: { if: 'version', version: 1 } }]);
	const pending = await lead(PHONE);
	const handled = await lead(PHONE);
	const live = await called(PHONE);
	const done = {
		...handled,
		version: 2,
		reference: 'order-4711',
		status: 'handled',
		note: 'tomorrow, at my sister’s',
	} as const;
	await store.commit([{ op: 'put', record: 'callback_lead', item: done, guard: { if: 'version', version: 1 } }]);
	const others = { lead: await lead(OTHER), call: await called(OTHER) };
	return { ...desk, workspace, first, live, pending, handled, others };
}
type History = Awaited<ReturnType<typeof history>>;

const erase = ({ workspace, deps }: History, e164 = PHONE, keep_consent = false) =>
	erasePerson({ workspace_id: workspace.id, e164, keep_consent }, deps);

/** Everything that the store has about the workspace and the two people. */
async function recordsOf({ deps: { store, macs }, workspace, ...past }: History) {
	const of = async (phone: string) => {
		const number_hash = await numberHash(macs, workspace.id, phone);
		return {
			usage: await store.get('number_usage', { number_hash }),
			consents: (await store.consentsOf(number_hash)).map(({ subject }) => subject),
		};
	};
	const owners = [
		...[past.first, past.live, past.others.call].map(({ id }) => `call#${id}`),
		...[past.pending, past.handled, past.others.lead].map(({ id }) => `lead#${id}`),
	];
	const sealed = await Promise.all(owners.map((owner) => store.get('sealed_number', { owner })));
	const calls = await store.list('call', workspace.id, everything);
	const leads = await store.list('callback_lead', workspace.id, everything);
	return {
		person: await of(PHONE),
		other: await of(OTHER),
		sealed: sealed.flatMap((number) => (number === null ? [] : [number.owner])),
		calls: calls.map(({ id, status, visitor_name, visitor_phone_masked }) => {
			return { id, status, visitor_name, visitor_phone_masked };
		}),
		leads: leads.map(({ id, status, name, note, visitor_phone_masked }) => {
			return { id, status, name, note, visitor_phone_masked };
		}),
	};
}

describe.each(stores)('a person who is erased (%s)', (_where, open) => {
	it('is still counted in the figures of the pages that calls came from', async () => {
		const past = await history(await open());
		const { store } = past.deps;
		const pages = async () => {
			const tallies = await store.usedFrom(tallyCounter(past.workspace.id), '0');
			return (await readSources(past.workspace.id, { from: '', tallies }, store)).path;
		};
		const [before] = await pages();
		expect(before).toMatchObject({ requests: 0, callbacks: 3 });
		await erase(past);
		// The erasure has ended one call. This call counts like every call that ends.
		expect(await pages()).toEqual([{ ...before, requests: 1 }]);
	});

	it('leaves masked records without a name, and nothing that reveals the number', async () => {
		const past = await history(await open());
		const before = await recordsOf(past);
		expect(before.person.consents).toHaveLength(4);
		const receipt = await erase(past);
		expect(receipt).toEqual({
			receipt_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
			workspace_id: past.workspace.id,
			phone_masked: '+1********01',
			erased_at: '2026-11-21T09:00:00.000Z',
			provider_records_removed: 0,
			provider_records_gone: 0,
			provider_records_left: [],
			calls_canceled: 1,
			calls_kept_masked: 2,
			leads_kept_masked: 2,
			leads_dismissed: 1,
			names_removed: 4,
			notes_removed: 1,
			sealed_numbers_removed: 4,
			consents_removed: 4,
			consents_kept: 0,
			usage_removed: true,
			suppressed: false,
		});
		const mask = { visitor_phone_masked: '+1********01' };
		const after = await recordsOf(past);
		expect(after.person).toEqual({ usage: null, consents: [] });
		expect(after.other).toEqual(before.other);
		expect(after.sealed).toEqual([`call#${past.others.call.id}`, `lead#${past.others.lead.id}`]);
		expect(after.calls).toEqual(
			expect.arrayContaining([
				{ id: past.first.id, status: 'completed', visitor_name: null, ...mask },
				{ id: past.live.id, status: 'canceled', visitor_name: null, ...mask },
			]),
		);
		expect(after.calls.filter(({ visitor_name }) => visitor_name !== null)).toHaveLength(1);
		expect(after.leads).toEqual(
			expect.arrayContaining([
				{ id: past.pending.id, status: 'dismissed', name: null, note: null, ...mask },
				{ id: past.handled.id, status: 'handled', name: null, note: null, ...mask },
			]),
		);
		expect(JSON.stringify([receipt, after])).not.toContain('2025550101');
	});
});

describe('erasing a person', () => {
	it.each([
		['before a team member used the link', false],
		['while a team member calls back', true],
	])('%s also ends the call back: the link no longer works, and the team gets no notice', async (_, uses) => {
		const past = await history(memoryStore());
		const { deps, workspace, pending } = past;
		const { store, ids, clock } = deps;
		const about = { lead_id: pending.id, workspace_id: workspace.id };
		const secret = ids.random(32);
		// The lead has another number than the person. Otherwise, the service would refuse the link because of the person's live
		// call.
		const lead = { ...pending, number_hash: 'another' };
		await store.commit([
			put('callback_lead', lead, always),
			put('callback_link', withSecret(null, about, secret, clock.now()), always),
			put('team_notice', newNotice(pending, clock.now(), 'mail'), always),
		]);
		const token = formatToken(pending.id, secret);
		const confirm = () => confirmCallback({ token, phone: workspace.team[0]?.id ?? '' }, deps);
		const called = uses ? await confirm() : null;
		const receipt = await erase(past);
		expect(receipt).toMatchObject({
			calls_canceled: uses ? 2 : 1,
			calls_kept_masked: uses ? 3 : 2,
			leads_dismissed: 1,
		});
		expect(await confirm()).toEqual({ outcome: 'refused', refused: 'link_not_valid' });
		expect(await store.get('team_notice', { id: pending.id })).toBeNull();
		const id = called !== null && 'call' in called ? called.call.id : past.live.id;
		expect(await store.get('call', { id })).toMatchObject({ status: 'canceled', visitor_name: null });
	});

	it('removes the reference from calls and leads', async () => {
		const past = await history(memoryStore());
		const { store } = past.deps;
		const references = async () => [
			(await store.get('call', { id: past.first.id }))?.reference,
			(await store.get('callback_lead', { id: past.handled.id }))?.reference,
		];
		expect(await references()).toEqual(['order-4711', 'order-4711']);
		await erase(past);
		expect(await references()).toEqual([undefined, null]);
	});

	it('removes the reference from the event of a lead, and adds the time of the erasure to this event', async () => {
		const past = await history(memoryStore());
		const { store } = past.deps;
		const key = { subject_id: past.handled.id, kind: 'callback.requested' } as const;
		const before = await store.get('event', key);
		if (before === null) throw new Error('the lead has no event');
		const envelope = JSON.parse(before.body);
		const withReference = { ...envelope, data: { ...envelope.data, reference: 'order-4711' } };
		await store.commit([put('event', { ...before, body: JSON.stringify(withReference) }, always)]);
		const { erased_at } = await erase(past, PHONE, true);
		const after = await store.get('event', key);
		const erased = { ...envelope, data: { ...envelope.data, erased_at } };
		expect(after).toEqual({ ...before, body: JSON.stringify(erased) });
		past.now.ms += 1000;
		await erase(past);
		expect(await store.get('event', key)).toEqual(after);
		const ofAnother = await store.get('event', { ...key, subject_id: past.others.lead.id });
		expect(ofAnother?.body).not.toContain('erased_at');
		const ofCall = await store.get('event', { subject_id: past.first.id, kind: 'call.requested' });
		expect(Object.keys(JSON.parse(ofCall?.body ?? '').data)).toEqual([
			'id',
			'workspace_id',
			'status',
			'duration_seconds',
		]);
	});

	it('in one workspace changes nothing in another', async () => {
		const past = await history(memoryStore());
		const before = await recordsOf(past);
		const workspace: Workspace = { ...past.workspace, id: '01K0000000000000000000000X' };
		await erase({ ...past, workspace });
		expect(await recordsOf(past)).toEqual(before);
	});

	it('can keep the evidence of consent for legal claims; a later erasure still finds and removes this evidence', async () => {
		const past = await history(memoryStore());
		const receipt = await erase(past, PHONE, true);
		expect(receipt).toMatchObject({ consents_kept: 4, consents_removed: 0, sealed_numbers_removed: 4 });
		expect((await recordsOf(past)).person.consents).toHaveLength(4);
		expect(await erase(past)).toMatchObject({ consents_removed: 4, names_removed: 0 });
	});

	it('that is killed at any step is completed by running it again', async () => {
		const whole = await history(memoryStore());
		await erase(whole);
		const plain = async (past: History) => {
			const { person, sealed, calls, leads } = await recordsOf(past);
			return {
				person,
				sealed: sealed.length,
				calls: calls.map(({ id: _id, ...rest }) => JSON.stringify(rest)).sort(),
				leads: leads.length,
			};
		};
		const expected = await plain(whole);
		let killed = 0;
		for (let last = 1; ; last += 1) {
			const past = await history(memoryStore());
			const store = mortal(past.deps.store, last);
			const outcome = await erase({ ...past, deps: { ...past.deps, store } }).catch((error: unknown) => error);
			if (!(outcome instanceof Error)) break;
			killed += 1;
			await erase(past);
			expect(await plain(past)).toEqual(expected);
		}
		expect(killed).toBeGreaterThan(20);
	});

	it('keeps the change that a worker makes to a call during the erasure, and still erases the person', async () => {
		const past = await history(memoryStore());
		const { store } = past.deps;
		let raced = false;
		const racing: Store = {
			...store,
			async commit(writes) {
				const change = writes.find((write) => write.op === 'put' && write.record === 'call');
				if (!raced && change?.op === 'put' && change.record === 'call') {
					raced = true;
					const current = await store.get('call', { id: change.item.id });
					if (current === null) throw new Error('gone');
					const item = { ...current, version: current.version + 1, event_count: 7 };
					await store.commit([{ op: 'put', record: 'call', item, guard: { if: 'always' } }]);
				}
				return store.commit(writes);
			},
		};
		await erase({ ...past, deps: { ...past.deps, store: racing } });
		const calls = await store.list('call', past.workspace.id, everything);
		expect(calls.some(({ event_count }) => event_count >= 7)).toBe(true);
		expect((await recordsOf(past)).person.consents).toEqual([]);
	});
});

/** A store whose process is killed right after it has used the store `last` times. */
function mortal(store: Store, last: number): Store {
	let uses = 0;
	return new Proxy(store, {
		get: (target, name, receiver) => {
			const method: unknown = Reflect.get(target, name, receiver);
			if (typeof method !== 'function') return method;
			return async (...args: unknown[]) => {
				const answer: unknown = await Reflect.apply(method, target, args);
				uses += 1;
				if (uses >= last) throw new Error('killed');
				return answer;
			};
		},
	});
}

describe('the suppression list', () => {
	it('does not reset the limits of a number that is added and then removed', async () => {
		const { deps, ...desk } = frontDesk(memoryStore());
		const workspace = desk.workspace({ calls_per_number_per_day: 1 });
		await desk.requestCall(workspace, PHONE);
		for (const suppressed of [true, false]) {
			await suppressNumber({ workspace_id: workspace.id, e164: PHONE }, suppressed, deps);
		}
		expect(await desk.requestCall(workspace, PHONE)).toMatchObject({ refused: 'rate_limited' });
	});

	it('still has a person’s number after the person is erased', async () => {
		const past = await history(memoryStore());
		await suppressNumber({ workspace_id: past.workspace.id, e164: PHONE }, true, past.deps);
		expect(await erase(past)).toMatchObject({ suppressed: true, usage_removed: false });
		expect((await recordsOf(past)).person.usage).toMatchObject({ suppressed: true, live_call_id: null, day_count: 0 });
		expect(await past.requestCall(past.workspace, PHONE)).toMatchObject({ refused: 'rate_limited' });
	});
});
