import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FencedBlock } from './fenced-blocks.ts';

const run = promisify(execFile);

/** One command as a reader would paste it: continued lines joined, comments gone. */
export function commandsOf({ text }: FencedBlock): readonly string[] {
	return text
		.replace(/\\\n\s*/g, '')
		.split('\n')
		.map((line) => line.replace(/\s+#\s.*$/, '').trim())
		.filter((line) => line !== '' && !line.startsWith('#'));
}

const DEFINITION = /^\w+(\(\)|=)/;

/** What the reader types when a command asks for a number: one of fiction. */
const TYPED = '+12025550119\n';

/** No command that is run as it stands takes longer; what does is one for the list of those that are not. */
const LONGEST_MS = 60_000;

/** A reader's terminal in a directory: what one document defines stays defined, and `<id>` is the id last shown. */
export function terminal(cwd: string) {
	const definitions: string[] = [];
	let id = '<id>';
	return {
		/** Answers what was printed; throws when the command fails. */
		async run(command: string): Promise<string> {
			if (DEFINITION.test(command)) {
				definitions.push(command);
				return '';
			}
			const line = command.replaceAll('<id>', id);
			const running = run('sh', ['-euc', [...definitions, line].join('\n')], {
				cwd,
				timeout: LONGEST_MS,
				killSignal: 'SIGKILL',
			});
			// Most commands read nothing, and are gone before it is written.
			running.child.stdin?.on('error', () => {}).end(TYPED);
			const { stdout } = await running;
			id = /"id":\s*"([^"]+)"/.exec(stdout)?.[1] ?? id;
			return stdout;
		},
	};
}
