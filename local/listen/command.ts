import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { LocalError } from '../local-error.ts';

const EXIT = { refused: 1, misused: 2 } as const;

/** The command line is not understood. */
export class UsageError extends Error {
	override readonly name = 'Misused';
}

/** The options that both commands take. */
export const COMMON = { 'state-dir': { type: 'string', default: '.local' }, 'api-key': { type: 'string' } } as const;
export const COMMON_USAGE = `  --api-key KEY        API key of another workspace than the demo workspace
  --state-dir DIR      the state directory of the stack (.local)
  --help               shows this`;

/** Parses the command line; throws `Misused` if it is invalid. */
export function readArguments<O extends ParseArgsOptionsConfig>(options: O, allowPositionals: boolean) {
	try {
		return parseArgs({ options, allowPositionals });
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

/** Runs a command, and sets the exit code: 1 if it was refused, 2 if the command line is not understood. */
export async function runCommand(usage: string, work: () => Promise<void>): Promise<void> {
	if (process.argv.includes('--help')) return console.log(usage);
	try {
		await work();
	} catch (error) {
		if (error instanceof UsageError) console.error(`${error.message}\n\n${usage}`);
		else if (error instanceof LocalError) console.error(error.message);
		else throw error;
		process.exitCode = error instanceof UsageError ? EXIT.misused : EXIT.refused;
	}
}

/** Prints JSON for programs, lines for people. */
export function print(facts: object, lines: string): void {
	console.log(process.stdout.isTTY ? lines : JSON.stringify(facts));
}
