import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { StackFacts } from '../../local/console/page/wire.ts';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '../..');

async function git(...args: readonly string[]): Promise<readonly string[]> {
	const { stdout } = await run('git', args, { cwd: repository, maxBuffer: 16_000_000 });
	return stdout.split('\0').filter((name) => name !== '');
}

/**
 * Clones this repository with its uncommitted changes into an empty folder, and returns the folder. It links this checkout's
 * node_modules, because `npm ci` would install the same again.
 */
export async function freshClone(): Promise<string> {
	const directory = mkdtempSync(join(tmpdir(), 'newcomer-'));
	await git('clone', '--quiet', repository, directory);
	const [changed, deleted] = await Promise.all([
		git('ls-files', '-z', '--modified', '--others', '--exclude-standard'),
		git('ls-files', '-z', '--deleted'),
	]);
	for (const name of deleted) rmSync(join(directory, name));
	for (const name of changed) {
		if (!deleted.includes(name)) cpSync(join(repository, name), join(directory, name));
	}
	symlinkSync(join(repository, 'node_modules'), join(directory, 'node_modules'));
	return directory;
}

export type Started = StackFacts & { stop(): Promise<void> };

/** Runs `npm start` with free ports and fast phones, and waits until the stack is up. */
export async function npmStart(directory: string): Promise<Started> {
	// npm gets its own process group, so that one signal reaches npm and the stack.
	const child = spawn('npm', ['start', '--', '--port', '0', '--speed', '20'], { cwd: directory, detached: true });
	const closed = once(child, 'close');
	const { promise: up, resolve: isUp } = Promise.withResolvers<void>();
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			printed += chunk.toString('utf8');
			if (printed.includes('The stack is up')) isUp();
		});
	}
	const signal = (name: NodeJS.Signals): void => {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, name);
		} catch {
			// The process group has ended already.
		}
	};
	const kill = (): void => signal('SIGKILL');
	process.once('exit', kill);
	const ended = closed.then(([code]) => {
		throw new Error(`npm start ended with ${code}: ${printed}`);
	});
	await Promise.race([up, ended]);
	const facts: StackFacts = JSON.parse(readFileSync(join(directory, '.local/stack.json'), 'utf8'));
	return {
		...facts,
		/** `closed` resolves only when both npm and the stack have ended, because both hold npm's output open. npm ends first. */
		async stop() {
			signal('SIGTERM');
			await closed;
			process.off('exit', kill);
		},
	};
}
