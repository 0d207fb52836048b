import { describe, expect, it } from '@jest/globals';
import { allowedUsage, erasedUsage, suppressedUsage } from '../../../shared/domain/calls/number-usage.ts';
import { samples } from '../../support/sample-records.ts';

describe('a suppressed number', () => {
	const NOW = Date.parse('2026-11-21T10:00:00Z');
	const DAY_S = 86_400;
	const usage = { ...samples.number_usage, version: 4, suppressed: false };
	const unused = { number_hash: 'hash', live_call_id: null, day: '', day_count: 0 };

	it('stays suppressed for ever, whether or not it was called before', () => {
		expect(suppressedUsage(usage, 'hash')).toEqual({
			...usage,
			version: 5,
			suppressed: true,
			expires_at_epoch_s: null,
		});
		expect(suppressedUsage(null, 'hash')).toEqual({
			...unused,
			version: 1,
			suppressed: true,
			expires_at_epoch_s: null,
		});
	});

	it('keeps its counts when calls to it are allowed again, until two days after the end of that day', () => {
		const expires_at_epoch_s = Date.parse('2026-11-22T00:00:00Z') / 1000 + 2 * DAY_S;
		expect(allowedUsage(usage, 'hash', NOW)).toEqual({ ...usage, version: 5, suppressed: false, expires_at_epoch_s });
		expect(allowedUsage(null, 'hash', NOW)).toEqual({ ...unused, version: 1, suppressed: false, expires_at_epoch_s });
	});

	it('keeps only its suppression when the visitor with this number is erased', () => {
		expect(erasedUsage(usage)).toEqual({
			...unused,
			number_hash: usage.number_hash,
			version: 5,
			suppressed: true,
			expires_at_epoch_s: null,
		});
	});
});
