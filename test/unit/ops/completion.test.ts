import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

// The scripts of `ops completion` in the shells themselves: what a line becomes at Tab.

const run = promisify(execFile);
const main_file = join(import.meta.dirname, '../../../ops/main.ts');
const LONG_MS = 240_000;

let directory: string;
beforeAll(() => {
	directory = mkdtempSync(join(tmpdir(), 'completion-'));
	writeFileSync(join(directory, 'deployment.json'), '{}');
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Lines, and what their last word becomes: a command, an option, a value, an argument, a file name. */
const lines = [
	['ops work', 'workspace'],
	['ops workspace se', 'set'],
	['ops workspace set --lang', '--language'],
	['ops workspace create --language f', 'fr'],
	['ops completion z', 'zsh'],
	['ops workspace list --outputs dep', 'deployment.json'],
] as const;

/** Every shell answers for all lines at once, with a line of candidates for each. */
const asked: Readonly<Record<string, (script: string) => readonly string[]>> = {
	bash: (script) => [
		'--norc',
		'-c',
		`source ${script}
for line in "$@"; do
	read -ra COMP_WORDS <<<"$line"
	COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )) COMPREPLY=()
	_ops_complete
	# What readline does then, because of "-o default".
	[[ -z \${COMPREPLY[*]} ]] && COMPREPLY=($(compgen -f -- "\${COMP_WORDS[-1]}"))
	echo "\${COMPREPLY[*]}"
done`,
		'bash',
	],
	// A second zsh with a terminal of its own completes the line and says what it has become.
	zsh: (script) => [
		'-f',
		'-c',
		`zmodload zsh/zpty
mkfifo answers
exec 3<>answers
zpty shell zsh -f -i
zpty -w shell "source ${script}"
zpty -w shell 'tell() { zle complete-word; print -r -- \${\${(z)BUFFER}[-1]} >answers }'
zpty -w shell 'zle -N tell; bindkey "^X" tell'
for line in "$@"; do
	zpty -n -w shell $'\\C-u'"$line"$'\\C-x'
	read -r -u 3 answer
	print -r -- "$answer"
done
zpty -d shell`,
		'zsh',
	],
	fish: (script) => [
		'--no-config',
		'-c',
		`source ${script}
for line in $argv; echo (complete -C $line | string replace -r '\\t.*' ''); end`,
	],
};

it.each(Object.keys(asked))(
	'%s completes commands, options, values and file names',
	async (shell) => {
		if (spawnSync(shell, ['--version'], { stdio: 'ignore' }).status !== 0) {
			process.stderr.write('skipped\n');
			return;
		}
		const { stdout: text } = await run(process.execPath, [main_file, 'completion', shell]);
		const script = join(directory, `ops.${shell}`);
		writeFileSync(script, text);
		// An older Node first in the path must not be the one that runs the command.
		writeFileSync(join(directory, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		const env = { ...process.env, HOME: directory, TERM: 'dumb', PATH: `${directory}:${process.env['PATH']}` };
		const args = [...(asked[shell]?.(script) ?? []), ...lines.map(([line]) => line)];
		const { stdout } = await run(shell, args, { cwd: directory, env, timeout: LONG_MS });
		expect(stdout.trim().split('\n')).toEqual(lines.map(([, word]) => word));
	},
	LONG_MS,
);
