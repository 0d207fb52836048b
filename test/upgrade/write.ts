import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { restProviders } from './bench/providers.ts';
import { findMutants } from './find-mutants.ts';

// `npm run lab -- samples <commit>` runs the code of a commit, and writes what it stores, sends and hands out to
// test/upgrade/releases/<commit>. It uses the commit's own test/upgrade/record.ts; a commit without this file uses ours. With
// `--mutants`, it instead breaks today's code in each of the ways in mutants.ts, and the tests of this folder have to detect
// every one.

const ROOT = join(import.meta.dirname, '../..');
const SHORT = 8;
const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 });

function commitOf(name: string): string | null {
	try {
		return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).toString().trim().slice(0, SHORT);
	} catch {
		return null;
	}
}

/** Links our packages into the tree if the lockfiles are the same. Otherwise, installs the packages of the commit. */
function installInto(tree: string): void {
	const lock = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');
	if (lock(tree) === lock(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
	else execFileSync('npm', ['ci'], { cwd: tree, stdio: 'inherit' });
}

function writeSamples(commit: string): void {
	const tree = mkdtempSync(join(tmpdir(), 'call-back-samples-'));
	try {
		execFileSync('tar', ['-x', '-C', tree], { input: git('archive', commit) });
		if (!existsSync(join(tree, 'test/upgrade/record.ts'))) {
			const isOurs = (path: string): boolean => !path.includes('/releases');
			cpSync(import.meta.dirname, join(tree, 'test/upgrade'), { recursive: true, filter: isOurs });
		}
		installInto(tree);
		const folder = join(import.meta.dirname, 'releases', commit);
		for (const provider of ['', ...restProviders]) {
			const args = ['test/upgrade/record.ts', join(folder, provider), provider];
			const { items, steps }: Written = JSON.parse(execFileSync(process.execPath, args, { cwd: tree }).toString());
			console.log(`${join(folder, provider)}: ${items} items, ${steps} steps.`);
		}
		console.log('Now run npm test -- test/upgrade.');
	} finally {
		rmSync(tree, { recursive: true, force: true });
	}
}
type Written = { readonly items: number; readonly steps: number };

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { mutants: { type: 'boolean', default: false }, mutant: { type: 'string' } },
});
const [name = 'HEAD'] = positionals;
if (values.mutants || values.mutant !== undefined) {
	if (!(await findMutants(values.mutant))) process.exitCode = 1;
} else {
	const commit = commitOf(name);
	if (commit === null)
		console.log(`skipped: this clone has no commit ${name} (git fetch --unshallow brings the history)`);
	else writeSamples(commit);
}
