import { describe, expect, it } from '@jest/globals';
import type { InvokeResult, LocalFunction } from '../../local/lambda/functions.ts';
import { startSchedules, type Timers } from '../../local/lambda/schedules.ts';
import type { NamedResource } from '../../local/template.ts';

const SWEEP = 'arn:aws:lambda:us-east-1:000000000000:function:Sweep';
const named = (properties: object): NamedResource => ({ id: 'Named', properties: { ...properties }, metadata: {} });
const everyMinute = named({ ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: SWEEP }] });

/** A clock that the test advances. */
function clock() {
	let now_ms = 0;
	let due: { at_ms: number; every_ms: number | null; run: () => void }[] = [];
	const timers: Timers = {
		now: () => now_ms,
		every: (every_ms, run) => void due.push({ at_ms: now_ms + every_ms, every_ms, run }),
		later: (delay_ms, run) => void due.push({ at_ms: now_ms + delay_ms, every_ms: null, run }),
		stop: () => {
			due = [];
		},
	};
	const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
	return {
		timers,
		async advance(by_ms: number) {
			const end_ms = now_ms + by_ms;
			await nextTurn();
			for (;;) {
				const next = due.filter(({ at_ms }) => at_ms <= end_ms).sort((a, b) => a.at_ms - b.at_ms)[0];
				if (next === undefined) break;
				now_ms = next.at_ms;
				if (next.every_ms === null) due = due.filter((one) => one !== next);
				else next.at_ms += next.every_ms;
				next.run();
				await nextTurn();
			}
			now_ms = end_ms;
		},
		now: () => now_ms,
	};
}

type Story = { readonly speed?: number; readonly takes_ms?: number };

/** The times, in seconds from the start, at which a schedule invoked a function that always ends this way. */
async function invocations(
	ends: InvokeResult,
	configs: readonly NamedResource[],
	rule = everyMinute,
	for_ms = 600_000,
	{ speed = 1, takes_ms = 0 }: Story = {},
) {
	const time = clock();
	const at_s: number[] = [];
	const target: LocalFunction = {
		name: 'sweep',
		invoke: async () => {
			at_s.push(time.now() / 1000);
			if (takes_ms > 0) await new Promise<void>((resolve) => time.timers.later(takes_ms, resolve));
			return ends;
		},
		stop: async () => {},
	};
	const schedules = startSchedules({
		rules: [rule],
		configs,
		functionByArn: () => target,
		speed,
		timers: time.timers,
	});
	await time.advance(for_ms);
	schedules.stop();
	return at_s;
}

const succeeded: InvokeResult = { invoked: 'ok', result: null };
const failed: InvokeResult = { invoked: 'error', error: 'Error' };
const hourly = named({ ScheduleExpression: 'rate(1 hour)', Targets: [{ Arn: SWEEP }] });
const config = (own: object) => [named({ FunctionName: 'Sweep', ...own })];

describe('a scheduled function that fails', () => {
	it('is retried after one and two more minutes by default, as on Lambda', async () => {
		expect(await invocations(failed, [], hourly)).toEqual([0, 60, 180]);
	});

	it('waits for its next run if the template sets zero retries', async () => {
		const none = config({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
		expect(await invocations(failed, none, hourly)).toEqual([0]);
		expect(await invocations(failed, none, everyMinute, 120_000)).toEqual([0, 60, 120]);
	});

	it('is not retried for an event that is older than the template allows', async () => {
		expect(await invocations(failed, config({ MaximumEventAgeInSeconds: 60 }), hourly)).toEqual([0, 60]);
	});

	it('is retried as many times as the template says', async () => {
		expect(await invocations(failed, config({ MaximumRetryAttempts: 1 }), hourly)).toEqual([0, 60]);
		expect(await invocations({ invoked: 'timed_out' }, config({ MaximumRetryAttempts: 1 }), hourly)).toEqual([0, 60]);
	});
});

it('a scheduled function that succeeds runs once in each period', async () => {
	expect(await invocations(succeeded, [], everyMinute, 180_000)).toEqual([0, 60, 120, 180]);
});

it('a run that takes longer than the period is not started a second time beside itself', async () => {
	expect(await invocations(succeeded, [], everyMinute, 300_000, { takes_ms: 90_000 })).toEqual([0, 120, 240]);
});

it('a sped-up schedule leaves the share of the time that its runs leave on AWS', async () => {
	// Each 3 s a run of 0.4 s would take 8 times its share of a minute; each 9 s (8 s, and the next turn) it takes no more.
	const runs = await invocations(succeeded, [], everyMinute, 20_000, { speed: 20, takes_ms: 400 });
	expect(runs).toEqual([0, 9, 18]);
	expect(await invocations(succeeded, [], everyMinute, 9000, { speed: 20, takes_ms: 100 })).toEqual([0, 3, 6, 9]);
});
