import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MEMORY } from './support/temporary.ts';

// `npm test`: runs jest with what its tests need, in a folder of its own for everything temporary. However the run ends, also by
// Ctrl-C, it leaves no process and no folder.

const FLAGS = ['--experimental-vm-modules', '--single-threaded', '--disable-warning=ExperimentalWarning'];
const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js');
/** Processes that were asked to end get so long. */
const GRACE_MS = 5000;

const options = process.argv.slice(2);
const config = options.includes('--config') ? [] : ['--config', join(import.meta.dirname, 'jest.config.js')];
const folder = mkdtempSync(join(tmpdir(), 'call-back-tests-'));
const name = basename(folder);
const inMemory = existsSync(MEMORY) ? join(MEMORY, name) : null;
if (inMemory !== null) mkdirSync(inMemory);

/** A process group of its own: one signal reaches jest, its workers and what they started. */
const jest = spawn(process.execPath, [...FLAGS, JEST, ...config, ...options], {
	stdio: 'inherit',
	// Only the terminal's own group may read keys.
	detached: !options.some((option) => option.startsWith('--watch')),
	env: { ...process.env, TMPDIR: folder, TEST_RUN: name },
});

/** Processes of this run by its name in their environment, also those that left its group. */
function inEnvironment(): readonly number[] {
	return readdirSync('/proc')
		.map(Number)
		.filter((pid) => {
			try {
				return pid > 0 && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`TEST_RUN=${name}\0`);
			} catch {
				// It has ended, or is another user's.
				return false;
			}
		});
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, name);
	} catch {
		// It has ended.
		return false;
	}
}

/** Ends what is left of the run. Where there is no /proc, that is its process group. */
async function clear({ pid = 0 }: ChildProcess): Promise<void> {
	const left = existsSync('/proc/self/environ') ? inEnvironment : () => (signal(-pid, 0) ? [-pid] : []);
	for (const name of ['SIGTERM', 'SIGKILL'] as const) {
		for (const each of left()) signal(each, name);
		for (const untilMs = Date.now() + GRACE_MS; left().length > 0 && Date.now() < untilMs; ) await pause(50);
	}
	for (const each of [folder, inMemory]) if (each !== null) rmSync(each, { recursive: true, force: true });
}

let stopped: NodeJS.Signals | null = null;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(name, () => {
		stopped = name;
		signal(-(jest.pid ?? 0), 'SIGTERM');
	});
}
jest.once('exit', (code) => {
	void clear(jest).then(() => process.exit(stopped === null ? (code ?? 1) : 128 + constants.signals[stopped]));
});
