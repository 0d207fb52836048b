import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { FencedBlock } from '../support/fenced-blocks.ts';

/** The commands of a block, each as a reader would paste it: with its continued lines joined, and without comments. */
export function commandsOf({ text }: FencedBlock): readonly string[] {
	return text
		.replace(/\\\n\s*/g, '')
		.split('\n')
		.map((line) => line.replace(/\s+#\s.*$/, '').trim())
		.filter((line) => line !== '' && !line.startsWith('#'));
}

const DEFINITION = /^\w+(\(\)|=)/;

/** What the reader types when a command asks for a phone number: a number that is reserved for fiction. */
const TYPED = '+12025550119\n';

/**
 * A command that hangs is ended after this time, which is shorter than the time limit of the test. Commands that take minutes
 * belong in the list of commands that are not run.
 */
const LONGEST_MS = 500_000;

/** Runs `sh` in its own process group, and kills the whole group at the end. Returns the output. */
async function runAlone(words: readonly string[], cwd: string, env: Environment): Promise<string> {
	const child = spawn('sh', words, { cwd, detached: true, env: { ...process.env, ...env } });
	const endGroup = (): void => {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		} catch {
			// The group has already ended.
		}
	};
	const timer = setTimeout(endGroup, LONGEST_MS);
	process.once('exit', endGroup);
	// Most commands read no input. If a command ends before this input is written, the write fails, which does not matter.
	child.stdin.on('error', () => {}).end(TYPED);
	const [[code], stdout, stderr] = await Promise.all([once(child, 'exit'), textOf(child.stdout), textOf(child.stderr)]);
	clearTimeout(timer);
	process.off('exit', endGroup);
	if (code !== 0) throw new Error(`${words.at(-1)}\nended with ${code}:\n${stdout}${stderr}`);
	return stdout;
}

type Environment = Readonly<Record<string, string>>;
/** Every documented request must get a resource as its response. curl alone would also succeed with an error response. */
const DataAnswer = z.object({ data: z.object({}) });

/**
 * A reader's terminal in a directory. Variables and functions that the document defines stay defined, and `<id>` stands for the
 * last id that was printed.
 */
export function terminal(cwd: string, env: Environment = {}) {
	const definitions: string[] = [];
	let id = '<id>';
	return {
		/** Runs a command and returns its output. Throws if the command fails, or if it is a request that is refused. */
		async paste(command: string): Promise<string> {
			if (DEFINITION.test(command)) {
				definitions.push(command);
				return '';
			}
			const line = command.replaceAll('<id>', id);
			const stdout = await runAlone(['-euc', [...definitions, line].join('\n')], cwd, env);
			if (command.startsWith('curl') && !DataAnswer.safeParse(JSON.parse(stdout)).success) {
				throw new Error(`${command}\nwas answered ${stdout}`);
			}
			id = /"id":\s*"([^"]+)"/.exec(stdout)?.[1] ?? id;
			return stdout;
		},
	};
}
