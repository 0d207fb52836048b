import { commandLine } from '../../ops/run-program.ts';

/** The command line of a program that uses the stack on this machine. */
export const stackCommand = (name: string, description: string) =>
	commandLine(name)
		.description(description)
		.option('--api-key <key>', 'API key of a workspace other than the demo workspace')
		.option('--state-dir <dir>', 'the state directory of the stack', '.local')
		.option('--json', 'print one JSON object a line, for programs', false);

/** Prints lines for people. With `json`, prints the facts as JSON for programs. */
export function print(facts: object, lines: string, { json }: { readonly json: boolean }): void {
	console.log(json ? JSON.stringify(facts) : lines);
}
