import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// `node tools/install.ts <folder>`: installs the packages of one check, from a lockfile of their own. `npm ci`
// installs what `npm start`, `npm test` and a deployment need.

/** Installs the packages of a folder below tools/, unless its lockfile is installed already; false if they cannot be had. */
export function installTools(folder: string): boolean {
	const directory = join(import.meta.dirname, folder);
	const lockfile = join(directory, 'package-lock.json');
	const stampFile = join(directory, 'node_modules/.installed.json');
	if (existsSync(stampFile) && readFileSync(stampFile).equals(readFileSync(lockfile))) return true;
	const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
	if (spawnSync('npm', args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return false;
	copyFileSync(lockfile, stampFile);
	return true;
}

if (import.meta.main && !installTools(process.argv[2] ?? '')) process.exitCode = 1;
