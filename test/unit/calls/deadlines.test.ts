import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { deadlinesOf, isTalking, silentLegs, stillRings, unusedRing } from '../../../shared/domain/calls/deadlines.ts';
import { acceptPrompt, type Sentence, secondsToSay } from '../../../shared/domain/calls/spoken.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { anyCharacter } from '../../support/any-character.ts';
import {
	about,
	at,
	both,
	callAfter,
	cancel,
	changeAfter,
	contested,
	dial,
	dialsVisitor,
	legOf,
	moment,
	passTime,
	report,
	type Shop,
	START_MS,
	type Step,
	talking,
	visitorFirst,
	type Who,
	waiting,
} from '../../support/calls/call-after.ts';

type Dues = readonly (readonly [due: string, second: number])[];
/** The deadlines of a leg or of the call itself, in seconds after the request. */
function duesOf(call: Call, who: Who | 'call', speed = 1): Dues {
	const legId = who === 'call' ? undefined : legOf(call, who).id;
	return deadlinesOf(call, speed)
		.filter((each) => ('leg_id' in each ? each.leg_id : undefined) === legId)
		.map(({ due, at_ms }) => [due, (at_ms - START_MS) / 1000]);
}
const answered = [report(5, 0, 'answered')];
const saidSeconds = secondsToSay(acceptPrompt(callAfter(answered)));
const throttled = about(1, 0, (leg_id) => ({ input: 'dial_throttled', leg_id, retry_after_seconds: 4 }));
const queued = about(11, 'visitor', (leg_id) => ({ input: 'dial_accepted', leg_id, provider_id: 'P' }));
const dialAccepted = about(1, 0, (leg_id) => ({ input: 'dial_accepted', leg_id, provider_id: 'P' }));

