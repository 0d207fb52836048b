import * as z from 'zod/mini';
import type { LocalFunction } from './functions.ts';
import type { Named } from './template.ts';

export type Schedules = { stop(): void };

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const Targets = z.array(z.object({ Arn: z.string() }));

/** `rate(1 minute)` in milliseconds. */
export function rateMs(expression: string): number {
	const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
	const unit_ms = UNIT_MS[unit];
	if (unit_ms === undefined) throw new Error(`schedule ${expression} is not interpreted on one machine`);
	return Number(count) * unit_ms;
}

/** Runs the template's rate schedules, `speed` times as often. */
export function startSchedules(
	rules: readonly Named[],
	functionByArn: (arn: string) => LocalFunction,
	speed: number,
): Schedules {
	const timers = rules.flatMap(({ properties }) => {
		const every_ms = rateMs(String(properties['ScheduleExpression'])) / speed;
		const targets = Targets.parse(properties['Targets']);
		return targets.map(({ Arn }) => {
			const run = oneAtATime(functionByArn(Arn));
			// What was due while the stack was down is due now.
			run();
			return setInterval(run, Math.max(every_ms, 1000));
		});
	});
	return { stop: () => timers.forEach(clearInterval) };
}

/** A run that takes longer than its period at this speed, but not than the period itself, has none beside it on AWS. */
function oneAtATime(target: LocalFunction): () => void {
	let running = false;
	return () => {
		if (running) return;
		running = true;
		void target.invoke({}).then(() => {
			running = false;
		});
	};
}
