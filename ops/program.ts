import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import manifest from '../package.json' with { type: 'json' };
import { actOn, type Host } from './command.ts';
import { apiKeyCommands } from './commands/api-key-commands.ts';
import { callCommands } from './commands/call-commands.ts';
import { deadLetterCommands } from './commands/dead-letter-commands.ts';
import { deskCommands } from './commands/desk-commands.ts';
import { endpointCommands } from './commands/endpoint-commands.ts';
import { eventCommands } from './commands/event-commands.ts';
import { personCommands } from './commands/person-commands.ts';
import { telephonyCommands } from './commands/telephony-commands.ts';
import { workspaceCommands } from './commands/workspace-commands.ts';
import { OperatorError } from './operator-error.ts';
import { EXIT, exitCodeOf } from './run-program.ts';
import { isOfPackage, typed, typedForCdk } from './typed.ts';

const worksOn = (): string =>
	isOfPackage()
		? 'A command works on the deployed stack that --outputs names (default: outputs.json), with your AWS credentials.'
		: 'A command works on the stack of this machine or, with --outputs and your AWS credentials, on a deployed one.';
const afterHelp = (): string => `
${worksOn()}
It prints its result as JSON if the output is not a terminal, or with --json. Progress goes to the error output.

Exit codes: ${EXIT.done} done (after Ctrl-C the result says "stopped": true), ${EXIT.refused} refused, or a check found something wrong,
${EXIT.misused} the command line is not understood.`;

function opsProgram(host: Host): CommandUnknownOpts {
	const act = actOn(host);
	const program = new Command('ops')
		.usage('<command> [options]')
		.description(`Operates the Call-Back Widget Service. Run it as ${typed('ops')} <command>.`)
		.version(manifest.version)
		.option(
			'--outputs <file>',
			`the deployed stack: the file that ${typedForCdk('deploy')}${isOfPackage() ? ' --outputs-file' : ''} wrote`,
		)
		.option('--profile <name>', 'with --outputs: the profile of the AWS CLI with its credentials and region')
		.option('--state-dir <directory>', 'the stack of this machine (default: .local)')
		.option('--json', 'prints JSON on a terminal too')
		.configureHelp({ showGlobalOptions: true })
		.configureOutput({
			writeOut: (text) => host.write(text.trimEnd()),
			writeErr: (text) => host.session.note(text.trimEnd()),
		})
		.showHelpAfterError('Add --help to see what the command takes.')
		.addHelpText('after', afterHelp());
	for (const command of [
		...workspaceCommands(act),
		...apiKeyCommands(act),
		...personCommands(act),
		...endpointCommands(act),
		...eventCommands(act),
		...deadLetterCommands(act),
		...callCommands(act),
		...deskCommands(act),
		...telephonyCommands(act),
	]) {
		program.addCommand(command);
	}
	inherit(program);
	return program.exitOverride();
}

/** Gives every command below this one the same settings for output, help and errors. */
function inherit(command: CommandUnknownOpts): void {
	for (const child of command.commands) {
		child.copyInheritedSettings(command).exitOverride();
		inherit(child);
	}
}

/** Runs one command line and returns the exit code. */
export async function runOps(args: readonly string[], host: Host): Promise<number> {
	try {
		const half = args.findIndex((arg) => !arg.isWellFormed());
		if (half >= 0)
			throw new OperatorError(`${args[half - 1] ?? 'command'}: expected valid Unicode, without half a character`);
		await opsProgram(host).parseAsync(args, { from: 'user' });
		return EXIT.done;
	} catch (error) {
		return exitCodeOf(error, host.session.note);
	}
}
