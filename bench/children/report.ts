import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { BurstResult, PacedTask } from '../tasks.ts';

/** The parent's task. */
export function task<T>(): T {
	const given: T = JSON.parse(process.argv[2] ?? '{}');
	return given;
}

/** The result, on the descriptor that the parent reads; then the process ends. */
export function report(result: object): never {
	const text = Buffer.from(JSON.stringify(result));
	for (let at = 0; at < text.length; ) at += writeSync(3, text, at);
	process.exit(0);
}

/** What it takes until `done`, from the start of the workers: wall-clock time, and the processor time of this process. */
export async function measured(start: () => void, done: () => boolean): Promise<BurstResult> {
	const cpu = process.cpuUsage();
	const started = performance.now();
	start();
	while (!done()) await wait(5);
	const seconds = (performance.now() - started) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	return { seconds, cpu_us: user + system };
}

/** Time for the last deliveries to arrive. */
const LAST_MS = 1500;

/** Commits at a steady rate with `commitOne`, which notes when it did, after the warm-up has arrived; then reports. */
export async function reportPaced(
	{ per_second, seconds }: Pick<PacedTask, 'per_second' | 'seconds'>,
	commitOne: (committed: Record<string, number>) => void,
): Promise<never> {
	await wait(LAST_MS);
	const committed: Record<string, number> = {};
	const started = performance.now();
	for (let n = 0; n < per_second * seconds; n += 1) {
		await wait(Math.max(0, started + (n * 1000) / per_second - performance.now()));
		commitOne(committed);
	}
	await wait(LAST_MS);
	return report({ committed });
}
