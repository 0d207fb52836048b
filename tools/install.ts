import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// `node tools/install.ts <folder>`: installs the packages of one check, from a lockfile of their own. `npm ci`
// installs what `npm start`, `npm test` and a deployment need.

/** Not tracked, and on the same disk as the folders. */
const DRAFTS = join(import.meta.dirname, 'node_modules');
const STAMP = '.installed.json';

/**
 * Installs the packages of a folder below tools/, unless its lockfile is installed already; false if they cannot be had.
 * Two processes may install the same folder at once: the first that ends wins.
 */
export function installTools(folder: string): boolean {
	const directory = join(import.meta.dirname, folder);
	const lockfile = readFileSync(join(directory, 'package-lock.json'));
	const modules = join(directory, 'node_modules');
	const isInstalled = () => existsSync(join(modules, STAMP)) && readFileSync(join(modules, STAMP)).equals(lockfile);
	if (isInstalled()) return true;
	process.stderr.write(`Installing the packages of tools/${folder} ...\n`);
	mkdirSync(DRAFTS, { recursive: true });
	const draft = mkdtempSync(join(DRAFTS, `.${folder}-`));
	try {
		for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
			if (existsSync(join(directory, file))) cpSync(join(directory, file), join(draft, file));
		}
		const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
		const { status, stderr } = spawnSync('npm', args, { cwd: draft, encoding: 'utf8' });
		// A lockfile that does not fit is our fault, not the registry's.
		if (stderr.includes('EUSAGE')) throw new Error(`tools/${folder}/package-lock.json: ${stderr}`);
		if (status !== 0) {
			process.stderr.write(stderr);
			return false;
		}
		writeFileSync(join(draft, 'node_modules', STAMP), lockfile);
		if (isInstalled()) return true;
		rmSync(modules, { recursive: true, force: true });
		renameSync(join(draft, 'node_modules'), modules);
		return true;
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

if (import.meta.main && !installTools(process.argv[2] ?? '')) process.exitCode = 1;
