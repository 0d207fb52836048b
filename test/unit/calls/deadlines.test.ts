import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { deadlinesOf, isTalking, silentLegs } from '../../../shared/domain/calls/deadlines.ts';
import { pressOne, type Sentence, secondsToSay } from '../../../shared/domain/calls/spoken.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { anyCharacter } from '../../support/any-character.ts';
import {
	accepted,
	at,
	contested,
	START_MS,
	type Story,
	story,
	talking,
	type Who,
	waiting,
} from '../../support/calls/call-story.ts';

const idsOf = (legs: readonly { readonly id: string }[]) => legs.map(({ id }) => id);

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

	it('of a leg whose dial was throttled: its message is sent again 10 s after it may be', () => {
		const told = story();
		told.dialing(0, 0);
		const leg_id = told.legOf(0).id;
		told.apply(1, { input: 'dial_throttled', leg_id, retry_after_seconds: 4 });
		expect(dueOf(told, 0)).toEqual([['ask_again', 15]]);
		expect(idsOf(told.time(15).dial)).toEqual([leg_id]);
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
		const said_seconds = secondsToSay(pressOne(call));
		expect(said_seconds).toBeGreaterThanOrEqual(5);
		expect(dueOf(told, 0)).toEqual([
			['end_leg', 5 + said_seconds + 8 + 3],
			['look_up', 50],
		]);
		told.time(5 + said_seconds + 8 + 3);
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'no_answer' });
	});

	it('never cut off the prompt, for any length of name and page', () => {
		// A synthetic voice speaks about 15 letters a second; a digit or sign takes a third of a second.
		const voice_seconds = ({ language, text }: Sentence): number => {
			const letter = language === 'ar' ? /[\p{Script=Arabic} ]/u : /[\p{Script=Latin} ]/u;
			return [...text].reduce((sum, character) => sum + (letter.test(character) ? 1 / 15 : 1 / 3), 0);
		};
		const names = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }));
		const path = fc.string({ unit: anyCharacter }).map(encodeURIComponent);
		const urls = fc.tuple(fc.domain(), path).map(([host, text]) => `https://${host}/${text}`);
		fc.assert(
			fc.property(fc.constantFrom(...languages), names, urls, (language, visitor_name, source_url) => {
				const told = story();
				told.tell(5, 0, 'answered');
				const call: Call = { ...told.call(), language, visitor_name, source_url };
				const end = deadlinesOf(call, 1).find(({ due }) => due === 'end_leg');
				const limit_seconds = ((end?.at_ms ?? 0) - START_MS) / 1000 - 5;
				expect(limit_seconds).toBeGreaterThanOrEqual(voice_seconds(pressOne(call)) + 8);
				// The prompt takes at most a third of a minute.
				expect(limit_seconds).toBeLessThanOrEqual(19 + 8 + 3);
			}),
		);
	});

	it('of silence during a conversation: 150 s for both legs together, again after each look-up', () => {
		const told = talking();
		for (const who of [0, 'visitor'] as const) expect(dueOf(told, who)).toEqual([['look_up', 170]]);
		const unclear = ([0, 'visitor'] as const).map(
			(who) => ({ leg_id: told.legOf(who).id, answer: 'unclear' }) as const,
		);
		told.apply(170, { input: 'time', look_ups: unclear });
		for (const who of [0, 'visitor'] as const) expect(dueOf(told, who)).toEqual([['look_up', 320]]);
	});

	it('of silence during a conversation: other members’ phones do not count', () => {
		const told = contested();
		told.tell(20, 'visitor', 'answered');
		told.end(30, 1, 'hung_up');
		expect(dueOf(told, 0)).toEqual([['look_up', 170]]);
	});

	it('of silence while the visitor is rung: 45 s for the member who waits', () => {
		expect(dueOf(accepted(), 0)).toEqual([['look_up', 55]]);
	});

	it('of silence while the team is rung: 45 s for the visitor who waits', () => {
		const told = waiting();
		expect(dueOf(told, 'visitor')).toEqual([['look_up', 50]]);
	});

	it('name the legs to look up when they are due, and dial none of them again', () => {
		const silentAt = (told: Story, seconds: number) =>
			idsOf(silentLegs(told.call(), { now_ms: START_MS + seconds * 1000, speed: 1 }));
		const told = accepted();
		told.dialAccepted(11, 'visitor');
		expect([silentAt(told, 24), silentAt(told, 25)]).toEqual([[], [told.legOf('visitor').id]]);
		expect(told.time(25).dial).toEqual([]);
		expect(silentAt(story(), 10)).toEqual([]);
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
			(who) => ({ leg_id: told.legOf(who).id, answer: 'unclear' }) as const,
		);
		told.apply(170, { input: 'time', look_ups: looked_up });
		expect(due()).toBe(650);
	});

	it('of the sweep move only when time has passed, because each move costs index writes', () => {
		const dueAfter = (told: Story) => told.call().due_at;
		const late = accepted();
		late.tell(35, 'visitor', 'answered');
		// The next look-up is at 185 s.
		expect(dueAfter(late)).toBe(at(180));
		late.end(200, 'visitor', 'completed');
		expect(dueAfter(late)).toBe(at(180));
		late.time(200);
		expect(dueAfter(late)).toBe(at(440));
		const sharp = talking();
		sharp.time(180);
		expect(dueAfter(sharp)).toBe(at(660));
	});

	it('of the sweep are those of a call that waits once one of the two has left', () => {
		const told = talking();
		expect(isTalking(told.call())).toBe(true);
		told.end(60, 'visitor', 'completed');
		expect(isTalking(told.call())).toBe(false);
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
