import { Command, CommanderError } from '@commander-js/extra-typings';
import { OperatorError } from './operator-error.ts';

export const EXIT = { done: 0, refused: 1, misused: 2 } as const;

/**
 * Returns the exit code after an error of Commander or an `OperatorError`, and throws any other error again. Prints the message
 * of an `OperatorError`; Commander has already printed its own errors.
 */
export function exitCodeOf(error: unknown, printLine: (text: string) => void): number {
	if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
	if (!(error instanceof OperatorError)) throw error;
	printLine(error.message);
	return EXIT.refused;
}

/**
 * The command line of a program that is not an operator's command, such as `npm start`. After a wrong option, the program shows
 * its help.
 */
export const commandLine = (name: string) => new Command(name).showHelpAfterError().exitOverride();

/** Runs the program of a `commandLine`. If its user has made a mistake, the process prints a message and ends. */
export async function runProgram(program: () => Promise<void>): Promise<void> {
	try {
		await program();
	} catch (error) {
		process.exit(exitCodeOf(error, console.error));
	}
}
