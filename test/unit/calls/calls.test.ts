import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { mayDial } from '../../../shared/domain/calls/call-input.ts';
import { deadlinesOf } from '../../../shared/domain/calls/deadlines.ts';
import type { EndCause } from '../../../shared/domain/calls/leg.ts';
import { ringPlan } from '../../../shared/domain/calls/ringing-plan.ts';
import { spokenPrompt, spokenSeconds } from '../../../shared/domain/calls/spoken-prompt.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { START_MS } from '../../support/calls/call-run.ts';
import { accepted, at, type Story, story, talking, type Who } from '../../support/calls/call-story.ts';

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
			const [start = 0, next] = ringPlan(workspace, ulidIds.next()).members;
			expect(next).toBe((start + 1) % 5);
			starts[start] = (starts[start] ?? 0) + 1;
		}
		expect(Math.min(...starts)).toBeGreaterThan(850);
		expect(Math.max(...starts)).toBeLessThan(1150);
	});
});

describe('the team member who presses 1 first', () => {
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

describe('why a call failed', () => {
	const visitorEnds: readonly (readonly [EndCause, Call['failure_reason']])[] = [
		['busy', 'visitor_busy'],
		['no_answer', 'visitor_no_answer'],
		['rejected', 'visitor_rejected'],
		['voicemail', 'voicemail'],
		['unreachable', 'number_unreachable'],
		['provider_error', 'provider_error'],
		['provider_rejected', 'provider_rejected'],
	];
	it.each(visitorEnds)('the visitor’s leg ended %s: %s', (cause, reason) => {
		const told = accepted();
		told.end(15, 'visitor', cause);
		expect(told.call().status).toBe('ringing');
		told.end(16, 0, 'hung_up');
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: reason, completed_at: at(16) });
	});

	const teamEnds: readonly (readonly [readonly EndCause[], Call['failure_reason']])[] = [
		[['no_answer', 'busy'], 'no_agent_answer'],
		[['voicemail', 'completed'], 'no_agent_answer'],
		[['provider_error', 'provider_error'], 'provider_error'],
		[['provider_rejected', 'provider_rejected'], 'provider_rejected'],
		[['provider_rejected', 'no_answer'], 'no_agent_answer'],
	];
	it.each(teamEnds)('all of the team ended %p: %s', (causes, reason) => {
		const told = story({ team: 2 });
		causes.forEach((cause, member) => void told.end(member + 1, member, cause));
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: reason });
	});

	const others: readonly (readonly [string, Call['failure_reason'], Story, (told: Story) => void])[] = [
		[
			'the member leaves while the visitor’s phone rings',
			'agent_left',
			accepted(),
			(told) => {
				told.tell(12, 'visitor', 'ringing');
				told.end(14, 0, 'completed');
				told.end(15, 'visitor', 'hung_up');
			},
		],
		[
			'the member leaves before the visitor was dialled',
			'agent_left',
			story(),
			(told) => {
				told.tell(10, 0, 'accepted');
				told.end(11, 0, 'completed');
			},
		],
		[
			'the visitor answers a moment after the member has left',
			'agent_left',
			accepted(),
			(told) => {
				told.end(19, 0, 'completed');
				told.end(21, 'visitor', 'hung_up', { answered: 20 });
			},
		],
		[
			'the visitor who was rung first tires of waiting',
			'no_agent_answer',
			story({ order: 'visitor_first' }),
			(told) => {
				told.tell(5, 'visitor', 'answered');
				told.dialing(5, 0);
				told.end(9, 'visitor', 'completed');
				told.end(12, 0, 'completed', { accepted: 10 });
			},
		],
		[
			'nobody is left for the visitor who was rung first',
			'no_agent_answer',
			story({ order: 'visitor_first' }),
			(told) => {
				told.tell(5, 'visitor', 'answered');
				told.end(9, 0, 'busy');
				told.end(10, 'visitor', 'hung_up');
			},
		],
	];
	it.each(others)('%s: %s', (_, reason, told, goOn) => {
		goOn(told);
		expect(told.call()).toMatchObject({
			status: 'failed',
			failure_reason: reason,
			connected_at: null,
			duration_seconds: 0,
		});
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

	it('that the provider does not know is given up, and hung up if it appears later', () => {
		const told = providerless();
		told.apply(10, { input: 'time', looked_up: [{ leg_id: told.legOf(0).id, found: 'missing' }] });
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'provider_error' });
		expect(idsOf(told.tell(15, 0, 'ringing').hang_up)).toEqual([told.legOf(0).id]);
		expect(told.call().status).toBe('failed');
	});
});

