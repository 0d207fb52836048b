import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mayDial } from '../../../shared/domain/calls/call-input.ts';
import { mayStillRing } from '../../../shared/domain/calls/deadlines.ts';
import { instructionFor } from '../../../shared/domain/calls/instruction.ts';
import { type EndCause, endCauses, isReportOn, type Leg } from '../../../shared/domain/calls/leg.ts';
import { acceptPrompt, secondsToSay } from '../../../shared/domain/calls/spoken.ts';
import {
	about,
	at,
	both,
	callAfter,
	cancel,
	changeAfter,
	changesAfter,
	dial,
	dialsVisitor,
	legOf,
	moment,
	passTime,
	report,
	type Shop,
	type Step,
	talking,
	visitorFirst,
	type Who,
	waiting,
} from '../../support/calls/call-after.ts';

/** The leg of the only team member after these steps. */
const legAfter = (steps: readonly Step[], shop?: Shop): Leg => legOf(callAfter(steps, shop), 0);
const throttled = (second: number, retry_after_seconds: number): Step =>
	about(second, 0, (leg_id) => ({ input: 'dial_throttled', leg_id, retry_after_seconds }));
const dialAccepted = (second: number, provider_id = 'P 0'): Step =>
	about(second, 0, (leg_id) => ({ input: 'dial_accepted', leg_id, provider_id }));

describe('the state of a leg', () => {
	it('never goes back: a late report of an earlier state only adds the time of that state', () => {
		const leg = legAfter([dial(0, 0), report(7, 0, 'answered'), report(8, 0, 'ringing', { at: 2 })]);
		expect(leg).toMatchObject({ rank: 'answered', ringing_at: at(2), answered_at: at(7) });
	});

	it('includes the earliest time of each state and the earliest end, for every order of reports', () => {
		const rings = [report(8, 0, 'ringing', { at: 3 }), report(8, 0, 'ringing', { at: 5 })];
		const ends = [report(40, 0, 'completed', { at: 31 }), report(40, 0, 'hung_up', { at: 30 })];
		for (const order of [<T>(all: T[]) => all, <T>(all: T[]) => all.toReversed()]) {
			expect(legAfter(order(rings)).ringing_at).toBe(at(3));
			expect(legAfter([...talking, ...order(ends)])).toMatchObject({ ended_at: at(30), cause: 'hung_up' });
		}
	});

	const causes = endCauses.filter((cause) => cause !== 'provider_rejected');
	it.each(causes.filter((cause) => cause !== 'completed'))(
		'keeps the cause that says more than `completed` if both are reported in the same second, in either order: %s',
		(cause) => {
			const ends = [report(41, 0, 'completed', { at: 30 }), report(41, 0, cause, { at: 30.9 })];
			for (const all of [ends, ends.toReversed()]) expect(legAfter([dial(0, 0), ...all])).toMatchObject({ cause });
		},
	);

	it('has the same end, whatever the order of several reports of the end', () => {
		const ends = fc.array(fc.tuple(fc.constantFrom(...causes), fc.constantFrom(30, 30.2, 30.9, 31, 31.5, 40)), {
			minLength: 1,
			maxLength: 5,
		});
		const orders = ends.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
		const resultOf = (all: readonly (readonly [EndCause, number])[]) => {
			const { ended_at, cause } = legAfter([
				dial(0, 0),
				...all.map(([end, second]) => report(41, 0, end, { at: second })),
			]);
			return { ended_at, cause };
		};
		fc.assert(fc.property(orders, ([one, other]) => expect(resultOf(one)).toEqual(resultOf(other))));
	});

	it('does not change at a repeated report', () => {
		const [once, twice] = changesAfter([report(2, 0, 'ringing'), report(5, 0, 'ringing', { at: 2 })]).slice(1);
		expect(twice?.call).toBe(once?.call);
	});

	it('changes only by reports about this leg', () => {
		const belongs = (provider_id: string | null, reported: string | null) =>
			isReportOn({ ...legAfter([]), provider_id }, reported);
		expect([belongs(null, null), belongs(null, 'P'), belongs('P', null), belongs('P', 'P')]).toEqual(
			Array(4).fill(true),
		);
		expect(belongs('P', 'Q')).toBe(false);
	});
});

