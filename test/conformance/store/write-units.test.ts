import { beforeAll, describe, expect, it } from '@jest/globals';
import { meteredCalls, type TalkMinutes } from '../../support/calls/metered-call.ts';
import type { CallCounts } from '../../support/calls/metered-world.ts';

describe('a call of four events', () => {
	let calls: Awaited<ReturnType<typeof meteredCalls>>;
	beforeAll(async () => {
		calls = await meteredCalls();
	});
	function callOf(minutes: TalkMinutes) {
		const call = calls.find((each) => each.minutes === minutes);
		if (call === undefined) throw new Error('it was not metered');
		return call;
	}

	it('writes at most 48 units without webhook endpoints, and 80 with one', () => {
		const { without, withOne } = callOf(1);
		expect(without.written).toBeLessThanOrEqual(48);
		expect(withOne.written).toBeLessThanOrEqual(80);
		// Metered at all.
		expect(without.written).toBeGreaterThan(20);
		expect(withOne.written).toBeGreaterThan(without.written);
	});

	it('writes what the records in it cost, each for itself', () => {
		for (const { without, withOne } of calls) {
			for (const { shares, written } of [without, withOne]) {
				const units = Object.values(shares).reduce((sum, { table, index }) => sum + table + index, 0);
				expect(units).toBe(written);
			}
		}
	});

	it('causes few polls, timers and look-ups during the conversation', () => {
		const looks = ({ requests, messages, provider }: CallCounts) => {
			return [requests['get-call-request-status'], messages['call-timers'], provider.lookup];
		};
		expect(calls.map(({ withOne }) => looks(withOne))).toEqual([
			[6, 4, 0],
			[6, 5, 2],
			[8, 7, 6],
		]);
	});

	it('has no log line for a poll that was answered, and one for a delivery', () => {
		const { withOne } = callOf(10);
		const requests = Object.values(withOne.requests).reduce((sum, each) => sum + each, 0);
		const polls = withOne.requests['get-call-request-status'] ?? 0;
		const { deliveries = 0, 'dial-legs': dials = 0, 'hang-up-legs': hang_ups = 0 } = withOne.messages;
		// Timers have none either, nor has the page that waits for the end.
		expect(withOne.log_lines).toBe(requests - polls - 1 + deliveries + dials + hang_ups);
		expect(withOne.requests).toMatchObject({ 'watch-call': 1 });
	});

	it('has the number of polls and callbacks that widget and provider really send', () => {
		const { withOne } = callOf(1);
		expect(withOne.requests).toMatchObject({ 'get-widget-config': 1, preflight: 1, 'request-call': 1 });
		expect(withOne.requests).toMatchObject({ 'instruct-leg': 3, 'receive-leg-callback': 3 });
		expect(withOne.messages).toMatchObject({ 'dial-legs': 2, deliveries: 4, 'hang-up-legs': 1 });
		expect(withOne.grouped_messages).toBe(4);
	});
});
