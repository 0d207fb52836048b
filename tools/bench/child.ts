import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '../../test/support/temporary.ts';

/** A script in a process of its own, so that we can measure its processor time. `result`: the line that it reports. */
export type Child<Result> = { readonly result: Promise<Result>; stop(): void };

/** Starts a script (a path relative to bench/). It gets its task as JSON, and reports on file descriptor 3. Its log is discarded. */
export function startChild<Result>(script: string, task: object): Child<Result> {
	const file = fileURLToPath(new URL(script, import.meta.url));
	const child = spawn(process.execPath, [file, JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
	const errors = child.stderr === null ? '' : text(child.stderr);
	const result = new Promise<Result>((resolve, reject) => {
		let reported = '';
		child.stdio[3]?.on('data', (chunk: Buffer) => {
			reported += chunk.toString('utf8');
			if (reported.endsWith('\n')) resolve(JSON.parse(reported));
		});
		child.once('close', (code) => {
			const failed = (said: string) => reject(new Error(`${script} ended with ${String(code)}: ${said.slice(0, 400)}`));
			void Promise.resolve(errors).then(failed);
		});
	});
	return { result, stop: () => void child.kill() };
}

export async function runChild<Result>(script: string, task: object): Promise<Result> {
	const child = startChild<Result>(script, task);
	return child.result.finally(child.stop);
}

/** A directory that goes when the bench ends. */
export function scratch(): string {
	const directory = temporaryDirectory('bench-');
	process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
	return directory;
}
