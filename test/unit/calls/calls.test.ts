import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { mayDial } from '../../../shared/domain/calls/call-input.ts';
import { ringPlan } from '../../../shared/domain/calls/ringing-plan.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { accepted, at, contested, START_MS, story, talking, waiting } from '../../support/calls/call-story.ts';

const idsOf = (legs: readonly { readonly id: string }[]) => legs.map(({ id }) => id);

describe('who is rung', () => {
	it('is the team first, and the visitor only when a member has pressed 1', () => {
		const told = story();
		expect(told.rung()).toEqual([0]);
		told.tell(5, 0, 'answered');
		expect(told.rung()).toEqual([0]);
		told.tell(8, 0, 'accepted');
		expect(told.rung()).toEqual([0, 'visitor']);
	});

	it('is the visitor first if the workspace says so, and the team only after the visitor has answered', () => {
		const told = story({ order: 'visitor_first', team: 2 });
		expect(told.rung()).toEqual(['visitor']);
		told.tell(2, 'visitor', 'ringing');
		expect(told.rung()).toEqual(['visitor']);
		told.tell(5, 'visitor', 'answered');
		expect(told.rung()).toEqual(['visitor', 0]);
	});

	it('is one member after another, each once', () => {
		const told = story({ team: 3 });
		told.end(5, 0, 'no_answer');
		expect(told.rung()).toEqual([0, 1]);
		told.end(9, 1, 'busy');
		told.end(9, 0, 'no_answer');
		expect(told.rung()).toEqual([0, 1, 2]);
		told.end(12, 2, 'rejected');
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'no_agent_answer', completed_at: at(12) });
		expect(told.rung()).toEqual([0, 1, 2]);
	});

	it('is all members at once, until one presses 1 and the others are hung up', () => {
		const told = story({ team: 3, strategy: 'simultaneous' });
		expect(told.rung()).toEqual([0, 1, 2]);
		for (const member of [0, 1]) told.dialing(0, member);
		told.tell(1, 0, 'ringing');
		told.tell(4, 1, 'answered');
		const { hang_up } = told.tell(6, 1, 'accepted');
		expect(told.rung()).toEqual([0, 1, 2, 'visitor']);
		expect(idsOf(hang_up)).toEqual([told.legOf(0).id]);
		expect(told.legOf(2)).toMatchObject({ rank: 'ended', cause: 'hung_up' });
	});

	it('starts with another member for each call in a round robin, evenly', () => {
		const team = Array.from({ length: 5 }, () => ({ phone_masked: '' }));
		const workspace = { team, ring_strategy: 'round_robin', ring_order: 'agent_first' } as unknown as Workspace;
		const starts = [0, 0, 0, 0, 0];
		for (let call = 0; call < 5000; call += 1) {
			const [start = 0, next] = ringPlan(workspace, ulidIds.next(), 0).members;
			expect(next).toBe((start + 1) % 5);
			starts[start] = (starts[start] ?? 0) + 1;
		}
		expect(Math.min(...starts)).toBeGreaterThan(850);
		expect(Math.max(...starts)).toBeLessThan(1150);
	});
});

describe('no other phone is rung', () => {
	it('after the end of the call, and no leg is added', () => {
		const told = story({ team: 3 });
		told.dialing(0, 0);
		told.cancel(1);
		told.end(2, 0, 'hung_up');
		expect(told.rung()).toEqual([0]);
	});

	it('for a visitor who talked to a member that has left', () => {
		const told = waiting({ team: 2 });
		told.tell(10, 0, 'accepted');
		const { hang_up } = told.end(60, 0, 'completed');
		expect(told.rung()).toEqual(['visitor', 0]);
		expect(idsOf(hang_up)).toEqual([told.legOf('visitor').id]);
	});

	it('if the member who pressed 1 leaves while the visitor’s phone rings: the visitor is hung up', () => {
		const told = accepted({ team: 2 });
		told.tell(12, 'visitor', 'ringing');
		const { hang_up } = told.end(14, 0, 'completed');
		expect(told.rung()).toEqual([0, 'visitor']);
		expect(idsOf(hang_up)).toEqual([told.legOf('visitor').id]);
	});

	it('if we learn that a member pressed 1 only when that member has left', () => {
		const told = story({ team: 2 });
		told.dialing(0, 0);
		told.end(12, 0, 'completed', { answered: 7, accepted: 10 });
		expect(told.rung()).toEqual([0]);
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'agent_left', completed_at: at(12) });
	});
});

describe('a call rings', () => {
	it('as soon as one of the phones does, by any report', () => {
		for (const rank of ['ringing', 'answered', 'accepted'] as const) {
			const told = story({ team: 2, strategy: 'simultaneous' });
			expect(told.call().status).toBe('requested');
			told.tell(3, 1, rank);
			expect([rank, told.call().status]).toEqual([rank, 'ringing']);
		}
	});
});

