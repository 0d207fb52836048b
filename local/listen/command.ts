import { commandLine } from '../../ops/run-program.ts';

/** The command line of a program that uses the stack of this machine. */
export const stackCommand = (name: string, description: string) =>
	commandLine(name)
		.description(description)
		.option('--api-key <key>', 'API key of another workspace than the demo workspace')
		.option('--state-dir <dir>', 'the state directory of the stack', '.local');

/** Prints JSON for programs, lines for people. */
export function print(facts: object, lines: string): void {
	console.log(process.stdout.isTTY ? lines : JSON.stringify(facts));
}
