import { describe, expect, it } from '@jest/globals';
import { numberOwnerOf } from '../../../shared/domain/calls/call.ts';
import { mayDial } from '../../../shared/domain/calls/call-input.ts';
import { isDue } from '../../../shared/domain/calls/call-record.ts';
import { isReportOn, type Leg } from '../../../shared/domain/calls/leg.ts';
import { accepted, at, START_MS, story, talking, waiting } from '../../support/calls/call-story.ts';

const moment = (seconds: number) => ({ now_ms: START_MS + seconds * 1000, speed: 1 });

describe('a leg', () => {
	const leg = story().legOf(0);
	const may = (changes: Partial<Leg>) => mayDial({ ...leg, ...changes }, START_MS + 10_000);

	it('may be dialled if it never was, or if it was throttled and the wait is over', () => {
		expect(may({})).toBe(true);
		expect(may({ rank: 'dialing' })).toBe(false);
		expect(may({ rank: 'dialing', throttled_until: at(10) })).toBe(true);
		expect(may({ rank: 'dialing', throttled_until: at(11) })).toBe(false);
		expect(may({ rank: 'ringing' })).toBe(false);
		expect(may({ rank: 'ringing', throttled_until: at(10) })).toBe(false);
		expect(may({ hangup_requested_at: at(5) })).toBe(false);
	});

	it('keeps why the provider refused it, unless it had ended before', () => {
		const reject = (code: string | null, before: 'ended' | 'dialing') => {
			const told = story();
			told.dialing(0, 0);
			if (before === 'ended') told.end(2, 0, 'completed');
			told.apply(3, { input: 'dial_rejected', leg_id: told.legOf(0).id, cause: 'provider_rejected', code });
			return told.legOf(0);
		};
		expect(reject('21211', 'dialing')).toMatchObject({
			rank: 'ended',
			cause: 'provider_rejected',
			refused_code: '21211',
		});
		expect(reject(null, 'dialing')).not.toHaveProperty('refused_code');
		expect(reject('21211', 'ended')).not.toHaveProperty('refused_code');
	});

	it('that the provider had no channel for is dialled again, and hears nothing more about the first dial', () => {
		const told = story();
		told.dialing(0, 0);
		const full = { no_channel: true, cause: 'unreachable', provider_id: 'P first' } as const;
		expect(told.tell(1, 0, 'ended', full).dial).toHaveLength(1);
		expect(told.legOf(0)).toMatchObject({ rank: 'dialing', throttled_until: at(3), provider_id: null });
		told.apply(2, { input: 'dial_accepted', leg_id: told.legOf(0).id, provider_id: 'P first' });
		expect(told.tell(2, 0, 'ended', full).dial).toEqual([]);
		told.dialing(3, 0);
		told.dialAccepted(3, 0);
		for (const rank of ['dialing', 'ended'] as const) told.tell(4, 0, rank, full);
		expect(told.legOf(0)).toMatchObject({ rank: 'dialing', throttled_until: null, provider_id: 'P 0' });
	});

	it.each(['ringing', 'hung up'])('that is %s is not dialled again for want of a channel', (state) => {
		const told = story();
		told.dialing(0, 0);
		if (state === 'ringing') told.tell(1, 0, 'ringing');
		else told.cancel(1);
		told.end(2, 0, 'unreachable', { no_channel: true });
		expect(told.legOf(0)).toMatchObject({ rank: 'ended' });
	});

	it('that is throttled after it is no longer needed has ended', () => {
		const told = story();
		told.dialing(0, 0);
		told.cancel(1);
		const throttle = (leg_id: string) => told.apply(2, { input: 'dial_throttled', leg_id, retry_after_seconds: 5 });
		throttle(told.legOf(0).id);
		expect(told.legOf(0)).toMatchObject({ rank: 'ended', cause: 'hung_up' });
	});
});

it('a report at the address of a leg belongs to it, unless the provider names another leg', () => {
	const belongs = (known: string | null, provider_id: string | null) =>
		isReportOn({ ...story().legOf(0), provider_id: known }, provider_id);
	expect([belongs(null, null), belongs(null, 'P'), belongs('P', null), belongs('P', 'P')]).toEqual(Array(4).fill(true));
	expect(belongs('P', 'Q')).toBe(false);
});

describe('a visitor who answers first', () => {
	it('is hung up when the last of the team is over, and not before', () => {
		const told = waiting({ team: 2 });
		told.end(20, 0, 'no_answer');
		expect(told.legOf('visitor').hangup_requested_at).toBeNull();
		told.dialing(20, 1);
		told.end(35, 1, 'no_answer');
		expect(told.legOf('visitor').hangup_requested_at).toBe(at(35));
	});
});

it('a call is due when the sweep should check it, and when a deadline has passed', () => {
	const { due_at, timer_at, ...call } = talking().call();
	const due = (seconds: number, changes: object) => isDue({ ...call, due_at, timer_at, ...changes }, moment(seconds));
	expect([due(21, { due_at: null }), due(21, { due_at: at(22) }), due(21, { due_at: at(21) })]).toEqual([
		false,
		false,
		true,
	]);
	const ringing = accepted().call();
	expect([11, 600].map((seconds) => isDue({ ...ringing, due_at: null }, moment(seconds)))).toEqual([false, true]);
});

it('a leg rings the number of its member, of the call, or of the lead that the call answers', () => {
	const call = { id: 'c', workspace_id: 'w' };
	expect(numberOwnerOf(call, { member: 1 })).toBe('team#w#1');
	expect(numberOwnerOf(call, { member: null })).toBe('call#c');
	expect(numberOwnerOf({ ...call, lead_id: 'l' }, { member: null })).toBe('lead#l');
	expect(story().call()).not.toHaveProperty('lead_id');
});
