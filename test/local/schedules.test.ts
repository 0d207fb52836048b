import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { InvokeResult, LocalFunction } from '../../local/lambda/functions.ts';
import { startSchedules } from '../../local/lambda/schedules.ts';
import type { NamedResource } from '../../local/template.ts';

const SWEEP = 'arn:aws:lambda:us-east-1:000000000000:function:Sweep';
const named = (properties: object): NamedResource => ({ id: 'Named', properties: { ...properties }, metadata: {} });
const retries = (MaximumRetryAttempts: number) => [named({ FunctionName: 'Sweep', MaximumRetryAttempts })];

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

type Story = {
	readonly rate?: string;
	readonly speed?: number;
	readonly takes_ms?: number;
	readonly configs?: readonly NamedResource[];
};

/** Runs a schedule whose function always ends with `ends`. Returns the times of the runs, in seconds after the start. */
async function invocations(
	ends: InvokeResult,
	forMs: number,
	{ rate = 'rate(1 minute)', speed = 1, takes_ms = 0, configs = retries(0) }: Story = {},
) {
	const startedAtMs = performance.now();
	const atSeconds: number[] = [];
	const target: LocalFunction = {
		name: 'sweep',
		invoke: async () => {
			atSeconds.push((performance.now() - startedAtMs) / 1000);
			if (takes_ms > 0) await new Promise((resolve) => setTimeout(resolve, takes_ms));
			return ends;
		},
		stop: async () => {},
	};
	const rules = [named({ ScheduleExpression: rate, Targets: [{ Arn: SWEEP }] })];
	const schedules = startSchedules({ rules, configs, functionByArn: () => target, speed });
	await jest.advanceTimersByTimeAsync(forMs);
	schedules.stop();
	await jest.advanceTimersByTimeAsync(forMs);
	return atSeconds;
}

const succeeded: InvokeResult = { invoked: 'ok', result: null };

it('a scheduled function runs at the start and then once in each period, until the schedules stop', async () => {
	expect(await invocations(succeeded, 180_000)).toEqual([0, 60, 120, 180]);
});

it('a scheduled function that fails waits for its next run', async () => {
	expect(await invocations({ invoked: 'error', error: 'Error' }, 120_000)).toEqual([0, 60, 120]);
	expect(await invocations({ invoked: 'timed_out' }, 120_000)).toEqual([0, 60, 120]);
});

it('a run that takes longer than the period does not overlap with the next run', async () => {
	expect(await invocations(succeeded, 300_000, { takes_ms: 90_000 })).toEqual([0, 120, 240]);
});

it('a schedule that runs more often than on AWS skips runs that would take a larger share of the time than on AWS', async () => {
	// At 20 times the speed, a minute lasts 3 s. After a run of 0.4 s begins, no other run begins for 20 x 0.4 s = 8 s, and the next
	// turn after that is at 9 s. So the runs take no larger share of the time than on AWS.
	expect(await invocations(succeeded, 20_000, { speed: 20, takes_ms: 400 })).toEqual([0, 9, 18]);
	expect(await invocations(succeeded, 9000, { speed: 20, takes_ms: 100 })).toEqual([0, 3, 6, 9]);
});

describe('a template', () => {
	it.each([
		['retries the runs of a schedule', retries(1)],
		['leaves the runs the two retries of Lambda', []],
	])('that %s is refused', async (_, configs) => {
		await expect(invocations(succeeded, 0, { configs })).rejects.toThrow(
			'Sweep: retries of asynchronous invocations cannot be run on one machine',
		);
	});

	it('is accepted with rates in minutes, and refused with other schedules', async () => {
		expect(await invocations(succeeded, 600_000, { rate: 'rate(5 minutes)' })).toEqual([0, 300, 600]);
		for (const rate of ['rate(1 hour)', 'cron(0 12 * * ? *)'])
			await expect(invocations(succeeded, 0, { rate })).rejects.toThrow(
				`the schedule ${rate} cannot be run on one machine`,
			);
	});
});
