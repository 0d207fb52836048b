import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { callAfter, passTime, report, type Step, talking } from '../../support/calls/call-after.ts';

// The provider's clock or the machine's clock is changed while two people talk. They talk from 20 s on; the member answered at 7
// s and pressed 1 at 10 s.

const DAY = 24 * 3600;
/** The longest possible conversation, and the time before it starts. */
const LONGEST = 2 * 3600 + 300;
const bothEnd = (second: number, endsAt: { readonly member: number; readonly visitor: number }): readonly Step[] => [
	report(second, 0, 'completed', { at: endsAt.member }),
	report(second + 1, 'visitor', 'completed', { at: endsAt.visitor }),
];

describe('a conversation during which the clock of the provider', () => {
	it.each([
		['steps back by an hour', { member: 80 - 3600, visitor: 80 - 3600 }, 0],
		['steps back by an hour for one of the legs', { member: 80 - 3600, visitor: 80 }, 60],
		['steps back by an hour for the other leg', { member: 80, visitor: 80 - 3600 }, 60],
		['steps back to before the member answered', { member: 6, visitor: 6 }, 0],
		['steps forward by 40 days', { member: 80 + 40 * DAY, visitor: 81 + 40 * DAY }, LONGEST],
		['steps forward by 40 days for one of the legs', { member: 80 + 40 * DAY, visitor: 80 }, 60],
		['is right', { member: 80, visitor: 81 }, 60],
	])('%s is completed', (_, endsAt, duration_seconds) => {
		const call = callAfter([...talking, ...bothEnd(80, endsAt)]);
		expect(call).toMatchObject({ status: 'completed', failure_reason: null, duration_seconds });
		expect(callAfter([...talking, ...[...bothEnd(80, endsAt)].reverse()])).toMatchObject({ duration_seconds });
	});

	it('steps to any time is completed, and is no longer than a call can be', () => {
		const seconds = fc.integer({ min: -50 * DAY, max: 50 * DAY });
		fc.assert(
			fc.property(seconds, seconds, (member, visitor) => {
				// Leaves out reports from 10 s to 20 s: they mean that the member hung up before the visitor answered.
				fc.pre(![member, visitor].some((at) => at >= 10 && at < 20));
				const call = callAfter([...talking, ...bothEnd(80, { member, visitor })]);
				expect(call).toMatchObject({ status: 'completed' });
				expect(call.duration_seconds).toBeGreaterThanOrEqual(0);
				expect(call.duration_seconds).toBeLessThanOrEqual(LONGEST);
			}),
		);
	});
});

describe('a conversation during which the service’s clock', () => {
	it('steps forward by 40 days ends like the longest conversation', () => {
		const call = callAfter([...talking, passTime(40 * DAY)]);
		expect(call).toMatchObject({ status: 'completed', duration_seconds: LONGEST });
	});

	it('steps back by an hour is completed when it is canceled', () => {
		const call = callAfter([...talking, [20 - 3600, () => ({ input: 'cancel' })]]);
		expect(call).toMatchObject({ status: 'completed', failure_reason: null, duration_seconds: 0 });
	});
});

it('a member who left before the visitor came had no conversation', () => {
	const call = callAfter([...talking, ...bothEnd(80, { member: 15, visitor: 80 })]);
	expect(call).toMatchObject({ status: 'failed', failure_reason: 'agent_left' });
});
