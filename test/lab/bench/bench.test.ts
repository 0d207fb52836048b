import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CallUsage, countUsage } from '../../support/stack/call-usage.ts';
import { costOfAMillion, pollsOf, total } from './cost-of-calls.ts';

/** A pattern for each row that the benchmark must have. */
const ROWS = [
	/cold start/,
	/largest API bundle/,
	/widget/,
	/warm request/,
	/deliveries a second/,
	/stand-in/,
	/p50/,
	/p99/,
	/beside a dead one/,
	/click to first dial, warm/,
	/all functions cold/,
	/write units/,
	/a million calls/,
	/files .* A click to the dial/,
	/files .* callback to the POST/,
	/files .* A list of twelve calls/,
	/that failed of/,
	/quiet endpoint of/,
	/figures of 30 days/,
	/desk, 1,000 calls: Today/,
	/desk, 1,000 calls: a delivery that failed/,
];

it('npm run lab -- bench prints every row with a figure, or why there is none', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ['test/lab/bench/main.ts', '--quick']);
	const rows = stdout.split('\n').filter((line) => /^│ \d/.test(line));
	for (const row of rows)
		expect(row).toMatch(/\d (ms|µs|KB|kB|dollars|files)|\d\/s|\d \/ \d|\d, \d|no redis-server|npm ci/);
	for (const name of ROWS) expect(rows.filter((row) => name.test(row))).not.toEqual([]);
	expect(stdout).not.toContain('NaN');
	expect(stdout.match(/left out.*/g)).toEqual(['left out, because the shop is too small: Today, older missed calls']);
});

describe('a call of four events', () => {
	let calls: { readonly withOne: CallUsage; readonly without: CallUsage };
	beforeAll(async () => {
		calls = await countUsage();
	});

	it('has its writes and messages counted, with and without a webhook endpoint', () => {
		expect(calls.without.written).toBeGreaterThan(20);
		expect(calls.withOne.written).toBeGreaterThan(calls.without.written);
		expect(calls.withOne.messages).toMatchObject({ diallegs: 2, hanguplegs: 1, deliveries: 4 });
	});

	const scaling = readFileSync('docs/scaling.md', 'utf8');
	const numbers = (title: string): readonly [number, number, number] => {
		const line = scaling.split('\n').find((each) => each.startsWith(`| ${title}`)) ?? '';
		const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = line.split('|').slice(2, -1).map(Number);
		return [first, second, third];
	};
	/**
	 * The usage of a call as docs/scaling.md documents it. The measured usage varies a little if one callback overtakes another.
	 * It also varies on a busy machine: a deadline of the fast clock may pass, and the service then sends a second timer.
	 */
	const documented = (n: 0 | 1): CallUsage => {
		const use = n === 0 ? calls.without : calls.withOne;
		const read = numbers('read units, with')[n] - pollsOf(1) * use.read_by_poll;
		const messages = { ...use.messages, calltimers: 1 };
		const sends = use.sends - (use.messages.calltimers - 1);
		return { ...use, messages, sends, written: numbers('write units')[n], read };
	};

	it.each([0, 1] as const)('with %i endpoints uses and costs what docs/scaling.md says', (n) => {
		const use = n === 0 ? calls.without : calls.withOne;
		const said = documented(n);
		expect(Math.abs(said.written - use.written)).toBeLessThanOrEqual(6);
		expect(Math.abs(said.read - use.read)).toBeLessThanOrEqual(12);
		expect(numbers('openings')[n]).toBe(use.openings);
		const dollars = numbers(n === 0 ? 'without an endpoint' : 'with one endpoint');
		for (const [at, minutes] of [1, 3, 10].entries()) {
			expect(Math.abs((dollars[at] ?? 0) - total(costOfAMillion(said, minutes)))).toBeLessThan(1.5);
		}
	});

	it('costs at most 178 dollars a million with a conversation of a minute, and 243 with one of ten minutes', () => {
		expect(total(costOfAMillion(documented(1), 1))).toBeLessThanOrEqual(178);
		expect(total(costOfAMillion(documented(1), 10))).toBeLessThanOrEqual(243);
		// Every billed item was used at least once.
		for (const { dollars } of costOfAMillion(calls.withOne, 1)) expect(dollars).toBeGreaterThan(0);
	});
});
