import { setTimeout as wait } from 'node:timers/promises';
import type { TableEnv } from '../../../../shared/env.ts';

// The task that a child process gets, and its report. The task `burst` posts `count` requests at full speed, after `warm_up`
// others. `paced` posts at a fixed rate. `dead` reports as soon as `waiting` deliveries are due, and then delivers them.

export type Task = {
	readonly target: { readonly url: string; readonly host: string; readonly ca_pem: string; readonly secret: string };
	readonly run:
		| { readonly mode: 'burst'; readonly count: number; readonly warm_up: number }
		| { readonly mode: 'paced'; readonly per_second: number; readonly seconds: number }
		| { readonly mode: 'dead'; readonly waiting: number };
	/** The stand-in for DynamoDB. If it is absent, the store is in memory. */
	readonly dynamo?: TableEnv;
};
/** The time and the processor time until all requests were posted. */
export type BurstResult = { readonly seconds: number; readonly cpu_us: number };
/** When each event was meant to be posted, by its id. */
export type PacedResult = { readonly asked_ms: Readonly<Record<string, number>> };

/**
 * Our side and the peer each have at most `BATCH * FUNCTIONS` posts in progress at a time. On our side, each of `FUNCTIONS`
 * functions handles a batch of `BATCH` messages.
 */
export const BATCH = 10;
export const FUNCTIONS = 5;

/** A clock that gives the same time in all processes. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

export function task(): Task {
	const given: Task = JSON.parse(process.argv[2] ?? '{}');
	return given;
}

/** Reports to the parent process, which then ends this process. */
export const report = (result: BurstResult | PacedResult | null): void => void process.send?.(JSON.stringify(result));

/** Measures how long `run` takes, and the processor time that this process uses for it. */
export async function measured(run: () => Promise<unknown>): Promise<BurstResult> {
	const cpu = process.cpuUsage();
	const startedMs = performance.now();
	await run();
	const seconds = (performance.now() - startedMs) / 1000;
	const { user, system } = process.cpuUsage(cpu);
	return { seconds, cpu_us: user + system };
}

/** Posts at a fixed rate. `post` returns the id of what it posted. */
export async function paced(
	{ per_second, seconds }: { readonly per_second: number; readonly seconds: number },
	post: () => Promise<string>,
): Promise<PacedResult> {
	const asked_ms: Record<string, number> = {};
	const posts: Promise<void>[] = [];
	const begunMs = performance.now();
	for (let n = 0; n < per_second * seconds; n += 1) {
		await wait(Math.max(0, begunMs + (n * 1000) / per_second - performance.now()));
		const atMs = nowMs();
		posts.push(post().then((id) => void Object.assign(asked_ms, { [id]: atMs })));
	}
	await Promise.all(posts);
	return { asked_ms };
}