describe('deadlines', () => {
	/** The deadlines of a leg, in seconds since the request. */
	const dueOf = (told: Story, who: Who, speed = 1) =>
		deadlinesOf(told.call(), speed).flatMap((each) =>
			'leg_id' in each && each.leg_id === told.legOf(who).id ? [[each.due, (each.at_ms - START_MS) / 1000]] : [],
		);
	const dueOfCall = (told: Story) =>
		deadlinesOf(told.call(), 1).flatMap((each) =>
			'leg_id' in each ? [] : [[each.due, (each.at_ms - START_MS) / 1000]],
		);

	it('of a leg that was not dialled: its message is sent again every 10 s', () => {
		const told = story();
		expect(dueOf(told, 0)).toEqual([['ask_again', 10]]);
		expect(idsOf(told.time(10).dial)).toEqual([told.legOf(0).id]);
		expect(dueOf(told, 0)).toEqual([['ask_again', 20]]);
	});

	it('of a leg whose dial had an unclear result: looked up at 10 s, given up at 20 s', () => {
		const told = story();
		told.dialing(1, 0);
		expect(dueOf(told, 0)).toEqual([
			['look_up', 11],
			['end_leg', 21],
			['look_up', 46],
		]);
		told.time(21);
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'provider_error' });
	});

	it('of a leg queued at the provider: look up at 15 s, given up when it could have rung', () => {
		const told = accepted();
		told.dialAccepted(11, 'visitor');
		expect(dueOf(told, 'visitor')).toEqual([
			['look_up', 25],
			['end_leg', 55],
			['look_up', 55],
		]);
		expect(told.legOf('visitor').cause).toBeNull();
	});

	it('of a leg that rings: 20 s for a member, 30 s for the visitor, plus the time of a callback', () => {
		const told = accepted();
		told.tell(14, 'visitor', 'ringing');
		expect(dueOf(told, 'visitor')).toEqual([
			['end_leg', 47],
			['look_up', 59],
		]);
		const team = story();
		team.tell(2, 0, 'ringing');
		expect(dueOf(team, 0)).toEqual([
			['end_leg', 25],
			['look_up', 47],
		]);
		team.time(25);
		expect(team.legOf(0)).toMatchObject({ cause: 'no_answer', hangup_requested_at: at(25) });
	});

	it('of the request to press 1: 8 s after the prompt, plus the time of a callback', () => {
		const told = story();
		const { call } = told.tell(5, 0, 'answered');
		const said_seconds = spokenSeconds(spokenPrompt(call));
		expect(said_seconds).toBeGreaterThanOrEqual(5);
		expect(dueOf(told, 0)).toEqual([
			['end_leg', 5 + said_seconds + 8 + 3],
			['look_up', 50],
		]);
	});

	it('never cut off the prompt, for any length of name and page', () => {
		// A synthetic voice speaks about 15 letters a second; a digit or sign takes a third of a second.
		const voice_seconds = (text: string): number =>
			[...text].reduce((sum, character) => sum + (/[\p{Script=Latin} ]/u.test(character) ? 1 / 15 : 1 / 3), 0);
		const names = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }));
		const path = fc.string({ unit: anyCharacter }).map(encodeURIComponent);
		const urls = fc.tuple(fc.domain(), path).map(([host, text]) => `https://${host}/${text}`);
		fc.assert(
			fc.property(names, urls, (visitor_name, source_url) => {
				const told = story();
				told.tell(5, 0, 'answered');
				const call: Call = { ...told.call(), visitor_name, source_url };
				const text = spokenPrompt(call);
				const end = deadlinesOf(call, 1).find(({ due }) => due === 'end_leg');
				const limit_seconds = ((end?.at_ms ?? 0) - START_MS) / 1000 - 5;
				expect(limit_seconds).toBeGreaterThanOrEqual(voice_seconds(text) + 8);
				// The prompt takes at most a quarter of a minute.
				expect(limit_seconds).toBeLessThanOrEqual(16 + 8 + 3);
			}),
		);
	});

	it('of silence during a conversation: 150 s for both legs together, again after each look-up', () => {
		const told = talking();
		for (const who of [0, 'visitor'] as const) expect(dueOf(told, who)).toEqual([['look_up', 170]]);
		const unclear = ([0, 'visitor'] as const).map((who) => ({ leg_id: told.legOf(who).id, found: 'unclear' }) as const);
		told.apply(170, { input: 'time', looked_up: unclear });
		for (const who of [0, 'visitor'] as const) expect(dueOf(told, who)).toEqual([['look_up', 320]]);
	});

	it('of silence while the visitor is rung: 45 s for the member who waits', () => {
		expect(dueOf(accepted(), 0)).toEqual([['look_up', 55]]);
	});

	it('send a timer only if it is sooner than the one in flight, which arms the next', () => {
		const told = story();
		// Rung at 1 s, answered at 5 s: every deadline comes later than the dial's own.
		const under_way = told.call().timer_at;
		expect(told.tell(1, 0, 'ringing').timer_at_ms).toBeNull();
		expect(told.tell(5, 0, 'answered').timer_at_ms).toBeNull();
		expect(told.call().timer_at).toBe(under_way);
		const [next] = deadlinesOf(told.call(), 1);
		expect(told.time((Date.parse(under_way ?? '') - START_MS) / 1000).timer_at_ms).toBe(next?.at_ms);
	});

	it('keep the sweep behind the timers of a talk, and behind their loss by minutes at most', () => {
		const told = talking();
		const due = () => (Date.parse(told.call().due_at ?? '') - START_MS) / 1000;
		expect(due()).toBe(180);
		const looked_up = ([0, 'visitor'] as const).map(
			(who) => ({ leg_id: told.legOf(who).id, found: 'unclear' }) as const,
		);
		told.apply(170, { input: 'time', looked_up });
		expect(due()).toBe(650);
	});

	it('of a call: 120 s to connect, 2 h to talk', () => {
		expect(dueOfCall(accepted())).toEqual([['set_up_over', 120]]);
		expect(dueOfCall(talking())).toEqual([['conversation_over', 7220]]);
		const waiting = accepted();
		waiting.time(120);
		expect(waiting.call()).toMatchObject({ status: 'failed', failure_reason: 'setup_timeout', completed_at: at(120) });
		const endless = talking();
		endless.time(7220);
		expect(endless.call()).toMatchObject({ status: 'completed', duration_seconds: 7200 });
	});

	it('use our clock: a provider whose clock is wrong by minutes ends no ringing', () => {
		const told = story();
		told.dialing(0, 0);
		told.tell(2, 0, 'ringing', { at: -300 });
		expect(dueOf(told, 0)).toEqual([
			['end_leg', 25],
			['look_up', 47],
		]);
	});

	it('shrink as the phones get faster, down to a third: this machine does not run faster', () => {
		const told = story();
		told.dialing(0, 0);
		expect(dueOf(told, 0, 2)).toEqual([
			['look_up', 5],
			['end_leg', 10],
			['look_up', 22.5],
		]);
		expect(dueOf(told, 0, 60)).toEqual(dueOf(told, 0, 3));
	});

	it('have one timer in flight, for the soonest', () => {
		const told = talking();
		expect(told.call().timer_at).toBe(at(170));
		expect(told.tell(21, 'visitor', 'ringing').timer_at_ms).toBeNull();
		// Both are to be hung up within 10 s.
		expect(told.cancel(30).timer_at_ms).toBe(START_MS + 40_000);
		expect(told.call().timer_at).toBe(at(40));
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