describe('the team member who presses 1 first', () => {
	it('is never the visitor, for any key of that phone', () => {
		const told = story({ order: 'visitor_first' });
		told.tell(5, 'visitor', 'accepted', { answered: 4 });
		expect(told.call()).toMatchObject({ status: 'ringing', winner_leg_id: null });
		expect(told.rung()).toEqual(['visitor', 0]);
	});

	it('keeps the call, even if another member pressed earlier by the provider’s clock', () => {
		const told = story({ team: 2, strategy: 'simultaneous' });
		for (const member of [0, 1]) told.dialing(0, member);
		told.tell(6, 1, 'accepted');
		const winner = told.call().winner_leg_id;
		told.tell(7, 0, 'accepted', { at: 5 });
		expect(told.call().winner_leg_id).toBe(winner);
		expect(told.legOf(0).hangup_requested_at).not.toBeNull();
	});
});

describe('a conversation', () => {
	it('lasts from the moment both have joined until the first leaves, and ends when reports say that both have left', () => {
		const told = talking();
		expect(told.call()).toMatchObject({ status: 'connected', connected_at: at(20), completed_at: null });
		const { hang_up } = told.end(83, 'visitor', 'completed', { at: 81.9 });
		expect(idsOf(hang_up)).toEqual([told.legOf(0).id]);
		expect(told.call()).toMatchObject({ status: 'connected', duration_seconds: null });
		told.end(84, 0, 'hung_up');
		expect(told.call()).toMatchObject({ status: 'completed', completed_at: at(81.9), duration_seconds: 61 });
	});

	it('ends 10 s after the first left if there is no report on the other', () => {
		const told = talking();
		told.end(80, 'visitor', 'completed');
		told.time(89.9);
		expect(told.call().status).toBe('connected');
		told.time(90);
		expect(told.call()).toMatchObject({ status: 'completed', completed_at: at(80), duration_seconds: 60 });
	});

	it('ends when its two legs have, even if another member’s hang-up is not confirmed', () => {
		const told = contested();
		told.tell(14, 'visitor', 'answered');
		told.end(20, 'visitor', 'completed');
		told.end(21, 0, 'hung_up');
		expect(told.legOf(1).ended_at).toBeNull();
		expect(told.call()).toMatchObject({ status: 'completed', completed_at: at(20), duration_seconds: 6 });
	});

	it('with late reports only is connected and completed at once', () => {
		const told = accepted();
		told.end(90, 0, 'completed', { at: 80 });
		const { events } = told.end(91, 'visitor', 'completed', { at: 80, answered: 20 });
		expect(events.map(({ kind, data }) => [kind, data.status, data.duration_seconds])).toEqual([
			['call.connected', 'connected', null],
			['call.completed', 'completed', 60],
		]);
	});

	it('shorter than one second of the provider’s clock counts, with 0 seconds', () => {
		const told = accepted();
		told.tell(20, 'visitor', 'answered');
		told.end(20, 'visitor', 'completed');
		told.end(20, 0, 'completed');
		expect(told.call()).toMatchObject({ status: 'completed', duration_seconds: 0, connected_at: at(20) });
	});

	it('that was announced before it became known that the member had left, has failed', () => {
		const told = talking();
		told.end(21, 0, 'completed', { at: 19 });
		told.end(22, 'visitor', 'hung_up');
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'agent_left', connected_at: null });
		expect(told.kinds()).toEqual(['call.requested', 'call.ringing', 'call.connected', 'call.failed']);
	});

	it('that never began has failed even if it is then cancelled: nothing leads back from connected', () => {
		const told = talking();
		told.end(21, 0, 'completed', { at: 15 });
		expect(told.call().status).toBe('connected');
		told.cancel(22);
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'agent_left', duration_seconds: 0 });
	});

	it('ends with a cancel, also by a clock that is behind the provider’s', () => {
		const told = talking();
		told.cancel(19);
		expect(told.call()).toMatchObject({ status: 'completed', completed_at: at(20), duration_seconds: 0 });
	});
});