describe('a deadline', () => {
	it.each<[string, readonly Step[], Who | 'call', Dues, Shop?]>([
		['of a leg that was not dialled: its message is sent again every 10 s', [], 0, [['ask_again', 10]]],
		['of a leg that was not dialled: again after each message', [passTime(10)], 0, [['ask_again', 20]]],
		['of a throttled dial: 10 s after it may be repeated', [dial(0, 0), throttled], 0, [['ask_again', 15]]],
		[
			'of a leg whose dial had an unclear result: looked up at 10 s, given up at 20 s',
			[dial(1, 0)],
			0,
			[
				['look_up', 11],
				['end_leg', 21],
				['look_up', 46],
			],
		],
		[
			'of a leg queued at the provider: looked up at 15 s, given up when it could have rung',
			[...dialsVisitor, queued],
			'visitor',
			[
				['look_up', 25],
				['end_leg', 55],
				['look_up', 55],
			],
		],
		[
			'of the visitor’s phone that rings: 30 s, plus the time of a callback',
			[...dialsVisitor, report(14, 'visitor', 'ringing')],
			'visitor',
			[
				['end_leg', 47],
				['look_up', 59],
			],
		],
		[
			'of a member’s phone that rings: 20 s, by our clock even if the provider’s is wrong by minutes',
			[dial(0, 0), report(2, 0, 'ringing', { at: -300 })],
			0,
			[
				['end_leg', 25],
				['look_up', 47],
			],
		],
		[
			'of the request to press 1: as if the phone was answered at its last ring, plus the prompt, 8 s and a callback',
			answered,
			0,
			[
				['end_leg', 20 + saidSeconds + 8 + 3],
				['look_up', 50],
			],
		],
		['of silence while they talk: 150 s for both legs together', talking, 'visitor', [['look_up', 170]]],
		[
			'of silence while they talk: again after each look-up',
			[...talking, passTime(170, 'unclear', [0, 'visitor'])],
			0,
			[['look_up', 320]],
		],
		[
			'of silence while they talk: other members’ phones do not count',
			[...contested, report(20, 'visitor', 'answered'), report(30, 1, 'hung_up')],
			0,
			[['look_up', 170]],
			both,
		],
		['of silence while the visitor is rung: 45 s for the member who waits', dialsVisitor, 0, [['look_up', 55]]],
		[
			'of silence while the team is rung: 45 s for the visitor who waits',
			waiting,
			'visitor',
			[['look_up', 50]],
			visitorFirst,
		],
		['of a call: 120 s to connect', dialsVisitor, 'call', [['set_up_over', 120]]],
		['of a call: 2 h to talk', talking, 'call', [['conversation_over', 7220]]],
	])('is set: %s', (_, steps, who, dues, shop = {}) => {
		expect(duesOf(callAfter(steps, shop), who)).toEqual(dues);
	});

	it.each<[string, readonly Step[], object]>([
		['another message to dial a leg that was not dialled', [passTime(10)], { dial: [{ rank: 'created' }] }],
		[
			'another message to dial a leg that was throttled',
			[dial(0, 0), throttled, passTime(15)],
			{ dial: [{ rank: 'dialing' }] },
		],
		['no message to dial a leg that is looked up', [...dialsVisitor, queued, passTime(25)], { dial: [] }],
		[
			'the end of a call whose dial is unclear',
			[dial(1, 0), passTime(21)],
			{ call: { failure_reason: 'provider_error' } },
		],
		[
			'the end of a leg whose phone rang too long, and its hang-up',
			[report(2, 0, 'ringing'), passTime(25)],
			{ call: { legs: [{ cause: 'no_answer', hangup_requested_at: at(25) }] } },
		],
		[
			'the end of a leg on which 1 was not pressed',
			[...answered, passTime(20 + saidSeconds + 8 + 3)],
			{ call: { legs: [{ rank: 'ended', cause: 'no_answer' }] } },
		],
		[
			'the end of a call that takes 120 s to connect',
			[...dialsVisitor, passTime(120)],
			{ call: { status: 'failed', failure_reason: 'setup_timeout', completed_at: at(120) } },
		],
		[
			'the end of a conversation of 2 h',
			[...talking, passTime(7220)],
			{ call: { status: 'completed', duration_seconds: 7200 } },
		],
	])('brings %s', (_, steps, change) => {
		expect(changeAfter(steps)).toMatchObject(change);
	});

	it('never cuts off the prompt, for any length of name and page', () => {
		// A synthetic voice speaks about 15 letters a second. A digit or a sign takes it a third of a second.
		const voiceSeconds = ({ language, text }: Sentence): number => {
			const letter = language === 'ar' ? /[\p{Script=Arabic} ]/u : /[\p{Script=Latin} ]/u;
			return [...text].reduce((sum, character) => sum + (letter.test(character) ? 1 / 15 : 1 / 3), 0);
		};
		const names = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }));
		const path = fc.string({ unit: anyCharacter }).map(encodeURIComponent);
		const urls = fc.tuple(fc.domain(), path).map(([host, text]) => `https://${host}/${text}`);
		fc.assert(
			fc.property(fc.constantFrom(...languages), names, urls, (language, visitor_name, source_url) => {
				const call: Call = { ...callAfter(answered), language, visitor_name, source_url };
				const end = deadlinesOf(call, 1).find(({ due }) => due === 'end_leg');
				// The limit has to hold even if the phone is answered at the last moment, after ringing for 20 s.
				const limitSeconds = ((end?.at_ms ?? 0) - START_MS) / 1000 - 20;
				expect(limitSeconds).toBeGreaterThanOrEqual(voiceSeconds(acceptPrompt(call)) + 8);
				// The prompt takes at most 19 s.
				expect(limitSeconds).toBeLessThanOrEqual(19 + 8 + 3);
			}),
		);
	});

	it('says which legs to look up, once their look-up is due', () => {
		const silent = (second: number, steps: readonly Step[]) =>
			silentLegs(callAfter(steps), moment(second)).map(({ role }) => role);
		const steps = [...dialsVisitor, queued];
		expect([silent(24, steps), silent(25, steps), silent(10, [])]).toEqual([[], ['visitor'], []]);
	});

	it('shrinks as the simulated phones get faster, but only to a third, because the machine does not get faster', () => {
		const { call } = changeAfter([dial(0, 0)]);
		expect(duesOf(call, 0, 2)).toEqual([
			['look_up', 5],
			['end_leg', 10],
			['look_up', 22.5],
		]);
		expect(duesOf(call, 0, 60)).toEqual(duesOf(call, 0, 3));
	});
});

describe('timers', () => {
	it('are sent only if they are due before the timer in flight; when that timer arrives, it sends the next one', () => {
		// The phone rings at 1 s and is answered at 5 s. All deadlines are later than the dial's timer, so no timer is added.
		const steps = [report(1, 0, 'ringing'), ...answered];
		const { call, timer_at_ms } = changeAfter(steps);
		expect([call.timer_at, timer_at_ms]).toEqual([at(10), null]);
		expect(changeAfter([...steps, passTime(10)]).timer_at_ms).toBe(deadlinesOf(call, 1)[0]?.at_ms);
	});

	it('are set for the soonest deadline', () => {
		expect(callAfter(talking).timer_at).toBe(at(170));
		const unchanged = [...talking, report(21, 'visitor', 'ringing')];
		expect(changeAfter(unchanged).timer_at_ms).toBeNull();
		// The service has to hang up both phones within 10 s.
		expect(changeAfter([...unchanged, cancel(30)]).timer_at_ms).toBe(START_MS + 40_000);
	});
});

