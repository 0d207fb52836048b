import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { BurstResult } from '../tasks.ts';

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