describe('a leg', () => {
	it('may be dialled if it never was, or if it was throttled and the wait is over', () => {
		const may = (changes: Partial<Leg>) => mayDial({ ...legAfter([]), ...changes }, moment(10).now_ms);
		expect(may({})).toBe(true);
		expect(may({ rank: 'dialing' })).toBe(false);
		expect(may({ rank: 'dialing', throttled_until: at(10) })).toBe(true);
		expect(may({ rank: 'dialing', throttled_until: at(11) })).toBe(false);
		expect(may({ rank: 'ringing' })).toBe(false);
		expect(may({ rank: 'ringing', throttled_until: at(10) })).toBe(false);
		expect(may({ hangup_requested_at: at(5) })).toBe(false);
	});

	it('gets its provider id from the first callback if the callback comes before the response to the dial', () => {
		const steps = [dial(0, 0), report(1, 0, 'ringing', { provider_id: 'P first' }), dialAccepted(2)];
		expect(legAfter(steps)).toMatchObject({ provider_id: 'P first', rank: 'ringing' });
	});

	it('stores why the provider refused to dial it, unless the leg had ended before', () => {
		const refused = (code: string | null, ...before: readonly Step[]) =>
			legAfter([
				dial(0, 0),
				...before,
				about(3, 0, (leg_id) => ({ input: 'dial_rejected', leg_id, cause: 'provider_rejected', code })),
			]);
		expect(refused('21211')).toMatchObject({ rank: 'ended', cause: 'provider_rejected', refused_code: '21211' });
		expect(refused(null)).not.toHaveProperty('refused_code');
		expect(refused('21211', report(2, 0, 'completed'))).not.toHaveProperty('refused_code');
	});

	it('waits if its dial was throttled, and ends as soon as it is no longer needed, because no phone is ringing', () => {
		const steps = [dial(0, 0), throttled(1, 4)];
		expect([4.9, 5].map((second) => mayDial(legAfter(steps), moment(second).now_ms))).toEqual([false, true]);
		const ended = { rank: 'ended', cause: 'hung_up', throttled_until: null };
		expect(legAfter([...steps, cancel(3)])).toMatchObject({ ...ended, ended_at: at(3) });
		expect(legAfter([dial(0, 0), cancel(1), throttled(2, 1)])).toMatchObject({ ...ended, ended_at: at(2) });
	});

	it('ignores a late report that its dial was throttled if it already rings', () => {
		const [before, later] = changesAfter([dial(0, 0), report(2, 0, 'ringing'), throttled(3, 4)]).slice(-2);
		expect(later?.call).toBe(before?.call);
	});

	const full = { no_channel: true, provider_id: 'P first' } as const;
	it('is dialled again if the provider had no channel for it, and ignores later reports on the first dial', () => {
		const freed = [dial(0, 0), report(1, 0, 'unreachable', full)];
		expect(changeAfter(freed).dial).toHaveLength(1);
		expect(legAfter(freed)).toMatchObject({ rank: 'dialing', throttled_until: at(3), provider_id: null });
		const repeated = [...freed, dialAccepted(2, 'P first'), report(2, 0, 'unreachable', full)];
		expect(changeAfter(repeated).dial).toEqual([]);
		const again = [
			...repeated,
			dial(3, 0),
			dialAccepted(3),
			report(4, 0, 'dialing', full),
			report(4, 0, 'unreachable', full),
		];
		expect(legAfter(again)).toMatchObject({ rank: 'dialing', throttled_until: null, provider_id: 'P 0' });
	});

	it.each([
		['it has rung', report(1, 0, 'ringing')],
		['it was hung up', cancel(1)],
	])('is not dialled again, although no channel was free, if %s', (_, before) => {
		const steps = [dial(0, 0), before, report(2, 0, 'unreachable', { no_channel: true })];
		expect(legAfter(steps)).toMatchObject({ rank: 'ended' });
	});
});

describe('a leg that is no longer needed', () => {
	it.each([
		['the provider’s response to the dial', dialAccepted(2)],
		['the first callback', report(2, 0, 'ringing')],
	])('is hung up as soon as %s brings the provider’s id of the leg', (_, known) => {
		const steps = [dial(0, 0), cancel(1)];
		expect(changeAfter(steps).hang_up).toEqual([]);
		expect(changeAfter([...steps, known]).hang_up).toHaveLength(1);
	});
});

