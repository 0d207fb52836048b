import { describe, expect, it } from '@jest/globals';
import type { Invoked, LocalFunction } from '../../local/lambda/functions.ts';
import { startSchedules, type Timers } from '../../local/lambda/schedules.ts';
import type { Named } from '../../local/template.ts';

const SWEEP = 'arn:aws:lambda:us-east-1:000000000000:function:Sweep';
const named = (properties: object): Named => ({ id: 'Named', properties: { ...properties }, metadata: {} });
const everyMinute = named({ ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: SWEEP }] });

/** A clock that the test advances. */
function clock() {
	let now_ms = 0;
	let due: { at_ms: number; every_ms: number | null; run: () => void }[] = [];
	const timers: Timers = {
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

/** The times, in seconds from the start, at which a schedule invoked a function that always ends this way. */
async function invocations(ends: Invoked, configs: readonly Named[], rule = everyMinute, for_ms = 600_000) {
	const time = clock();
	const at_s: number[] = [];
	const target: LocalFunction = {
		name: 'sweep',
		invoke: async () => {
			at_s.push(time.now() / 1000);
			return ends;
		},
		stop: async () => {},
	};
	const schedules = startSchedules({
		rules: [rule],
		configs,
		functionByArn: () => target,
		speed: 1,
		timers: time.timers,
	});
	await time.advance(for_ms);
	schedules.stop();
	return at_s;
}

const failed: Invoked = { invoked: 'error', error: 'Error' };
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
	expect(await invocations({ invoked: 'ok', result: null }, [], everyMinute, 180_000)).toEqual([0, 60, 120, 180]);
});