describe('the sweep checks', () => {
	/** The second at which the sweep checks the call. */
	const sweptAfter = (...steps: readonly Step[]) => {
		const { due_at } = callAfter(steps);
		return due_at === null ? null : (Date.parse(due_at) - START_MS) / 1000;
	};
	const lookedUp = passTime(170, 'unclear', [0, 'visitor']);
	const left = report(300, 'visitor', 'completed');

	it.each<[string, readonly Step[], number | null]>([
		['a call that is being set up, 60 s after its deadline', dialsVisitor, 180],
		['a conversation, 10 s after its first timer', talking, 180],
		['a conversation, 480 s after its first look-up', [...talking, lookedUp], 650],
		// The next look-up is at 185 s. The sweep still checks the call at 180 s, because storing a new time would cost index
		// writes.
		[
			'a conversation, at the same time as before, if only a report came',
			[...dialsVisitor, report(35, 'visitor', 'answered')],
			180,
		],
		['a conversation, 480 s after it was last checked', [...talking, passTime(240)], 720],
		['a conversation, 480 s after a sweep that was due', [...talking, passTime(180)], 660],
		['a call that one person has left, at the same time as before', [...talking, passTime(240), left], 720],
		[
			'a call that one of the two people has left, 240 s after it was last checked',
			[...talking, report(200, 'visitor', 'completed'), passTime(200)],
			440,
		],
		['no call that has ended', [...talking, passTime(240), left, report(301, 0, 'completed')], null],
		['the longest conversation, a minute after its end', [...talking, passTime(7200)], 7280],
		['a canceled call, 240 s after it was last checked', [dial(0, 0), dialAccepted, cancel(5), passTime(170)], 410],
	])('%s', (_, steps, second) => {
		expect(sweptAfter(...steps)).toBe(second);
	});

	it('a waiting call more often than a call in conversation', () => {
		expect(isTalking(callAfter(talking))).toBe(true);
		expect(isTalking(callAfter([...talking, left]))).toBe(false);
	});
});

describe('a hang-up that the provider does not confirm', () => {
	const canceledTalk = [...talking, cancel(30)];
	const repeats = (...steps: readonly Step[]) => changeAfter([...canceledTalk, ...steps]).hang_up.length;

	it('is repeated every 10 s for two minutes, then every three minutes', () => {
		const steps: Step[] = [];
		for (let second = 40; second <= 150; second += 10) {
			expect(duesOf(callAfter([...canceledTalk, ...steps]), 'visitor').slice(0, 2)).toEqual([
				['ask_again', second],
				['look_up', second],
			]);
			steps.push(passTime(second));
			expect(repeats(...steps)).toBe(2);
		}
		expect(repeats(...steps, passTime(329))).toBe(0);
		expect([repeats(...steps, passTime(330)), repeats(...steps, passTime(330), passTime(510))]).toEqual([2, 2]);
	});

	it('is repeated until the provider reports the end, and the sweep repeats it if a timer is lost', () => {
		const late = [passTime(900), report(910, 'visitor', 'completed', { at: 30 })];
		expect(callAfter([...canceledTalk, ...late]).due_at).toBe(at(900 + 240));
		expect(repeats(...late, passTime(1100))).toBe(1);
		const { call } = changeAfter([...canceledTalk, ...late, passTime(1100), report(1101, 0, 'hung_up', { at: 1100 })]);
		expect([call.due_at, call.timer_at]).toEqual([null, null]);
	});

	it('is given up once the provider must have ended the leg by itself', () => {
		const end = 10 + 7500 + 120;
		expect(duesOf(callAfter(canceledTalk), 'visitor')).toContainEqual(['end_leg', end]);
		const { call } = changeAfter([...canceledTalk, passTime(end)]);
		expect(legOf(call, 'visitor')).toMatchObject({ rank: 'ended', cause: 'hung_up' });
	});

	it('is given up, for a leg without an id, once its phone cannot ring any more', () => {
		expect(duesOf(callAfter([dial(0, 0), cancel(1)]), 0)).toContainEqual(['end_leg', 121]);
	});
});

describe('the ring time of a phone', () => {
	const call = callAfter(dialsVisitor);
	const dialedLater = (who: Who) => ({ ...legOf(call, who), created_at: at(-5) });
	const phones = [
		[0, 20],
		['visitor', 30],
	] as const;

	it.each(phones)('of leg %s counts from its dial, and our clock allows three seconds more', (who, seconds) => {
		const leg = dialedLater(who);
		const dialedMs = Date.parse(leg.dialed_at ?? '');
		const ringsAfter = (s: number, speed = 1) => stillRings(leg, { now_ms: dialedMs + s * 1000, speed });
		expect([ringsAfter(seconds + 2.999), ringsAfter(seconds + 3)]).toEqual([true, false]);
		expect([ringsAfter((seconds + 3) / 2 - 0.001, 2), ringsAfter((seconds + 3) / 2, 2)]).toEqual([true, false]);
	});

	it.each(phones)(
		'of leg %s that remains at an answer is added to the time for the question, and is never negative',
		(who, seconds) => {
			const leg = dialedLater(who);
			const dialedMs = Date.parse(leg.dialed_at ?? '');
			const left = (s: number, speed = 1) => unusedRing(leg, { now_ms: dialedMs + s * 1000, speed });
			expect([left(0), left(4), left(4, 2), left(seconds + 1)]).toEqual([seconds, seconds - 4, seconds - 8, 0]);
		},
	);
});
