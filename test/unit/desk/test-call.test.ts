import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { type Call, isMissed, visitorLeg } from '../../../shared/domain/calls/call.ts';
import type { CallInput } from '../../../shared/domain/calls/call-input.ts';
import { tallyCounter } from '../../../shared/domain/calls/tally.ts';
import { advanceCall } from '../../../shared/use-cases/calls/advance-call.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { doNotCall } from '../../../shared/use-cases/desk/contacts.ts';
import { TEST_CALLS_PER_HOUR, testCall } from '../../../shared/use-cases/desk/test-call.ts';
import { FIRST, listToCallBack } from '../../../shared/use-cases/desk/to-call-back.ts';
import { at, cancel, changesAfter, dial, report, talking } from '../../support/calls/call-after.ts';
import { sealedNumber } from '../../support/calls/sealed-number.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

/** A shop with an endpoint for every event. Its calls dial no phone, and their numbers are recorded in a list. */
async function shop() {
	const store = memoryStore();
	const front = frontDesk(store);
	const { now } = front;
	const workspace = front.workspace({}, { tells_missed_calls: true, team_email: 'team@shop.example' });
	const events = ['call.requested', 'call.ringing', 'call.connected', 'call.completed', 'call.failed'] as const;
	const endpoint = { ...samples.webhook_endpoint, workspace_id: workspace.id, events };
	await store.commit([
		put('workspace', workspace, always),
		put('webhook_endpoint', endpoint, always),
		sealedNumber(`team#${workspace.id}#m1`, 'sealed'),
	]);
	const dialed: string[] = [];
	const noticed: string[] = [];
	const deps = {
		...front.deps,
		ids: ulidIds,
		log: memoryLog().log,
		opener: { openNumber: async () => '+13125550101' },
		telephony: {
			dial: async ({ role, to }: { readonly role: string; readonly to: string }) => {
				dialed.push(`${role} ${to}`);
				return { dial: 'accepted', provider_id: `P ${role}` } as const;
			},
		} as never,
		whenMissed: async ({ id }: Call) => {
			noticed.push(id);
			return [];
		},
	};
	const press = (member = 'm1') => testCall(workspace.id, member, deps);
	const latest = async () => {
		const [call] = await store.list('call', workspace.id, { from_id: null, before_id: null, limit: 1 });
		if (call === undefined) throw new Error('no call');
		return call;
	};
	const step = async (input: (call: Call) => CallInput) => {
		await advanceCall((await latest()).id, (call) => input(call), deps);
	};
	/** Handles the message of each leg twice. */
	const dials = async () => {
		const { id, legs } = await latest();
		for (const { id: leg_id } of [...legs, ...legs]) await dialLeg({ call_id: id, leg_id }, deps);
	};
	const reports = async (
		...[who, what, times]: [Parameters<typeof report>[1], Parameters<typeof report>[2], object?]
	) => step(report(0, who, what, { at: (now.ms - Date.parse(at(0))) / 1000, ...times })[1]);
	/** Everything that a call stores outside its own record. */
	const traces = async () => {
		const range = { from_id: null, before_id: null, limit: 9 };
		return {
			events: await store.list('event', workspace.id, range),
			deliveries: await store.list('delivery', workspace.id, range),
			tallies: await store.usedFrom(tallyCounter(workspace.id), ''),
			waiting: (await listToCallBack(workspace, FIRST, 9, deps)).items,
			noticed,
		};
	};
	return { store, now, deps, workspace, dialed, press, latest, step, dials, reports, traces };
}
const NOTHING = { events: [], deliveries: [], tallies: [], waiting: [], noticed: [] };

describe('a test call', () => {
	it('that is not answered is not listed as a missed call', async () => {
		const { press, dials, reports, latest, traces, workspace, deps } = await shop();
		await press();
		await dials();
		await reports(0, 'no_answer');
		const call = await latest();
		expect([call.failure_reason, isMissed(call)]).toEqual(['no_agent_answer', false]);
		expect(await traces()).toEqual(NOTHING);
		expect(await doNotCall(workspace.id, { of: 'call', id: call.id }, deps)).toEqual({ refused: 'not_callable' });
	});

	it('does not ring the visitor’s phone once the member has left the team', async () => {
		const { press, dials, reports, latest, store, workspace, dialed } = await shop();
		await press();
		await dials();
		const times = { answered: 0, accepted: 0 };
		await reports(0, 'accepted', times);
		await store.commit([put('workspace', { ...workspace, team: [] }, always)]);
		await dials();
		expect([dialed.length, visitorLeg(await latest())?.cause]).toEqual([1, 'provider_rejected']);
	});

	it('is refused while another test call runs, and after six test calls in an hour', async () => {
		const { press, step, now, workspace, latest, deps } = await shop();
		const both = await Promise.all([press(), press()]);
		expect(both).toEqual(expect.arrayContaining([{ done: true }, { refused: 'tested_now' }]));
		expect(await cancelCall({ workspace_id: workspace.id, id: (await latest()).id }, deps)).toEqual({
			outcome: 'not_found',
		});
		const end = () => step(cancel(0)[1]);
		await end();
		for (let nth = 1; nth < TEST_CALLS_PER_HOUR; nth += 1) {
			now.ms += 1000;
			expect(await press()).toEqual({ done: true });
			await end();
		}
		expect(await press()).toEqual({ refused: 'tests_enough' });
		now.ms += 3_600_000;
		expect(await press()).toEqual({ done: true });
	});

	it('is refused without the member, a provider, or the right to make it', async () => {
		const { press, deps, workspace, store } = await shop();
		expect(await press('m9')).toEqual({ refused: 'member_unknown' });
		expect(await testCall(workspace.id, 'm1', { ...deps, can_dial: false })).toEqual({ refused: 'tests_off' });
		const refusalIn = () => 'owners_only' as const;
		expect(await testCall(workspace.id, 'm1', { ...deps, refusalIn })).toEqual({ refused: 'owners_only' });
		const item = { ...workspace, calls_enabled: false };
		await store.commit([put('workspace', item, always)]);
		expect(await press()).toEqual({ refused: 'tests_off' });
		expect(await store.list('call', workspace.id, { from_id: null, before_id: null, limit: 1 })).toEqual([]);
	});
});

it.each([
	['talked', [...talking, report(60, 'visitor', 'completed', { answered: 20 }), report(61, 0, 'completed')]],
	['was missed', [dial(0, 0), report(30, 0, 'no_answer')]],
	['was cancelled', [cancel(5)]],
] as const)('a test call that %s takes the same course as every call, but sends no event', (_, steps) => {
	const real = changesAfter(steps);
	const test = changesAfter(steps, { is_test: true });
	expect(test.flatMap(({ events }) => events)).toEqual([]);
	expect(real.flatMap(({ events }) => events)).not.toEqual([]);
	const way = (changes: typeof real) => changes.map(({ call: { event_count: _, is_test: __, ...call } }) => call);
	expect(way(test)).toEqual(way(real));
});
