import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The first file on this machine that matches one of these shell patterns. Undefined if no file does. */
export function findProgram(...patterns: readonly string[]): string | undefined {
	return patterns.flatMap((pattern) => globSync(pattern)).find((file) => existsSync(file));
}

export type Program = { readonly child: ChildProcess; stop(): Promise<void> };

/** Starts a program. `stop` ends the program and all processes that it has started. */
export function startProgram(file: string, args: readonly string[], options: SpawnOptions = {}): Program {
	const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options, detached: true });
	const ended = once(child, 'exit');
	return {
		child,
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
			// Kills the process group, because a browser consists of many processes.
			process.kill(-child.pid, 'SIGKILL');
			await ended;
		},
	};
}

/**
 * Waits for a line in a program's messages. Keeps reading them afterwards, so that the program never has to wait for a reader.
 */
export function lineOf({ child }: Program, pattern: RegExp): Promise<RegExpExecArray> {
	return new Promise((resolve, reject) => {
		if (child.stderr === null) throw new Error('its messages are not read');
		const last: string[] = [];
		child.on('exit', () => reject(new Error(`${child.spawnfile} ended: ${last.slice(-5).join('\n')}`)));
		createInterface(child.stderr).on('line', (line) => {
			last.push(line);
			const match = pattern.exec(line);
			if (match) resolve(match);
		});
	});
}
