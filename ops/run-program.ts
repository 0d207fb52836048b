import { Command, CommanderError } from '@commander-js/extra-typings';
import { OperatorError } from './operator-error.ts';

export const EXIT = { done: 0, refused: 1, misused: 2 } as const;

/** The exit code after an error, whose message it prints; Commander has printed its own. Other errors are thrown. */
export function exitCodeOf(error: unknown, printLine: (text: string) => void): number {
	if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
	if (!(error instanceof OperatorError)) throw error;
	printLine(error.message);
	return EXIT.refused;
}

/** The command line of a program of its own, such as `npm start`. A wrong use shows the help. */
export const commandLine = (name: string) => new Command(name).showHelpAfterError().exitOverride();

/** Runs such a program. An error of its user ends the process. */
export async function runProgram(program: () => Promise<void>): Promise<void> {
	try {
		await program();
	} catch (error) {
		process.exit(exitCodeOf(error, console.error));
	}
}
