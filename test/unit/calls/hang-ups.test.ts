import { describe, expect, it } from '@jest/globals';
import { deadlinesOf, mayRing } from '../../../shared/domain/calls/deadlines.ts';
import type { EndCause } from '../../../shared/domain/calls/leg.ts';
import { accepted, at, START_MS, type Story, story, talking, type Who } from '../../support/calls/call-story.ts';

// Legs that we hang up, and calls without any further report.

const dueOf = (told: Story, who: Who) =>
	deadlinesOf(told.call(), 1).flatMap((each) =>
		'leg_id' in each && each.leg_id === told.legOf(who).id ? [[each.due, (each.at_ms - START_MS) / 1000]] : [],
	);
const askedToHangUp = (told: Story, now_s: number) => told.time(now_s).hang_up.map(({ id }) => id);

describe('a hang-up that the provider does not confirm', () => {
	it('is repeated every 10 s for two minutes, then every three minutes', () => {
		const told = talking();
		told.cancel(30);
		const legs = [told.legOf(0).id, told.legOf('visitor').id];
		for (let now_s = 40; now_s <= 150; now_s += 10) {
			expect(dueOf(told, 'visitor').slice(0, 2)).toEqual([
				['ask_again', now_s],
				['look_up', now_s],
			]);
			expect(askedToHangUp(told, now_s)).toEqual(legs);
		}
		expect(askedToHangUp(told, 329)).toEqual([]);
		expect(askedToHangUp(told, 330)).toEqual(legs);
		expect(askedToHangUp(told, 510)).toEqual(legs);
	});

	it('is repeated until the provider reports the end, and the sweep repeats it if a timer is lost', () => {
		const told = talking();
		told.cancel(30);
		told.time(900);
		expect(told.call().due_at).toBe(at(900 + 240));
		told.end(910, 'visitor', 'completed', { at: 30 });
		expect(told.call().due_at).toBe(at(900 + 240));
		expect(askedToHangUp(told, 1100)).toEqual([told.legOf(0).id]);
		told.end(1101, 0, 'hung_up', { at: 1100 });
		expect([told.call().due_at, told.call().timer_at]).toEqual([null, null]);
	});

	it('is checked by the sweep after the end of the call, at its own interval', () => {
		const told = story();
		told.dialing(0, 0);
		told.dialAccepted(1, 0);
		told.cancel(5);
		told.time(170);
		expect(told.call().due_at).toBe(at(170 + 240));
	});

	it('ends when the provider has ended the leg by itself', () => {
		const told = talking();
		told.cancel(30);
		expect(dueOf(told, 'visitor')).toContainEqual(['end_leg', 10 + 7500 + 120]);
		told.time(10 + 7500 + 120);
		expect(told.legOf('visitor')).toMatchObject({ rank: 'ended', cause: 'hung_up' });
	});

	it('of a leg without an id ends when its phone cannot ring any more', () => {
		const told = story();
		told.dialing(0, 0);
		told.cancel(1);
		expect(dueOf(told, 0)).toContainEqual(['end_leg', 121]);
	});
});

describe('a call without reports', () => {
	it('is checked by the sweep within minutes, and written only at that time', () => {
		const told = talking();
		expect(accepted().call().due_at).toBe(at(180));
		expect(told.call().due_at).toBe(at(180));
		told.time(240);
		expect(told.call().due_at).toBe(at(240 + 480));
		told.end(300, 'visitor', 'completed');
		expect(told.call().due_at).toBe(at(240 + 480));
		told.end(301, 0, 'completed');
		expect(told.call().due_at).toBeNull();
	});

	it('is checked until a minute after the longest conversation', () => {
		const told = talking();
		told.time(7200);
		expect(told.call().due_at).toBe(at(20 + 7200 + 60));
	});
});

describe('a phone that we hang up', () => {
	/** The visitor's phone has rung for the maximum time: 33 s after 12.4 s. */
	const rungOut = () => {
		const told = accepted();
		told.tell(12.4, 'visitor', 'ringing', { at: 12 });
		told.time(45.4);
		return told;
	};
	const finals: readonly EndCause[] = ['hung_up', 'completed', 'no_answer', 'busy', 'unreachable', 'provider_error'];

	it.each(finals)('and that reports %s in the same whole second has not been answered', (cause) => {
		const told = rungOut();
		told.end(45.6, 'visitor', cause, { at: 45 });
		told.end(46, 0, 'hung_up');
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'visitor_no_answer' });
		expect(told.kinds()).toEqual(['call.requested', 'call.ringing', 'call.failed']);
	});

	it('is no reason by itself, however far the provider’s clock is behind ours', () => {
		const told = rungOut();
		told.end(45.6, 'visitor', 'hung_up', { at: 20 });
		told.end(46, 0, 'hung_up');
		expect(told.call()).toMatchObject({ failure_reason: 'visitor_no_answer' });
	});

	it('was busy, when the provider reports that at least a second before', () => {
		const told = rungOut();
		told.end(45.6, 'visitor', 'busy', { at: 44.4 });
		told.end(46, 0, 'hung_up');
		expect(told.call()).toMatchObject({ failure_reason: 'visitor_busy' });
	});
});

describe('whether a phone may still ring for a call', () => {
	const rings = (told: Story, now_s: number) => mayRing(told.call(), { now_ms: START_MS + now_s * 1000, speed: 1 });

	it('is possible from the dial until the provider reports the end', () => {
		const told = story();
		expect(rings(told, 0)).toBe(false);
		told.dialing(1, 0);
		expect(rings(told, 2)).toBe(true);
		told.tell(3, 0, 'ringing');
		told.cancel(5);
		expect(rings(told, 6)).toBe(true);
		told.end(7, 0, 'hung_up');
		expect(rings(told, 7)).toBe(false);
	});

	it('is possible as long as one of the phones may ring', () => {
		const told = story({ team: 2, strategy: 'simultaneous' });
		for (const member of [0, 1]) told.dialing(0, member);
		told.end(3, 0, 'busy');
		expect(rings(told, 4)).toBe(true);
	});

	it('is not possible after an answer', () => {
		const told = talking();
		told.cancel(30);
		expect(rings(told, 30)).toBe(false);
		const pressed = story();
		pressed.dialing(0, 0);
		pressed.tell(8, 0, 'accepted');
		expect(rings(pressed, 9)).toBe(false);
		const silent = story();
		silent.dialing(0, 0);
		silent.tell(5, 0, 'answered');
		silent.time(60);
		expect(silent.legOf(0)).toMatchObject({ rank: 'ended', cause: 'no_answer' });
		expect(rings(silent, 60)).toBe(false);
	});

	it('is not possible while the provider throttles the dial', () => {
		const told = story();
		told.dialing(0, 0);
		told.apply(1, { input: 'dial_throttled', leg_id: told.legOf(0).id, retry_after_seconds: 4 });
		expect(rings(told, 2)).toBe(false);
	});

	it('is possible after a dial without a report, for the maximum time of ringing', () => {
		const told = story();
		told.dialing(1, 0);
		told.time(21);
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'provider_error' });
		expect([rings(told, 22), rings(told, 120.9), rings(told, 121)]).toEqual([true, true, false]);
	});
});
