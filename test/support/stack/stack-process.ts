import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { StackFacts } from '../../../local/console/page/wire.ts';

/** `npm start` in its own process. */
export type StackProcess = StackFacts & {
	/** Everything that the process has printed so far. */
	printed(): string;
	/** Ends the process with a signal, and waits until it has ended. */
	stop(signal?: NodeJS.Signals): Promise<void>;
};

/** A program that starts a stack, in a checkout of this repository. */
export type StackProgram = {
	readonly folder: string;
	readonly node: string;
	readonly args: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
};

const Package = z.object({ scripts: z.object({ start: z.string() }) });

/** The program that `npm start` runs in a checkout. */
export function npmStart(folder = '.', node = process.execPath): StackProgram {
	const { scripts } = Package.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
	const words = scripts.start.split(' ');
	return { folder, node, args: words.slice(words.indexOf('node') + 1) };
}

/** Starts the stack, and waits until it prints that it is up. If an option is given twice, the last one counts. */
export async function startStackProcess(
	stateDir: string,
	options: readonly string[] = [],
	environment: Readonly<Record<string, string>> = {},
	program = npmStart(),
): Promise<StackProcess> {
	const args = [...program.args, '--state-dir', stateDir, '--retry-schedule', '0,1,2', ...options];
	const child = spawn(program.node, args, {
		cwd: program.folder,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ...program.environment, ...environment },
	});
	let said = '';
	await new Promise<void>((resolve, reject) => {
		const hear = (chunk: Buffer): void => {
			said += chunk.toString('utf8');
			if (said.includes('The stack is up')) resolve();
		};
		child.stdout.on('data', hear);
		child.stderr.on('data', hear);
		child.once('exit', (code) => reject(new Error(`the stack ended with ${code}: ${said}`)));
	});
	const facts: StackFacts = JSON.parse(readFileSync(join(stateDir, 'stack.json'), 'utf8'));
	return { ...facts, printed: () => said, stop: (signal = 'SIGTERM') => stopProcess(child, signal) };
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, 'exit');
	child.kill(signal);
	await gone;
}
