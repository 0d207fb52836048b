import { join } from 'node:path';
import { Argument, Command, type CommandUnknownOpts, type Option } from '@commander-js/extra-typings';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Each script calls `ops complete -- WORD...` for the candidates for the last word. Without any, the shell completes file names. */
const scripts: Readonly<Record<Shell, string>> = {
	bash: `_ops_complete() {
	local IFS=$'\\n'
	COMPREPLY=($(ops complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _ops_complete ops`,
	zsh: `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_ops_complete() {
	local -a found
	found=(\${(f)"$(ops complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
	(( $#found )) && compadd -a found || _files
}
compdef _ops_complete ops`,
	fish: `function __ops_complete; ops complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null; end
complete -c ops -e
complete -c ops -f -a '(__ops_complete)'
complete -c ops -F -n 'not string length -q -- (__ops_complete)'`,
};

/** The Node.js that runs this process, because another one in the PATH may be too old. */
const node = JSON.stringify(process.execPath);
const main_file = JSON.stringify(join(import.meta.dirname, 'main.ts'));
const shortcut: Readonly<Record<Shell, string>> = {
	bash: `ops() { ${node} ${main_file} "$@"; }`,
	zsh: `ops() { ${node} ${main_file} "$@" }`,
	fish: `function ops; ${node} ${main_file} $argv; end`,
};

/** The candidates for the last word. Connects to nothing. */
function candidates(program: CommandUnknownOpts, words: readonly string[]): readonly string[] {
	const before = words.slice(0, -1);
	const [current = '', previous = ''] = [words.at(-1), before.at(-1)];
	const command = commandAt(program, before);
	const options = [...command.options, ...program.options];
	const awaiting = options.find((option) => option.required && isNamed(option, previous));
	if (awaiting !== undefined) return startingWith(current, awaiting.argChoices ?? []);
	if (current.startsWith('-')) return startingWith(current, [...options.flatMap(({ long }) => long ?? []), '--help']);
	const names = command
		.createHelp()
		.visibleCommands(command)
		.map((child) => child.name());
	return startingWith(current, [
		...names,
		...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
	]);
}

const isNamed = ({ long, short }: Option, word: string): boolean => word === long || word === short;
const startingWith = (start: string, words: readonly string[]) => words.filter((word) => word.startsWith(start));

/** The command that the words select: each word that names a child descends one level. */
function commandAt(program: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
	return words.reduce((at, word) => at.commands.find((child) => child.name() === word) ?? at, program);
}

/** Prints a script for the shell that calls `complete`. */
export const completionCommand = (write: (text: string) => void): CommandUnknownOpts =>
	new Command('completion')
		.description('Print a script that gives your shell the command "ops", with completion.')
		.addArgument(new Argument('<shell>', 'your shell').choices(shells))
		.addHelpText(
			'after',
			`
bash, zsh: source <(npm run --silent ops -- completion bash)
fish:      npm run --silent ops -- completion fish | source`,
		)
		.action((shell) => write(`${shortcut[shell]}\n${scripts[shell]}`));

/** Answers the shell's script. */
export const completeCommand = (program: CommandUnknownOpts, write: (text: string) => void): CommandUnknownOpts =>
	new Command('complete').argument('[words...]').action((words) => write(candidates(program, words).join('\n')));
