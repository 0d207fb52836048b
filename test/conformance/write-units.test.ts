import { beforeAll, describe, expect, it } from '@jest/globals';
import { meteredCalls, type TalkMinutes } from '../support/calls/metered-call.ts';

describe('a call of four events', () => {
	let calls: Awaited<ReturnType<typeof meteredCalls>>;
	beforeAll(async () => {
		calls = await meteredCalls();
	}, 60_000);
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

	it('is asked about by the widget and told by the provider as often as they do', () => {
		const { withOne } = callOf(1);
		expect(withOne.requests).toMatchObject({ 'get-widget-config': 1, preflight: 1, 'request-call': 1 });
		expect(withOne.requests['instruct-leg']).toBe(3);
		expect(withOne.messages).toMatchObject({ 'dial-legs': 2, deliveries: 4, 'hang-up-legs': 1 });
		expect(withOne.grouped_messages).toBe(4);
	});
});
