import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { type Call, numberOwnerOf, ringPlan } from '../../../shared/domain/calls/call.ts';
import { isDue } from '../../../shared/domain/calls/call-record.ts';
import type { EndCause } from '../../../shared/domain/calls/leg.ts';
import {
	at,
	both,
	callAfter,
	cancel,
	changeAfter,
	changesAfter,
	contested,
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
import { teamOf } from '../../support/calls/sealed-number.ts';
import { samples } from '../../support/sample-records.ts';

/** The people whose phones rang, in order. */
const rungAfter = (steps: readonly Step[], shop?: Shop): readonly Who[] =>
	callAfter(steps, shop).legs.map(({ role, member }) => (role === 'visitor' ? role : Number(member?.slice(1)) - 1));
const hungUpAfter = (steps: readonly Step[], shop?: Shop) => changeAfter(steps, shop).hang_up.map(({ role }) => role);

describe('a call', () => {
	it.each<[string, readonly Step[], Shop, readonly Who[]]>([
		['the team first', [], {}, [0]],
		['no visitor before a member has pressed 1', [report(5, 0, 'answered')], {}, [0]],
		['the visitor when a member has pressed 1', [report(8, 0, 'accepted')], {}, [0, 'visitor']],
		['the visitor first, if the workspace says so', [report(2, 'visitor', 'ringing')], visitorFirst, ['visitor']],
		['the team when the visitor, rung first, has answered', waiting, { ...visitorFirst, team: 2 }, ['visitor', 0]],
		['the next member when the leg of one has ended', [report(5, 0, 'no_answer')], { team: 3 }, [0, 1]],
		['each member once', [report(5, 0, 'busy'), report(9, 1, 'busy'), report(9, 0, 'busy')], { team: 3 }, [0, 1, 2]],
		['all members at once', [], { ...both, team: 3 }, [0, 1, 2]],
		['no member after the end', [dial(0, 0), cancel(1), report(2, 0, 'hung_up')], { team: 3 }, [0]],
		['no visitor if a press of 1 is reported late', [report(12, 0, 'completed', { accepted: 10 })], { team: 2 }, [0]],
	])('rings %s', (_, steps, shop, rung) => {
		expect(rungAfter(steps, shop)).toEqual(rung);
	});

	it('rings no other member once a member has pressed 1 and left, and hangs up the visitor', () => {
		const left = [...dialsVisitor, report(12, 'visitor', 'ringing'), report(14, 0, 'completed')];
		expect([rungAfter(left, { team: 2 }), hungUpAfter(left, { team: 2 })]).toEqual([[0, 'visitor'], ['visitor']]);
		const shop = { ...visitorFirst, team: 2 };
		const talked = [...waiting, report(10, 0, 'accepted'), report(60, 0, 'completed')];
		expect([rungAfter(talked, shop), hungUpAfter(talked, shop)]).toEqual([['visitor', 0], ['visitor']]);
	});

	it('hangs up the other members when a member presses 1, and rings no member who is not dialled yet', () => {
		const steps = [dial(0, 0), dial(0, 1), report(1, 0, 'ringing'), report(4, 1, 'answered'), report(6, 1, 'accepted')];
		const { call, hang_up } = changeAfter(steps, { ...both, team: 3 });
		expect(hang_up).toEqual([legOf(call, 0)]);
		expect(legOf(call, 2)).toMatchObject({ rank: 'ended', cause: 'hung_up' });
	});

	it('starts equally often with each member in a round robin', () => {
		const workspace = { ...samples.workspace, team: teamOf(5), ring_strategy: 'round_robin' as const };
		const starts = [0, 0, 0, 0, 0];
		for (let call = 0; call < 5000; call += 1) {
			const members = ringPlan(workspace, ulidIds.next(), 0).members;
			const [start = 0, next] = members.map((member) => Number(member.slice(1)) - 1);
			expect(next).toBe((start + 1) % 5);
			starts[start] = (starts[start] ?? 0) + 1;
		}
		expect(Math.min(...starts)).toBeGreaterThan(850);
		expect(Math.max(...starts)).toBeLessThan(1150);
	});
});

it.each(['ringing', 'answered', 'accepted'] as const)('a call rings when a phone is reported as %s', (rank) => {
	expect(callAfter([], both).status).toBe('requested');
	expect(callAfter([report(3, 1, rank)], both).status).toBe('ringing');
});

describe('the call belongs', () => {
	it('to the member whose press of 1 is reported first, even if another member pressed 1 earlier by the provider’s clock', () => {
		const first = [dial(0, 0), dial(0, 1), report(6, 1, 'accepted')];
		const call = callAfter([...first, report(7, 0, 'accepted', { at: 5 })], both);
		expect(call.winner_leg_id).toBe(legOf(call, 1).id);
		expect(legOf(call, 0).hangup_requested_at).not.toBeNull();
	});

	it('never to the visitor, even if the visitor presses a key', () => {
		const call = callAfter([report(5, 'visitor', 'accepted', { answered: 4 })], visitorFirst);
		expect(call).toMatchObject({ status: 'ringing', winner_leg_id: null });
	});
});

describe('a conversation', () => {
	it('lasts from the moment both have joined until the first leaves, and ends when both are known to have left', () => {
		expect(callAfter(talking)).toMatchObject({ status: 'connected', connected_at: at(20), completed_at: null });
		const left = [...talking, report(83, 'visitor', 'completed', { at: 81.9 })];
		expect(hungUpAfter(left)).toEqual(['agent']);
		expect(callAfter(left)).toMatchObject({ status: 'connected', duration_seconds: null });
		const over = { status: 'completed', completed_at: at(81.9), duration_seconds: 61 };
		expect(callAfter([...left, report(84, 0, 'hung_up')])).toMatchObject(over);
	});

	it('ends 10 s after one person leaves, if no report arrives about the other leg', () => {
		const left = [...talking, report(80, 'visitor', 'completed')];
		expect(callAfter([...left, passTime(89.9)]).status).toBe('connected');
		const over = { status: 'completed', completed_at: at(80), duration_seconds: 60 };
		expect(callAfter([...left, passTime(90)])).toMatchObject(over);
	});

	it('ends when its two legs have ended, even if another member’s hang-up is not confirmed', () => {
		const left = [report(14, 'visitor', 'answered'), report(20, 'visitor', 'completed'), report(21, 0, 'hung_up')];
		const call = callAfter([...contested, ...left], both);
		expect(legOf(call, 1).ended_at).toBeNull();
		expect(call).toMatchObject({ status: 'completed', completed_at: at(20), duration_seconds: 6 });
	});

	it('is connected and completed at once if all its reports arrive late', () => {
		const late = [report(90, 0, 'completed', { at: 80 }), report(91, 'visitor', 'completed', { at: 80, answered: 20 })];
		const { events } = changeAfter([...dialsVisitor, ...late]);
		expect(events.map(({ kind, data }) => [kind, data.status, data.duration_seconds])).toEqual([
			['call.connected', 'connected', null],
			['call.completed', 'completed', 60],
		]);
	});

	it('shorter than one second of the provider’s clock counts as completed, with 0 seconds', () => {
		const call = callAfter([...talking, report(20, 'visitor', 'completed'), report(20, 0, 'completed')]);
		expect(call).toMatchObject({ status: 'completed', duration_seconds: 0, connected_at: at(20) });
	});

	it('ends as failed if it was announced as connected before we learned that the member had left', () => {
		const changes = changesAfter([
			...talking,
			report(21, 0, 'completed', { at: 19 }),
			report(22, 'visitor', 'hung_up'),
		]);
		const failed = { status: 'failed', failure_reason: 'agent_left', connected_at: null };
		expect(changes.at(-1)?.call).toMatchObject(failed);
		const kinds = changes.flatMap(({ events }) => events.map(({ kind }) => kind));
		expect(kinds).toEqual(['call.requested', 'call.ringing', 'call.connected', 'call.failed']);
	});

	it('that never began, because the member had left, lets the connected call end as failed, even if the call is canceled afterwards', () => {
		const left = [...talking, report(21, 0, 'completed', { at: 15 })];
		expect(callAfter(left).status).toBe('connected');
		const failed = { status: 'failed', failure_reason: 'agent_left', duration_seconds: 0 };
		expect(callAfter([...left, cancel(22)])).toMatchObject(failed);
	});

	it('ends when the call is canceled, even if our clock is behind the provider’s', () => {
		const over = { status: 'completed', completed_at: at(20), duration_seconds: 0 };
		expect(callAfter([...talking, cancel(19)])).toMatchObject(over);
	});
});

describe('why a call failed', () => {
	it.each<[EndCause, Call['failure_reason']]>([
		['busy', 'visitor_busy'],
		['no_answer', 'visitor_no_answer'],
		['rejected', 'visitor_rejected'],
		['voicemail', 'voicemail'],
		['unreachable', 'number_unreachable'],
		['provider_error', 'provider_error'],
		['provider_rejected', 'provider_rejected'],
	])('follows from how the visitor’s leg ended, %s: %s', (cause, failure_reason) => {
		const ended = [...dialsVisitor, report(15, 'visitor', cause)];
		expect(callAfter(ended).status).toBe('ringing');
		const call = callAfter([...ended, report(16, 0, 'hung_up')]);
		expect(call).toMatchObject({ status: 'failed', failure_reason, completed_at: at(16) });
	});

	it.each<[EndCause, EndCause, Call['failure_reason']]>([
		['no_answer', 'busy', 'no_agent_answer'],
		['voicemail', 'completed', 'no_agent_answer'],
		['provider_error', 'provider_error', 'provider_error'],
		['provider_rejected', 'provider_rejected', 'provider_rejected'],
		['provider_rejected', 'no_answer', 'no_agent_answer'],
		['provider_error', 'no_answer', 'no_agent_answer'],
	])('follows from how the members’ legs ended, %s and %s: %s', (first, second, failure_reason) => {
		const call = callAfter([report(1, 0, first), report(2, 1, second)], { team: 2 });
		expect(call).toMatchObject({ status: 'failed', failure_reason, completed_at: at(2) });
	});

	const late = { answered: 20 };
	it.each<[string, readonly Step[], Shop, Call['failure_reason']]>([
		[
			'the member leaves while the visitor’s phone rings',
			[...dialsVisitor, report(12, 'visitor', 'ringing'), report(14, 0, 'completed'), report(15, 'visitor', 'hung_up')],
			{},
			'agent_left',
		],
		[
			'the member leaves before the visitor was dialled',
			[report(10, 0, 'accepted'), report(11, 0, 'completed')],
			{},
			'agent_left',
		],
		[
			'the visitor answers a moment after the member has left, and is hung up',
			[...dialsVisitor, report(19, 0, 'completed'), report(21, 'visitor', 'hung_up', late)],
			{},
			'agent_left',
		],
		[
			'the visitor answers a moment after the member has left, and hangs up',
			[...dialsVisitor, report(19, 0, 'completed'), report(21, 'visitor', 'completed', late)],
			{},
			'agent_left',
		],
		[
			'the visitor, rung first, tires of waiting while the first member could not be rung',
			[...waiting, report(6, 0, 'provider_error'), report(7, 'visitor', 'completed')],
			{ ...visitorFirst, team: 2 },
			'provider_error',
		],
		[
			'the visitor, rung first, tires of waiting',
			[...waiting, report(9, 'visitor', 'completed'), report(12, 0, 'completed', { accepted: 10 })],
			visitorFirst,
			'no_agent_answer',
		],
		[
			'no member is left for the visitor, rung first',
			[...waiting, report(9, 0, 'busy'), report(10, 'visitor', 'hung_up')],
			visitorFirst,
			'no_agent_answer',
		],
	])('is known if %s', (_, steps, shop, failure_reason) => {
		const failed = { status: 'failed', failure_reason, connected_at: null, duration_seconds: 0 };
		expect(callAfter(steps, shop)).toMatchObject(failed);
	});

	it('is the cancellation, if the call was canceled', () => {
		const over = { status: 'canceled', failure_reason: 'canceled', completed_at: at(12) };
		expect(callAfter([...dialsVisitor, cancel(12)])).toMatchObject(over);
	});

	it('is known as soon as all other legs have ended, if we hung up the remaining leg more than 10 s before', () => {
		const call = callAfter([...contested, passTime(60, 'missing', [0, 'visitor'])], both);
		expect(legOf(call, 1).ended_at).toBeNull();
		expect(call).toMatchObject({ status: 'failed', failure_reason: 'provider_error', completed_at: at(60) });
	});

	it('is known after 10 s without reports, with the time at which a leg was last known to end', () => {
		const left = [...waiting, report(9, 'visitor', 'completed')];
		expect(callAfter([...left, passTime(18.9)], visitorFirst).status).toBe('ringing');
		const failed = { status: 'failed', failure_reason: 'no_agent_answer', completed_at: at(9) };
		expect(callAfter([...left, passTime(19)], visitorFirst)).toMatchObject(failed);
	});
});

it('a visitor who was rung first is hung up once the last member’s leg has ended, and not before', () => {
	const shop = { ...visitorFirst, team: 2 };
	const first = [...waiting, report(20, 0, 'no_answer')];
	expect(hungUpAfter(first, shop)).toEqual([]);
	expect(hungUpAfter([...first, dial(20, 1), report(35, 1, 'no_answer')], shop)).toEqual(['visitor']);
});

it('a call is due when the sweep should check it, and when a deadline has passed', () => {
	const call = callAfter(talking);
	const due = (second: number, due_at: string | null) => isDue({ ...call, due_at }, moment(second));
	expect([due(21, null), due(21, at(22)), due(21, at(21)), due(7300, null)]).toEqual([false, false, true, true]);
});

it('a leg rings the number of its member, of the call, or of the lead that the call answers; in a test call always the member’s number', () => {
	const plan = { strategy: 'sequential', order: 'agent_first', members: ['m2'] } as const;
	const call = { id: 'c', workspace_id: 'w', plan };
	expect(numberOwnerOf(call, { member: 'm2' })).toBe('team#w#m2');
	expect(numberOwnerOf(call, { member: null })).toBe('call#c');
	expect(numberOwnerOf({ ...call, lead_id: 'l' }, { member: null })).toBe('lead#l');
	for (const member of ['m2', null]) expect(numberOwnerOf({ ...call, is_test: true }, { member })).toBe('team#w#m2');
	expect(callAfter([])).not.toHaveProperty('lead_id');
	expect(callAfter([])).not.toHaveProperty('is_test');
});
