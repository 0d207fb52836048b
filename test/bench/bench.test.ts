import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { costOfAMillion, pollsOf, total } from '../../tools/bench/cost-of-calls.ts';
import { type CallUse, meteredCalls } from '../support/stack/metered-calls.ts';

it('npm run bench prints every row with a figure, or why there is none', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['tools/bench/main.ts', '--quick']);
	const [, below = ''] = stdout.split(/^-[- ]*$/m);
	const rows = below.trim().split('\n');
	expect(rows).toHaveLength(7);
	for (const row of rows) expect(row).toMatch(/\d (ms|µs)|\d\/s|no redis-server|npm ci/);
	expect(below).not.toContain('not measured');
});

describe('a call of four events', () => {
	let calls: { readonly withOne: CallUse; readonly without: CallUse };
	beforeAll(async () => {
		calls = await meteredCalls();
	});

	it('writes at most 80 units with a webhook endpoint, and 48 without', () => {
		expect(calls.withOne.written).toBeLessThanOrEqual(80);
		expect(calls.without.written).toBeLessThanOrEqual(48);
		// Counted at all.
		expect(calls.without.written).toBeGreaterThan(20);
		expect(calls.withOne.written).toBeGreaterThan(calls.without.written);
		expect(calls.withOne.messages).toMatchObject({ diallegs: 2, hanguplegs: 1, deliveries: 4 });
	});

	it('uses and costs what docs/scaling.md says', () => {
		const scaling = readFileSync('docs/scaling.md', 'utf8');
		const { without, withOne } = calls;
		const read = ({ read, read_by_poll }: CallUse): number => read + pollsOf(1) * read_by_poll;
		const numbers = (title: string): number[] => {
			const line = scaling.split('\n').find((each) => each.startsWith(`| ${title}`)) ?? '';
			return line.split('|').slice(2, -1).map(Number);
		};
		for (const [n, use] of [without, withOne].entries()) {
			expect(Math.abs((numbers('write units')[n] ?? 0) - use.written)).toBeLessThan(3);
			// How often the page of this test polls decides how much each poll reads.
			expect(Math.abs((numbers('read units, with')[n] ?? 0) - read(use))).toBeLessThan(8);
		}
		expect(numbers('openings').slice(0, 2)).toEqual([without.openings, withOne.openings]);
		for (const [title, use] of [
			['without an endpoint', without],
			['with one endpoint', withOne],
		] as const) {
			for (const [n, minutes] of [1, 3, 10].entries()) {
				expect(Math.abs((numbers(title)[n] ?? 0) - total(costOfAMillion(use, minutes)))).toBeLessThan(1);
			}
		}
	});

	it('costs at most 135 dollars a million with a talk of a minute, and 165 with one of ten', () => {
		expect(total(costOfAMillion(calls.withOne, 1))).toBeLessThanOrEqual(135);
		expect(total(costOfAMillion(calls.withOne, 10))).toBeLessThanOrEqual(165);
		// Everything that is billed was used.
		for (const { dollars } of costOfAMillion(calls.withOne, 1)) expect(dollars).toBeGreaterThan(0);
	});
});
