import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { costOfAMillion, total } from '../../bench/cost-of-calls.ts';
import { prices } from '../../bench/prices.ts';
import type { CallCounts } from '../support/calls/metered-world.ts';

it('npm run bench prints every row with a figure, or why there is none', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['bench/main.ts', '--quick']);
	const [, below = ''] = stdout.split(/^-[- ]*$/m);
	const rows = below.trim().split('\n');
	expect(rows).toHaveLength(18);
	for (const row of rows) expect(row).toMatch(/\d (ms|µs|KB|kB)|\d\/s|\d+(\.\d+)? \/ \d|no redis-server|needs ioredis/);
	expect(below).not.toContain('not measured');
});

describe('the bill of a million calls', () => {
	const counts: CallCounts = {
		...{ written: 47, read: 20, shares: {}, kept_bytes: 6000, access_log_bytes: 6000, answer_bytes: 9000 },
		...{ log_lines: 50, log_bytes: 9000, sends: 14, grouped_sends: 4, grouped_messages: 4, openings: 2, cold_keys: 3 },
		...{ mails: 1, requests: { 'request-call': 1 }, messages: { 'dial-legs': 2, 'call-timers': 8, deliveries: 4 } },
		...{ provider: { dial: 2, hangup: 1, lookup: 2 }, shown: 1, watched_ms: 60_001 },
	};
	const dollarsOf = (what: string, of: CallCounts, batch?: number): number =>
		costOfAMillion(of, batch).find((line) => line.what === what)?.dollars ?? Number.NaN;

	it('has a price for everything that was counted', () => {
		for (const { dollars } of costOfAMillion(counts)) expect(dollars).toBeGreaterThan(0);
		for (const { source } of Object.values(prices))
			expect(source).toMatch(/^https:\/\/aws\.amazon\.com\/.+\/pricing\/$/);
	});

	it('grows by the price of each unit that is written more', () => {
		const more = { ...counts, written: counts.written + 28 };
		// 28 units more, a million times, at 0.625 dollars a million.
		expect(total(costOfAMillion(more)) - total(costOfAMillion(counts))).toBeCloseTo(17.5);
	});

	it('costs more for fair queues, and for messages that share no batch', () => {
		// Four requests to send and four to receive and delete eight messages in pairs.
		expect(dollarsOf('SQS, fair queues', counts)).toBeCloseTo(0.8);
		expect(dollarsOf('SQS, fair queues', { ...counts, grouped_sends: 0, grouped_messages: 0 })).toBe(0);
		expect(dollarsOf('SQS', counts, 1) - dollarsOf('SQS', counts, 2)).toBeCloseTo(14 * 0.4);
	});
});