describe('a leg', () => {
	const providerless = () => {
		const told = story();
		told.dialing(0, 0);
		return told;
	};

	it('does not go back: a late report of an earlier rank only adds its time', () => {
		const told = story();
		told.dialing(0, 0);
		told.tell(7, 0, 'answered');
		told.tell(8, 0, 'ringing', { at: 2 });
		expect(told.legOf(0)).toMatchObject({ rank: 'answered', ringing_at: at(2), answered_at: at(7) });
	});

	it('has the earliest time of each rank, for every order of reports', () => {
		for (const times of [
			[3, 5],
			[5, 3],
		]) {
			const told = story();
			for (const when of times) told.tell(8, 0, 'ringing', { at: when });
			expect(told.legOf(0).ringing_at).toBe(at(3));
		}
	});

	it('does not change at a repeated report', () => {
		const told = story();
		told.dialing(0, 0);
		told.tell(2, 0, 'ringing');
		const before = told.call();
		told.tell(5, 0, 'ringing', { at: 2 });
		expect(told.call()).toEqual(before);
	});

	it('has the earliest end, for every order of reports', () => {
		const ends = [
			[31, 'completed'],
			[30, 'hung_up'],
		] as const;
		for (const reports of [ends, ends.toReversed()]) {
			const told = talking();
			for (const [when, cause] of reports) told.end(40, 0, cause, { at: when });
			expect(told.legOf(0)).toMatchObject({ ended_at: at(30), cause: 'hung_up' });
		}
	});

	it('that is not wanted before its provider’s id is known, is hung up when it is: by the dial’s answer', () => {
		const told = providerless();
		expect(told.cancel(1).hang_up).toEqual([]);
		expect(idsOf(told.dialAccepted(2, 0).hang_up)).toEqual([told.legOf(0).id]);
	});

	it('that is not wanted before its provider’s id is known, is hung up when it is: by the first callback', () => {
		const told = providerless();
		told.cancel(1);
		expect(idsOf(told.tell(2, 0, 'ringing').hang_up)).toEqual([told.legOf(0).id]);
	});

	it('gets its provider id from the first callback if that comes before the response to the dial', () => {
		const told = providerless();
		told.tell(1, 0, 'ringing', { provider_id: 'P first' });
		told.dialAccepted(2, 0);
		expect(told.legOf(0)).toMatchObject({ provider_id: 'P first', rank: 'ringing' });
	});

	it('that was throttled waits, is dialled again, and ends at once if it is no longer needed', () => {
		const told = providerless();
		told.apply(1, { input: 'dial_throttled', leg_id: told.legOf(0).id, retry_after_seconds: 4 });
		expect([4.9, 5].map((seconds) => mayDial(told.legOf(0), START_MS + seconds * 1000))).toEqual([false, true]);
		told.cancel(3);
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'hung_up' });
		expect(mayDial(told.legOf(0), START_MS + 60_000)).toBe(false);
	});

	it('that the provider does not know yet may still ring: its look-up may be behind its calls', () => {
		const told = providerless();
		told.apply(10, { input: 'time', look_ups: [{ leg_id: told.legOf(0).id, answer: 'missing' }] });
		expect(told.legOf(0)).toMatchObject({ rank: 'dialing', hangup_requested_at: null });
		told.tell(12, 0, 'ringing');
		told.tell(13, 0, 'answered');
		expect(told.legOf(0)).toMatchObject({ rank: 'answered', hangup_requested_at: null });
	});

	it('that the provider does not know after its time to ring is given up, and hung up if it appears later', () => {
		const told = providerless();
		told.tell(2, 0, 'answered');
		told.apply(23, { input: 'time', look_ups: [{ leg_id: told.legOf(0).id, answer: 'missing' }] });
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'provider_error' });
	});

	it('that has ended is not given up, even if the provider does not know it any more', () => {
		const told = providerless();
		const { call } = told.end(5, 0, 'busy');
		const { hang_up } = told.apply(10, {
			input: 'time',
			look_ups: [{ leg_id: told.legOf(0).id, answer: 'missing' }],
		});
		expect(told.call()).toBe(call);
		expect(hang_up).toEqual([]);
	});

	it('that already rings ignores a late throttle of its dial', () => {
		const told = providerless();
		told.tell(2, 0, 'ringing');
		const { call } = told.last();
		told.apply(3, { input: 'dial_throttled', leg_id: told.legOf(0).id, retry_after_seconds: 4 });
		expect(told.call()).toBe(call);
	});
});

describe('a leg that is no longer needed', () => {
	it('ends as soon as the provider throttles its dial, because it does not ring', () => {
		const told = story();
		told.dialing(0, 0);
		told.cancel(1);
		const leg_id = told.legOf(0).id;
		told.apply(2, { input: 'dial_throttled', leg_id, retry_after_seconds: 1 });
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'hung_up', ended_at: at(2), throttled_until: null });
	});

	it('is not dialled, at any rank', () => {
		const told = story();
		const leg = { ...told.legOf(0), hangup_requested_at: at(1) };
		expect(mayDial(leg, START_MS + 2000)).toBe(false);
		expect(mayDial({ ...leg, hangup_requested_at: null }, START_MS + 2000)).toBe(true);
	});
});
