import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs a script (a path relative to bench/) as a separate process, so that we can measure its processor time. The script gets its
 * task as JSON and writes its result as JSON to file descriptor 3. Its log is discarded.
 */
export async function runChild<Result>(script: string, task: object): Promise<Result> {
	const file = fileURLToPath(new URL(script, import.meta.url));
	const child = spawn(process.execPath, [file, JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
	let said = '';
	let errors = '';
	child.stdio[3]?.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
	});
	child.stderr?.on('data', (chunk: Buffer) => {
		errors += chunk.toString('utf8');
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${script} ended with ${String(code)}: ${errors.slice(0, 400)}`);
	const result: Result = JSON.parse(said);
	return result;
}
