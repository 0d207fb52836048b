import { parseArgs } from 'node:util';
import { apiKeyCommands } from './api-key-commands.ts';
import { callCommands } from './call-commands.ts';
import { type Command, OperatorError, optionalText } from './command.ts';
import { connect } from './connect.ts';
import { deadLetterCommands } from './dead-letter-commands.ts';
import { endpointCommands } from './endpoint-commands.ts';
import { personCommands } from './person-commands.ts';
import { terminalSession } from './session.ts';
import { telephonyCommands } from './telephony-commands.ts';
import { workspaceCommands } from './workspace-commands.ts';

const commands: readonly Command[] = [
	...workspaceCommands,
	...apiKeyCommands,
	...personCommands,
	...endpointCommands,
	...deadLetterCommands,
	...callCommands,
	...telephonyCommands,
];

const targetOptions = { outputs: { type: 'string' }, 'state-dir': { type: 'string' } } as const;

function usage(): string {
	const lines = commands.map((command) => `  ${command.words} ${command.help}`);
	const target =
		'Without more, the stack on this machine (.local, or --state-dir DIR); with --outputs FILE (written by npm run deploy) the deployed one, with your AWS credentials.';
	return ['npm run ops -- <command> [options]', '', ...lines, '', target].join('\n');
}

const lengthOf = (words: string): number => words.split(' ').length;

async function main(argv: readonly string[]): Promise<number> {
	const command = commands.find(({ words }) => argv.slice(0, lengthOf(words)).join(' ') === words);
	if (command === undefined) {
		console.error(usage());
		return 2;
	}
	try {
		const options = { ...command.options, ...targetOptions };
		const { values } = parseArgs({ args: [...argv.slice(lengthOf(command.words))], options, strict: true });
		const deps = await connect({
			outputs: optionalText(values, 'outputs'),
			state_dir: optionalText(values, 'state-dir'),
		});
		console.log(JSON.stringify(await command.run(values, deps, terminalSession()), null, 2));
		return 0;
	} catch (error) {
		if (error instanceof OperatorError || (error instanceof TypeError && 'code' in error)) {
			console.error(error.message);
			return 1;
		}
		throw error;
	}
}

process.exitCode = await main(process.argv.slice(2));
