import * as z from 'zod/mini';
import { OperatorError } from '../../ops/operator-error.ts';
import type { NamedResource } from '../template.ts';
import type { LocalFunction } from './functions.ts';

export type Schedules = { stop(): void };

const MINUTE_MS = 60_000;

const Targets = z.array(z.object({ Arn: z.string() }));

/** The interval of a rate, such as `rate(1 minute)`, in milliseconds. */
function rateMs(expression: string): number {
	const [, count] = /^rate\((\d+) minutes?\)$/.exec(expression) ?? [];
	if (count === undefined) throw new OperatorError(`the schedule ${expression} cannot be run on one machine`);
	return Number(count) * MINUTE_MS;
}

export type ScheduleOptions = {
	/** The resources of the type `AWS::Events::Rule`. */
	readonly rules: readonly NamedResource[];
	/**
	 * The resources of the type `AWS::Lambda::EventInvokeConfig`. These resources say how many times Lambda retries an
	 * event of a schedule.
	 */
	readonly configs: readonly NamedResource[];
	readonly functionByArn: (arn: string) => LocalFunction;
	readonly speed: number;
};

/**
 * Runs the schedules of the template. Throws an `OperatorError` for a schedule without a rate in minutes, and for a schedule
 * whose failed runs Lambda would retry.
 */
export function startSchedules({ rules, configs, functionByArn, speed }: ScheduleOptions): Schedules {
	const schedules = rules.flatMap(({ properties }) => {
		const every_ms = rateMs(String(properties['ScheduleExpression'])) / speed;
		return Targets.parse(properties['Targets']).map(({ Arn }) => {
			refuseRetries(Arn.split(':').at(-1) ?? '', configs);
			return { every_ms, run: oneAtATime(functionByArn(Arn), speed) };
		});
	});
	const timers = schedules.map(({ every_ms, run }) => {
		// Run at once, because a run may have been due while the stack was not running.
		run();
		return setInterval(run, Math.max(every_ms, 1000));
	});
	return {
		stop() {
			for (const timer of timers) clearInterval(timer);
		},
	};
}

/** Throws unless the function's retries are set to 0. Without a configuration, Lambda retries twice. */
function refuseRetries(functionId: string, configs: readonly NamedResource[]): void {
	const config = configs.find(({ properties }) => properties['FunctionName'] === functionId);
	if (config?.properties['MaximumRetryAttempts'] !== 0)
		throw new OperatorError(`${functionId}: retries of asynchronous invocations cannot be run on one machine`);
}

/**
 * Starts no run while the previous run is running, or too soon after it. `speed` shortens the period of the schedule, but
 * not the runs, so one run could follow the other without a pause. Therefore the next run waits as if the previous run had
 * taken `speed` times as long.
 */
function oneAtATime(target: LocalFunction, speed: number): () => void {
	let running = false;
	let freeAtMs = Number.NEGATIVE_INFINITY;
	return () => {
		const startedAtMs = performance.now();
		if (running || startedAtMs < freeAtMs) return;
		running = true;
		void target.invoke({}).then(() => {
			running = false;
			freeAtMs = startedAtMs + (performance.now() - startedAtMs) * speed;
		});
	};
}