describe('a leg that the provider cannot find', () => {
	it('may still ring, because the provider’s list may be behind its calls', () => {
		const unknown = [dial(0, 0), passTime(10, 'missing', [0])];
		expect(legAfter(unknown)).toMatchObject({ rank: 'dialing', hangup_requested_at: null });
		const rings = [...unknown, report(12, 0, 'ringing'), report(13, 0, 'answered')];
		expect(legAfter(rings)).toMatchObject({ rank: 'answered', hangup_requested_at: null });
	});

	it('is given up once its time to ring is over', () => {
		const leg = legAfter([dial(0, 0), report(2, 0, 'answered'), passTime(23, 'missing', [0])]);
		expect(leg).toMatchObject({ rank: 'ended', cause: 'provider_error' });
	});

	it('is not given up if it has ended', () => {
		const [before, later] = changesAfter([report(5, 0, 'busy'), passTime(10, 'missing', [0])]).slice(-2);
		expect(later?.call).toBe(before?.call);
		expect(later?.hang_up).toEqual([]);
	});
});

describe('a phone that we hang up', () => {
	/** The visitor's phone rang for the maximum time: 33 s, starting at 12.4 s. */
	const rungOut = [...dialsVisitor, report(12.4, 'visitor', 'ringing', { at: 12 }), passTime(45.4)];
	const ended = (cause: EndCause, second: number) =>
		changesAfter([...rungOut, report(45.6, 'visitor', cause, { at: second }), report(46, 0, 'hung_up')]);

	it.each<EndCause>(['hung_up', 'completed', 'no_answer', 'busy', 'unreachable', 'provider_error'])(
		'counts as not answered if it is reported as %s in the same whole second',
		(cause) => {
			const changes = ended(cause, 45);
			expect(changes.at(-1)?.call).toMatchObject({ status: 'failed', failure_reason: 'visitor_no_answer' });
			const kinds = changes.flatMap(({ events }) => events.map(({ kind }) => kind));
			expect(kinds).toEqual(['call.requested', 'call.ringing', 'call.failed']);
		},
	);

	it('does not make the hang-up the failure reason, however far the provider’s clock is behind ours', () => {
		expect(ended('hung_up', 20).at(-1)?.call.failure_reason).toBe('visitor_no_answer');
	});

	it('counts as busy if the provider reports that it was busy at least a second before the hang-up', () => {
		expect(ended('busy', 44.4).at(-1)?.call.failure_reason).toBe('visitor_busy');
	});
});

describe('whether a phone may still ring for a call', () => {
	const rings = (second: number, steps: readonly Step[], shop?: Shop) =>
		mayStillRing(callAfter(steps, shop), moment(second));

	it('is true from the dial until the provider reports the end; with several phones, as long as one of them may ring', () => {
		expect(rings(0, [])).toBe(false);
		const ringing = [dial(1, 0), report(3, 0, 'ringing'), cancel(5)];
		expect([rings(2, [dial(1, 0)]), rings(6, ringing)]).toEqual([true, true]);
		expect(rings(7, [...ringing, report(7, 0, 'hung_up')])).toBe(false);
		expect(rings(4, [dial(0, 0), dial(0, 1), report(3, 0, 'busy')], both)).toBe(true);
	});

	it('is false after an answer, and while the provider throttles the dial', () => {
		expect(rings(30, [...talking, cancel(30)])).toBe(false);
		expect(rings(9, [dial(0, 0), report(8, 0, 'accepted')])).toBe(false);
		const silent = [dial(0, 0), report(5, 0, 'answered'), passTime(60)];
		expect(legAfter(silent)).toMatchObject({ rank: 'ended', cause: 'no_answer' });
		expect(rings(60, silent)).toBe(false);
		expect(rings(2, [dial(0, 0), throttled(1, 4)])).toBe(false);
	});

	it('is true after a dial without a report, for the maximum time of ringing', () => {
		const steps = [dial(1, 0), passTime(21)];
		expect(callAfter(steps)).toMatchObject({ status: 'failed', failure_reason: 'provider_error' });
		expect([22, 120.9, 121].map((second) => rings(second, steps))).toEqual([true, true, false]);
	});
});

