import * as z from 'zod/mini';
import type { NamedResource } from '../template.ts';
import type { LocalFunction } from './functions.ts';

export type Schedules = { stop(): void };
/** Runs functions later: by the machine's clock, or a test's clock. */
export type Timers = {
	/** Milliseconds of this clock; only differences count. */
	now(): number;
	every(period_ms: number, run: () => void): void;
	later(delay_ms: number, run: () => void): void;
	stop(): void;
};

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const Targets = z.array(z.object({ Arn: z.string() }));
const AsyncInvoke = z.object({
	FunctionName: z.string(),
	MaximumRetryAttempts: z._default(z.number(), 2),
	MaximumEventAgeInSeconds: z._default(z.number(), 21_600),
});
type AsyncInvoke = z.infer<typeof AsyncInvoke>;
/**
 * How long Lambda waits before it retries after an error ("How Lambda handles errors and retries with asynchronous
 * invocation").
 */
const RETRY_MS = [60_000, 120_000] as const;

/** `rate(1 minute)` in milliseconds. */
export function rateMs(expression: string): number {
	const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
	const unit_ms = UNIT_MS[unit];
	if (unit_ms === undefined) throw new Error(`schedule ${expression} is not interpreted on one machine`);
	return Number(count) * unit_ms;
}

export type ScheduleOptions = {
	/** `AWS::Events::Rule` */
	readonly rules: readonly NamedResource[];
	/** `AWS::Lambda::EventInvokeConfig`: how many times Lambda retries an asynchronous event, and the event's maximum age. */
	readonly configs: readonly NamedResource[];
	readonly functionByArn: (arn: string) => LocalFunction;
	/** Speeds up schedules and retries by this factor. */
	readonly speed: number;
	readonly timers?: Timers;
};

/** Runs the template's rate schedules. EventBridge invokes functions asynchronously, so Lambda's retries apply. */
export function startSchedules({
	rules,
	configs,
	functionByArn,
	speed,
	timers = realTimers(),
}: ScheduleOptions): Schedules {
	const invokeConfigs = configs.map(({ properties }) => AsyncInvoke.parse(properties));
	for (const { properties } of rules) {
		const every_ms = rateMs(String(properties['ScheduleExpression'])) / speed;
		for (const { Arn } of Targets.parse(properties['Targets'])) {
			const id = Arn.split(':').at(-1) ?? '';
			const config =
				invokeConfigs.find(({ FunctionName }) => FunctionName === id) ?? AsyncInvoke.parse({ FunctionName: id });
			const start = (done: () => void) => invokeAsync(functionByArn(Arn), config, { speed, timers, done });
			const run = oneAtATime(start, { speed, timers });
			// A run that was due while the stack was down is due now.
			run();
			timers.every(Math.max(every_ms, 1000), run);
		}
	}
	return { stop: () => timers.stop() };
}

type Pace = { readonly speed: number; readonly timers: Timers };
type Run = Pace & { readonly done: () => void };

/** Invokes the function for one event, and retries after an error while the function's configuration allows it. */
function invokeAsync(target: LocalFunction, config: AsyncInvoke, { speed, timers, done }: Run): void {
	const attempt = (retries: number, age_ms: number): void => {
		void target.invoke({}).then(({ invoked }) => {
			if (retries === 0) done();
			if (invoked === 'ok' || retries >= config.MaximumRetryAttempts) return;
			const wait_ms = RETRY_MS[retries] ?? RETRY_MS[1];
			const next_age_ms = age_ms + wait_ms;
			if (next_age_ms > config.MaximumEventAgeInSeconds * 1000) return;
			timers.later(wait_ms / speed, () => attempt(retries + 1, next_age_ms));
		});
	};
	attempt(0, 0);
}

/**
 * Starts no run while the previous one is still running, nor soon after it. The speed-up shortens the period but not a run,
 * so runs with a pause between them on AWS would follow each other without one here: the pause counts a run as `speed` times as
 * long as it was.
 */
function oneAtATime(start: (done: () => void) => void, { speed, timers }: Pace): () => void {
	let running = false;
	let free_at_ms = Number.NEGATIVE_INFINITY;
	return () => {
		const started_at_ms = timers.now();
		if (running || started_at_ms < free_at_ms) return;
		running = true;
		start(() => {
			running = false;
			free_at_ms = started_at_ms + (timers.now() - started_at_ms) * speed;
		});
	};
}

function realTimers(): Timers {
	const stops = new Set<() => void>();
	return {
		now: () => performance.now(),
		every(period_ms, run) {
			const timer = setInterval(run, period_ms);
			stops.add(() => clearInterval(timer));
		},
		later(delay_ms, run) {
			const stop = (): void => clearTimeout(timer);
			const timer = setTimeout(() => {
				stops.delete(stop);
				run();
			}, delay_ms);
			stops.add(stop);
		},
		stop() {
			for (const stop of stops) stop();
		},
	};
}
