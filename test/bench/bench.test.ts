import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { costOfAMillion, total } from '../../bench/cost-of-calls.ts';

it('npm run bench prints every row with a figure, or why there is none', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['bench/main.ts', '--quick']);
	const [, below = ''] = stdout.split(/^-[- ]*$/m);
	const rows = below.trim().split('\n');
	expect(rows).toHaveLength(17);
	for (const row of rows) expect(row).toMatch(/\d (ms|µs|KB|kB)|\d\/s|\d+(\.\d+)? \/ \d|no redis-server|needs ioredis/);
	expect(below).not.toContain('not measured');
});

it('npm run cost: every line of the bill grows with what is metered', () => {
	const units = { written: 47, read: 20, messages: { 'dial-legs': 2, 'call-timers': 11 } };
	const more = { written: 75, read: 32, messages: { ...units.messages, deliveries: 4 } };
	const [less, dearer] = [costOfAMillion(units), costOfAMillion(more)];
	// 28 write units more, a million times, at 0.625 dollars a million.
	expect((dearer[0]?.dollars ?? 0) - (less[0]?.dollars ?? 0)).toBeCloseTo(17.5);
	expect(total(dearer)).toBeGreaterThan(total(less) + 17.5);
	for (const { dollars } of less) expect(dollars).toBeGreaterThan(0);
});
