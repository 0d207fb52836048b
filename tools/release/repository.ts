import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs git in a folder. Throws git's error message if git fails. */
export const gitIn =
	(folder: string) =>
	(...args: readonly string[]): string =>
		execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Whether git ends with exit code 0. */
export const gitHas = (folder: string, ...args: readonly string[]): boolean =>
	spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status === 0;

/**
 * A second checkout of the current commit, outside of the repository. Its commits become part of a branch only when that
 * branch takes them. The second checkout uses the installed packages of the first.
 */
export function secondCheckout(root: string): Disposable & { readonly folder: string } {
	const folder = mkdtempSync(join(tmpdir(), 'call-back-release-'));
	const git = gitIn(root);
	git('worktree', 'add', '--quiet', '--detach', folder, 'HEAD');
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	return {
		folder,
		[Symbol.dispose]() {
			rmSync(folder, { recursive: true, force: true });
			git('worktree', 'prune');
		},
	};
}
