import { describe, expect, it } from '@jest/globals';
import type { Call } from '../../../shared/domain/calls/call.ts';
import type { EndCause } from '../../../shared/domain/calls/leg.ts';
import { accepted, at, contested, type Story, story, waiting } from '../../support/calls/call-story.ts';

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
		[['provider_error', 'no_answer'], 'no_agent_answer'],
	];
	it.each(teamEnds)('all of the team ended %p: %s', (causes, reason) => {
		const told = story({ team: 2 });
		causes.forEach((cause, member) => void told.end(member + 1, member, cause));
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: reason });
	});

	const others: readonly (readonly [string, Call['failure_reason'], () => Story, (told: Story) => void])[] = [
		[
			'the member leaves while the visitor’s phone rings',
			'agent_left',
			accepted,
			(told) => {
				told.tell(12, 'visitor', 'ringing');
				told.end(14, 0, 'completed');
				told.end(15, 'visitor', 'hung_up');
			},
		],
		[
			'the member leaves before the visitor was dialled',
			'agent_left',
			story,
			(told) => {
				told.tell(10, 0, 'accepted');
				told.end(11, 0, 'completed');
			},
		],
		[
			'the visitor answers a moment after the member has left',
			'agent_left',
			accepted,
			(told) => {
				told.end(19, 0, 'completed');
				told.end(21, 'visitor', 'hung_up', { answered: 20 });
			},
		],
		[
			'the visitor answers a moment after the member has left, and hangs up',
			'agent_left',
			accepted,
			(told) => {
				told.end(19, 0, 'completed');
				told.end(21, 'visitor', 'completed', { answered: 20 });
			},
		],
		[
			'the visitor who was rung first tires of waiting while the first member could not be rung',
			'provider_error',
			() => waiting({ team: 2 }),
			(told) => {
				told.end(6, 0, 'provider_error');
				told.end(7, 'visitor', 'completed');
			},
		],
		[
			'the visitor who was rung first tires of waiting',
			'no_agent_answer',
			waiting,
			(told) => {
				told.end(9, 'visitor', 'completed');
				told.end(12, 0, 'completed', { accepted: 10 });
			},
		],
		[
			'no member is left for the visitor who was rung first',
			'no_agent_answer',
			waiting,
			(told) => {
				told.end(9, 0, 'busy');
				told.end(10, 'visitor', 'hung_up');
			},
		],
	];
	it.each(others)('%s: %s', (_, reason, start, goOn) => {
		const told = start();
		goOn(told);
		expect(told.call()).toMatchObject({
			status: 'failed',
			failure_reason: reason,
			connected_at: null,
			duration_seconds: 0,
		});
	});

	it('is that it was canceled, if it was', () => {
		const told = accepted();
		told.cancel(12);
		expect(told.call()).toMatchObject({ status: 'canceled', failure_reason: 'canceled', completed_at: at(12) });
	});

	it('is known at once if the only leg without a report was hung up more than 10 s before', () => {
		const told = contested();
		const missing = ([0, 'visitor'] as const).map(
			(who) => ({ leg_id: told.legOf(who).id, answer: 'missing' }) as const,
		);
		told.apply(60, { input: 'time', look_ups: missing });
		expect(told.legOf(1).ended_at).toBeNull();
		expect(told.call()).toMatchObject({ status: 'failed', failure_reason: 'provider_error', completed_at: at(60) });
	});

	it('is known after 10 s without reports, with the time of the last known end', () => {
		const told = waiting();
		told.end(9, 'visitor', 'completed');
		expect(told.time(18.9).call.status).toBe('ringing');
		const failed = { status: 'failed', failure_reason: 'no_agent_answer', completed_at: at(9) };
		expect(told.time(19).call).toMatchObject(failed);
	});
});
