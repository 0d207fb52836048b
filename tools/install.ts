import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// `node tools/install.ts <folder>` installs the packages of one check, which have their own lockfile. `npm ci` installs only what
// `npm start`, `npm test` and a deployment need.

/** A folder that git does not track. */
const LOCKS = join(import.meta.dirname, 'node_modules');
const STAMP = '.installed.json';
const CI = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
/** Another process may be installing over a slow network. */
const LONGEST_MS = 1_800_000;

/**
 * Installs the packages of a folder below tools/, unless they are already installed for its current lockfile. False if the
 * registry cannot be reached. If two processes need the same folder, one installs and the other waits.
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
	// A lockfile that does not fit its package.json is an error of ours, not of the registry.
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
 * Locks a name by SQLite's lock on a file; the database in it is empty. The lock ends with this process, however the process
 * ends.
 */
function lock(name: string): Disposable {
	mkdirSync(LOCKS, { recursive: true });
	const database = new DatabaseSync(join(LOCKS, `${name}.lock`), { timeout: LONGEST_MS });
	database.exec('BEGIN EXCLUSIVE');
	return database;
}

if (import.meta.main && !installTools(process.argv[2] ?? '')) process.exitCode = 1;
