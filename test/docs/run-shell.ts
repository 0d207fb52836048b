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

/** A reader's terminal in a directory: what one document defines stays defined, and `<id>` is the id last shown. */
export function terminal(cwd: string) {
	const definitions: string[] = [];
	let shown = '';
	return {
		async run(command: string): Promise<string> {
			if (DEFINITION.test(command)) {
				definitions.push(command);
				return '';
			}
			const line = command.replaceAll('<id>', /"id":\s*"([^"]+)"/.exec(shown)?.[1] ?? '<id>');
			const { stdout } = await run('sh', ['-euc', [...definitions, line].join('\n')], { cwd });
			shown = stdout;
			return stdout;
		},
	};
}