describe('an answered phone', () => {
	const asks = (steps: readonly Step[], shop: Shop, ...whose: readonly Who[]) => {
		const { call } = changeAfter(steps, shop);
		return whose.map((who) => instructionFor(call, legOf(call, who).id, moment(0))?.instruct);
	};

	it('is asked to press the key if it is a member’s phone and the key was not pressed, and hears what is known of the visitor', () => {
		const { call } = changeAfter([dial(0, 0), report(20, 0, 'answered')]);
		expect(instructionFor(call, legOf(call, 0).id, moment(20))).toEqual({
			instruct: 'screen',
			say: { language: 'en', text: 'Press 1 to talk to a visitor, who asks for a call on shop.example.' },
			prompt_seconds: 8,
		});
		expect(instructionFor(call, 'another', moment(20))).toBeNull();
	});

	it('is asked again if voicemail may have answered before the phone rang long enough for a person', () => {
		const windowOf = (answered: number) => {
			const { call } = changeAfter([dial(0, 0), report(answered, 0, 'answered')]);
			const asked = instructionFor(call, legOf(call, 0).id, moment(answered));
			if (asked?.instruct !== 'screen') throw new Error('not asked');
			const { say, prompt_seconds, before = { times: 0, wait_seconds: 0 } } = asked;
			const said = secondsToSay(say);
			const ends = answered + before.times * (said + before.wait_seconds) + said + prompt_seconds;
			return { ...before, prompt_seconds, latest: 20 + said + 8, ends };
		};
		// An iPhone's call assistant answers at once, and its owner's phone rings only 12 s later.
		expect(windowOf(1)).toMatchObject({ times: 1, wait_seconds: 11, prompt_seconds: 8 });
		for (let answered = 0; answered <= 20; answered += 1) {
			const { times, wait_seconds, latest, ends } = windowOf(answered);
			if (times > 0) expect(wait_seconds).toBeGreaterThanOrEqual(4);
			// The time for the key always ends at `latest`, as if the phone had rung for 20 s, or up to a second earlier for each
			// repetition.
			expect(ends).toBeLessThanOrEqual(latest);
			expect(ends).toBeGreaterThanOrEqual(latest - Math.max(1, times));
		}
	});

	it('can accept the call by the key until the last question is over, and is hung up soon after that', () => {
		const asked = [dial(0, 0), report(1, 0, 'answered')];
		const said = secondsToSay(
			acceptPrompt({ language: 'en', visitor_name: null, source_url: 'https://shop.example/' }),
		);
		const ends = 20 + said + 8 + 3;
		expect(legAfter([...asked, passTime(ends - 0.1)]).rank).toBe('answered');
		expect(legAfter([...asked, passTime(ends)])).toMatchObject({ rank: 'ended', cause: 'no_answer' });
	});

	it('waits until the other side has answered, and is then connected with the other side', () => {
		expect(asks(dialsVisitor, {}, 0)).toEqual(['wait']);
		expect(asks(talking, {}, 0, 'visitor')).toEqual(['join', 'join']);
		expect(asks(waiting, visitorFirst, 'visitor')).toEqual(['wait']);
		const joined = [...waiting, report(10, 0, 'accepted', { answered: 8 })];
		expect(asks(joined, visitorFirst, 0, 'visitor')).toEqual(['join', 'join']);
	});

	it('is hung up after the end of the call or of its own leg, or if another member was quicker', () => {
		expect(asks([...talking, cancel(30)], {}, 0, 'visitor')).toEqual(['hang_up', 'hang_up']);
		expect(asks([...dialsVisitor, report(15, 0, 'completed')], {}, 0)).toEqual(['hang_up']);
		const quicker = [report(7, 0, 'answered'), report(7, 1, 'answered'), report(9, 0, 'accepted')];
		expect(asks(quicker, both, 0, 1)).toEqual(['wait', 'hang_up']);
		expect(asks([...quicker, report(10, 1, 'accepted')], both, 0, 1)).toEqual(['wait', 'hang_up']);
	});
});
