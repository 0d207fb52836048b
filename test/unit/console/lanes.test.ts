import { describe, expect, it } from '@jest/globals';
import { isStoryLive, lanesOf } from '../../../local/console/page/lanes.ts';
import type { CallStory } from '../../../local/console/page/wire.ts';
import { newestTraces } from '../../../local/console/server/newest-traces.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import type { Leg } from '../../../shared/domain/calls/leg.ts';
import { callTrace } from '../../../shared/domain/trace/trace.ts';
import { type EventKind, makeEvent } from '../../../shared/domain/webhooks/event.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples, WORKSPACE } from '../../support/sample-records.ts';

const START = Date.parse('2026-11-21T09:00:00.000Z');
const at = (second: number) => new Date(START + second * 1000).toISOString();
const NOW = START + 60_000;

const [sample] = samples.call.legs;
if (sample === undefined) throw new Error('the sample has no leg');
const leg = (id: number, changes: Partial<Leg>): Leg => ({
	...sample,
	id: idOf(id),
	created_at: at(0),
	dialed_at: null,
	ringing_at: null,
	answered_at: null,
	accepted_at: null,
	ended_at: null,
	cause: null,
	...changes,
});
const agent = (id: number, changes: Partial<Leg>) => leg(id, { role: 'agent', member: `m${id}`, ...changes });
const visitor = (changes: Partial<Leg>) => leg(9, { role: 'visitor', member: null, ...changes });
const talking: Partial<CallRecord> = { status: 'connected', connected_at: at(8), completed_at: null };
const callWith = (changes: Partial<CallRecord>): CallRecord => ({
	...samples.call,
	id: idOf(1),
	created_at: at(0),
	failure_reason: null,
	duration_seconds: null,
	...changes,
});

function storyOf(
	changes: Partial<CallRecord>,
	moments: readonly (readonly [EventKind, number])[] = [],
): Pick<CallStory, 'trace'> {
	const call = callWith(changes);
	const events = moments.map(([kind, second], index) => ({
		event: makeEvent({ ...samples.event, kind, sequence: index, created_at: at(second), data: {} }),
		deliveries: [],
	}));
	return { trace: callTrace(call, { events, notices: [], calls_back: [] }, NOW) };
}
/** A lane as text: each stretch with its first and last second. */
const drawn = (story: Pick<CallStory, 'trace'>) =>
	lanesOf(story, NOW).map(({ name, stretches, end }) =>
		[
			name,
			...stretches.map(({ kind, from_ms, to_ms }) => `${kind} ${(from_ms - START) / 1000}-${(to_ms - START) / 1000}`),
			end,
		]
			.filter((text) => text !== '')
			.join(', '),
	);

describe('the lanes of a call, drawn from its trace,', () => {
	it('show the statuses of a live call, and for each phone the time from its dial until now', () => {
		const legs = [
			agent(2, { dialed_at: at(1), ringing_at: at(2), answered_at: at(3), accepted_at: at(4) }),
			visitor({ dialed_at: at(5), ringing_at: at(6), answered_at: at(7) }),
		];
		const story = storyOf({ ...talking, legs, winner_leg_id: idOf(2) }, [
			['call.requested', 0],
			['call.ringing', 2],
			['call.connected', 8],
		]);
		expect(drawn(story)).toEqual([
			'Call, requested 0-2, ringing 2-8, connected 8-60',
			'Team 1, dialed 1-2, ringing 2-3, answered 3-4, accepted 4-8, talking 8-60',
			'Visitor, dialed 5-6, ringing 6-7, answered 7-8, talking 8-60',
		]);
		expect(isStoryLive(story)).toBe(true);
	});

	it('show a member who was never dialled, and one whose phone rang while another took the call', () => {
		const legs = [
			agent(2, { ended_at: at(4), cause: 'hung_up', created_at: at(2) }),
			agent(3, { dialed_at: at(1), ringing_at: at(2), ended_at: at(5), cause: 'hung_up', hangup_requested_at: at(4) }),
		];
		const story = storyOf({ ...talking, legs });
		expect(drawn(story).slice(1)).toEqual(['Team 1, waiting 2-4, let go', 'Team 2, dialed 1-2, ringing 2-5, let go']);
	});

	it('show the reason why the call failed, and nothing live once its last phone has ended', () => {
		const legs = [visitor({ dialed_at: at(1), ended_at: at(3), cause: 'no_answer' })];
		const over = {
			status: 'failed',
			failure_reason: 'visitor_no_answer',
			completed_at: at(4),
			connected_at: null,
		} as const;
		const story = storyOf({ ...over, legs });
		expect(drawn(story)).toEqual(['Call, requested 0-4, visitor no answer', 'Visitor, dialed 1-3, no answer']);
		expect(isStoryLive(story)).toBe(false);
		expect(isStoryLive(storyOf({ ...over, legs: [visitor({ dialed_at: at(1) })] }))).toBe(true);
	});

	it('have no stretch of negative length if the provider’s clock is behind', () => {
		const legs = [
			visitor({ dialed_at: at(2), ringing_at: at(1), answered_at: at(4), ended_at: at(3), cause: 'completed' }),
		];
		expect(drawn(storyOf({ status: 'ringing', connected_at: null, completed_at: null, legs }))[1]).toBe(
			'Visitor, dialed 2-2, ringing 2-4, answered 4-4, hung up',
		);
	});
});

describe('the console reads', () => {
	const ended = (n: number): CallRecord =>
		callWith({ id: idOf(n), status: 'completed', completed_at: at(n), connected_at: at(n), workspace_id: WORKSPACE });
	/** A store that records the calls whose events were read. */
	function countingStore() {
		const asked = new Set<string>();
		const store = memoryStore();
		const get = (async (record, key) => {
			if ('subject_id' in key) asked.add(`${key.subject_id}`);
			return store.get(record, key);
		}) as typeof store.get;
		return { store: { ...store, get }, asked };
	}

	it('all traces at first, and later only those of live or changed calls, and at most one other at a time', async () => {
		const { store, asked } = countingStore();
		const read = newestTraces();
		const live = callWith({ ...talking, id: idOf(50) });
		const records = [live, ended(1), ended(2), ended(3)];
		let nowMs = NOW;
		const look = async (calls: readonly CallRecord[]) => {
			asked.clear();
			const traces = await read(calls, { store, clock: { now: () => nowMs++ } });
			expect([...traces.keys()]).toEqual(calls.map(({ id }) => id));
			return [...asked].sort();
		};
		expect(await look(records)).toEqual(records.map(({ id }) => id).sort());
		const others = [await look(records), await look(records), await look(records)].map((ids) =>
			ids.filter((id) => id !== live.id),
		);
		expect(others.map(({ length }) => length).every((length) => length <= 1)).toBe(true);
		expect(new Set(others.flat()).size).toBeGreaterThan(1);
		const changed = { ...ended(3), visitor_name: null, number_hash: 'changed' };
		expect(await look([live, ended(1), ended(2), changed])).toContain(idOf(3));
	});
});

it('the lane of a call is the same without the call’s events as with them', () => {
	const ended = { status: 'completed', connected_at: at(8), completed_at: at(50), duration_seconds: 42 } as const;
	expect(drawn(storyOf(ended))[0]).toBe(
		drawn(
			storyOf(ended, [
				['call.requested', 0],
				['call.connected', 8],
				['call.completed', 50],
			]),
		)[0],
	);
});
