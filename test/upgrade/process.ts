import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Runs a program of this folder in a separate process, because functions read their environment only once. Returns the program's
 * last line, parsed as JSON.
 */
export async function jsonFrom<T>(program: string, ...args: readonly string[]): Promise<T> {
	const file = join(import.meta.dirname, program);
	const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
		maxBuffer: MOST_BYTES,
	});
	return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
}
