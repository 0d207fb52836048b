import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Shutdown, shutdownList } from '../../../local/shutdown.ts';

const beganMs = Date.now();

/** Prints a line that starts with the seconds since the start. */
export const say = (text: string): void =>
	console.log(`${((Date.now() - beganMs) / 1000).toFixed(1).padStart(6)} s  ${text}`);

/** Calls `run` with a new folder. At the end or at a signal, stops everything in `shutdown`, and removes the folder. */
export async function inFolder<Result>(
	name: string,
	run: (directory: string, shutdown: Shutdown) => Promise<Result>,
): Promise<Result> {
	const directory = mkdtempSync(join(tmpdir(), `call-back-${name}-`));
	const shutdown = shutdownList();
	shutdown.add(() => rmSync(directory, { recursive: true, force: true }));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void shutdown.run().finally(() => process.exit(1)));
	}
	try {
		return await run(directory, shutdown);
	} finally {
		await shutdown.run();
	}
}
