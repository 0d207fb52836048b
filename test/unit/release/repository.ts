import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Request, release } from '../../../tools/release/release.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** The files that contain the version, and the other files that a release changes. */
const REAL_FILES = [
	'package.json',
	'package-lock.json',
	'packages/*/{package.json,README.md}',
	'shared/contract/openapi/version.ts',
	'docs/*.md',
	'docs/openapi*.json',
];

/** Runs git in a folder. */
const gitIn =
	(root: string) =>
	(...args: readonly string[]): string =>
		execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** A repository with one commit. The other repositories are copies of it, because each start of git takes long. */
export function firstRepository() {
	const root = temporaryDirectory('release-first-');
	const git = gitIn(root);
	git('init', '--quiet', '--initial-branch', 'main', '--template=');
	git('config', 'user.name', 'Ada');
	git('config', 'user.email', 'ada@shop.example');
	for (const file of REAL_FILES.flatMap((pattern) => globSync(pattern))) cpSync(file, join(root, file));
	writeFileSync(join(root, '.gitignore'), 'node_modules\n');
	git('add', '--all');
	git('commit', '--quiet', '-m', 'Begin');
	return { root, commit: git('rev-parse', 'HEAD'), remove: () => rmSync(root, { recursive: true }) };
}

/**
 * A small repository. Its first commit is the newest release, and one change follows. `changelog`: the text about unreleased
 * changes.
 */
export function repository(first: ReturnType<typeof firstRepository>, changelog: string) {
	const root = temporaryDirectory('release-');
	const git = gitIn(root);
	const read = (file: string): string => readFileSync(join(root, file), 'utf8');
	function write(file: string, text: string): void {
		mkdirSync(dirname(join(root, file)), { recursive: true });
		writeFileSync(join(root, file), text);
	}
	const commit = (subject: string): void => {
		git('add', '--all');
		git('commit', '--quiet', '-m', subject);
	};
	cpSync(first.root, root, { recursive: true });
	write('docs/releases.json', JSON.stringify([{ version: '1.0.0', commit: first.commit.slice(0, 8) }]));
	write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n${changelog}\n## 0.9.0 - 2026-11-01\n\n### Added\n- Calls.\n`);
	commit('Change');
	return { root, git, read, write, commit, remove: () => rmSync(root, { recursive: true }) };
}
export type Repository = ReturnType<typeof repository>;

/** Makes a release. Stand-ins replace the programs that it runs. `fails`: the command whose stand-in ends with 1. */
export function tryRelease(
	{ root, read }: Repository,
	options: Partial<Pick<Request, 'version' | 'isRehearsal'>> & { readonly fails?: RegExp; meanwhile?(): void },
) {
	const commands: string[] = [];
	const lines: string[] = [];
	const result = release({
		version: '1.1.0',
		isRehearsal: false,
		...options,
		root,
		day: '2026-11-29',
		run(folder, program, ...args) {
			const command = [program === process.execPath ? 'node' : program, ...args].join(' ');
			commands.push(`${folder === root ? '' : 'second checkout: '}${command}`);
			if (command === 'npm run upgrade -- --needed') options.meanwhile?.();
			if (command.startsWith('node tools/generate/openapi.ts'))
				writeFileSync(
					join(folder, 'docs/openapi.json'),
					readFileSync(join(folder, 'shared/contract/openapi/version.ts')),
				);
			if (command.startsWith('node test/upgrade/write.ts')) {
				const samples = join(folder, 'test/upgrade/releases', args.at(-1) ?? '');
				mkdirSync(samples, { recursive: true });
				writeFileSync(join(samples, 'items.jsonl'), '{}\n');
			}
			return options.fails?.test(command) !== true;
		},
		say: (line) => lines.push(line),
	});
	return { result, commands, lines, read };
}
