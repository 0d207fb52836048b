import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { temporaryDirectory } from '../../support/temporary.ts';

/** A script in its own process, so that its processor time can be measured. `result`: what the script reports. */
type Child<Result> = { readonly result: Promise<Result>; stop(): void };

/**
 * Starts a script (its path is relative to this folder), and gives the script its task as JSON. The script's log is discarded.
 */
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

/** A directory that is deleted at the end of the benchmark. */
export function scratch(): string {
	const directory = temporaryDirectory('bench-');
	process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
	return directory;
}

/**
 * Bundles a peer's function with the settings of a typical project: for Node.js, minified. Returns the directory of the bundle.
 */
export async function bundledPeer(name: string): Promise<string> {
	const directory = scratch();
	const entryPoints = [join(import.meta.dirname, `peers/${name}.ts`)];
	const outfile = join(directory, 'index.js');
	await build({ entryPoints, outfile, bundle: true, platform: 'node', target: 'node24', minify: true });
	return directory;
}
