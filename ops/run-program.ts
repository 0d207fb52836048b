import { Command, CommanderError } from '@commander-js/extra-typings';
import { OperatorError } from './operator-error.ts';

export const EXIT = { done: 0, refused: 1, misused: 2 } as const;

/** The exit code after an error, whose message it prints; Commander prints its own errors. Throws any other error. */
export function exitCodeOf(error: unknown, printLine: (text: string) => void): number {
	if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misused;
	if (!(error instanceof OperatorError)) throw error;
	printLine(error.message);
	return EXIT.refused;
}

/** The command line of a separate program, such as `npm start`. Wrong use shows the help. */
export const commandLine = (name: string) => new Command(name).showHelpAfterError().exitOverride();

/** Runs such a program. If its user made an error, the process ends. */
export async function runProgram(program: () => Promise<void>): Promise<void> {
	try {
		await program();
	} catch (error) {
		process.exit(exitCodeOf(error, console.error));
	}
}
