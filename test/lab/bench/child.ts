import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A script in a process of its own, so that we can measure its processor time. `result`: what it reports. */
type Child<Result> = { readonly result: Promise<Result>; stop(): void };

/** Starts a script (a path relative to this folder) with its task as JSON. Its log is discarded. */
export function startChild<Result>(script: string, task: object): Child<Result> {
	const file = join(import.meta.dirname, script);
	const child = fork(file, [JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
	const result = new Promise<Result>((resolve, reject) => {
		child.once('message', (line) => resolve(JSON.parse(String(line))));
		child.once('close', (code) => reject(new Error(`${script} ended with ${String(code)}`)));
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

/** A peer's function with the settings of a typical project: for Node.js, minified. Returns its directory. */
export async function bundledPeer(name: string): Promise<string> {
	const directory = scratch();
	const entryPoints = [join(import.meta.dirname, `peers/${name}.ts`)];
	const outfile = join(directory, 'index.js');
	await build({ entryPoints, outfile, bundle: true, platform: 'node', target: 'node24', minify: true });
	return directory;
}
