import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// `node tools/install.ts <folder>` installs the packages that only one tool needs. These packages have a lockfile of their
// own, so that `npm ci` installs only what `npm start`, `npm test` and a deployment need.

/** The folder for the locks, which git does not track. */
const LOCKS = join(import.meta.dirname, 'node_modules');
const STAMP = '.installed.json';
const CI = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
/** How long to wait for another process, which may be installing over a slow network. */
const LONGEST_MS = 1_800_000;

/**
 * Installs the packages of a folder below tools/, unless the packages of its current lockfile are installed already.
 * Returns false if the registry cannot be reached. If two processes need the same folder, one of them installs and the
 * other waits.
 */
export function installTools(folder: string): boolean {
	const directory = join(import.meta.dirname, folder);
	const lockfile = readFileSync(join(directory, 'package-lock.json'));
	const stamp = join(directory, 'node_modules', STAMP);
	const isInstalled = () => existsSync(stamp) && readFileSync(stamp).equals(lockfile);
	if (isInstalled()) return true;
	using _ = lock(basename(folder));
	if (isInstalled()) return true;
	process.stderr.write(`Installing the packages of tools/${folder} ...\n`);
	const { status, stderr } = spawnSync('npm', CI, { cwd: directory, encoding: 'utf8' });
	// If a lockfile does not fit its package.json, that is an error in this repository and not at the registry.
	if (stderr.includes('EUSAGE')) throw new Error(`tools/${folder}/package-lock.json: ${stderr}`);
	if (status !== 0) {
		process.stderr.write(stderr);
		return false;
	}
	mkdirSync(join(directory, 'node_modules'), { recursive: true });
	writeFileSync(stamp, lockfile);
	return true;
}

/**
 * Locks a name, with SQLite's lock on a file whose database is empty. The lock ends with this process, however the process
 * ends.
 */
function lock(name: string): Disposable {
	mkdirSync(LOCKS, { recursive: true });
	const database = new DatabaseSync(join(LOCKS, `${name}.lock`), { timeout: LONGEST_MS });
	database.exec('BEGIN EXCLUSIVE');
	return database;
}

if (import.meta.main && !installTools(process.argv[2] ?? '')) process.exitCode = 1;
